"""Some of the faults; `make torture` tries all of them."""

from __future__ import annotations

import shutil
import sys

import pytest

from . import faults


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs gcc and Linux")
def test_no_fault_of_the_system_breaks_a_promise(capfd):
    assert faults.main(["--errors", "EIO", "--every", "89"]) == 0, capfd.readouterr().out
    counted = capfd.readouterr().out
    assert " injected faults, 0 broke a promise" in counted
