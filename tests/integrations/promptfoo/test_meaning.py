"""What becomes of files that tests of promptfoo name where another program is to read the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui import open_deck

from ...command import ran

CONFIG = """prompts: [file://p.txt]
providers: [echo]
tests:
  - description: ref
    vars: {question: file://q.txt}
    assert: [{type: contains, value: file://a.txt}, {type: is-json, value: file://s.json}]
  - description: two
    vars: vars.yaml
    assert: [{type: contains-any, value: [file://a.txt, b]}]
"""
FILES = {
    "q.txt": "Capital of Peru?\n",
    "a.txt": "Lima\n",
    "s.json": '{"type": "object"}',
    "vars.yaml": "question: Who?\n",
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    for name, text in {**FILES, "promptfooconfig.yaml": CONFIG, "p.txt": "{{question}}"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "sub").mkdir()
    return tmp_path / "promptfooconfig.yaml"


def written(config: Path, name: str, dialect: str) -> tuple[list[object], str]:
    """Return the samples that a config is converted to, and what is said of it."""
    told = ran("convert", config, config.parent / name, "--to", dialect)
    return [sample.data for sample in open_deck(config.parent / name, dialect).samples], told.out


def test_the_text_of_a_file_is_what_another_program_is_given(config: Path) -> None:
    (first, second), told = written(config, "a.yaml", "inspect")
    assert "file://" not in str((first, second)) + told
    assert [str(data).count("Lima") for data in (first, second)] == [1, 1]
    assert "'input': 'Capital of Peru?'" in str(first) and "{'type': 'object'}" in str(first)
    assert "'input': 'Who?'" in str(second)


def test_in_another_folder_a_test_says_what_its_files_say(config: Path) -> None:
    (first, second), _ = written(config, "sub/a.yaml", "promptfoo")
    assert "file://" not in str((first, second)) and "'vars': {'question': 'Who?'}" in str(second)


def test_beside_the_config_the_paths_stay(config: Path) -> None:
    (first, second), _ = written(config, "a.yaml", "promptfoo")
    assert str(first).count("file://") == 3 and "'vars': 'vars.yaml'" in str(second)


@pytest.mark.parametrize("named", ["file://gone.txt", "file://make.js", "file://data/*.txt"])
def test_what_is_not_read_is_reported(config: Path, named: str) -> None:
    config.write_text(CONFIG.replace("file://q.txt", named))
    samples, told = written(config, "a.jsonl", "openai")
    assert f"vars.question: {named} stands as it is written, for the file is not read (ref)" in told
    assert named in str(samples[0])
