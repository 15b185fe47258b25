"""What holds of every sample, however odd."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.data import Table
from sampleui.prompt.providers import PROVIDERS, provider_messages
from sampleui.prompt.render import Rendered, render
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import messages_path
from tests.inside import inside

FILES = {
    "a.instructions.md": "Guide-A",
    "sub/b.instructions.md": "Guide-B\r\n",
    "empty.instructions.md": "",
    "code.py": "print(1)\n",
    "empty.txt": "",
}
Render = Callable[..., Rendered]
quiet = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def folder(new_folder: Callable[[str], Path]) -> Path:
    made = new_folder("deck")
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_bytes(text.encode())
    return made


@pytest.fixture(scope="module")
def rendered(folder: Path) -> Render:
    def made(conversation: list[Any], **given: Any) -> Rendered:
        data: Table = {"messages": conversation}
        return render(Sample("s", 0, data, "calibrate", ("messages",), folder / "deck.toml"), **given)

    return made


names = st.sampled_from([*FILES, "./a.instructions.md", "gone.txt", "../../../etc/passwd", "/etc/passwd", "sub"])
texts = st.sampled_from(["", " \n", "Hi", "two\nlines", "  padded ", "[User]:\nno", "{{ a }}"])
roles = st.sampled_from(["system", "user", "assistant", "tool", "developer", "System", "x"])
segments = st.one_of(
    st.builds(lambda text: {"type": "text", "value": text}, texts),
    st.builds(lambda text: {"type": "text", "text": text}, texts),
    st.builds(lambda name: {"type": "file", "value": name}, names),
    st.just({"type": "image_url", "image_url": {"url": "cat.png"}}),
)
contents = st.one_of(texts, st.lists(segments, max_size=4))
messages = st.builds(
    lambda role, content, extra: {"role": role, "content": content, **extra},
    roles,
    contents,
    st.sampled_from([{}, {}, {"name": "n"}, {"tool_calls": [{"id": "1"}]}, {"tool_call_id": "1"}]),
)
conversations = st.lists(messages, max_size=6)

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "value", "text", "answer", "messages", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
keys = [
    "messages",
    "input_messages",
    "input",
    "input_files",
    "vars",
    "few_shot_examples",
    "expected_messages",
    "execution",
]
anything = st.dictionaries(
    st.sampled_from([*keys, "question", "prompt", "choices"]), plain | st.lists(messages, max_size=3)
)


def body(message: dict) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "<Attached: cat.png>") for part in content)


@settings(quiet)
@given(
    anything,
    st.sampled_from(list(DIALECTS)),
    st.dictionaries(st.sampled_from(["prompts", "input", "default_test"]), plain),
)
def test_nothing_crashes(folder: Path, data: dict, dialect: str, context: dict) -> None:
    path = messages_path(data, DIALECTS[dialect])
    result = render(Sample("s", 0, data, dialect, path, folder / "deck", context=context), "Be kind.")
    assert all(isinstance(message["role"], str) for message in result.chat_prompt)
    assert "root:" not in repr(result)
    for provider in PROVIDERS:
        assert bool(provider_messages(result, provider)) is not result.empty


@quiet
@given(conversations)
def test_dropped_messages_never_appear_and_all_others_do(rendered: Render, conversation: list[dict]) -> None:
    marked = [{**message, "name": f"m{index}"} for index, message in enumerate(conversation)]
    result = rendered(marked)
    dropped = {one.node[1] for one in result.dropped}
    kept = [message for index, message in enumerate(marked) if index not in dropped]
    while kept and kept[0]["role"] == "system":
        kept.pop(0)
    sent = [message for message in result.chat_prompt if "name" in message]
    assert [(message["role"], message["name"]) for message in sent] == [(one["role"], one["name"]) for one in kept]


@quiet
@given(conversations, st.sampled_from([None, "Be kind."]))
def test_one_system_message_leads_and_holds_each_guideline_once(
    rendered: Render, conversation: list[dict], prompt: str | None
) -> None:
    result = rendered(conversation, system_prompt=prompt)
    attached = {file.path: file for file in result.attachments if file.guideline and file.text}
    head = result.chat_prompt[0] if result.chat_prompt else {"role": "", "content": ""}
    for guide in attached.values():
        assert guide.text is not None
        text = guide.text.strip()
        assert head["role"] == "system"
        assert str(head["content"]).count(text) == 1
        assert result.guidelines.count(text) == 1
    assert ("[[ ## Guidelines ## ]]" in str(head["content"])) == bool(attached)
    assert all(text not in body(message) for message in result.chat_prompt[1:] for text in ("Guide-A", "Guide-B"))


@quiet
@given(conversations)
def test_the_question_is_flat_exactly_when_roles_tell_nothing(rendered: Render, conversation: list[dict]) -> None:
    result = rendered(conversation)
    dropped = {one.node[1] for one in result.dropped}
    alone = [rendered([{**message, "role": "user"}]) for message in conversation]
    left = [
        (message["role"], alone[index].question)
        for index, message in enumerate(conversation)
        if index not in dropped and alone[index].question
    ]
    structured = any(message["role"] not in ("system", "user") for message in conversation)
    flat = not structured and (len(left) <= 1 or [role for role, _ in left] == ["system", "user"])
    headed = [text if flat else f"[{role[0].upper()}{role[1:]}]:\n{text}" for role, text in left]
    assert result.question == "\n\n".join(headed)


@quiet
@given(conversations)
def test_rendering_changes_nothing_and_repeats_itself(rendered: Render, conversation: list[dict]) -> None:
    before = repr(conversation)
    first, second = rendered(conversation), rendered(conversation)
    assert first == second
    assert repr(conversation) == before
    assert first.grading_context["fullConversation"] == conversation


@quiet
@given(conversations)
def test_only_media_makes_a_content_a_list(rendered: Render, conversation: list[dict]) -> None:
    for message in rendered(conversation).chat_prompt:
        content = message.get("content")
        if isinstance(content, list):
            assert any(inside(part, "type") == "image_url" for part in content)
            assert all(inside(part, "type") in ("image_url", "text") for part in content)
