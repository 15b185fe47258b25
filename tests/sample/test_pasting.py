"""What a pasted text is taken for."""

from __future__ import annotations

import json

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.dialects.user import user_dialect
from sampleui.sample.pasting import dialect_of_copied, in_dialect, read_pasted
from sampleui.sample.tool_calls import calls_in

from .conversations import CALLS, CONVERSATIONS, RESULTS, TEXTS

HI: Table = {"role": "user", "content": "Hi"}
HO: Table = {"role": "assistant", "content": "Ho"}


@pytest.mark.parametrize(
    ("text", "how", "turns"),
    [
        ("Hi", "plain text", [HI]),
        ("\n\n  Hi\r\n    there\r\n", "plain text", [{"role": "user", "content": "Hi\n  there"}]),
        ("", "plain text", [{"role": "user", "content": ""}]),
        ("7", "plain text", [{"role": "user", "content": "7"}]),
        ("{}", "plain text", [{"role": "user", "content": "{}"}]),
        ("[]", "plain text", [{"role": "user", "content": "[]"}]),
        ("[1, {}]", "plain text", [{"role": "user", "content": "[1, {}]"}]),
        ("User: Hi", "chat", [HI]),
        ("human: Hi\r\n**Assistant:** Ho", "chat", [HI, HO]),
        ("### System:\nBe kind.\n\n> Bot: Ho\n", "chat", [{"role": "system", "content": "Be kind."}, HO]),
        ("Note\nUser: Hi", "plain text", [{"role": "user", "content": "Note\nUser: Hi"}]),
        ("User:Hi", "plain text", [{"role": "user", "content": "User:Hi"}]),
        ("User\nHi", "plain text", [{"role": "user", "content": "User\nHi"}]),
        ("## User\n\nHi\n\n## Assistant\nHo", "chat", [HI, HO]),
        ("**User**\nHi\n\n**Assistant**\nHo", "chat", [HI, HO]),
        ("## User\nUser: Hi", "chat", [{"role": "user", "content": "User: Hi"}]),
        ("You said:\nHi\n\nChatGPT said:\nHo", "chat", [HI, HO]),
        ("Human: Hi\n\nAI: Ho", "chat", [HI, HO]),
        ("Q: Hi\nA: Ho\n\nQ: Hi\nA: Ho", "chat", [HI, HO, HI, HO]),
        ("Q: Which?\nA: one\nB: two", "plain text", [{"role": "user", "content": "Q: Which?\nA: one\nB: two"}]),
        (
            "User: Hi\n```\nUser: no\n```\nBot: Ho",
            "chat",
            [{"role": "user", "content": "Hi\n```\nUser: no\n```"}, HO],
        ),
        ("User: Hi\n```\nBot: Ho", "chat", [{"role": "user", "content": "Hi\n```"}, HO]),
        ('{"role": "user", "content": "Hi"}', "JSON", [HI]),
        ('[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]', "JSON", [HI, HO]),
        (
            '{"role": "user", "content": "Hi"}\n\n{"role": "assistant", "content": "Ho"}',
            "JSON Lines",
            [HI, HO],
        ),
        ("- role: user\n  content: Hi\n- role: assistant\n  content: Ho\n", "YAML", [HI, HO]),
    ],
)
def test_a_text_is_turns(text: str, how: str, turns: list[Table]) -> None:
    pasted = read_pasted(text)
    assert (pasted.how, [*pasted.turns]) == (how, turns)
    assert not pasted.samples
    assert not pasted.fields


CALL: Table = {"id": "t1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
BLOCKS: list[Plain] = [
    {"role": "user", "content": "Hi"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Adding"},
            {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "2"}]},
            {"type": "text", "text": "And?"},
        ],
    },
]
TURNS: list[Plain] = [
    HI,
    {"role": "assistant", "content": "Adding", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "t1", "content": "2"},
    {"role": "user", "content": "And?"},
]


def test_messages_of_blocks_are_turns_with_calls_and_results() -> None:
    pasted = read_pasted(json.dumps(BLOCKS))
    assert ([*pasted.turns], pasted.notes) == (
        TURNS,
        ("messages[1].content[0]: dropped, it is what a model thought, and no part of what is said",),
    )


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_messages_of_every_provider_are_turns(kind: str) -> None:
    pasted = read_pasted(json.dumps(CONVERSATIONS[kind]))
    said = json.dumps([*pasted.turns])
    assert [text for text in (*TEXTS, *RESULTS) if text not in said] == []
    assert [call.name for turn in pasted.turns for call in calls_in(turn)] == [name for name, _ in CALLS]


def test_a_body_of_blocks_is_a_sample_with_its_system_message_and_tools() -> None:
    tool = {"name": "add", "description": "Adds", "input_schema": {"type": "object"}}
    body = {"model": "m", "system": [{"type": "text", "text": "Be kind."}], "tools": [tool], "messages": BLOCKS}
    (sample,) = read_pasted(json.dumps(body)).samples
    function = {"name": "add", "description": "Adds", "parameters": {"type": "object"}}
    assert sample["messages"] == [{"role": "system", "content": "Be kind."}, *TURNS]
    assert sample["tools"] == [{"type": "function", "function": function}]
    assert "left out: model" in read_pasted(json.dumps(body)).notes


@pytest.mark.parametrize(
    "command",
    [
        "curl https://x.test/v1 -H 'A: b' -d '{body}'",
        "$ curl https://x.test/v1 \\\n  --data-raw '{body}'",
        "curl --json='{body}' https://x.test/v1",
        "curl -d'{body}' https://x.test/v1",
    ],
)
def test_the_body_of_a_curl_command_is_read(command: str) -> None:
    pasted = read_pasted(command.replace("{body}", json.dumps({"model": "m", "messages": [HI]})))
    assert pasted.samples == ({"model": "m", "messages": [HI]},)
    assert pasted.how == "the body of a curl command"


def test_a_curl_command_that_a_browser_copied_is_read_with_its_escapes() -> None:
    body = r"""{"messages":[{"role":"user","content":"It\'s \u0021\\n\\"ok\\" é"}]}"""
    (sample,) = read_pasted(f"curl https://x.test/v1 --data-raw $'{body}'").samples
    assert sample == {"messages": [{"role": "user", "content": 'It\'s !\n"ok" é'}]}


@pytest.mark.parametrize("command", ["curl -d @body.json x.test", "curl x.test", "curl -d 'x", "curly -d '{}'"])
def test_commands_without_a_body_are_text(command: str) -> None:
    assert read_pasted(command).turns == ({"role": "user", "content": command},)


@pytest.mark.parametrize(
    ("text", "how", "samples"),
    [
        ('{"messages": [], "id": "a"}', "JSON", [{"messages": [], "id": "a"}]),
        ('{"input": "Hi"}\n{"input": "Ho"}', "JSON Lines", [{"input": "Hi"}, {"input": "Ho"}]),
        ("[[samples]]\nmessages = []\n", "TOML", [{"messages": []}]),
        ("tests:\n- input: Hi\n", "YAML", [{"input": "Hi"}]),
    ],
)
@pytest.mark.parametrize("among_samples", [True, False])
def test_a_text_is_samples(text: str, how: str, samples: list[Table], among_samples: bool) -> None:
    pasted = read_pasted(text, among_samples=among_samples)
    assert (pasted.how, [*pasted.samples]) == (how, samples)
    assert not pasted.turns
    assert not pasted.fields


def test_tables_that_could_be_anything_are_samples_among_samples_only() -> None:
    text = '{"colour": "red"}'
    assert read_pasted(text, among_samples=True).samples == ({"colour": "red"},)
    assert read_pasted(text).fields == {"colour": "red"}
    assert not read_pasted(text).samples
    listed = '[{"colour": "red"}, {"messages": []}]'
    assert read_pasted(listed, among_samples=True).samples == ({"colour": "red"}, {"messages": []})
    assert read_pasted(listed).turns == ({"role": "user", "content": listed},)


@pytest.mark.parametrize(
    ("data", "target", "wanted"),
    [
        ({"messages": []}, "agentv", "calibrate"),
        ({"messages": [], "references": []}, "calibrate", "gage"),
        ({"messages": [], "expected": "x"}, "gage", "calibrate"),
        ({"messages": [], "expected": "x"}, "agentv", "calibrate"),
        ({"input": "Hi", "criteria": "x"}, "calibrate", "agentv"),
        ({"input": "Hi", "target": "x", "id": "a"}, "agentv", "inspect"),
        ({"input": "Hi", "target": "x", "id": "a"}, "inspect", "inspect"),
        ({"input": "Hi", "expected": "x"}, "inspect", "braintrust"),
        ({"input": "Hi", "expected_output": "x"}, "deepeval", "deepeval"),
        ({"input": "Hi", "expected_output": "x", "id": "a"}, "sharegpt", "agentv"),
        ({"instruction": "Hi", "input": "", "output": "x"}, "inspect", "sharegpt"),
        ({"question_id": 1, "turns": ["Hi"], "category": "x"}, "deepeval", "sharegpt"),
        ({"name": "a", "inputs": "Hi", "expected_output": "x"}, "agentv", "pydantic-evals"),
        ({"id": "a", "inputs": {"question": "Hi"}, "outputs": {"answer": "x"}}, "pydantic-evals", "langsmith"),
        ({"prompt": "Hi", "completion": "x"}, "lm-eval", "openai"),
        ({"question": "Hi", "answer": "x"}, "inspect", "lm-eval"),
        ({"vars": {"q": "Hi"}}, "promptfoo", "promptfoo"),
        ({"uid": "a", "q": "Hi", "gold": "x"}, "inspect", "mine"),
    ],
)
def test_what_a_copied_sample_is_spelled_in(data: Table, target: str, wanted: str) -> None:
    mine = user_dialect("mine", {"prompt": "q", "response": "gold", "id": "uid"})
    assert dialect_of_copied(data, DIALECTS[target], (mine,)).name == wanted


SHAREGPT_TURNS = [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}]


def test_turns_of_other_spellings_are_turns() -> None:
    assert read_pasted(json.dumps(SHAREGPT_TURNS)).turns == (HI, HO)
    assert not read_pasted('[{"from": "a mail"}]', among_samples=True).turns


@pytest.mark.parametrize(
    ("target", "near", "data", "wanted"),
    [
        ("sharegpt", "instruction", {"input": "Hi", "target": "Ho"}, {"instruction": "Hi", "output": "Ho"}),
        ("sharegpt", "instruction", {"messages": [HI, HO, HI, HO]}, None),
        ("sharegpt", "turns", {"input": "Hi", "target": "Ho"}, {"turns": ["Hi"], "reference": ["Ho"]}),
        ("sharegpt", "turns", {"messages": [HI, HO]}, {"conversations": SHAREGPT_TURNS}),
        ("sharegpt", "conversations", {"input": "Hi", "target": "Ho"}, {"conversations": SHAREGPT_TURNS}),
        ("openai", "messages", {"input": "Hi", "target": "Ho"}, {"messages": [HI, HO]}),
        ("openai", "messages", {"conversations": SHAREGPT_TURNS}, {"messages": [HI, HO]}),
        ("openai", "input", {"conversations": SHAREGPT_TURNS}, {"input": [HI], "ideal": "Ho"}),
        ("openai", "prompt", {"input": "Hi", "target": "Ho"}, {"prompt": [HI], "completion": [HO]}),
        ("openai", "input.messages", {"input": "Hi", "target": "Ho"}, None),
        ("deepeval", "input", {"instruction": "Hi", "output": "Ho"}, {"input": "Hi", "expected_output": "Ho"}),
    ],
)
def test_a_pasted_sample_is_built_as_its_neighbours_are(
    target: str, near: str, data: Table, wanted: Table | None
) -> None:
    pasted = in_dialect(read_pasted(json.dumps(data), among_samples=True), DIALECTS[target], (*near.split("."),))
    earlier: Table = {"instruction": "Hi", "history": [["Hi", "Ho"]], "output": "Ho"}
    preferred: Table = {"input": {"messages": [HI]}, "preferred_output": [HO]}
    other = preferred if target == "openai" else earlier
    assert pasted.samples == ((other if wanted is None else wanted),)
    assert pasted.notes == () or target == "sharegpt"


def test_what_is_pasted_is_spelled_as_the_deck_is_and_losses_are_said_once() -> None:
    two: list[Plain] = [{"input": "Hi", "criteria": "x", "workspace": "w"}] * 2
    pasted = in_dialect(read_pasted(str(two).replace("'", '"')), DIALECTS["calibrate"])
    assert [sample["messages"] for sample in pasted.samples] == [[HI], [HI]]
    assert len(pasted.notes) == len({*pasted.notes}) > 0
    image = '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]'
    (note,) = in_dialect(read_pasted(image), DIALECTS["agentv"]).notes
    assert "media segments" in note
    assert in_dialect(read_pasted("User: Hi"), DIALECTS["calibrate"]) == read_pasted("User: Hi")
