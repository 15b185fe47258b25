from __future__ import annotations

import pytest

from sampleui.prompt.render import render
from tests.prompt.conftest import Make

SYSTEM = {"role": "system", "content": "Answer in one word."}
USER = {"role": "user", "content": [{"type": "text", "text": "Capital of Italy?"}]}


def shot(question: str, **answer: object) -> dict:
    return {"messages": [{"role": "user", "content": question}], **answer}


def test_examples_follow_the_leading_system_messages(make: Make) -> None:
    shots = [
        shot("Capital of France?", references=[{"answer": [{"type": "text", "text": "Paris"}]}], label="paris"),
        shot("Capital of Spain?", references=["Madrid"]),
        shot("Capital of Peru?", references=[], label="Lima"),
    ]
    rendered = render(make(SYSTEM, USER, dialect="gage", few_shot_examples=shots))
    assert [(message["role"], message["content"]) for message in rendered.chat_prompt] == [
        ("system", "Answer in one word."),
        ("user", "Capital of France?"),
        ("assistant", "Paris"),
        ("user", "Capital of Spain?"),
        ("assistant", "Madrid"),
        ("user", "Capital of Peru?"),
        ("assistant", "Lima"),
        ("user", "Capital of Italy?"),
    ]
    assert rendered.question.startswith(
        "[System]:\nAnswer in one word.\n\n[User]:\nCapital of France?\n\n[Assistant]:"
    )
    assert rendered.grading_context["fullConversation"] == [SYSTEM, USER]


@pytest.mark.parametrize(
    "answer", [{}, {"references": [{}]}, {"references": [{"answer": 3}]}, {"label": [3], "references": []}]
)
def test_an_example_without_an_answer_has_its_messages(make: Make, answer: dict) -> None:
    rendered = render(make(USER, dialect="gage", few_shot_examples=[shot("Capital of France?", **answer)]))
    assert [message["role"] for message in rendered.chat_prompt] == ["user", "user"]


def test_media_answers_keep_their_segments(make: Make) -> None:
    image = {"type": "image_url", "image_url": {"url": "apple.png"}}
    rendered = render(
        make(USER, dialect="gage", few_shot_examples=[shot("Draw.", references=[{"answer": [image]}])])
    )
    assert rendered.chat_prompt[1] == {"role": "assistant", "content": [image]}


def test_an_empty_message_before_the_system_message_does_not_move_examples_before_it(make: Make) -> None:
    empty = {"role": "user", "content": ""}
    rendered = render(make(empty, SYSTEM, USER, dialect="gage", few_shot_examples=[shot("Q", label="A")]))
    assert [message["role"] for message in rendered.chat_prompt] == ["system", "user", "assistant", "user"]


def test_findings_stand_in_the_example(make: Make) -> None:
    shots = [shot("Q", label="A"), {"messages": [{"role": "user", "content": " "}]}]
    rendered = render(make(USER, dialect="gage", few_shot_examples=shots))
    assert [finding.node for finding in rendered.findings] == [("few_shot_examples", 1, "messages", 0)]


@pytest.mark.parametrize("shots", [None, 3, "x", {}, [None, 3, []], [{"messages": 3}], [{"references": ["x"]}]])
def test_malformed_examples_do_no_harm(make: Make, shots: object) -> None:
    assert render(make(USER, dialect="gage", few_shot_examples=shots)).question.endswith("Capital of Italy?")


def test_other_dialects_have_no_examples(make: Make) -> None:
    rendered = render(make({"role": "user", "content": "Q"}, few_shot_examples=[shot("x", label="y")]))
    assert rendered.question == "Q"


def test_an_older_example_is_shown_as_it_is_spelled_today(make: Make) -> None:
    shots = [{"question": "2?", "answer": "two"}]
    rendered = render(make({"role": "user", "content": "3?"}, dialect="gage", few_shot_examples=shots))
    assert [message["content"] for message in rendered.chat_prompt] == ["2?", "two", "3?"]
