"""`sampleui render`: what is sent, as JSON lines or text, exact in a pipe."""

from __future__ import annotations

import json

from .conftest import DECKS

HELLO = DECKS / "hello.toml"


def test_one_sample_is_its_chat_prompt(sampleui):
    ran = sampleui("render", HELLO, "--sample", "arithmetic")
    assert ran.code == 0
    assert json.loads(ran.out) == [
        {"role": "user", "content": "What is 2+2?"},
        {"role": "assistant", "content": "2 + 2 = 4."},
    ]


def test_all_samples_are_a_line_each_in_order(sampleui):
    lines = sampleui("render", HELLO, "--as", "json").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [
        "arithmetic",
        "algebra-tutor",
        "capital-of-france",
        "refund-policy",
        "haiku",
        "unit-conversion",
    ]


def test_the_question_is_text(sampleui):
    ran = sampleui("render", HELLO, "--sample", "arithmetic", "--as", "question")
    assert ran.out.startswith("@[User]:\nWhat is 2+2?\n".replace("@", ""))
    assert "[Assistant]:\n2 + 2 = 4." in ran.out


def test_texts_of_several_samples_are_headed_by_their_ids(sampleui):
    out = sampleui("render", HELLO, "--as", "question").out
    assert [line for line in out.splitlines() if line.startswith("# ")] == [
        f"# {name}"
        for name in (
            "arithmetic",
            "algebra-tutor",
            "capital-of-france",
            "refund-policy",
            "haiku",
            "unit-conversion",
        )
    ]


def test_the_grading_context(sampleui):
    context = json.loads(sampleui("render", HELLO, "--sample", "haiku", "--as", "grading").out)
    assert [message["role"] for message in context["fullConversation"]] == ["user", "assistant"]
    assert context["expected"]["score"] == 3


def test_guidelines_are_text(sampleui):
    assert sampleui("render", HELLO, "--sample", "haiku", "--as", "guidelines").out == "\n"


def test_the_request_of_a_provider(sampleui):
    ask = ("render", HELLO, "--sample", "haiku", "--as", "request")
    assert json.loads(sampleui(*ask).out)[0] == {"role": "system", "content": "You are a careful assistant."}
    assert [message["role"] for message in json.loads(sampleui(*ask, "--provider", "vscode").out)] == ["user"]


def test_a_request_has_the_shape_of_the_provider(sampleui):
    ask = ("render", HELLO, "--sample", "haiku", "--system-prompt", "Be brief.", "--provider")
    body = json.loads(sampleui(*ask, "anthropic", "--as", "request").out)
    assert (body["system"], [one["role"] for one in body["messages"]]) == ("Be brief.", ["user", "assistant"])
    body = json.loads(sampleui(*ask, "gemini", "--as", "request").out)
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    messages = json.loads(sampleui(*ask, "gemini", "--as", "messages").out)
    assert [one["role"] for one in messages] == ["system", "user", "assistant"]


def test_a_sample_that_sends_nothing_is_skipped_and_what_is_left_out_is_said(sampleui, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text('[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "" }, { role = "user" }]\n')
    ran = sampleui("render", deck, "--as", "request")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("[message-dropped]") == 2
    assert "a is skipped" in ran.err


def test_a_system_prompt_stands_in_where_there_is_none(sampleui):
    ask = ("render", HELLO, "--system-prompt", "Be brief.", "--sample")
    assert json.loads(sampleui(*ask, "haiku").out)[0] == {"role": "system", "content": "Be brief."}
    assert "algebra tutor" in json.loads(sampleui(*ask, "algebra-tutor").out)[0]["content"]


def test_the_project_s_system_prompt_counts_and_the_option_wins(sampleui, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_bytes(HELLO.read_bytes())
    (tmp_path / ".sampleui.toml").write_text('system_prompt = "From the project."\n')
    ask = ("render", deck, "--sample", "haiku")
    assert json.loads(sampleui(*ask).out)[0]["content"] == "From the project."
    assert json.loads(sampleui(*ask, "--system-prompt", "Mine.").out)[0]["content"] == "Mine."


def test_a_sample_can_be_asked_for_by_its_number(sampleui):
    assert (
        sampleui("render", HELLO, "--sample", "#2").out
        == sampleui("render", HELLO, "--sample", "algebra-tutor").out
    )


def test_an_unknown_sample_is_one_line_and_exit_2(sampleui):
    ran = sampleui("render", HELLO, "--sample", "arithmetics")
    assert ran.code == 2
    assert ran.err == f"sampleui: {HELLO} has no sample arithmetics; did you mean arithmetic?\n"


def test_a_sample_without_valid_messages_is_skipped_and_said(sampleui, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text(
        '[[samples]]\nid = "a"\n\n[[samples]]\nid = "b"\nmessages = [{ role = "user", content = "hi" }]\n'
    )
    ran = sampleui("render", deck)
    assert ran.code == 1
    assert ran.out.splitlines() == ['[{"role": "user", "content": "hi"}]']
    assert ran.err == f"{deck}:1: a is skipped: it has no valid messages\n"


def test_an_attachment_that_cannot_be_used_is_said(sampleui, tmp_path):
    deck = tmp_path / "deck.toml"
    content = '[{ type = "file", value = "none.txt" }, { type = "text", value = "hi" }]'
    deck.write_text(f'[[samples]]\nmessages = [{{ role = "user", content = {content} }}]\n')
    ran = sampleui("render", deck)
    assert ran.code == 1
    assert "[file-not-found]" in ran.err
    assert f"{deck}:2:" in ran.err
    assert json.loads(ran.out)[0]["content"] == "hi"


def test_a_reference_that_is_not_followed_is_said(sampleui, tmp_path):
    (tmp_path / "s.toml").write_text('[[samples]]\nmessages = [{ role = "user", content = "hi" }]\n')
    deck = tmp_path / "deck.md"
    deck.write_text("![a](none.toml)\n![b](s.toml)\n")
    ran = sampleui("render", deck)
    assert ran.code == 1
    assert json.loads(ran.out) == [{"role": "user", "content": "hi"}]
    assert ran.err.startswith(f"{deck}:1:1: warning:")


def test_text_is_exact_in_a_pipe(process, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text('[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "\\u001b[1m \\u200b ünï" }]\n')
    assert process("render", deck, "--sample", "a", "--as", "question").out == "\x1b[1m \u200b ünï\n"


def test_an_unreadable_deck_is_exit_2(sampleui, tmp_path):
    ran = sampleui("render", tmp_path / "none.toml")
    assert ran.code == 2
    assert ran.err == f"sampleui: {tmp_path / 'none.toml'}: there is no such file\n"


def test_options_that_the_prompt_does_not_name_are_told(sampleui, tmp_path):
    deck = DECKS / "choices.json"
    ran = sampleui("render", deck, "--sample", "mammals")
    told = "mammals has the options A Shark · B Dolphin · C Squid; not sent: the messages name none"
    assert (ran.code, told in ran.err) == (0, True)
    found = json.loads(sampleui("render", deck, "--sample", "mammals", "--as", "json").out)
    assert found["options"][1] == {"id": "B", "text": "Dolphin", "named": False}
    named = tmp_path / "named.json"
    named.write_text(deck.read_text().replace("is a mammal?", "is a mammal? A Shark, B Dolphin, C Squid"))
    assert sampleui("render", named, "--sample", "mammals").err == ""
    assert "options" not in json.loads(sampleui("render", deck, "--sample", "table-for-two", "--as", "json").out)
