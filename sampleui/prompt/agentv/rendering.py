"""From a sample and its files to what AgentV 4 sends for it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.agentv.inputs import Test, test_of
from sampleui.prompt.agentv.prompts import File, Sent, invisible, sent
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.library import Library
from sampleui.prompt.selection import Dropped
from sampleui.sample.model import Sample
from sampleui.text.diagnostic import Finding, Severity

_SLASHES = re.compile(r"^[/\\]+(?=.)")


@dataclass(frozen=True, slots=True)
class Made:
    """What AgentV makes of a sample.

    Attributes:
        sent: the calls of the provider, one unless the sample is a conversation.
        grading: the messages and what is expected, variables filled in.
        dropped: the messages that are not sent.
        attachments: the files, usable or not, in order.
        findings: what is wrong with the files.
    """

    sent: tuple[Sent, ...]
    grading: Table
    dropped: tuple[Dropped, ...]
    attachments: tuple[Attachment, ...]
    findings: tuple[Finding, ...]


def agentv_4(sample: Sample, library: Library, default: str | None, environment: Mapping[str, str]) -> Made:
    """Return what AgentV 4 sends for a sample.

    Args:
        sample: the sample, of any dialect; AgentV's own is what it is meant for.
        library: reads the files.
        default: the system message if the sample has none, None for AgentV's own.
        environment: what `${{ NAME }}` stands for.
    """
    test = test_of(sample, environment)
    folder = sample.folder.absolute()

    def read(written: str) -> File | None:
        return _file(library.read(written), folder, partial(library.attachments.raw, written))

    dropped = [Dropped(one.node, "it is empty") for one in invisible(test, read)]
    dropped += [Dropped(node, "AgentV takes nothing but role and content") for node in test.refused]
    attached = [(node, library.read(written)) for node, written in _written(test)]
    asked: list[Plain] = [{"role": one.role, "content": one.content} for one in test.messages]
    return Made(
        sent(test, sample.id, read, default),
        {"fullConversation": asked, "expected": test.expected},
        tuple(dropped),
        tuple(file for _, file in attached),
        tuple(_findings(attached)),
    )


def _written(test: Test) -> Iterator[tuple[DataPath, str]]:
    for message in test.messages:
        for index, item in enumerate(message.content if isinstance(message.content, list) else []):
            value = item.get("value") if isinstance(item, dict) and item.get("type") == "file" else None
            if isinstance(value, str) and value:
                yield ((*message.node, "content", index) if message.node else ()), value


def _findings(attached: Sequence[tuple[DataPath, Attachment]]) -> Iterator[Finding]:
    for node, file in attached:
        if file.problem is not None:
            yield Finding(file.problem.rule, Severity.WARNING, f"{file.written} {file.problem.reason}", node)


def _file(found: Attachment, folder: Path, raw: Callable[[], bytes | None]) -> File | None:
    """Return a file that was found. Bytes that are not text are read as AgentV reads them, with `\ufffd` for each.

    One that is too large to be embedded can still be named.
    """
    if found.path is None or (found.text is None and not found.path.is_file()):
        return None
    name, data = _SLASHES.sub("", found.written), raw() if found.text is None else None
    text = found.text if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n")
    return File(name, _place(name, found.path, folder), text, raw)


def _place(name: str, path: Path, folder: Path) -> str:
    """Return the absolute path of a file as AgentV spells it: symlinks are not resolved."""
    for base in (folder, *folder.parents):
        candidate = os.path.normpath(base / name)
        if os.path.realpath(candidate) == str(path):
            return candidate
    return str(path)
