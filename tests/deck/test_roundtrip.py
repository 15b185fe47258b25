"""From the disk and back: what was edited is saved, one hunk, and nothing else of the file is touched."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.deck.diff import diff
from sampleui.deck.edit import (
    apply,
    delete_sample,
    insert_sample,
    move_sample,
)
from sampleui.deck.history import History, UndoStep
from sampleui.deck.load import load
from sampleui.deck.model import Change, DeckFiles
from sampleui.deck.save import save
from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.operations import Delete, Insert, Move, Set

DECKS = Path(__file__).parents[2] / "examples" / "decks"
FORMS = {
    "hello.toml": "messages",
    "keyed.toml": "messages",
    "agentv.yaml": "input_messages",
    "gage.jsonl": "messages",
}
VARIANTS = {
    "LF": lambda data: data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "BOM": lambda data: b"\xef\xbb\xbf" + data,
    "no final newline": lambda data: data.rstrip(b"\n"),
}


def copied(folder: Path, name: str, variant: str = "LF") -> Path:
    path = folder / name
    path.write_bytes(VARIANTS[variant]((DECKS / name).read_bytes()))
    return path


def test_one_word_of_one_turn_is_one_line_of_the_diff(tmp_path):
    path = copied(tmp_path, "hello.toml")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    files = load(path)
    content = files.sources[0].document.read(0)["messages"][0]["content"]
    edit = apply(files, 0, Set(("messages", 0, "content"), content.replace("2+2", "2+3")))
    files = files.apply(edit)
    shown = diff(files)
    save(files)
    git = subprocess.run(["git", "diff"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    changed = [line for line in git.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == [
        '-  { role = "user", content = "What is 2+2?" },',
        '+  { role = "user", content = "What is 2+3?" },',
    ]
    assert shown.split("@@\n", 1)[1] == git.split("@@", 2)[2].split("\n", 1)[1]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", FORMS)
def test_a_save_without_edits_changes_nothing(tmp_path, name, variant):
    path = copied(tmp_path, name, variant)
    before = path.read_bytes()
    files = load(path)
    assert files.sources[0].document.text.encode() == before
    assert save(files).paths == ()
    assert path.read_bytes() == before


@st.composite
def changes(draw, files: DeckFiles, messages: str) -> Change:
    index = draw(st.integers(0, len(files) - 1))
    at = draw(st.integers(0, 1))
    text = draw(st.text("ab\n \"'#:é\u2028\\", max_size=20))
    match draw(st.integers(0, 6)):
        case 0:
            return apply(files, index, Set((messages, at, "content"), text))
        case 1:
            return apply(files, index, Insert((messages, at), {"role": "user", "content": text}))
        case 2:
            return apply(files, index, Delete((messages, at)))
        case 3:
            return apply(files, index, Move((messages, at), 0))
        case 4:
            name = f"new {draw(st.integers(0, 10**9))}"
            return insert_sample(files, index, {"id": name, messages: [{"role": "user", "content": text}]})
        case 5:
            return delete_sample(files, index)
        case _:
            return move_sample(files, index, draw(st.integers(0, len(files) - 1)))


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(data=st.data())
def test_any_edits_are_saved_as_they_read_and_undone_to_the_byte(tmp_path, data):
    name = data.draw(st.sampled_from(sorted(FORMS)))
    path = copied(tmp_path, name, data.draw(st.sampled_from(sorted(VARIANTS))))
    before = path.read_bytes()
    files, history = load(path), History()
    for _ in range(data.draw(st.integers(1, 4))):
        try:
            change = data.draw(changes(files, FORMS[name]))
        except (EditRefusedError, PathError):
            continue
        files = files.apply(change)
        history.push(UndoStep("edit", (change,)))
    save(files)
    assert path.read_bytes().decode() == files.sources[0].document.text
    again = load(path).sources[0].document
    document = files.sources[0].document
    assert [again.read(at) for at in range(len(again))] == [document.read(at) for at in range(len(document))]
    while (undone := history.undo(files)) is not None:
        files = undone[0]
    save(files)
    assert path.read_bytes() == before
