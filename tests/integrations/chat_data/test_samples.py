"""Chat data as users have it: each file opens as what it is, without a problem, and an edit of it is one hunk.

The rows are those of the documentation: TRL's "Dataset formats and types", axolotl's "Dataset formats", OpenAI's
guides to fine-tuning, reinforcement fine-tuning, preferences and batches, LLaMA-Factory's `data/README.md` and its
`v1/utils/types.py`, ms-swift's custom datasets, FastChat's MT-bench, openai/evals.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.provider_request import tools_of
from sampleui.review.samples.expectation import expectation, taking
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS, detect
from sampleui.sample.parse import turns
from tests.sample.build import found, sample_of

USER: Table = {"role": "user", "content": "Who?"}
ADA: Table = {"role": "assistant", "content": "Ada"}
BOB: Table = {"role": "assistant", "content": "Bob"}
FUNCTION: Table = {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}
TOOL: Table = {"type": "function", "function": FUNCTION}
CALLED: Table = {"type": "function", "function": {"name": "f", "arguments": {}}}
CALL: Table = {"role": "assistant", "tool_calls": [CALLED]}
RESULT: Table = {"role": "tool", "name": "f", "content": "r"}
IMAGE: Table = {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Who?"}]}
HUMAN: Table = {"from": "human", "value": "Who?"}
GPT: Table = {"from": "gpt", "value": "Ada"}


def _said(role: str, *parts: tuple[str, str], **beside: Plain) -> Table:
    return {"role": role, "content": [{"type": kind, "value": value} for kind, value in parts], **beside}


FORMATS: dict[str, tuple[Table, str, str, str | None]] = {
    # a row, its dialect, the roles of its turns, the answer that is expected
    "trl-messages": ({"messages": [USER, ADA]}, "openai", "user assistant", None),
    "trl-prompt": ({"prompt": [USER]}, "openai", "user", None),
    "trl-prompt-and-more": ({"prompt": [USER], "ground_truth": "Ada"}, "openai", "user", None),
    "trl-completion": ({"prompt": "The sky is", "completion": " blue."}, "openai", "user", " blue."),
    "trl-completion-turns": ({"prompt": [USER], "completion": [ADA]}, "openai", "user", "Ada"),
    "trl-preference": ({"prompt": [USER], "chosen": [ADA], "rejected": [BOB]}, "openai", "user", "Ada"),
    "trl-implicit": ({"chosen": [USER, ADA], "rejected": [USER, BOB]}, "openai", "user assistant", "Ada"),
    "trl-unpaired": ({"prompt": [USER], "completion": [ADA], "label": False}, "openai", "user", "Ada"),
    "trl-stepwise": ({"prompt": "9?", "completions": ["a", "b"], "labels": [True, False]}, "openai", "user", None),
    "trl-tools": (
        {"messages": [USER, CALL, RESULT, ADA], "tools": [TOOL]},
        "openai",
        "user assistant tool assistant",
        None,
    ),
    "trl-tools-text": ({"messages": [USER, CALL], "tools": json.dumps([TOOL])}, "openai", "user assistant", None),
    "trl-template": ({"messages": [USER, ADA], "chat_template_kwargs": {"x": 1}}, "openai", "user assistant", None),
    "trl-vision": ({"images": ["a.png"], "prompt": [IMAGE], "completion": [ADA]}, "openai", "user", "Ada"),
    "trl-vision-messages": ({"images": ["a.png"], "messages": [IMAGE, ADA]}, "openai", "user assistant", None),
    "axolotl-train": ({"messages": [USER, {**ADA, "train": True}]}, "openai", "user assistant", None),
    "axolotl-dpo": ({"messages": [USER], "chosen": ADA, "rejected": BOB}, "openai", "user", "Ada"),
    "openai-weight": ({"messages": [USER, {**ADA, "weight": 0}]}, "openai", "user assistant", None),
    "openai-parallel": (
        {"messages": [USER, CALL], "tools": [TOOL], "parallel_tool_calls": False},
        "openai",
        "user assistant",
        None,
    ),
    "openai-reinforced": (
        {"messages": [USER], "reference_answer": {"name": "Ada"}, "hard": 1},
        "openai",
        "user",
        None,
    ),
    "openai-batch": (
        {
            "custom_id": "a",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": "m", "messages": [USER]},
        },
        "openai",
        "user",
        None,
    ),
    "openai-batch-responses": ({"custom_id": "a", "body": {"model": "m", "input": [USER]}}, "openai", "user", None),
    "kto": ({"messages": [USER, ADA], "label": True}, "openai", "user assistant", None),
    "v1-chat": (
        {"messages": [_said("user", ("text", "Who?"), loss_weight=0.0), _said("assistant", ("text", "Ada"))]},
        "openai",
        "user assistant",
        None,
    ),
    "v1-sound": (
        {"messages": [_said("user", ("audio_url", "a.wav"), ("text", "Who?"), loss_weight=0.0), ADA]},
        "openai",
        "user assistant",
        None,
    ),
    "v1-kto": (
        {"messages": [_said("user", ("text", "Who?")), _said("assistant", ("text", "Ada"))], "extra_info": "{}"},
        "openai",
        "user assistant",
        None,
    ),
    "v1-preference": (
        {"chosen_messages": [USER, ADA], "rejected_messages": [USER, BOB]},
        "openai",
        "user assistant",
        "Ada",
    ),
    "v1-tools": (
        {"messages": [_said("user", ("text", "Who?")), _said("assistant", ("tool_call", "{}"))], "tools": "[]"},
        "openai",
        "user assistant",
        None,
    ),
    "swift-rejected": ({"messages": [USER, ADA], "rejected_response": "Bob"}, "openai", "user assistant", None),
    "sharegpt-kto": ({"conversations": [HUMAN, GPT], "kto_tag": True}, "sharegpt", "user assistant", None),
    "sharegpt-preference": (
        {"conversations": [HUMAN], "chosen": GPT, "rejected": {"from": "gpt", "value": "Bob"}},
        "sharegpt",
        "user",
        "Ada",
    ),
    "alpaca-preference": (
        {"instruction": "Who?", "input": "", "chosen": "Ada", "rejected": "Bob"},
        "sharegpt",
        "user",
        "Ada",
    ),
    "alpaca-kto": ({"instruction": "Who?", "output": "Ada", "kto_tag": False}, "sharegpt", "user", "Ada"),
    "mt-bench": ({"question_id": 1, "category": "c", "turns": ["q", "r"]}, "sharegpt", "user user", None),
    "evals": ({"input": [USER], "ideal": ["Ada", "Lovelace"]}, "openai", "user", "any of: Ada · Lovelace"),
    "deepeval-outputs": ({"input": "Who?", "actual_output": "Ada"}, "deepeval", "user", None),
}


@pytest.mark.parametrize(("row", "dialect", "roles", "wanted"), FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_it_opens_as_what_it_is_and_an_edit_is_one_hunk(
    tmp_path: Path, ending: str, row: Table, dialect: str, roles: str, wanted: str | None
) -> None:
    file = tmp_path / f"a.{ending}"
    file.write_text(json.dumps(row) + "\n" if ending == "jsonl" else json.dumps([row], indent=2), "utf-8")
    deck = open_deck(file)
    sample = deck.samples[0]
    assert deck.dialect == dialect
    assert {one.rule for one in deck.diagnostics} <= {"segment-templated"}
    assert [turn.role for turn in turns(sample)] == roles.split()
    answer = expectation(sample)
    assert wanted is None or (answer is not None and answer.text == wanted)
    path, text = _asked(row)
    assert deck.set(0, path, "Whence?").text == deck.text.replace(json.dumps(text), '"Whence?"', 1)


def _asked(row: Table) -> tuple[DataPath, str]:
    """Return the first text of a user, and its path."""

    def walk(value: Plain, path: DataPath) -> list[tuple[DataPath, str]]:
        if isinstance(value, dict):
            return [one for key, item in value.items() for one in walk(item, (*path, key))]
        if isinstance(value, list):
            return [one for at, item in enumerate(value) for one in walk(item, (*path, at))]
        return [(path, str(value))] if value in ("Who?", "The sky is", "9?", "q") else []

    return walk(row, ())[0]


NOBODYS: list[Table] = [
    {"text": "A page of the web."},
    {"prompt": "The sky is"},
    {"segments": [{"label": True, "text": "<s>Hello"}]},
    {"question_id": 1, "answer_id": "x", "model_id": "m", "choices": [{"index": 0, "turns": ["a"]}], "tstamp": 1.0},
    {"custom_id": "a", "method": "POST", "url": "/v1/embeddings", "body": {"model": "m", "input": "Who?"}},
    {"messages": [USER, ADA], "label": "A"},
    {"id": "a", "schema_version": "v1", "messages": [USER], "label": True, "references": []},
    {"prompt": [USER], "completion": [ADA], "reward": 1.0},
    {"prompt": [USER], "choices": ["a", "b"], "answer": 0},
    {"conversations": [USER, ADA], "chosen": 1},
    {"input": "Who?", "actual_output": "Ada", "model": "m"},
]


@pytest.mark.parametrize("row", NOBODYS, ids=" ".join)
def test_what_is_none_of_it_is_not_claimed(row: Table) -> None:
    assert detect((), {}, [row]).dialect.weighed


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        (FORMATS["sharegpt-preference"][0], {"from": "gpt", "value": "Grace"}),
        (FORMATS["axolotl-dpo"][0], {"role": "assistant", "content": "Grace"}),
    ],
)
def test_an_answer_takes_the_place_of_what_the_chosen_message_says(row: Table, answer: Table) -> None:
    sample = sample_of(detect((), {}, [row]).dialect.name, row)
    (made,) = taking(sample, "Grace")
    assert (made.path[0], made.value) == ("chosen", "Grace")
    chosen = row["chosen"]
    assert isinstance(chosen, dict) and {**chosen, str(made.path[1]): "Grace"} == answer


class TestFilesBeside:
    def test_each_mark_is_its_file_in_order(self) -> None:
        content = "<image>Who?<image> and <video>"
        data: Table = {"messages": [{"role": "user", "content": content}], "images": ["a.jpg", "b.jpg"]}
        (turn,) = turns(sample_of("openai", data))
        said = [getattr(one, "url", getattr(one, "text", "")) for one in turn.segments]
        assert said == ["a.jpg", "Who?", "b.jpg", " and <video>"]

    def test_a_segment_may_be_the_mark(self) -> None:
        data: Table = {"messages": [IMAGE], "images": ["a.jpg"]}
        (turn,) = turns(sample_of("openai", data))
        assert [getattr(one, "url", getattr(one, "text", "")) for one in turn.segments] == ["a.jpg", "Who?"]

    def test_sharegpts_are_put_in_too(self) -> None:
        data: Table = {"conversations": [{"from": "human", "value": "<audio>Who?"}], "audios": ["a.wav"]}
        (turn,) = turns(sample_of("sharegpt", data))
        assert [getattr(one, "kind", "text") for one in turn.segments] == ["audio_url", "text"]

    def test_an_edit_keeps_marks_as_they_are(self, tmp_path: Path) -> None:
        file = tmp_path / "a.json"
        row: Table = {"messages": [{"role": "user", "content": "<image>Who?"}, ADA], "images": ["a.jpg"]}
        file.write_text(json.dumps([row]), "utf-8")
        deck = open_deck(file)
        assert deck.samples[0].messages[0]["content"] == "<image>Who?"
        made = deck.set(0, ("messages", 0, "content"), "<image>Whence?").text
        assert made == json.dumps([row]).replace("Who?", "Whence?")

    @pytest.mark.parametrize(
        ("content", "images", "said"),
        [
            ("<image>", ["a.jpg"], None),
            ("<image>", ["a.jpg", "b.jpg"], ("warning", "images has 2 and the messages have 1 <image>")),
            ("<image><image>", "a.jpg", ("warning", "images has 1 and the messages have 2 <image>")),
            ("Who?", ["a.jpg"], ("info", "no <image> in the messages says where these belong")),
            ("<image>", [{"bytes": "x"}], ("info", "images has something else than paths")),
            ("<image>", None, None),
            ("<image>", [], None),
        ],
    )
    def test_what_does_not_add_up_is_said(self, content: str, images: Plain, said: tuple[str, str] | None) -> None:
        data: Table = {"messages": [{"role": "user", "content": content}], "images": images}
        told = [one for one in found("openai", data) if one.rule == "files-counted"]
        assert [(one.severity.value, one.node) for one in told] == ([(said[0], ("images",))] if said else [])
        assert all(said is not None and said[1] in one.message for one in told)


V1: Table = {
    "messages": [
        _said("user", ("image_url", "a.jpg"), ("text", "Who?")),
        _said("assistant", ("reasoning", "Hm"), ("tool_call", '{"name": "f"}')),
    ]
}


class TestSegmentsOfLlamaFactory:
    def test_they_are_texts_and_media(self) -> None:
        asked, answered = turns(sample_of("openai", V1))
        assert [getattr(one, "url", getattr(one, "text", "")) for one in asked.segments] == ["a.jpg", "Who?"]
        assert [getattr(one, "text", "") for one in answered.segments] == ["Hm", '{"name": "f"}']

    def test_the_prompt_says_what_only_a_template_knows(self, tmp_path: Path) -> None:
        file = tmp_path / "a.jsonl"
        file.write_text(json.dumps(V1) + "\n", "utf-8")
        deck = open_deck(file)
        rendered = deck.render(deck.samples[0])
        (told,) = deck.check(0)
        assert [told.rule] == [one.rule for one in rendered.findings] == ["segment-templated"]
        assert told.message.startswith("How a model is given reasoning and tool_call is up to its chat template")
        assert told.node == ("messages", 1, "content", 0)
        assert rendered.chat_prompt[1]["content"] == 'Hm\n{"name": "f"}'

    def test_openais_own_media_are_read_as_ever(self) -> None:
        url: Table = {"type": "image_url", "image_url": {"url": "a.jpg", "detail": "low"}}
        (turn,) = turns(sample_of("openai", {"messages": [{"role": "user", "content": [url]}]}))
        assert [getattr(one, "data", None) for one in turn.segments] == [url]

    def test_a_conversion_says_what_becomes_text(self) -> None:
        made = convert(V1, DIALECTS["openai"], DIALECTS["gage"])
        assert made.data["messages"] == [
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": "a.jpg"}}, {"type": "text", "text": "Who?"}],
            },
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "Hm"}, {"type": "text", "text": '{"name": "f"}'}],
            },
        ]
        told = [line for line in made.report if "segments" in line]
        assert told == [f"messages: {kind} segments are written as text" for kind in ("reasoning", "tool_call")]

    def test_a_conversion_to_openai_writes_openais(self) -> None:
        url: Table = {"type": "image_url", "image_url": {"url": "a.jpg"}}
        data: Table = {"schema_version": "v1", "id": "a", "messages": [{"role": "user", "content": [url]}]}
        assert convert(data, DIALECTS["gage"], DIALECTS["openai"]).data["input"] == data["messages"]


@pytest.mark.parametrize("tools", [[TOOL], json.dumps([TOOL]), json.dumps([FUNCTION]), [FUNCTION]])
def test_tools_are_offered_however_they_are_written(tools: Plain) -> None:
    assert tools_of({"tools": tools}) == [TOOL]


@pytest.mark.parametrize("tools", ["none", '{"a": 1}', "[1]", [{"type": "web_search"}], None])
def test_what_are_no_functions_are_none(tools: Plain) -> None:
    assert tools_of({"tools": tools}) == []


def test_a_segment_that_is_left_out_is_said_where_no_rule_calls_it_an_error(tmp_path: Path) -> None:
    odd: Table = {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}
    rows: dict[str, Table] = {
        "openai": {"messages": [{"role": "user", "content": [odd]}, ADA]},
        "agentv": {"id": "a", "input_messages": [{"role": "user", "content": [odd]}]},
    }
    rules: dict[str, list[str]] = {}
    for name, row in rows.items():
        file = tmp_path / f"{name}.jsonl"
        file.write_text(json.dumps(row) + "\n", "utf-8")
        deck = open_deck(file)
        node = (next(key for key in row if key != "id"), 0, "content", 0)
        assert deck.dialect == name
        rules[name] = [one.rule for one in deck.diagnostics if one.node == node]
    assert "segment-dropped" in rules["openai"]
    assert "segment-invalid" in rules["agentv"] and "segment-dropped" not in rules["agentv"]
