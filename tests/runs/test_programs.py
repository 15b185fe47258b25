"""Programs of a project are looked at, and not run."""

from __future__ import annotations

import warnings

import pytest

from sampleui.runs.rerun.program import python_in


def test_python_that_a_later_version_may_read_otherwise_is_read_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (statement,) = python_in(b'x = "\\d"')
    assert type(statement).__name__ == "Assign"


@pytest.mark.parametrize("data", [b"x = (", b"\0", b"\xff", b"(" * 100_000, b"-" * 100_000 + b"1"])
def test_what_is_no_python_has_no_statements(data):
    assert not python_in(data)
