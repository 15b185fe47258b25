"""JSON Lines decks keep every byte that an edit is not about."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.json.lines import JsonlDocument

from .invariants import VARIANTS, Form, check_deck, deeds
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


QUICK = settings(max_examples=settings().max_examples // 5, deadline=None, suppress_health_check=list(HealthCheck))


def form(write, least):
    """Return the form for decks that hold some lines whatever is deleted, or, of one line end alone, for any.

    A deck that has lost its last line goes on with the line ends it had, which its text no longer shows.
    """
    decks = st.lists(SAMPLES, min_size=least, max_size=max(least, 3)).map(lambda rows: "".join(map(write, rows)))
    variants = tuple(VARIANTS) if least else ("LF", "BOM", "no final newline")
    return Form(JsonlDocument.parse, decks, variants=variants, final_newline_kept=ends_alike)


@pytest.mark.parametrize("least", [0, 4])
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_every_edit_keeps_the_rest(write, least):
    @QUICK
    @given(st.data())
    def run(data):
        check_deck(form(write, least), data)

    run()


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_an_edited_deck_has_one_sample_a_line(write):
    @QUICK
    @given(st.data())
    def run(data):
        document = JsonlDocument.parse(data.draw(form(write, 0).decks))
        deed = data.draw(deeds(document, form(write, 0)))
        after = document.apply(deed.make(document))
        assert JsonlDocument.parse(after.text).pieces == after.pieces
        assert len([line for line in after.text.split("\n") if line.strip()]) == len(after)

    run()
