"""One setting written into a file of settings: all else stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import SettingsError
from sampleui.settings.writing import remember


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'theme = "nord"\n'),
        ("# mine", '# mine\ntheme = "nord"\n'),
        ('theme = "x" # why\n', 'theme = "nord" # why\n'),
        ("reviewer='ann'\n\n# keys\n[keys]\n", "reviewer='ann'\ntheme='nord'\n\n# keys\n[keys]\n"),
        ("# keys\n[keys]\n", 'theme = "nord"\n\n# keys\n[keys]\n'),
        ('\ufefftheme = "x"\r\nplain = true\r\n', '\ufefftheme = "nord"\r\nplain = true\r\n'),
    ],
)
def test_a_setting_is_written_where_it_belongs_and_all_else_stays(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(before.encode())
    remember("theme", "nord", path)
    assert path.read_bytes().decode() == after


def test_a_list_is_written_into_a_file_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    remember("guideline_patterns", ["a/**", "b"], path)
    assert path.read_text() == 'guideline_patterns = ["a/**", "b"]\n'


def test_a_file_that_is_no_toml_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("theme = [")
    with pytest.raises(SettingsError, match="theme is not remembered: 1:10"):
        remember("theme", "nord", path)
    assert path.read_text() == "theme = ["
