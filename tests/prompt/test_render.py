from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.prompt.providers import provider_messages
from sampleui.prompt.render import Rendered, render
from sampleui.text.diagnostic import Severity
from sampleui.workspace.deck import open_deck
from tests.inside import inside

from .conftest import Make, Write, sample

CALLS = [{"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]


def text(value: str) -> dict:
    return {"type": "text", "value": value}


def file(path: str) -> dict:
    return {"type": "file", "value": path}


def said(rendered: Rendered) -> list[tuple]:
    return [(finding.rule, str(finding.severity), finding.node) for finding in rendered.findings]


# Segments


def test_text_stands_as_written(make: Make) -> None:
    rendered = render(make({"role": "user", "content": "  two \n\n lines\n"}))
    assert rendered.chat_prompt == [{"role": "user", "content": "  two \n\n lines\n"}]
    assert rendered.question == "two \n\n lines"


def test_blank_texts_are_dropped(make: Make) -> None:
    rendered = render(make({"role": "user", "content": [text("a"), text(" \n"), text("b")]}))
    assert rendered.chat_prompt == [{"role": "user", "content": "a\nb"}]


def test_a_file_has_lf_line_ends_and_no_trailing_space(make: Make, write: Write) -> None:
    write({"notes.txt": "  one\r\ntwo \r\n\r\n", "rules.instructions.md": "\r\n  Be kind.\r\nBe brief.  \r\n"})
    rendered = render(make({"role": "user", "content": [file("notes.txt"), file("rules.instructions.md")]}))
    assert rendered.chat_prompt == [
        {"role": "system", "content": "[[ ## Guidelines ## ]]\n\nBe kind.\nBe brief."},
        {"role": "user", "content": "=== notes.txt ===\n  one\ntwo\n<Attached: rules.instructions.md>"},
    ]


def test_a_byte_order_mark_is_no_part_of_a_file(make: Make, write: Write) -> None:
    write({"notes.txt": "\ufeffone"})
    assert render(make({"role": "user", "content": [file("notes.txt")]})).question == "=== notes.txt ===\none"


def test_an_unusable_file_contributes_nothing_but_a_finding(make: Make) -> None:
    rendered = render(make({"role": "user", "content": [text("Read"), file("gone.txt"), file("gone.txt")]}))
    assert rendered.chat_prompt == [{"role": "user", "content": "Read"}]
    assert said(rendered) == [
        ("file-not-found", "warning", ("input_messages", 0, "content", 1)),
        ("file-not-found", "warning", ("input_messages", 0, "content", 2)),
    ]
    assert rendered.findings[0].message == "gone.txt does not exist"


def test_findings_count_malformed_segments(make: Make) -> None:
    rendered = render(make({"role": "user", "content": ["?", {"type": "file"}, text("Hi"), file("gone.txt")]}))
    assert [(rule, node[-1]) for rule, _, node in said(rendered)] == [
        ("file-not-found", 3),
        ("segment-dropped", 1),
    ]
    assert rendered.chat_prompt == [{"role": "user", "content": "?\nHi"}]


def test_a_missing_guideline_leaves_no_reference(make: Make) -> None:
    rendered = render(make({"role": "user", "content": [text("Hi"), file("gone.instructions.md")]}))
    assert rendered.chat_prompt == [{"role": "user", "content": "Hi"}]
    assert rendered.guidelines == ""


def test_a_blank_guideline_is_referred_to_and_says_nothing(make: Make, write: Write) -> None:
    write({"empty.instructions.md": " \n"})
    rendered = render(make({"role": "user", "content": [text("Hi"), file("empty.instructions.md")]}))
    assert rendered.chat_prompt == [{"role": "user", "content": "Hi\n<Attached: empty.instructions.md>"}]


def test_files_of_expected_messages_are_checked_and_not_sent(make: Make, write: Write) -> None:
    write({"answer.md": "The golden answer"})
    golden = [{"role": "assistant", "content": [file("answer.md"), file("gone.md")]}]
    rendered = render(make({"role": "user", "content": "Hi"}, expected_messages=golden))
    assert rendered.chat_prompt == [{"role": "user", "content": "Hi"}]
    assert rendered.attachments == ()
    assert said(rendered) == [("file-not-found", "warning", ("expected_messages", 0, "content", 1))]


# Empty messages


def test_dropped_messages_say_why(make: Make, write: Write) -> None:
    write({"a.instructions.md": "A"})
    rendered = render(
        make(
            {"role": "user", "content": "Hi"},
            {"role": "user", "content": " "},
            {"role": "user", "content": [file("a.instructions.md")]},
            {"role": "user", "content": [file("gone.txt")]},
        )
    )
    assert [(one.node[1], one.reason) for one in rendered.dropped] == [
        (1, "it is empty"),
        (2, "it holds only guidelines, which are in the system message"),
        (3, "none of its files can be used"),
    ]
    infos = [finding for finding in rendered.findings if finding.rule == "message-dropped"]
    assert [(finding.severity, finding.node) for finding in infos] == [
        (Severity.INFO, ("input_messages", index)) for index in (1, 2, 3)
    ]


def test_invalid_messages_keep_the_indexes_of_the_others(make: Make) -> None:
    rendered = render(make({"content": "no role"}, {"role": "user", "content": ""}))
    assert rendered.chat_prompt == []
    assert [(one.node, one.reason) for one in rendered.dropped] == [
        (("input_messages", 0), "it has no role"),
        (("input_messages", 1), "it is empty"),
    ]


def test_only_guidelines_keeps_all_but_the_leading_system_messages(make: Make, write: Write) -> None:
    write({"a.instructions.md": "A", "b.instructions.md": "B"})
    rendered = render(
        make(
            {"role": "system", "content": [file("a.instructions.md")]},
            {"role": "user", "content": [file("b.instructions.md")]},
            {"role": "user", "content": ""},
        )
    )
    assert [message["role"] for message in rendered.chat_prompt] == ["system", "user"]
    assert rendered.chat_prompt[1]["content"] == "<Attached: b.instructions.md>"
    assert [one.node[1] for one in rendered.dropped] == [0, 2]


@pytest.mark.parametrize(
    ("content", "sent"), [({"content": None}, {"content": None}), ({}, {}), ({"content": ""},) * 2]
)
def test_tool_calls_alone_are_kept_with_the_content_as_authored(make: Make, content: dict, sent: dict) -> None:
    rendered = render(
        make(
            {"role": "user", "content": "Look"},
            {"role": "assistant", **content, "tool_calls": CALLS},
            {"role": "tool", "content": "sun", "tool_call_id": "call_1", "name": "look"},
        )
    )
    assert rendered.chat_prompt[1] == {"role": "assistant", **sent, "tool_calls": CALLS}
    assert rendered.chat_prompt[2] == {"role": "tool", "content": "sun", "name": "look", "tool_call_id": "call_1"}
    assert rendered.question == "[User]:\nLook\n\n[Tool]:\nsun"


# The system message


def test_an_empty_message_does_not_part_leading_system_messages(make: Make) -> None:
    rendered = render(
        make(
            {"role": "system", "content": " One\n"},
            {"role": "user", "content": ""},
            {"role": "system", "content": "Two"},
            {"role": "user", "content": "Hi"},
        )
    )
    assert rendered.chat_prompt[0] == {"role": "system", "content": "One\n\nTwo"}
    assert len(rendered.chat_prompt) == 2


def test_a_configured_prompt_stands_in_and_is_no_part_of_the_question(make: Make) -> None:
    rendered = render(make({"role": "user", "content": "Hi"}), system_prompt="Be kind.\n")
    assert rendered.chat_prompt == [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    assert rendered.question == "Hi"


def test_a_configured_prompt_stands_in_for_a_system_message_of_guidelines(make: Make, write: Write) -> None:
    write({"a.instructions.md": "A"})
    messages = {"role": "system", "content": [file("a.instructions.md")]}, {"role": "user", "content": "Hi"}
    rendered = render(make(*messages), system_prompt="Be kind.")
    assert rendered.chat_prompt[0]["content"] == "Be kind.\n\n[[ ## Guidelines ## ]]\n\nA"


def test_a_later_system_message_does_not_replace_the_configured_prompt(make: Make) -> None:
    rendered = render(make({"role": "user", "content": "Hi"}, {"role": "system", "content": "Late"}), "Be kind.")
    assert [message["content"] for message in rendered.chat_prompt] == ["Be kind.", "Hi", "Late"]


def test_one_file_by_two_paths_is_one_guideline(make: Make, write: Write) -> None:
    folder = write({"a.instructions.md": "A", "b.instructions.md": "B"})
    (folder / "link.instructions.md").symlink_to("a.instructions.md")
    names = ["./a.instructions.md", "b.instructions.md", "a.instructions.md", "link.instructions.md"]
    rendered = render(make({"role": "user", "content": [text("Hi"), *map(file, names)]}))
    assert rendered.guidelines == "=== ./a.instructions.md ===\nA\n\n=== b.instructions.md ===\nB"
    assert rendered.chat_prompt[0]["content"] == f"[[ ## Guidelines ## ]]\n\n{rendered.guidelines}"


def test_guidelines_of_dropped_messages_count(make: Make, write: Write) -> None:
    write({"a.instructions.md": "A"})
    rendered = render(
        make({"role": "user", "content": "Hi"}, {"role": "user", "content": [file("a.instructions.md")]})
    )
    assert rendered.chat_prompt == [
        {"role": "system", "content": "[[ ## Guidelines ## ]]\n\nA"},
        {"role": "user", "content": "Hi"},
    ]


# ChatPrompt


def test_media_keeps_a_list_in_which_the_rest_is_text(make: Make, write: Write) -> None:
    write({"notes.txt": "n", "a.instructions.md": "A"})
    image = {"type": "image_url", "image_url": {"url": "cat.png", "detail": "low"}}
    rendered = render(
        make({"role": "user", "content": [text("See"), image, file("notes.txt"), file("a.instructions.md")]})
    )
    assert rendered.chat_prompt[1]["content"] == [
        {"type": "text", "text": "See"},
        image,
        {"type": "text", "text": "=== notes.txt ===\nn"},
        {"type": "text", "text": "<Attached: a.instructions.md>"},
    ]
    assert rendered.question == "See\n<Attached: cat.png>\n=== notes.txt ===\nn\n<Attached: a.instructions.md>"


def test_roles_keep_their_spelling_and_only_system_leads(make: Make) -> None:
    rendered = render(make({"role": "System", "content": "a"}, {"role": "élève", "content": "b"}), "Be kind.")
    assert [message["role"] for message in rendered.chat_prompt] == ["system", "System", "élève"]
    assert rendered.question == "[System]:\na\n\n[Élève]:\nb"


# The question


@pytest.mark.parametrize(
    ("messages", "question"),
    [
        ([("system", "s"), ("user", "u")], "s\n\nu"),
        ([("user", "u"), ("system", "s")], "[User]:\nu\n\n[System]:\ns"),
        ([("system", "s"), ("system", "t")], "[System]:\ns\n\n[System]:\nt"),
        ([("system", "s")], "s"),
        ([("user", "u"), ("assistant", "")], "[User]:\nu"),
        ([("assistant", "a")], "[Assistant]:\na"),
        ([("user", ""), ("user", "u")], "u"),
        ([("gpt_4", "a")], "[Gpt_4]:\na"),
    ],
)
def test_question_is_headed_where_roles_tell_something(make: Make, messages: list, question: str) -> None:
    rendered = render(make(*({"role": role, "content": content} for role, content in messages)))
    assert rendered.question == question


# Grading context, diagnostics, plain data


def test_grading_context_is_as_authored(project: Path) -> None:
    messages: Plain = [{"role": "user", "content": "", "weight": 2}, {"content": "no role"}, "no table"]
    data: Table = {"messages": messages, "expected": {"score": 1}}
    rendered = render(sample(project, data, "calibrate"), system_prompt="Be kind.")
    assert rendered.grading_context == {"fullConversation": messages, "expected": {"score": 1}}


def test_diagnostics_stand_at_the_sample(make: Make) -> None:
    case = make({"role": "user", "content": [file("gone.txt")]})
    found = render(case).diagnostics[0]
    assert (found.rule, found.path, found.line, found.column) == ("file-not-found", case.path, 7, 1)
    assert (found.sample, found.sample_index, found.node) == ("case", 3, ("input_messages", 0, "content", 0))


@pytest.mark.parametrize("key", ["messages", "input_messages", "input"])
def test_plain_data_renders(key: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("n")
    data: Table = {key: [{"role": "user", "content": [file("notes.txt")]}]}
    for root in (tmp_path, str(tmp_path)):
        assert render(data, root=root).question == "=== notes.txt ===\nn"


@pytest.mark.parametrize("data", [{}, {"messages": None}, {"messages": []}])
def test_a_sample_without_messages_renders_as_nothing(data: dict) -> None:
    rendered = render(data)
    assert (rendered.chat_prompt, rendered.question, rendered.findings) == ([], "", ())


@pytest.mark.parametrize("message", ["x", ["x"], 3, {"content": "x"}, {"role": 3, "content": "x"}, {"role": {}}])
def test_each_message_left_out_is_a_finding(message: Any) -> None:
    rendered = render({"messages": [message, {"role": "user", "content": "Hi"}]})
    assert [(one.rule, one.node) for one in rendered.findings] == [("message-dropped", ("messages", 0))]
    assert [one.rule for one in rendered.diagnostics] == ["message-dropped"]


def test_a_segment_that_its_dialect_spells_is_not_left_out(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    content = '[{"type": "text", "text": "Hi"}, {"type": "image", "image": "a.png"}]'
    path.write_text(f'{{"input": [{{"role": "user", "content": {content}}}], "target": "x"}}\n', "utf-8")
    (sample,) = open_deck(path, "inspect").samples
    assert render(sample).diagnostics == ()


def test_short_forms_of_agentv(project: Path, write: Write) -> None:
    write({"notes.txt": "n"})
    case = sample(project / "decks", {"input": "Hi", "input_files": ["notes.txt", "gone.txt"]})
    rendered = render(case)
    assert rendered.chat_prompt == [{"role": "user", "content": "=== notes.txt ===\nn\nHi"}]
    assert [finding.rule for finding in rendered.findings] == ["file-not-found"]


def test_a_file_that_changes_is_read_anew(make: Make, write: Write) -> None:
    case = make({"role": "user", "content": [file("notes.txt")]})
    for value in ("one", "two", "three"):
        write({"notes.txt": value})
        assert render(case).question == f"=== notes.txt ===\n{value}"


def test_an_unchanged_file_is_not_read_twice(make: Make, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"notes.txt": "once"})
    case = make({"role": "user", "content": [file("notes.txt")]})
    render(case)

    def refuse(*_: object) -> None:
        raise AssertionError("the file was read again")

    monkeypatch.setattr("sampleui.prompt.attachments.read_confined", refuse)
    assert render(case).question == "=== notes.txt ===\nonce"


def test_nothing_on_disk_is_touched_without_attachments(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the disk was touched")

    monkeypatch.setattr("sampleui.prompt.library.project_root", refuse)
    assert render(make({"role": "user", "content": "Hi"})).question == "Hi"


def test_a_message_that_is_none_is_said_to_be_left_out() -> None:
    rendered = render({"messages": ["x", {"role": 3}, {"role": "user"}, {"role": "user", "content": "Hi"}]})
    assert rendered.chat_prompt == [{"role": "user", "content": "Hi"}]
    assert [(one.rule, one.node, one.message.partition(": ")[2]) for one in rendered.findings] == [
        ("message-dropped", ("messages", 0), "it is not a message"),
        ("message-dropped", ("messages", 1), "it has no role"),
        ("message-dropped", ("messages", 2), "it has no content that can be read"),
    ]
    assert not rendered.empty


@pytest.mark.parametrize(("content", "rules"), [("", []), (" ", ["nothing-sent"])])
def test_a_sample_that_says_nothing_sends_nothing(content: str, rules: list[str]) -> None:
    rendered = render({"messages": [{"role": "user", "content": content}]}, system_prompt="Be kind.")
    assert rendered.empty
    assert [one.rule for one in rendered.findings if one.rule != "message-dropped"] == rules
    for provider in ("openai", "anthropic", "vscode"):
        assert provider_messages(rendered, provider) == []


def test_diagnostics_stand_at_the_value(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(
        '[[samples]]\nmessages = [\n  { role = "user", content = "Hi" },\n  { role = "user", content = " " },\n]\n',
        "utf-8",
    )
    deck = open_deck(path)
    (said,) = render(deck.samples[0]).diagnostics
    assert (said.rule, said.line, said.column) == ("message-dropped", 4, 3)
    assert said in deck.diagnostics


def test_the_messages_of_an_older_record_are_those_that_render(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "question": "Which?", "choices": ["x", "y"], "answer": 1}\n', "utf-8")
    (sample,) = open_deck(path).samples
    assert sample.messages == [{"role": "user", "content": [{"type": "text", "text": "Which?"}]}]
    assert render(sample).chat_prompt == [{"role": "user", "content": "Which?"}]


@pytest.mark.parametrize("key", ["systemPrompt", "system_prompt"])
def test_the_system_prompt_of_the_metadata_stands_in_below_the_setting(make: Make, write: Write, key: str) -> None:
    write({"style.instructions.md": "Be concise"})
    user = {"role": "user", "content": [text("Hello"), file("style.instructions.md")]}
    guided = "\n\n[[ ## Guidelines ## ]]\n\nBe concise"

    def system(*messages: dict, system_prompt: str | None = None) -> str:
        rendered = render(make(*messages, metadata={key: "Default prompt"}), system_prompt)
        assert rendered.question == "\n\n".join(
            ["Custom"] * (len(messages) > 1) + [inside(rendered.chat_prompt[-1], "content")]
        )
        return inside(rendered.chat_prompt[0], "content")

    assert system(user) == f"Default prompt{guided}"
    assert system(user, system_prompt="Setting") == f"Setting{guided}"
    assert system({"role": "system", "content": "Custom"}, user) == f"Custom{guided}"
    plain = render({"messages": [{"role": "user", "content": "Hi"}], "metadata": {key: "Default prompt"}})
    assert plain.chat_prompt[0] == {"role": "system", "content": "Default prompt"}


def test_agentv_4_takes_no_system_prompt_of_the_metadata(make: Make) -> None:
    user = {"role": "user", "content": "Hi"}
    rendered = render(make(user, metadata={"systemPrompt": "Default prompt"}), style="agentv-4")
    assert "Default prompt" not in str(rendered.chat_prompt)


def media(kind: str, url: str) -> dict:
    return {"type": kind, kind: {"url": url}}


def test_media_of_gage_that_are_not_there_are_told_as_attached_files_are(make: Make, write: Write) -> None:
    write({"there.png": "x"})
    shown = [
        media("image_url", url)
        for url in ("there.png", "gone.png", "https://e.org/a.png", "data:image/png;base64,")
    ]
    rendered = render(
        make(
            {"role": "user", "content": [text("Which?"), *shown, media("audio_url", "../../out.wav")]},
            dialect="gage",
            references=[{"answer": [media("image_url", "refs/gone.png")]}, "text"],
            few_shot_examples=[{"messages": [{"role": "user", "content": [media("file_url", "file://gone.pdf")]}]}],
        )
    )
    assert {(one.message, one.node) for one in rendered.findings} == {
        ("gone.png does not exist", ("messages", 0, "content", 2)),
        ("../../out.wav lies outside the project and is not read", ("messages", 0, "content", 5)),
        ("refs/gone.png does not exist", ("references", 0, "answer", 0)),
        ("gone.pdf does not exist", ("few_shot_examples", 0, "messages", 0, "content", 0)),
    }
    assert {str(one.severity) for one in rendered.findings} == {"warning"}
