"""Which dialect a deck is read in, and the settings that reading and rendering it depend on."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError, FormatError
from sampleui.formats.made_samples import MadeSamples
from sampleui.formats.registry import form_named
from sampleui.sample.dialects.shipped import (
    MAX_SAMPLES_LOOKED_AT,
    NOTHING_TELLS,
    Detected,
    Dialect,
    detect,
    usual_first,
)
from sampleui.settings.options import SAMPLEUI, Settings, load_settings
from sampleui.workspace.samples import what_tells_dialect


class PromptOptions(NamedTuple):
    """The settings that a deck depends on: what `render` takes, and the dialects of the user's own."""

    system_prompt: str | None = None
    guideline_patterns: tuple[str, ...] | None = None
    style: str = SAMPLEUI
    dialects: tuple[Dialect, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> PromptOptions:
        """Return what settings say of rendering, and their dialects."""
        own_dialects = _own_dialects(settings) if settings.dialects else ()
        return cls(settings.system_prompt, settings.guideline_patterns, settings.prompt_style, own_dialects)


USUAL = PromptOptions()
"""What is so if no settings say otherwise."""


def _own_dialects(settings: Settings) -> tuple[Dialect, ...]:
    from sampleui.sample.dialects.user import user_dialect  # most users have none

    return tuple(user_dialect(name, table) for name, table in settings.dialects.items())


def dialects_for(folder: Path) -> tuple[Dialect, ...]:
    """Return the dialects that the settings add for decks in a folder.

    Raises:
        SettingsError: when the settings cannot be used.
    """
    return _own_dialects(load_settings(folder))


def dialect_told_by(files: DeckFiles, prompts: PromptOptions) -> Detected | None:
    """Return the dialect that files show; None where one is only taken for want of another."""
    detection = detected(files, prompts)
    return detection if detection.reason != NOTHING_TELLS else None


def detected(files: DeckFiles, prompts: PromptOptions) -> Detected:
    """Return the dialect that files are read in, and why."""
    holder = next((source for source in files.sources if len(source.document)), files.sources[-1])
    document = holder.document
    suite = document if holder.suite is None else files.sources[holder.suite].document
    container = suite.container
    if suite is document and isinstance(document, MadeSamples) and document.from_suite:
        container = (document.made_from,)
    elif not container and (suite is not document or isinstance(document, MadeSamples)):
        container = ("tests",)
    return detect(container, suite.context, what_tells_dialect(document), prompts.dialects)


def shows_the_same(before: DeckFiles, after: DeckFiles) -> bool:
    """Tell whether nothing that the dialect of files is detected by differs between two states of them."""
    if len(before.sources) != len(after.sources) or not len(before):
        return False
    looked_at = MAX_SAMPLES_LOOKED_AT + 1  # the head, and pieces that have a sample or more each
    pairs = ((old.document, new.document) for old, new in zip(before.sources, after.sources, strict=True))
    return all(
        not isinstance(new, MadeSamples)
        and old.pieces[:looked_at] == new.pieces[:looked_at]
        and old.pieces[-1] == new.pieces[-1]
        for old, new in pairs
        if old is not new
    )


def usual_dialects(path: Path) -> list[Dialect]:
    """Return the dialects a new deck may be in, the usual one of its format first.

    Raises:
        DeckError: when the file's name does not say in which format to write it, or that of an index, which has no
            samples of its own.
    """
    try:
        form = form_named(path).name
    except FormatError as error:
        raise DeckError(error.message, path) from error
    if form == "markdown":
        begun = path.with_suffix(".toml").name
        raise DeckError(f"a Markdown deck only refers to files of samples; begin one of those, like {begun}", path)
    return usual_first(form)


def dialects_of_new(path: Path, prompts: PromptOptions) -> dict[str, Dialect]:
    """Return what a new deck is offered in, by titles: dialects of its format, those of any, and one's own.

    Raises:
        DeckError: as `usual_dialects` does.
    """
    usual, form = usual_dialects(path), form_named(path).name
    offered = [candidate for candidate in usual if form in candidate.formats or candidate.weighed]
    return {candidate.title: candidate for candidate in (*offered, *prompts.dialects)}
