"""The files of one rendering: where they are looked for, which are guidelines, and whether media are there."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import DataPath, as_list
from sampleui.integrations import index
from sampleui.prompt.attachments import Attachment, AttachmentReader
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.text.confined import Refusal, project_root, read_confined, real_path, status_of
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_CONFIG_BYTES, MAX_GLOB_FILES, MAX_GUIDELINE_NAME
from sampleui.text.patterns import is_guideline_pattern, matched, matches_any

DEFAULT_PATTERNS = ("**/*.instructions.md",)

_EXCLUDES = re.compile(r"!(?!\()")
_ANY_FOLDER_SUFFIX = re.compile(r"\*\*/\*([\w.-]*\w)")


class Configured(NamedTuple):
    """What the project says of guidelines.

    Attributes:
        patterns: its glob patterns, None if it says nothing.
        problem: why its configuration cannot be used, None if it can.
    """

    patterns: tuple[str, ...] | None = None
    problem: str | None = None


def is_guideline(written: str, folder: Path, root: Path, patterns: Sequence[str]) -> bool:
    """Tell whether a path matches the patterns, as written from the deck's folder or counted from the root.

    A pattern that begins with `!` takes out again what the others match. `folder` and `root` must be resolved.
    """
    names = _names(written, folder, root)
    excluded = [pattern[1:] for pattern in patterns if _EXCLUDES.match(pattern) and is_guideline_pattern(pattern)]
    included = [pattern for pattern in patterns if not _EXCLUDES.match(pattern) and is_guideline_pattern(pattern)]
    return _any_match(names, included) and not _any_match(names, excluded)


def _any_match(names: Sequence[str], patterns: Sequence[str]) -> bool:
    plain = [_ANY_FOLDER_SUFFIX.fullmatch(pattern) for pattern in patterns]
    # The usual pattern is answered here: importing wcmatch takes longer than rendering a hundred samples.
    if all(plain):
        suffixes = tuple(match[1] for match in plain if match)
        return any(name.endswith(suffixes) for name in names)
    return any(matches_any(name, patterns) for name in names)


def _names(written: str, folder: Path, root: Path) -> tuple[str, ...]:
    name = os.path.normpath(written.replace("\\", "/")).lstrip("/")
    from_root = os.path.relpath(os.path.normpath(folder / name), root).replace(os.sep, "/")
    return tuple(
        name for name in (name, from_root) if not name.startswith("..") and len(name) <= MAX_GUIDELINE_NAME
    )


def configured_patterns(folder: Path, root: Path) -> Configured:
    """Return the `guideline_patterns` of the nearest `config.yaml` of a tool at or above a folder, inside the root.

    `folder` and `root` must be resolved. What was read is kept until the file changes.
    """
    inside = (candidate for candidate in (folder, *folder.parents) if candidate.is_relative_to(root))
    for candidate, settings in itertools.product(inside, index.settings_folders()):
        config = f"{settings}/config.yaml"
        status = status_of(candidate / config)
        if status is None:
            continue
        return _configured(candidate, config, root, (status.st_mtime_ns, status.st_ctime_ns, status.st_size))
    return Configured()


@lru_cache(maxsize=8)
def _configured(folder: Path, config: str, root: Path, _stamp: tuple[int, ...]) -> Configured:
    read = read_confined(config, (folder,), root, MAX_CONFIG_BYTES)
    if isinstance(read, Refusal):
        return Configured(problem=read.reason)
    from sampleui.formats.yaml.pieces import value_of

    try:
        value = value_of(read.data.decode("utf-8"))
    except FormatError as error:
        return Configured(problem=f"{config} is not YAML: {error.message} in line {error.line}")
    except UnicodeDecodeError:
        return Configured(problem=f"{config} is not UTF-8")
    patterns = value.get("guideline_patterns") if isinstance(value, dict) else None
    if patterns is None:
        return Configured()
    texts = tuple(item for item in as_list(patterns) if isinstance(item, str))
    if not isinstance(patterns, list) or len(texts) != len(patterns):
        return Configured(problem=f"guideline_patterns in {config} must be a list of texts")
    return Configured(texts)


@dataclass(frozen=True)
class Library:
    """Reads what a deck attaches. Nothing on disk is touched before the first file is asked for.

    Attributes:
        folder: the deck's folder.
        given_root: the folder that files must lie in; the project's root when None.
        given_patterns: the guideline patterns; the project's when None.
        reads_environment: whether variables of the environment and of `.env` are filled in, for somebody who looks.
            What is passed on has their names as they are written.
        looks_above: whether a file that is not beside the deck is looked for in the folders above it.
    """

    folder: Path
    given_root: Path | None = None
    given_patterns: Sequence[str] | None = None
    reads_environment: bool = False
    looks_above: bool = True

    @cached_property
    def attachments(self) -> AttachmentReader:
        """The reader of the files."""
        folder = real_path(self.folder)
        root = real_path(self.given_root or project_root(folder))
        return AttachmentReader(folder, root, self.reads_environment, self.looks_above)

    @cached_property
    def configured(self) -> Configured:
        """What the project says of guidelines, asked only where the settings say nothing."""
        if self.given_patterns is not None:
            return Configured(tuple(self.given_patterns))
        return configured_patterns(self.attachments.folder, self.attachments.root)

    @cached_property
    def patterns(self) -> Sequence[str]:
        """The guideline patterns in force."""
        configured = self.configured.patterns
        return DEFAULT_PATTERNS if configured is None else configured

    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with the patterns and with the file that gives them."""
        refused = [name for name in self.patterns if not is_guideline_pattern(name)]
        refused_patterns = [f"guideline pattern {name!r} is too complex: it matches nothing" for name in refused]
        return (*([self.configured.problem] if self.configured.problem else []), *refused_patterns)

    def read(self, written: str) -> Attachment:
        """Read a file by the path its author wrote."""
        folder, root = self.attachments.folder, self.attachments.root
        return self.attachments.read(written, is_guideline(written, folder, root, self.patterns))

    def matching(self, pattern: str) -> list[str]:
        """Return the files in the root that a glob stands for, sorted; none if it might take too long."""
        return matched(pattern, self.attachments.folder, self.attachments.root, MAX_GLOB_FILES)


def media_findings(sample: Sample, library: Library) -> Iterator[Finding]:
    """Yield what is wrong with the media of a sample that are files, each at its segment, as of attached files."""
    for node, written in media_of(sample):
        problem = library.attachments.problem(written)
        if problem is not None:
            yield Finding(problem.rule, Severity.WARNING, f"{written} {problem.reason}", node)


def media_of(sample: Sample) -> Iterable[tuple[DataPath, str]]:
    """Return the media of a sample that are files, with their places; none where files are sent as text."""
    return integration_of(sample).prompts().media(sample)
