"""What a provider is sent for a rendered sample, whichever way it was rendered."""

from __future__ import annotations

import dataclasses

from sampleui.formats.data import Table
from sampleui.integrations import index
from sampleui.prompt.providers import provider_messages
from sampleui.prompt.render import Rendered


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
