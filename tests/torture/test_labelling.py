"""A review of a hundred records by keys in a pseudo-terminal; `make torture` kills it too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from . import labelling


@pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal")
def test_30_notes_6_codes_and_100_records_labelled_for_all_of_them_take_500_keys_at_most(tmp_path: Path) -> None:
    assert labelling.review(tmp_path, 1) <= 500
