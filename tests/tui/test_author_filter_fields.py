"""The filter by fields: roles, tags, what is expected, numbers, problems, changes."""

from __future__ import annotations

import json

import pytest

from .driver import opened, said
from .test_author_filter import narrowed, shown

SAMPLES = [
    {"id": "a", "messages": [{"role": "user", "content": "add"}], "score": 3, "tags": ["math"], "expected": "4"},
    {"id": "b", "messages": [{"role": "tool", "content": "math"}], "score": -1, "metadata": {"source": "web"}},
    {"id": "c", "messages": [{"content": "nobody"}], "score": 0, "tags": ["poem"]},
]


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in SAMPLES))
    return path


async def test_a_field_that_no_sample_has_is_told(deck):
    async with opened(deck, dialect="calibrate") as app:
        await narrowed(app, "latency!=1 source:web")
        assert said(app.screen).startswith("! no sample has a field latency, but ")
        await app.press("escape")
        await narrowed(app, "score>9")
        assert "has a field" not in said(app.screen)


NARROWED = [
    ("role:tool", "b"),
    ("-role:tool", "ac"),
    ("tag:math", "a"),
    ("math", "ab"),
    ("math -tag:math", "b"),
    ("score<0", "b"),
    ("score>=0", "ac"),
    ("expected:none", "bc"),
    ("expected:some", "a"),
    ("metadata.source:web", "b"),
    ("source:web", "b"),
    ("id:c", "c"),
    ("role:user add", "a"),
    ("role:", "abc"),
    ("nope:x", ""),
]


async def test_fields_narrow_the_list(deck):
    async with opened(deck, dialect="calibrate") as app:
        for words, ids in NARROWED:
            await narrowed(app, words)
            assert "".join(shown(app)) == ids, words
            await app.press("escape")
            assert "".join(shown(app)) == "abc"


async def test_problems_and_changes_narrow_the_list(deck):
    async with opened(deck, dialect="calibrate") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await narrowed(app, "problem:error")
        assert "c" in shown(app) and "a" not in shown(app)
        await app.press("escape", "2", "r", "/", *"changed", "enter")
        assert shown(app) == ["a"]
        await app.press("u")
        assert shown(app) == ["a"]  # what was worked on stays in sight
        await app.press("/", "escape", "/", *"changed")
        assert shown(app) == []
