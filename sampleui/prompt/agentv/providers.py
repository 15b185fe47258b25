"""What each of AgentV's providers is sent (its `llm-providers`, `cli`, `vscode-provider`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

from sampleui.formats.data import Table
from sampleui.integrations.javascript import trim
from sampleui.prompt.agentv.prompts import Sent


def request(sent: Sent, provider: str) -> list[Table]:
    """Return the messages of one call: the prompt as one user message where a provider takes a text."""
    return _PROVIDERS.get(provider, _chat)(sent)


def _chat(sent: Sent) -> list[Table]:
    return list(sent.chat)


def _prompt(sent: Sent) -> list[Table]:
    return [{"role": "user", "content": sent.question}]


def _document(sent: Sent) -> list[Table]:
    """Return the document that agents in an editor are given: system text, files to read first, the query."""
    files = dict.fromkeys(sent.files)
    listed = "\n".join(f"* [{PurePath(file).name}](file://{file})" for file in files)
    preread = [
        f"Read all attachment files:\n{listed}.",
        "If any file is missing, fail with ERROR: missing-file <filename> and stop.",
        "Then apply system_instructions on the user query below.",
    ]
    system = [trim(sent.system)] if sent.system and trim(sent.system) else []
    parts = [*system, *(["\n", "\n".join(preread)] if files else [])]
    text = trim("\n".join([*parts, "\n[[ ## user_query ## ]]\n", trim(sent.question)]))
    return [{"role": "user", "content": text}]


_PROVIDERS: Mapping[str, Callable[[Sent], list[Table]]] = {"cli": _prompt, "vscode": _document}
