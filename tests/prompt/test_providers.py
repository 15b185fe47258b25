"""What providers are sent: the scenarios of the ChatPrompt specification."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from sampleui.errors import SampleUIError
from sampleui.prompt.providers import PROVIDERS, provider_messages
from sampleui.prompt.render import render

CHAT = ["openai", "azure", "anthropic", "gemini"]
TURNS: list[Any] = [
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi"},
    {"role": "user", "content": "Help me"},
]
DEFAULT = {"role": "system", "content": "You are a careful assistant."}


@dataclass
class Request:
    question: str = ""
    chat_prompt: list | None = None
    guidelines: list = field(default_factory=list)


@pytest.mark.parametrize("provider", CHAT)
class TestChatProviders:
    def test_chat_prompt_is_used_and_the_question_ignored(self, provider: str) -> None:
        request = {"question": "[User]: Hello", "chatPrompt": TURNS, "guidelines": []}
        assert provider_messages(request, provider) == [DEFAULT, *TURNS]

    def test_without_chat_prompt_the_question_is_one_user_message(self, provider: str) -> None:
        request: dict[str, Any] = {
            "question": "What is the capital of France?",
            "guidelines": [],
            "chatPrompt": None,
        }
        assert provider_messages(request, provider, "Be kind.") == [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "What is the capital of France?"},
        ]

    def test_a_system_message_in_the_chat_prompt_is_sent_as_it_is(self, provider: str) -> None:
        system = {"role": "system", "content": "You are a code reviewer.\n\n[[ ## Guidelines ## ]]\nBe concise.\n"}
        chat = [system, {"role": "user", "content": "Review this code"}]
        assert provider_messages({"chatPrompt": chat, "guidelines": []}, provider, "Ignored") == chat

    def test_a_configured_prompt_goes_in_front_of_a_chat_prompt_without_one(self, provider: str) -> None:
        sent = provider_messages({"chat_prompt": TURNS}, provider, "Be kind.")
        assert sent == [{"role": "system", "content": "Be kind."}, *TURNS]

    @pytest.mark.parametrize("key", ["systemPrompt", "system_prompt"])
    def test_the_default_prompt_of_the_metadata_goes_below_the_setting(self, provider: str, key: str) -> None:
        request = {"chatPrompt": TURNS, "metadata": {key: "Default prompt"}}
        assert provider_messages(request, provider)[0]["content"] == "Default prompt"
        assert provider_messages(request, provider, "Be kind.")[0]["content"] == "Be kind."
        assert provider_messages({**request, "metadata": {key: " "}}, provider)[0] == DEFAULT
        asked = {"question": "q", "guidelines": "Be brief.", "metadata": {key: "Default prompt"}}
        guided = "Default prompt\n\n[[ ## Guidelines ## ]]\n\nBe brief."
        assert provider_messages(asked, provider)[0]["content"] == guided

    def test_the_guidelines_field_is_ignored_with_a_chat_prompt(self, provider: str) -> None:
        request = Request("q", TURNS, ["Old guideline 1", "Old guideline 2"])
        assert provider_messages(request, provider) == [DEFAULT, *TURNS]

    @pytest.mark.parametrize("given", ["Be brief.\n\nBe kind.", ["Be brief.", " ", "Be kind.\n"]])
    def test_guidelines_join_the_system_message_of_a_question(self, provider: str, given: Any) -> None:
        sent = provider_messages(Request("q", None, given), provider)
        guided = "You are a careful assistant.\n\n[[ ## Guidelines ## ]]\n\nBe brief.\n\nBe kind."
        assert sent == [{"role": "system", "content": guided}, {"role": "user", "content": "q"}]

    def test_a_rendered_sample_is_a_request(self, provider: str) -> None:
        assert provider_messages(render({"messages": TURNS}), provider) == [DEFAULT, *TURNS]

    def test_a_later_system_message_does_not_count(self, provider: str) -> None:
        chat = [{"role": "user", "content": "Hi"}, {"role": "system", "content": "Late"}]
        assert provider_messages({"chatPrompt": chat}, provider) == [DEFAULT, *chat]


def test_vscode_is_sent_the_question() -> None:
    request = {"question": "[User]: Hello\n[Assistant]: Hi", "chatPrompt": TURNS, "guidelines": ["x"]}
    sent = provider_messages(request, "vscode", "Be kind.")
    assert sent == [{"role": "user", "content": "[User]: Hello\n[Assistant]: Hi"}]


def test_the_request_is_not_changed() -> None:
    turns = [dict(turn) for turn in TURNS]
    sent = provider_messages({"chatPrompt": turns})
    sent[1]["content"] = "changed"
    assert turns == TURNS


@pytest.mark.parametrize("request_", [{}, {"chatPrompt": []}, {"chatPrompt": "x", "question": 3}, object()])
def test_a_request_without_anything_is_an_empty_question(request_: object) -> None:
    assert provider_messages(request_) == [DEFAULT, {"role": "user", "content": ""}]


def test_an_unknown_provider_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(SampleUIError, match=r"'llama'.*openai, azure, anthropic, gemini, vscode, cli"):
        provider_messages({}, "llama")
    assert list(PROVIDERS) == [*CHAT, "vscode", "cli"]
