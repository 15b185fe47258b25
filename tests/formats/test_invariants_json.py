"""JSON decks keep every byte that an edit is not about."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.json.document import JsonDocument

from .invariants import Form, check_deck
from .strategies import plain_values, texts, turns

EXTRAS = st.dictionaries(st.sampled_from(("score", "tags", "expected", "meta", "é")), plain_values(), max_size=2)
SAMPLES = st.builds(
    lambda number, messages, extras: {"id": f"s{number}", "messages": messages, **extras},
    st.integers(0, 9),
    st.lists(turns(), max_size=3),
    EXTRAS,
)


def one_line_each(samples):
    rows = ",\n".join(f"  {json.dumps(sample, ensure_ascii=False)}" for sample in samples)
    return f"[\n{rows}\n]\n" if samples else "[]\n"


def odd_spacing(samples):
    rows = " ,\n\n".join(json.dumps(sample, indent="\t", separators=(" ,", " : ")) for sample in samples)
    return f' {{"meta" : 1 , "cases" :[ {rows} ] ,"after":{{ }}}} \n\n'


LISTED = {
    "compact": lambda samples: json.dumps(samples, separators=(",", ":")) + "\n",
    "spaced": lambda samples: json.dumps(samples) + "\n",
    "indented": lambda samples: json.dumps(samples, indent=2, ensure_ascii=False) + "\n",
    "tabs under a key": lambda samples: json.dumps({"name": "x", "samples": samples, "z": [1]}, indent="\t") + "\n",
    "one line each": one_line_each,
    "odd spacing": odd_spacing,
}
KEYED = {
    "keyed": lambda table: json.dumps({"tests": table, "version": 2}, indent=4) + "\n",
    "keyed, compact": lambda table: json.dumps({"samples": table}, separators=(",", ":")) + "\n",
}


def decks(write):
    return st.lists(SAMPLES, max_size=4).map(write)


def keyed_decks(write):
    return st.dictionaries(st.one_of(st.sampled_from(("a", "b c", "é")), texts()), SAMPLES, max_size=3).map(write)


QUICK = settings(max_examples=settings().max_examples // 4, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("write", LISTED.values(), ids=LISTED.keys())
def test_every_edit_of_a_list_keeps_the_rest(write):
    @QUICK
    @given(st.data())
    def run(data):
        check_deck(Form(JsonDocument.parse, decks(write)), data)

    run()


@pytest.mark.parametrize("write", KEYED.values(), ids=KEYED.keys())
def test_every_edit_of_a_keyed_deck_keeps_the_rest(write):
    @QUICK
    @given(st.data())
    def run(data):
        check_deck(Form(JsonDocument.parse, keyed_decks(write)), data)

    run()


@QUICK
@given(st.data(), st.sampled_from(list(LISTED.values())))
def test_the_pieces_of_an_edited_deck_are_those_of_its_text(data, write):
    document = JsonDocument.parse(data.draw(decks(write)))
    from .invariants import deeds

    deed = data.draw(deeds(document, Form(JsonDocument.parse, decks(write))))
    after = document.apply(deed.make(document))
    assert JsonDocument.parse(after.text).pieces == after.pieces
