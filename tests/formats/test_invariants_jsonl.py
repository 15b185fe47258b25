"""JSON Lines decks keep every byte that an edit is not about."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.jsonl import JsonlDocument

from .invariants import Form, check_deck, deeds
from .strategies import plain_values, turns

EXTRAS = st.dictionaries(st.sampled_from(("score", "tags", "expected", "é")), plain_values(), max_size=2)
SAMPLES = st.builds(
    lambda number, messages, extras: {"id": f"s{number}", "messages": messages, **extras},
    st.integers(0, 9),
    st.lists(turns(), max_size=3),
    EXTRAS,
)
WRITERS = {
    "compact": lambda sample: json.dumps(sample, separators=(",", ":"), ensure_ascii=False) + "\n",
    "spaced": lambda sample: json.dumps(sample) + "\n",
    "blank lines between": lambda sample: json.dumps(sample) + "\n\n \t\n",
    "indented lines": lambda sample: "  " + json.dumps(sample, separators=(" , ", " : ")) + " \n",
}


def ends_alike(before, after):
    return before in {"", "\ufeff"} or not after.strip("\ufeff") or before.endswith("\n") == after.endswith("\n")


QUICK = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def decks(write):
    return st.lists(SAMPLES, max_size=4).map(lambda samples: "".join(map(write, samples)))


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_every_edit_keeps_the_rest(write):
    @QUICK
    @given(st.data())
    def run(data):
        check_deck(Form(JsonlDocument.parse, decks(write), final_newline_kept=ends_alike), data)

    run()


@QUICK
@given(st.data(), st.sampled_from(list(WRITERS.values())))
def test_an_edited_deck_has_one_sample_a_line(data, write):
    document = JsonlDocument.parse(data.draw(decks(write)))
    deed = data.draw(deeds(document, Form(JsonlDocument.parse, decks(write), final_newline_kept=ends_alike)))
    after = document.apply(deed.make(document))
    assert JsonlDocument.parse(after.text).pieces == after.pieces
    filled = [line for line in after.text.splitlines() if line.strip()]
    assert len(filled) == len(after)
