"""What each provider is sent for a sample, whichever way it was rendered.

Messages of the system are handled by the ChatPrompt specification ("ChatPrompt Field Handling" and "System Message
Handling").
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sampleui.errors import ProviderError
from sampleui.formats.call_arguments import as_text, shown_name
from sampleui.formats.data import Table
from sampleui.integrations import index
from sampleui.prompt.messages import GUIDELINES_HEADING, chosen_system
from sampleui.prompt.render import Rendered

DEFAULT_SYSTEM_PROMPT = "You are a careful assistant."


class ProviderRequest(NamedTuple):
    """What an orchestrator hands to a provider.

    Attributes:
        question: the conversation as one string.
        chat_prompt: the messages, None from orchestrators that know only the question.
        guidelines: the guideline texts as one; counted only if there is no ChatPrompt.
        metadata: what is known of the sample; its `systemPrompt` is the default system prompt.
    """

    question: str = ""
    chat_prompt: Sequence[Table] | None = None
    guidelines: str = ""
    metadata: Mapping[str, object] = {}


def provider_messages(
    request: Mapping[str, object] | object, provider: str = "openai", system_prompt: str | None = None
) -> list[Table]:
    """Return the messages that a provider is sent; none for a rendered sample that has nothing to say.

    Args:
        request: a rendered sample, or a mapping or object with `question`, `chat_prompt` (or `chatPrompt`) and
            `guidelines` (one text or a list of texts), and `metadata`.
        provider: `openai`, `azure`, `anthropic` and `gemini` are sent the ChatPrompt; `vscode` and `cli` the
            question alone, as one user message.
        system_prompt: the system message if the request has none; before the `systemPrompt` of its metadata.

    Raises:
        ProviderError: when the provider is not known.
        ArgumentError: when the system prompt is no text.
    """
    known_provider(provider)
    if system_prompt is not None:
        as_text(system_prompt, "system_prompt")
    if getattr(request, "empty", False):  # a rendered sample that sends nothing
        return []
    asked = _request(request)
    return PROVIDERS[provider](asked, chosen_system(system_prompt, asked.metadata))


def known_provider(provider: str) -> str:
    """Return a provider's name.

    Raises:
        ProviderError: when the provider is not known.
    """
    if not isinstance(provider, str) or provider not in PROVIDERS:
        raise ProviderError(f"unknown provider {shown_name(provider)}; the providers are {', '.join(PROVIDERS)}")
    return provider


def _chat(request: ProviderRequest, system_prompt: str | None) -> list[Table]:
    if request.chat_prompt is None:
        head = _system(system_prompt, request.guidelines)
        return [head, *_question_only(request, system_prompt)]
    messages = list(request.chat_prompt)
    if messages and messages[0].get("role") == "system":
        return messages
    return [_system(system_prompt), *messages]


def _question_only(request: ProviderRequest, _system_prompt: str | None) -> list[Table]:
    return [{"role": "user", "content": request.question}]


def _system(system_prompt: str | None, guidelines: str = "") -> Table:
    text = system_prompt if system_prompt and system_prompt.strip() else DEFAULT_SYSTEM_PROMPT
    parts = [text, GUIDELINES_HEADING, guidelines.strip()] if guidelines.strip() else [text]
    return {"role": "system", "content": "\n\n".join(parts)}


Implementation = Callable[[ProviderRequest, str | None], list[Table]]

PROVIDERS: Mapping[str, Implementation] = {
    "openai": _chat,
    "azure": _chat,
    "anthropic": _chat,
    "gemini": _chat,
    "vscode": _question_only,
    "cli": _question_only,
}


def _request(request: Mapping[str, object] | object) -> ProviderRequest:
    if isinstance(request, ProviderRequest):
        return request

    def value(*names: str) -> object:
        values = (
            request.get(name) if isinstance(request, Mapping) else getattr(request, name, None) for name in names
        )
        return next((value_given for value_given in values if value_given is not None), None)

    question, guidelines, metadata = value("question"), value("guidelines"), value("metadata")
    texts = guidelines if isinstance(guidelines, list | tuple) else [guidelines]
    return ProviderRequest(
        question if isinstance(question, str) else "",
        _messages(value("chat_prompt", "chatPrompt")),
        "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip()),
        metadata if isinstance(metadata, Mapping) else {},
    )


def _messages(value: object) -> list[Table] | None:
    if not isinstance(value, list | tuple) or not value:
        return None
    return [dict(item) for item in value if isinstance(item, Mapping)]


def calls(rendered: Rendered) -> list[Rendered]:
    """Return a rendering for each call of the provider: for each turn of a conversation, and for each prompt."""
    if len(rendered.sent) < 2:
        return [rendered, *rendered.others]
    return [
        dataclasses.replace(rendered, question=request.question, chat_prompt=list(request.chat), sent=(request,))
        for request in rendered.sent
    ]


def request_of(rendered: Rendered, provider: str, system_prompt: str | None = None) -> list[Table]:
    """Return the messages of a provider's request. In a conversation, those of the first call.

    Raises:
        ProviderError: when the provider is not known.
    """
    if rendered.empty:
        return []
    if rendered.sent:
        return index.of_style(rendered.style).prompts().request(rendered.sent[0], provider)
    asked = {
        "question": rendered.question,
        "chat_prompt": rendered.chat_prompt or None,
        "guidelines": rendered.guidelines,
    }
    return provider_messages(asked, provider, system_prompt)
