"""Edits drawn at random, of the decks of every table of truth: what must hold of every edit holds of these too."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.integrations.testing import read_truth
from sampleui.workspace.deck import open_deck
from tests.formats.invariants import Form, check_deck
from tests.formats.test_invariants_yaml import ended_alike

from .test_contract import PLACES, TABLES

TRUTHS = [read_truth(table, PLACES) for table in TABLES]
DECKS = [
    (truth.folder / file).resolve()
    for truth in TRUTHS
    for row in truth.decks
    if not (file := str(row["file"])).startswith("$") and not file.endswith(".csv")
]
DEEDS = ("set", "set nested", "set new", "set messages", "insert turn", "delete turn", "move turn", "rename")
MAY_BE_REFUSED = frozenset((*DEEDS, "insert sample", "delete sample", "move sample", "rename sample"))


@settings(max_examples=settings().max_examples, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from(DECKS))
def test_every_edit_of_a_deck_of_a_tool_keeps_the_rest(data, path):
    text = path.read_text(encoding="utf-8")
    document = open_deck(path).files.sources[0].document
    form = Form(type(document).parse, st.just(text), tolerated=MAY_BE_REFUSED)
    if document.format == "yaml":
        form = replace(form, final_newline_kept=ended_alike)
    check_deck(form, data)
