"""Which messages a prompt has, few-shot examples first, and the list that is sent to an LLM API (ChatPrompt)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.parts import Placed, PromptPartKind, Turn, headed, placed_messages
from sampleui.prompt.templates import shared_sample, uses_prompts
from sampleui.sample.message import nested
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of, place_of, unreadable


class Example(NamedTuple):
    """What is shown to a model before the messages of a sample.

    Attributes:
        node: where it is in the data of the sample.
        sample: it as a sample.
        answer: its answer, as the assistant's message; empty if it has none.
    """

    node: DataPath
    sample: Sample
    answer: tuple[Placed, ...] = ()


def few_shot(sample: Sample) -> Iterator[Placed]:
    """Yield each example's messages, then its answer as an assistant message, with the places they are at."""
    for node, example, answer in integration_of(sample).prompts().examples(sample):
        for item in (*placed_messages(example), *answer):
            yield item._replace(node=(*node, *item.node))


class Dropped(NamedTuple):
    """A message that the prompt leaves out: where it is in the sample's data, and why it is left out."""

    node: DataPath
    reason: str


class Selection(NamedTuple):
    """The messages kept, in order, and those left out."""

    kept: tuple[Turn, ...]
    dropped: tuple[Dropped, ...]


def count_leading_system(turns: Sequence[Turn]) -> int:
    """Return how many system messages the turns begin with."""
    return next((count for count, turn in enumerate(turns) if turn.role != "system"), len(turns))


def with_examples(turns: Sequence[Turn], examples: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns with examples put after the system messages they begin with, empty messages not counted."""
    filled = [index for index, turn in enumerate(turns) if not turn.empty]
    count = count_leading_system([turns[index] for index in filled])
    cut = filled[count - 1] + 1 if count else 0
    return (*turns[:cut], *examples, *turns[cut:])


def select(turns: Sequence[Turn], exact: bool = False) -> Selection:
    """Return the messages that have something to say; all where another program sends them exactly so.

    Those that hold only guidelines are left out too, for guidelines are in the system message. Where no message
    has anything else, the ones after the leading system messages stay, so that the prompt still asks something.
    """
    sent = [turn for turn in turns if exact or turn.visible]
    if not sent:
        filled = [turn for turn in turns if not turn.empty]
        sent = filled[count_leading_system(filled) :]
    nodes = {id(turn) for turn in sent}
    dropped = (Dropped(turn.node, _reason(turn)) for turn in turns if id(turn) not in nodes)
    return Selection(tuple(sent), tuple(dropped))


def _reason(turn: Turn) -> str:
    if not turn.empty:
        return "it holds only guidelines, which are in the system message"
    return "none of its files can be used" if turn.attachments else "it is empty"


def unreadable_messages(sample: Sample) -> Iterator[Dropped]:
    """Yield the messages of a sample, of its examples and of its file that are not messages a prompt could hold."""
    if suite := shared_sample(sample):
        for index, reason in unreadable(suite):
            yield Dropped((), f"of message {index + 1} of the file's input, {reason}")
    if not uses_prompts(sample):
        for index, reason in unreadable(sample):
            yield Dropped(place_of(sample, index), reason)
    for node, example, _ in integration_of(sample).prompts().examples(sample):
        for index, reason in unreadable(example):
            yield Dropped((*node, *example.messages_path, index), reason)


def in_order(dropped: Iterable[Dropped]) -> tuple[Dropped, ...]:
    """Return messages in the order they are in a sample."""
    return tuple(sorted(dropped, key=lambda finding: [(isinstance(step, str), step) for step in finding.node]))


GUIDELINES_HEADING = "[[ ## Guidelines ## ]]"


def chat_prompt(
    kept: Sequence[Turn], guidelines: Mapping[str, str], system_prompt: str | None, exact: bool
) -> list[Table]:
    """Return the ChatPrompt: one system message, if there is anything to say in it, then the other messages.

    Args:
        kept: the messages that rendering keeps.
        guidelines: the guideline texts by path.
        system_prompt: what stands in where the messages begin with no system message.
        exact: whether leading system messages stay as they are where there is nothing to add to them.
    """
    count = count_leading_system(kept)
    if exact and count and not guidelines:
        return [_entry(turn) for turn in kept]
    system_texts = [body for turn in kept[:count] if (body := turn.body.strip())]
    head = system_text(system_texts or [system_prompt or ""], guidelines)
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
    if all(part.kind is not PromptPartKind.MEDIA for part in turn.parts):
        return turn.body
    return [part.media if part.media else {"type": "text", "text": part.text} for part in turn.parts]


def _in_openais_form(extra: Table) -> Table:
    """Return what a turn has beside its content, calls that name their function flatly as OpenAI's."""
    calls = extra.get("tool_calls")
    if not isinstance(calls, list):
        return extra
    return {**extra, "tool_calls": [*map(nested, calls)]}
