"""A few pairs of runs that promptfoo and Inspect really make; the program makes as many as asked for."""

from __future__ import annotations

import pytest

from tests.torture.two_runs import compared_pairs, tools


@pytest.mark.skipif(not [*tools()], reason="neither promptfoo nor Inspect is there")
def test_all_that_is_said_of_two_runs_is_what_their_files_say(tmp_path):
    done, wrong = compared_pairs(9, 7, tmp_path)
    assert not wrong, wrong
    assert done.total() == 9
