"""Rendering: what a sample sends to a model, a pure function of the sample, its attached files and the settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.errors import PromptStyleError
from sampleui.formats.call_arguments import (
    as_folder,
    as_mapping,
    as_text,
    as_texts,
    not_plain,
    plain_part,
    shown_name,
)
from sampleui.formats.data import Plain, Table
from sampleui.integrations import index
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.library import Library, media_findings
from sampleui.prompt.messages import (
    Dropped,
    chat_prompt,
    chosen_system,
    few_shot,
    guideline_text,
    in_order,
    select,
    unreadable_messages,
    with_examples,
)
from sampleui.prompt.parts import (
    Turn,
    file_findings,
    guidelines,
    question,
    segment_findings,
    templated_findings,
    turn,
)
from sampleui.prompt.parts import placed_messages as own_messages
from sampleui.prompt.templates import Templated, templated
from sampleui.sample.dialects.shipped import detect
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of, expected, integration_of, messages_path, sample_id
from sampleui.settings.options import SAMPLEUI, prompt_styles
from sampleui.text.confined import holds_environment
from sampleui.text.diagnostic import Diagnostic, Finding, Severity, placed_finding


@dataclass(frozen=True, slots=True)
class Sent:
    """What one call of a provider is given.

    Attributes:
        id: the id of the test; `ID/turn-N` in a conversation.
        question: the prompt of command-line programs and agents, files named by their path.
        chat: the messages that an LLM API is sent, files embedded.
        system: what is in the leading system messages, None if there are none.
        files: the files that are handed over beside the prompt, by absolute path.
    """

    id: str
    question: str
    chat: tuple[Table, ...]
    system: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a sample sends, with everything that was found on the way.

    Attributes:
        chat_prompt: the messages for an LLM API. Its tool calls and media are the sample's own: not to be changed.
        question: the conversation as one string.
        guidelines: every guideline under its path.
        grading_context: `fullConversation` as authored and `expected` (calibrate sample format, Context Mapping).
        findings: what is wrong or worth knowing, by the place in the sample.
        unread: those of the findings about what is left out as neither a message nor a segment; in most dialects
            the rules call it an error at its place.
        sample: the sample it is of.
        dropped: the messages left out.
        attachments: every attached file, usable or not, in order.
        style: which rendering this is: `sampleui`, or one that an integration brings.
        sent: in such a style, what each call of a provider is given; empty in `sampleui`.
        empty: whether nothing is sent because no message has anything to say.
        label: the name of the prompt that asks it, if several may.
        others: the same sample as the other prompts ask it.
        environment: the variables of the environment that the style fills in, by name, and the attached files that
            hold such; None for one that stands as it is written, since nobody asked for its value.
    """

    chat_prompt: list[Table]
    question: str
    guidelines: str
    grading_context: Table
    findings: tuple[Finding, ...]
    unread: tuple[Finding, ...]
    sample: Sample = field(repr=False)
    dropped: tuple[Dropped, ...]
    attachments: tuple[Attachment, ...]
    style: str = SAMPLEUI
    sent: tuple[Sent, ...] = ()
    empty: bool = False
    label: str = ""
    others: tuple[Rendered, ...] = ()
    environment: Mapping[str, str | None] = field(default_factory=dict, repr=False)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, with the lines and columns of what they are about."""
        sample = self.sample
        places = ((item, sample.position(() if item.beside else item.node)) for item in self.findings)
        return tuple(placed_finding(item, sample.path, place, sample.id, sample.index) for item, place in places)


def render(
    sample: Sample | Mapping[str, Plain],
    system_prompt: str | None = None,
    guideline_patterns: Sequence[str] | None = None,
    root: str | Path | None = None,
    style: str = SAMPLEUI,
    *,
    environment: bool = False,
) -> Rendered:
    """Render a sample as it would be sent.

    Attached files are looked for in the deck's folder, then in the root, and read only inside the root.

    Args:
        sample: a sample, or plain data with `messages`, `input_messages` or another dialect's key; files are then
            looked for in the root, or in the working directory if there is none.
        system_prompt: what stands in where a sample begins with no system message; None takes the `systemPrompt` of
            its metadata, if it has one, in the style `sampleui`.
        guideline_patterns: globs that match guidelines; None takes those of the nearest settings of a tool, or
            `**/*.instructions.md`.
        root: the folder that attached files must lie in; None takes the project's (the nearest folder upward with
            `.git`, `pyproject.toml` or the settings of a tool, or else the deck's).
        style: `sampleui`, or one that an integration brings, for what its program sends, byte for byte; what its
            program does not know, such as guidelines, is not in it.
        environment: whether a style may read the environment and `.env` to fill in what a sample names of them.

    Raises:
        PromptStyleError: when the style is not known.
        ArgumentError: when another argument is of a kind that is not taken.
    """
    if not isinstance(style, str) or style not in prompt_styles():
        raise PromptStyleError(
            f"unknown prompt style {shown_name(style)}; the styles are {', '.join(prompt_styles())}"
        )
    folder = None if root is None else as_folder(root, "root")
    patterns = None if guideline_patterns is None else as_texts(guideline_patterns, "guideline_patterns")
    system = None if system_prompt is None else as_text(system_prompt, "system_prompt")
    data, left_over = ({}, ()) if isinstance(sample, Sample) else plain_part(as_mapping(sample, "the sample"))
    subject = sample if isinstance(sample, Sample) else _sample(data, folder or Path.cwd())
    library = Library(subject.folder, folder, patterns, reads_environment=environment)
    if style == SAMPLEUI:
        rendered = _sampleui(subject, library, system)
    else:
        rendered = index.of_style(style).prompts().render_as(style, subject, library, system)
    files = {file.written: file.text for file in rendered.attachments if file.path and holds_environment(file.path)}
    findings = (*map(not_plain, left_over), *rendered.findings)
    if not files and not left_over:
        return rendered
    return dataclasses.replace(rendered, findings=findings, environment={**rendered.environment, **files})


def _sampleui(subject: Sample, library: Library, system_prompt: str | None) -> Rendered:
    dialect = dialect_of(subject)
    metadata = subject.data.get(dialect.metadata or "metadata")
    system = system_prompt if dialect.asked_by_prompts else chosen_system(system_prompt, metadata)
    first, *others = [
        _rendered_of(subject, library, system, filled)
        for filled in integration_of(subject).prompts().templated(subject, library) or [templated(subject)]
    ]
    findings = tuple(dict.fromkeys(finding for each in (first, *others) for finding in each.findings))
    return dataclasses.replace(first, others=tuple(others), findings=findings) if others else first


def _rendered_of(subject: Sample, library: Library, system_prompt: str | None, filled: Templated) -> Rendered:
    own = [turn(item, library.read) for item in filled.messages]
    turns = with_examples(own, [turn(item, library.read) for item in few_shot(subject)])
    selected = select(turns, filled.exact)
    no_messages = (*unreadable_messages(subject),)
    unread = (*map(dropped_finding, no_messages), *segment_findings(turns, dialect_of(subject)))
    texts = guidelines(turns)
    files = tuple(file for turn in turns for file in turn.attachments)
    empty = not selected.kept and not texts
    findings = (
        *(_config_findings(library) if files else ()),
        *filled.findings,
        *file_findings((*turns, *_references(subject, library))),
        *media_findings(subject, library),
        *map(dropped_finding, selected.dropped),
        *(_nothing_finding(own) if empty else ()),
        *templated_findings(own, dialect_of(subject)),
        *unread,
    )
    return Rendered(
        chat_prompt=chat_prompt(selected.kept, texts, system_prompt, exact=bool(filled.label)),
        question=question(turns, selected.kept),
        guidelines=guideline_text(texts),
        grading_context={"fullConversation": _conversation(subject, own), "expected": expected(subject)},
        findings=findings,
        unread=unread,
        sample=subject,
        dropped=in_order((*selected.dropped, *no_messages)),
        attachments=files,
        empty=empty,
        label=filled.label,
    )


def _sample(data: Table, folder: Path) -> Sample:
    dialect = detect((), {}, [data]).dialect
    path = messages_path(data, dialect)
    return Sample(sample_id(data, dialect, None, 0), 0, data, dialect.name, path, folder / "sample")


def _references(sample: Sample, library: Library) -> Iterator[Turn]:
    """Yield the expected messages: no part of the prompt, but a missing file in them is a fault too."""
    for key in dialect_of(sample).expected_keys:
        if isinstance(sample.data.get(key), list):
            reference = dataclasses.replace(sample, messages_path=(key,))
            yield from (turn(item, library.read) for item in own_messages(reference))


def _conversation(sample: Sample, turns: Sequence[Turn]) -> list[Plain]:
    """Return the messages as authored; where only templates make them, as made."""
    authored = conversation(sample)
    return authored or [{"role": turn.role, "content": turn.body} for turn in turns]


def _config_findings(library: Library) -> Iterator[Finding]:
    for problem in library.problems():
        yield Finding("config-invalid", Severity.WARNING, problem)


def _nothing_finding(turns: Sequence[Turn]) -> Iterator[Finding]:
    """Say that nothing is sent if no rule says why. Messages without any content are errors already."""
    if turns and all(turn.authored.get("content") for turn in turns):
        yield Finding("nothing-sent", Severity.WARNING, "Nothing is sent: no message has anything to say")


def dropped_finding(dropped: Dropped) -> Finding:
    """Return the finding that says that a message is left out, and why."""
    return Finding(
        "message-dropped", Severity.INFO, f"The prompt leaves this message out: {dropped.reason}", dropped.node
    )
