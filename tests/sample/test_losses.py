"""A conversion between any two dialects has every value of the source in the target or names it in its report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sampleui.deck.load import load
from sampleui.formats.data import Plain, Table
from sampleui.integrations.testing import losses
from sampleui.sample.convert import convert
from sampleui.sample.convert.rows import as_row
from sampleui.sample.convert.tabled import with_value_at
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.dialects.user import user_dialect
from sampleui.workspace.deck import deck_of

from .build import EXAMPLES

OWN = (
    user_dialect(
        "talks",
        {
            "messages": "talk",
            "role_tag": "who",
            "content_tag": "says",
            "user_tag": "customer",
            "assistant_tag": "agent",
            "response": "gold",
            "id": "uid",
            "metadata": "meta",
            "tags": "labels",
        },
    ),
    user_dialect("nested", {"prompt": "data.q", "response": "data.a", "system": "sys", "added": "more"}),
    user_dialect("unanswered", {"prompt": "q", "any_input": True, "id": "n"}),
)
EVERY = (*DIALECTS.values(), *OWN)
TYPES = ("similar", "assert-set", "equals", "llm-rubric", "user", "assistant")
IMAGE: Plain = [
    {"type": "text", "text": "look"},
    {"type": "image_url", "image_url": {"url": "https://a/b.png", "detail": "low"}},
]
OWN_IMAGE: Table = {"type": "image", "detail": "low", "image": "https://a/b.png"}
CALLED: Plain = [
    {"role": "user", "content": IMAGE},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "noon", "zone": {"deep": ["utc"]}},
]
TALK: Table = {
    "uid": 7,
    "talk": [{"who": "customer", "says": "Where?", "content": "beside"}, {"who": "agent", "says": "There"}],
    "gold": "here",
    "labels": ["a", "b"],
    "meta": ["no table"],
    "id": {"not": "a name"},
}
HOSTILE: tuple[Table, ...] = (
    {"metadata": {"criteria": "kept", "tags": "one", "nested": {"a": [{"b": "c"}]}}, "zz": [["x"]]},
    {"id": 41, "expected": {"criteria": ["listed"], "output": "o"}, "criteria": [{"role": "user", "content": "c"}]},
    {"name": ["listed"], "description": 3.25, "label": {"a": "b"}, "expected_output": [["q"]], "system": "s"},
)


def samples() -> Iterator[tuple[Dialect, Table]]:
    """Yield samples of every dialect, as the examples have them and with what nobody expects in them."""
    for folder in (EXAMPLES, EXAMPLES.parent / "field"):
        for path in sorted(folder.glob("*.*")):
            if path.name == "problems.toml" or not path.is_file():
                continue
            deck = deck_of(load(path))
            for sample in list(deck.samples)[:3]:
                yield deck.kind, sample.data
                yield from ((deck.kind, {**sample.data, **hostile}) for hostile in HOSTILE)
                yield deck.kind, {**sample.data, str(deck.kind.message_paths[0][0]): CALLED}
    yield OWN[0], TALK
    yield OWN[1], {"sys": "be", "data": {"q": "what", "a": "that", "other": 71}, "more": "and", "z": [12345]}
    yield OWN[2], {"q": {"a": [1, 2], "b": "c"}, "n": 70, "x": "y"}


WORDS: dict[str, Plain] = {
    "text": "a text",
    "number": 7.25,
    "truth": True,
    "table": {"inner": "in a table", "deep": {"list": ["deepest", 11.5]}},
    "texts": ["first", "second"],
    "tables": [{"inner": "in a list"}],
    "messages": [{"role": "assistant", "content": "said"}],
    "list": ["an item", {"inner": "in an item"}],
    "any": {"inner": "anything"},
}
ASSERTIONS: Plain = [
    {"type": "similar", "value": "near", "threshold": 0.9, "metric": "m", "weight": 3, "provider": "p"},
    {"type": "assert-set", "threshold": 0.5, "assert": [{"type": "equals", "value": "in a set"}]},
    {"type": "llm-rubric", "value": "kind", "rubricPrompt": "judge", "threshold": 0.7},
    "a criterion",
]


def whole(dialect: Dialect) -> Table:
    """Return a sample with every key of a dialect, each with a value of its own, and with some of no dialect's."""
    typed = {key: WORDS.get(words.type.split("|")[0], WORDS["table"]) for key, words in dialect.fields.items()}
    known = {key: typed.get(key, WORDS["table"]) for key in sorted(dialect.known)}
    every: Table = {key: marked(value, key) for key, value in known.items()}
    every |= {"assert": marked(ASSERTIONS, "assert")} if "assert" in known else {}
    asked: list[Plain] = [{"role": "user", "content": "asked"}]
    path = dialect.message_paths[0]
    return {
        **with_value_at(every, path, asked),
        "unknown": ["nobody's", {"inner": 13.5}],
        "metric": "nobody's metric",
    }


def marked(value: Plain, key: str) -> Plain:
    """Return a value whose texts say under which key they are."""
    if isinstance(value, dict):
        return {name: marked(item, key) for name, item in value.items()}
    if isinstance(value, list):
        return [marked(item, key) for item in value]
    return f"{value} of {key}" if isinstance(value, str) and value not in TYPES else value


@pytest.mark.parametrize("target", EVERY, ids=lambda one: str(one.name))
def test_every_value_is_in_the_target_or_named_in_the_report(target: Dialect) -> None:
    every = [(source, whole(source)) for source in DIALECTS.values()]
    for source, data in (*samples(), *every):
        converted = convert(data, source, target)
        row, notes = as_row(converted.data, target, {*converted.data})
        for made, report in ((converted.data, converted.report), (row, [*converted.report, *notes])):
            assert [*losses(data, made, report)] == [], (source, made, report)


def test_a_number_stays_one_where_ids_may_be_numbers_and_else_it_is_told() -> None:
    kept = convert(TALK, OWN[0], DIALECTS["inspect"])
    assert kept.data["id"] == 7
    spelled = convert(TALK, OWN[0], DIALECTS["agentv"])
    assert spelled.data["id"] == "7"
    assert "uid: the number is written as text" in spelled.report


def test_the_detail_of_an_image_goes_along_both_ways() -> None:
    data: Table = {"id": "a", "messages": [{"role": "user", "content": IMAGE}]}
    made = convert(data, DIALECTS["gage"], DIALECTS["inspect"]).data
    assert made["input"] == [{"role": "user", "content": [{"type": "text", "text": "look"}, OWN_IMAGE]}]
    again = convert(made, DIALECTS["inspect"], DIALECTS["gage"]).data
    assert again["messages"] == data["messages"]


def test_a_dialect_without_a_place_for_an_answer_says_so() -> None:
    made = convert({"id": "a", "input": "2 + 2?", "target": "4"}, DIALECTS["inspect"], OWN[2])
    assert made.data == {"n": "a", "q": "2 + 2?"}
    assert made.report == ("target: dropped, unanswered has no place for it",)


def test_calls_and_media_are_spelled_as_inspect_loads_them_and_come_back() -> None:
    sound: Table = {"type": "audio_url", "audio_url": {"url": "https://a/b.WAV?x=1"}}
    data: Table = {"messages": [*CALLED, {"role": "user", "content": [sound]}]} if isinstance(CALLED, list) else {}
    made = convert(data, DIALECTS["calibrate"], DIALECTS["inspect"])
    asked = made.data["input"]
    assert isinstance(asked, list)
    call: Table = {"id": "c1", "type": "function", "function": "clock", "arguments": {}}
    assert asked[1] == {"role": "assistant", "content": "", "tool_calls": [call]}
    spoken: Table = {"type": "audio", "audio": "https://a/b.WAV?x=1", "format": "wav"}
    assert asked[3] == {"role": "user", "content": [spoken]}
    back = convert(made.data, DIALECTS["inspect"], DIALECTS["openai"]).data["input"]
    assert isinstance(back, list) and isinstance(CALLED, list) and isinstance(CALLED[1], dict)
    assert back[1] == {**CALLED[1], "content": ""}


def test_inspect_is_said_to_want_a_format_that_an_address_does_not_tell() -> None:
    film: Table = {"type": "video_url", "video_url": {"url": "https://a/b"}}
    data: Table = {"messages": [{"role": "user", "content": [film]}]}
    assert convert(data, DIALECTS["gage"], DIALECTS["inspect"]).report == (
        "messages: Inspect wants the format of video, which the address does not say",
    )


def test_a_conversation_for_deepeval_has_a_scenario_and_what_should_come_of_it() -> None:
    turns: list[Plain] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
    made = convert({"messages": turns, "expected": "is kind"}, DIALECTS["calibrate"], DIALECTS["deepeval"])
    assert made.data == {"scenario": "Hi", "turns": turns, "expected_outcome": "is kind"}
    assert made.report == ("scenario: written as the first text of the user, for DeepEval wants one",)
    spoken: Table = {"messages": [{"role": "system", "content": "Be kind"}, *turns]}
    told = convert(spoken, DIALECTS["gage"], DIALECTS["deepeval"])
    assert "messages: DeepEval itself takes turns of user and assistant alone" in told.report
    kept = convert({"messages": turns}, DIALECTS["calibrate"], DIALECTS["deepeval"], ("turns",))
    assert kept.data == {"scenario": "Hi", "turns": turns}


def test_older_function_calls_become_tool_calls_elsewhere() -> None:
    call: Table = {"name": "sky", "arguments": "{}"}
    data: Table = {
        "messages": [
            {"role": "assistant", "content": None, "function_call": call},
            {"role": "function", "name": "sky", "content": "clear"},
        ]
    }
    made = convert(data, DIALECTS["openai"], DIALECTS["calibrate"])
    assert made.data["messages"] == [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "sky", "type": "function", "function": call}]},
        {"role": "tool", "name": "sky", "content": "clear", "tool_call_id": "sky"},
    ]
    assert made.report == (
        "messages: function_call is written as tool_calls, the name as its id",
        "messages: the role function is written as tool",
    )
