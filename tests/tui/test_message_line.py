"""The line above the keys: what it keeps of a message that is too long."""

from __future__ import annotations

from sampleui.tui.widgets.bars import MessageLine, with_short_paths

REASON = "the table is not taken: [dialects.deck] is there already; give it another name"


def said(text: str, width: int = 80) -> str:
    line = MessageLine()
    line.message = ("text", text)
    return "".join(part for row in line.rows(width) for _, part in row)


def test_the_reason_is_seen_however_long_the_path_is():
    for depth in (1, 10, 100):
        shown = said(f"✖ {'/folder' * depth}/.sampleui.toml:3:1: {REASON}")
        assert REASON in " ".join(shown.split())
        assert ".sampleui.toml:3:1:" in shown


def test_a_message_that_has_room_is_not_shortened():
    path = "/folder" * 12
    assert path in said(f"✖ {path}: no such file", 100).replace(" ", "")


def test_a_word_as_long_as_allowed_is_kept_and_a_longer_one_keeps_its_end():
    assert with_short_paths("a /bc/d e", 5) == "a /bc/d e"
    assert with_short_paths("a /bc/d e", 4) == "a …c/d e"
