"""AgentV's prompts beside the tests, filled with each test's `vars`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.prompt.render import Rendered, render
from sampleui.sample.model import Sample
from tests.quick import within

from .conftest import Write, sample

CONVERSATION = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello {{ name }}"},
    {"role": "user", "content": "Bye"},
]


def rendered(prompts: Any, variables: dict, **context: Any) -> Rendered:
    return render(sample(Path("/nowhere"), {"vars": variables}, prompts=prompts, **context))


def sent(result: Rendered) -> list[tuple]:
    return [(message["role"], message["content"]) for message in result.chat_prompt]


def notes(result: Rendered) -> list[str]:
    return [finding.message for finding in result.findings if finding.rule == "template-unsupported"]


@pytest.mark.parametrize("prompts", ["{{ input }}", ["{{ input }}"], ["{{input}}"], ["\n{{ vars.input }}\n"]])
def test_a_prompt_that_is_the_input_sends_its_messages(prompts: object) -> None:
    result = rendered(prompts, {"input": CONVERSATION, "name": "Ada"})
    assert sent(result) == [("user", "Hi"), ("assistant", "Hello Ada"), ("user", "Bye")]
    assert result.findings == ()
    assert result.grading_context["fullConversation"] == CONVERSATION


def test_a_text_input_is_one_user_message() -> None:
    result = rendered(["{{ input }}"], {"input": "Hi"})
    assert sent(result) == [("user", "Hi")]
    assert result.question == "Hi"


def test_names_with_dots_and_values_of_every_kind() -> None:
    text = "{{ a.b }}|{{ n }}|{{ f }}|{{ yes }}|{{ none }}|{{ items }}|{{ a.list.1 }}"
    values = {"a": {"b": "deep", "list": [1, 2]}, "n": 3, "f": 1.5, "yes": True, "none": None, "items": [1]}
    result = rendered([text], values)
    assert sent(result) == [("user", "deep|3|1.5|true||1|{{ a.list.1 }}")]
    assert notes(result) == [
        "{{ none }} has no value; nothing is sent in its place",
        "{{ a.list.1 }} is left as written: a key is missing behind a dot, "
        "which Nunjucks refuses (Template render error)",
    ]


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("Summarize: {{ input }}", "its value is not text"),
        ([{"role": "user", "content": "{{ input }}"}], "its value is not text"),
        ("{{ texts }}", "its value is neither text nor messages"),
    ],
)
def test_a_conversation_inside_a_text_or_a_message_is_left_and_said(prompt: object, why: str) -> None:
    """AgentV makes `[object Object]` of the one, and of the other messages in a message, which nothing reads."""
    result = rendered([prompt], {"input": CONVERSATION, "texts": ["a", "b"]})
    [(role, text)] = sent(result)
    assert (role, text) == ("user", prompt if isinstance(prompt, str) else "{{ input }}")
    assert notes(result) == [f"{text.removeprefix('Summarize: ')} is left as written: {why}"]


@pytest.mark.parametrize(
    "prompts",
    [
        [{"role": "system", "content": "Be {{ how }}."}, {"role": "user", "content": "{{ input }}"}],
        [[{"role": "system", "content": "Be {{ how }}."}, {"role": "user", "content": "{{ input }}"}]],
        [
            {
                "id": "main",
                "raw": [{"role": "system", "content": "Be {{ how }}."}, {"role": "user", "content": "{{ input }}"}],
            }
        ],
    ],
)
@pytest.mark.parametrize("value", ["Hi", [{"type": "text", "value": "Hi"}]])
def test_prompts_of_messages(prompts: object, value: object) -> None:
    assert sent(rendered(prompts, {"how": "kind", "input": value})) == [("system", "Be kind."), ("user", "Hi")]


@pytest.mark.parametrize("key", ["raw", "prompt", "template", "content"])
def test_labelled_prompts(key: str) -> None:
    assert sent(rendered([{"label": "main", key: "Say {{ input }}"}], {"input": "hi"})) == [("user", "Say hi")]


@pytest.mark.parametrize(
    ("prompt", "left"),
    [
        ("{{ a | mine }}", "{{ a | mine }} is left as written: the filter mine is a program of the config's own"),
        ("{{ a + a }}", "{{ a + a }} is left as written: only plain variables and plain filters are filled in"),
        (
            "{% if a %}x{% endif %}",
            "a text with {% is left as written: only plain variables and plain filters are filled in",
        ),
        ("{{ env.HOME }}", "{{ env.HOME }} is left as written: the environment is not looked at"),
        ("https://x.y/main.txt", "https://x.y/main.txt is kept elsewhere and is not read"),
    ],
)
def test_what_cannot_be_rendered_is_shown_as_written_and_said(prompt: str, left: str) -> None:
    result = rendered([prompt], {"input": "hi", "a": "b"}, nunjucks_filters={"mine": "./mine.js"})
    assert sent(result) == [("user", prompt)]
    assert notes(result)[0] == left
    assert len(notes(result)) == len(set(notes(result)))


def test_each_of_several_prompts_asks_a_sample() -> None:
    made = {"label": "Made", "command": ["node", "p.js"]}
    result = rendered(
        ["One {{ input }}", {"id": "second", "prompt": "Two"}, made, "file://gone.txt", {"label": "Nothing"}],
        {"input": "hi"},
    )
    assert [(one.label, sent(one)) for one in (result, *result.others)] == [
        ("One {{ input }}", [("user", "One hi")]),
        ("second", [("user", "Two")]),
        ("Made", []),
        ("gone.txt", []),
        ("Nothing", []),
    ]
    assert notes(result) == [
        "a program makes this prompt in a run, and is not run here",
        "gone.txt does not exist",
        "a prompt that asks nothing is not shown",
    ]


def test_a_shared_test_that_is_not_read_is_said() -> None:
    result = rendered(["{{ input }}"], {"input": "hi"}, default_test="ref://shared")
    assert notes(result) == ["default_test is kept in ref://shared and is not read"]


@pytest.mark.parametrize("key", ["default_test", "defaultTest"])
def test_shared_variables_are_overridden_by_the_sample(key: str) -> None:
    shared = {key: {"vars": {"a": "shared", "b": "shared"}}}
    assert sent(rendered(["{{ a }} {{ b }}"], {"a": "own"}, **shared)) == [("user", "own shared")]


def test_own_messages_win_over_prompts_and_are_filled_quietly() -> None:
    data: Table = {"input": "Question: {{ question }} {{ other }} {% if %}", "vars": {"question": "Why?"}}
    result = render(sample(Path("/nowhere"), data, prompts=["{{ input }}"]))
    assert sent(result) == [("user", "Question: Why? {{ other }} {% if %}")]
    assert result.findings == ()


def test_without_vars_and_in_other_dialects_braces_are_text() -> None:
    messages: Plain = [{"role": "user", "content": "{{ a }}"}]
    samples: list[tuple[str, Table]] = [
        ("agentv", {"input_messages": messages}),
        ("calibrate", {"messages": messages, "vars": {"a": "x"}}),
        ("gage", {"messages": messages, "vars": {"a": "x"}}),
    ]
    for dialect, data in samples:
        result = render(sample(Path("/nowhere"), data, dialect, prompts=["{{ a }}!"]))
        assert sent(result) == [("user", "{{ a }}")]


def test_an_input_of_the_file_comes_first_unless_defaults_are_skipped() -> None:
    shared: Plain = [{"role": "system", "content": "You know {{ topic }}."}]
    data: Table = {"input": "Hi", "vars": {"topic": "lamps"}}
    assert sent(render(sample(Path("/nowhere"), data, input=shared))) == [
        ("system", "You know lamps."),
        ("user", "Hi"),
    ]
    skipping: Table = {**data, "execution": {"skip_defaults": True}}
    assert sent(render(sample(Path("/nowhere"), skipping, input=shared))) == [("user", "Hi")]


def test_attachments_in_vars_are_read(project: Path, write: Write) -> None:
    write({"notes.txt": "n"})
    content: Plain = [{"type": "file", "value": "notes.txt"}, {"type": "file", "value": "gone.txt"}]
    data: Table = {"vars": {"input": [{"role": "user", "content": content}]}}
    result = render(sample(project / "decks", data, prompts=["{{ input }}"]))
    assert sent(result) == [("user", "=== notes.txt ===\nn")]
    assert [finding.node for finding in result.findings] == [("vars", "input", 0, "content", 1)]


@pytest.mark.parametrize(
    "prompts", [None, [], "", 3, [None], [3], {}, [{}], [[]], [{"role": 3}], [[[["x"]]]], ["["]]
)
@pytest.mark.parametrize("variables", [{}, {"input": None}, {"input": [3]}])
def test_malformed_prompts_do_no_harm(prompts: object, variables: dict) -> None:
    assert isinstance(rendered(prompts, variables).question, str)


def test_hostile_templates_are_scanned_in_one_pass() -> None:
    for hostile in ("{{" * 300_000, "{% " * 200_000, "{{ a" * 100_000, "{#%{" * 100_000):
        case = Sample(
            "x",
            0,
            {"vars": {"input": "x"}},
            "agentv",
            ("vars", "input"),
            Path("/d"),
            context={"prompts": [hostile]},
        )
        with within(2):
            render(case)
