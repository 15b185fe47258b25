"""The files of one rendering: where they are looked for and which of them are guidelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sampleui.prompt.attachments import Attachment, Attachments
from sampleui.prompt.guidelines import DEFAULT_PATTERNS, Configured, configured_patterns, is_guideline, usable
from sampleui.text.confined import project_root
from sampleui.text.globs import matched

_MOST_FILES = 1_000


@dataclass(frozen=True)
class Library:
    """Reads what a deck attaches. Nothing on disk is touched before the first file is asked for.

    Attributes:
        folder: the deck's folder.
        given_root: the folder that files must lie in; the project's root when None.
        given_patterns: the guideline patterns; the project's when None.
    """

    folder: Path
    given_root: Path | None = None
    given_patterns: Sequence[str] | None = None

    @cached_property
    def attachments(self) -> Attachments:
        """The reader of the files."""
        folder = self.folder.resolve()
        return Attachments(folder, (self.given_root or project_root(folder)).resolve())

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
        refused = [name for name in self.patterns if not usable(name)]
        said = [f"guideline pattern {name!r} is too complex: it matches nothing" for name in refused]
        return (*([self.configured.problem] if self.configured.problem else []), *said)

    def read(self, written: str) -> Attachment:
        """Read a file by the path its author wrote."""
        folder, root = self.attachments.folder, self.attachments.root
        return self.attachments.read(written, is_guideline(written, folder, root, self.patterns))

    def matching(self, pattern: str) -> list[str]:
        """Return the files in the root that a glob stands for, sorted; none if it might take too long."""
        return matched(pattern, self.attachments.folder, self.attachments.root, _MOST_FILES)
