"""Some kills; `make torture` makes 300."""

from __future__ import annotations

import sys

import pytest

from . import kills


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork and prctl")
def test_no_kill_breaks_a_promise(capfd):
    assert kills.main(["--kills", "36"]) == 0, capfd.readouterr().out
    assert "36 kills, 0 broke a promise" in capfd.readouterr().out
