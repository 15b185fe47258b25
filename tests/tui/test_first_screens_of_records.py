"""What the first screen of a record shows: what the user said last, and the answer, whatever holds the messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .review_driver import reviewing

ASKED, ANSWER = "Do you have ferns?", "Yes, and we deliver."
RULES = "\n".join(f"Rule {number}: be brief about plants." for number in range(40))
SYSTEM = {"role": "system", "content": RULES}
USER = {"role": "user", "content": ASKED}
REPLY = {"role": "assistant", "content": ANSWER}
MIDDLE = [
    {"role": role, "content": f"{role} says {number}, at some length, in the middle."}
    for number in range(12)
    for role in ("user", "assistant")
]
CALL = {
    "role": "assistant",
    "content": "",
    "reasoning_content": "think of the stock",
    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "find", "arguments": '{"plant": "fern"}'}}],
}
RESULT = {"role": "tool", "tool_call_id": "c", "content": '{"price": 4}'}
WHOLE = [SYSTEM, *MIDDLE, USER, CALL, RESULT, REPLY]
LANGCHAIN = [
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", name], "kwargs": {"content": text}}
    for name, text in (("SystemMessage", RULES), ("HumanMessage", ASKED), ("AIMessage", ANSWER))
]
OPENAI = {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": REPLY}]}

ROWS: dict[str, dict[str, Any]] = {
    "a list of messages": {"ext_id": "a1", "messages": WHOLE},
    "messages as a text of JSON": {
        "example_id": 1, "prompt": json.dumps(WHOLE[:-1]), "completion": json.dumps([REPLY]),
    },
    "one field of JSON text": {"payload": json.dumps({"messages": WHOLE})},
    "a request and a response": {"id": "R1", "request": {"messages": [USER]}, "response": {"messages": WHOLE}},
    "a request and a provider's response": {"request": {"model": "m", "messages": WHOLE[:-1]}, "response": OPENAI},
    "a conversation under another name": {"thread_id": "t1", "dialog_log": WHOLE},
    "messages below other tables": {"trace": {"id": "t"}, "data": {"inner": {"history": WHOLE}}, "session": "s-1"},
    "turns in turns": {"id": "n1", "turns": [{"messages": WHOLE[:-2]}, {"messages": WHOLE[-2:]}]},
    "an exchange a turn": {
        "id": "e1",
        "turns": [{"user": "Hello!", "assistant": "Hi."}, {"user": ASKED, "assistant": ANSWER}],
    },
    "pairs of texts": {"id": "p1", "history": [["Hello!", "Hi."], [ASKED, ANSWER]]},
    "names of roles of its own": {
        "id": "o1",
        "transcript": [{"sender": "customer", "text": ASKED}, {"sender": "bot", "text": ANSWER}],
    },
    "ShareGPT": {
        "id": "s1",
        "conversations": [
            {"from": "human", "value": ASKED}, {"from": "gpt", "value": f"<think>hm</think>{ANSWER}"},
        ],
    },
    "a run of LangSmith": {"id": "l1", "inputs": {"messages": [LANGCHAIN[:2]]}, "outputs": {"messages": LANGCHAIN}},
    "a trace of Langfuse": {"id": "f1", "name": "chat", "input": {"messages": WHOLE[:-1]}, "output": REPLY},
    "a span of Braintrust": {"id": "b1", "input": WHOLE[:-1], "output": ANSWER, "scores": {"fact": 0.5}},
    "a rollout of verifiers": {
        "example_id": 1, "prompt": [SYSTEM, USER], "completion": [CALL, RESULT, REPLY],
        "reward": 0.0, "answer": "No",
    },
    "a question and an answer": {"id": "q1", "question": ASKED, "answer": ANSWER},
    "a graded row": {"id": "g1", "input": WHOLE[:-1], "output": ANSWER, "expected": "No ferns. " * 200, "score": 0},
    "a long answer": {"id": "w1", "messages": [SYSTEM, USER, {**REPLY, "content": f"{ANSWER}\n" * 80}]},
    "a tree of messages by their ids": {
        "title": "Plants", "conversation_id": "c1",
        "mapping": {
            "root": {"message": None},
            "a": {"message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [ASKED]}}},
            "b": {"message": {"author": {"role": "assistant"}, "content": {"parts": [ANSWER]}}},
        },
    },
    "a request and a response as texts of JSON": {
        "ts": 1767225600, "path": "/v1/chat/completions", "status": 200,
        "request_body": json.dumps({"model": "m", "messages": WHOLE[:-1]}), "response_body": json.dumps(OPENAI),
    },
    "messages as Python writes them": {"id": "y1", "messages": str([SYSTEM, USER, REPLY])},
    "an utterance of a caller": {
        "call_id": "k1",
        "utterances": [
            {"speaker": "Agent", "text": "Hello"}, {"speaker": "Customer", "text": ASKED},
            {"speaker": "Agent", "text": ANSWER},
        ],
    },
    "chosen and rejected": {
        "chosen": f"\n\nHuman: {ASKED}\n\nAssistant: {ANSWER}", "rejected": f"\n\nHuman: {ASKED}\n\nAssistant: No.",
    },
    "keys with the path in front": {
        "span": "z1",
        "llm": {
            "input_messages": [{"message.role": "user", "message.content": ASKED}],
            "output_messages": [{"message.role": "assistant", "message.content": ANSWER}],
        },
    },
    "a transcript as a text": {
        "id": "h1", "transcript": f"Human: Hello!\n\nAssistant: Hi.\n\nHuman: {ASKED}\n\nAssistant: {ANSWER}",
    },
}  # fmt: skip

SIZES = [(120, 40), (80, 24)]


def written(folder: Path, row: dict[str, Any]) -> Path:
    """Write a row, and another one of its kind with the same text of the system and other words."""
    (folder / "pyproject.toml").write_text("")
    other = json.loads(json.dumps(row).replace("ferns", "roses").replace("deliver", "send").replace("1", "2"))
    path = folder / "rows.jsonl"
    path.write_text(f"{json.dumps(row)}\n{json.dumps(other)}\n")
    return path


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", ROWS)
async def test_the_first_screen_has_what_the_user_said_last_and_then_the_answer(tmp_path, name, size):
    async with reviewing(written(tmp_path, ROWS[name]), size=size, everything=True) as app:
        answer = app.answer
        drawn = " ".join(app.drawn.split())
        assert ASKED in drawn
        assert ANSWER in drawn
        assert answer.index(ASKED) < answer.rindex(ANSWER), "in the order of reading"
        lines = [line for line in app.drawn.splitlines() if "be brief about plants" in line or "Rule 1" in line]
        assert len(lines) <= 1, "a text of the system that others have too is a line"
        assert "hm" not in answer and "think of the stock" not in answer, "what was thought is no answer"


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_middle_of_a_long_conversation_is_folded_with_its_number_until_it_is_asked_for(tmp_path, size):
    async with reviewing(written(tmp_path, ROWS["a list of messages"]), size=size) as app:
        assert "messages: Z shows them" in app.drawn
        assert "user says 0, at some length" not in app.answer
        await app.press("Z")
        assert "user says 0, at some length" in app.answer
        assert "Rule 39" in app.answer


async def test_nothing_is_folded_while_lines_are_free(tmp_path):
    row = {"id": "a1", "messages": [{"role": "system", "content": "Be kind.\nBe brief."}, *MIDDLE[:2], USER, REPLY]}
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(row) + "\n")
    async with reviewing(path, size=(120, 40)) as app:
        assert "⋯" not in app.answer
        assert "Be brief." in app.answer and "assistant says 0" in app.answer


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_pane_with_nothing_to_say_takes_no_room(tmp_path, size):
    async with reviewing(written(tmp_path, ROWS["a question and an answer"]), size=size) as app:
        assert "Scores" not in app.drawn
        if size[0] > 100:
            assert app.screen.answer.size.width > size[0] * 0.7
        await app.press("c", *"hm", "enter")
        assert "Scores" in app.drawn, "a comment is something to say"


async def test_a_record_that_a_sample_belongs_to_has_what_was_asked_last_in_sight(tmp_path):
    deck = tmp_path / "deck.jsonl"
    deck.write_text(json.dumps({"id": "a", "input": [SYSTEM, *MIDDLE, USER], "expected_output": "No."}) + "\n")
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"test_id": "a", "output": ANSWER, "score": 0}) + "\n")
    for size in SIZES:
        async with reviewing(path, deck, size=size) as app:
            assert ASKED in app.drawn
            assert ANSWER in " ".join(app.drawn.split()) or "ferns" in app.drawn
