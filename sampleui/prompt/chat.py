"""The list of messages sent to an LLM API (ChatPrompt specification)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.prompt.parts import PartKind, Turn, headed
from sampleui.prompt.selection import leading
from sampleui.sample.message import nested

GUIDELINES_HEADING = "[[ ## Guidelines ## ]]"


def chat_prompt(
    kept: Sequence[Turn], guidelines: Mapping[str, str], system_prompt: str | None, exact: bool = False
) -> list[Table]:
    """Return the ChatPrompt: one system message, if there is anything to say in it, then the other messages.

    Args:
        kept: the messages that rendering keeps.
        guidelines: the guideline texts by path.
        system_prompt: what stands in where the messages begin with no system message.
        exact: whether leading system messages stay as they are where there is nothing to add to them.
    """
    count = leading(kept)
    if exact and count and not guidelines:
        return [_entry(turn) for turn in kept]
    own = [body for turn in kept[:count] if (body := turn.body.strip())]
    head = system_text(own or [system_prompt or ""], guidelines)
    system: list[Table] = [{"role": "system", "content": head}] if head else []
    return [*system, *(_entry(turn) for turn in kept[count:])]


def default_system(metadata: object) -> str | None:
    """Return the default system prompt that metadata holds, None if it holds none.

    It is `systemPrompt`, or `system_prompt` (ChatPrompt specification, System Message Merging).
    """
    texts = (
        [metadata.get(key) for key in ("systemPrompt", "system_prompt")] if isinstance(metadata, Mapping) else []
    )
    return next((text for text in texts if isinstance(text, str) and text.strip()), None)


def chosen_system(setting: str | None, metadata: object) -> str | None:
    """Return what stands in for a system message: the setting, or else what the metadata says."""
    return setting if setting and setting.strip() else default_system(metadata)


def system_text(texts: Sequence[str], guidelines: Mapping[str, str]) -> str:
    """Return a system message: texts, then guidelines (ChatPrompt specification, System Message Merging)."""
    parts = [stripped for text in texts if (stripped := text.strip())]
    if guidelines:
        shown = guideline_text(guidelines) if len(guidelines) > 1 else next(iter(guidelines.values()))
        parts += [GUIDELINES_HEADING, shown]
    return "\n\n".join(parts)


def guideline_text(guidelines: Mapping[str, str]) -> str:
    """Return the guidelines one after the other, each under its path."""
    return "\n\n".join(headed(path, text) for path, text in guidelines.items())


def _entry(turn: Turn) -> Table:
    entry: Table = {"role": turn.role}
    if turn.parts:
        entry["content"] = _content(turn)
    elif "content" in turn.authored:  # only tool calls: an API tells a content of null from one of ""
        entry["content"] = None if turn.authored["content"] is None else ""
    return entry | _in_openais_form(turn.message.extra)


def _content(turn: Turn) -> Plain:
    if all(part.kind is not PartKind.MEDIA for part in turn.parts):
        return turn.body
    return [part.media if part.media else {"type": "text", "text": part.text} for part in turn.parts]


def _in_openais_form(extra: Table) -> Table:
    """Return what a turn has beside its content, calls that name their function flatly as OpenAI's."""
    calls = extra.get("tool_calls")
    if not isinstance(calls, list):
        return extra
    return {**extra, "tool_calls": [*map(nested, calls)]}
