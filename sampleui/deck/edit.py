"""Edits of a deck: from the index of a sample in the deck to a change of the file that holds it.

The index of `context_index` stands for what a file holds beside its samples.

Every function raises PathError if the path leads nowhere, and EditRefusedError if no safe text exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from sampleui.deck.model import Change, DeckFile, DeckFiles
from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Table
from sampleui.formats.document import Document, SharedValue
from sampleui.formats.made_samples import MadeSamples, edited_in
from sampleui.formats.operations import Insert, Move, Operation, Rename, Set

_LONGEST_INDEX = 63  # bits


def context_index(source: int) -> int:
    """Return the index that stands for what a file of a deck holds beside its samples: below 0."""
    return -1 - source


def counted_from_0(index: int, what: str) -> int:
    """Return an index that a caller gave.

    Raises:
        PathError: when it is not a whole number from 0 on, or so large that there is no such thing.
    """
    if not isinstance(index, int) or not 0 <= index < 1 << _LONGEST_INDEX:
        raise PathError(f"the index of a {what} must be a whole number from 0 on")
    return index


def apply(files: DeckFiles, index: int, operation: Operation) -> Change:
    """Return the change that makes an operation on a sample, or on values beside the samples (`operations.py`)."""
    if not isinstance(operation.path, tuple | list) or not all(map(_is_step, operation.path)):
        raise PathError("a path must be a tuple of keys and indexes")
    match operation:
        case Move(_, to):
            counted_from_0(to, "place")
        case Rename(_, name):
            _refuse_no_name(name)
    if index < 0:
        source = context_index(index)
        if source >= len(files.sources):
            raise PathError(f"there is no file {source} in a deck of {len(files.sources)}")
        from sampleui.formats.whole_file import edited

        return Change(source, edited(files.sources[source].document, operation))
    source, inner = _located(files, index)
    return Change(source, edited_in(files.sources[source].document, inner).edit(inner, operation))


def shared_values(files: DeckFiles, index: int) -> list[SharedValue]:
    """Return the values that a sample shares with others.

    Their indexes are those of samples in the deck; below 0 stands for what its file holds beside them.
    """
    if index < 0:
        return []
    source, inner = _located(files, index)
    first, home = index - inner, context_index(source)
    return [
        shared._replace(
            home=home if shared.home < 0 else first + shared.home,
            users=tuple(first + user for user in shared.users),
        )
        for shared in files.sources[source].document.shared_values(inner)
    ]


def shared_at(files: DeckFiles, index: int, path: DataPath) -> SharedValue | None:
    """Return the value that a sample shares with others and that a path leads to, into or around; None for none.

    For the empty path it is one that is written in this sample.
    """
    for shared in shared_values(files, index):
        near = shared.path[: len(path)] == path or path[: len(shared.path)] == shared.path
        if near and (path or (shared.home, shared.home_path) == (index, shared.path)):
            return shared
    return None


def apply_to_all(files: DeckFiles, index: int, operation: Operation) -> Change:
    """Return the change that makes an operation on a shared value for all samples that have it."""
    source, inner = _located(files, index)
    document = edited_in(files.sources[source].document, inner)
    path = operation.path
    for shared in document.shared_values(inner):
        if path[: len(shared.path)] == shared.path:
            return Change(source, document.edit_of_all(shared, operation))
    return apply(files, index, operation)


def own_copy(files: DeckFiles, index: int, path: DataPath) -> Change:
    """Return the change by which a sample shares nothing at a path, for the empty one no anchor of its own.

    No value changes: an anchor moves to the next sample that repeats it.
    """
    source, inner = _located(files, index)
    return Change(source, edited_in(files.sources[source].document, inner).own_copy(inner, path))


def rename_sample(files: DeckFiles, index: int, name: str) -> Change:
    """Give a sample of a keyed deck another name."""
    _refuse_no_name(name)
    source, inner = _located(files, index)
    return Change(source, edited_in(files.sources[source].document, inner).rename_sample(inner, name))


def rewrite_sample(files: DeckFiles, index: int, text: str) -> Change:
    """Put another text in the place of a sample's own."""
    source, inner = _located(files, index)
    from sampleui.formats.whole_file import rewrite_sample

    return Change(source, rewrite_sample(files.sources[source].document, inner, text))


def source_of(files: DeckFiles, index: int) -> str:
    """Return a sample's own text."""
    source, inner = _located(files, index)
    document = files.sources[source].document
    span = document.source_span(inner)
    return document.chunk(inner)[span.start : span.end]


def file_of_new(files: DeckFiles, index: int) -> DeckFile:
    """Return the file that a sample joins which is inserted at an index."""
    return files.sources[_file_and_index(files, index)[0]]


def insert_sample(files: DeckFiles, index: int, data: Table) -> Change:
    """Insert a sample so that its index becomes `index`; at a border it joins the file of the sample before it."""
    if not isinstance(data, dict):
        raise EditRefusedError("a sample must be a table")
    source, inner = _file_and_index(files, index)
    return Change(source, files.sources[source].document.insert_sample(inner, data))


def duplicate(files: DeckFiles, index: int, path: DataPath, operation: Insert | Set) -> Change:
    """Return the change of an operation that writes what a sample has at a path once more: its text, as it is."""
    if index < 0:
        return apply(files, index, operation)
    source, inner = _located(files, index)
    return Change(source, edited_in(files.sources[source].document, inner).duplicate(inner, path, operation))


def duplicate_sample(files: DeckFiles, index: int, to: int, data: Table) -> Change:
    """Insert a copy of a sample's text so that its index becomes `to`; another file has it as `insert_sample` does.

    Args:
        files: the files of the deck.
        index: the index of the sample.
        to: the index of the copy.
        data: what the copy says: the sample, under another id where it needs one.
    """
    source, inner = _located(files, index)
    target, place = _file_and_index(files, to)
    if source != target:
        return insert_sample(files, to, data)
    return Change(source, files.sources[source].document.duplicate_sample(inner, place, data))


def delete_sample(files: DeckFiles, index: int, *, heading: bool = True) -> Change:
    """Delete a sample, with the heading that is about it alone; without `heading` that stays."""
    source, inner = _located(files, index)
    document = edited_in(files.sources[source].document, inner)
    return Change(source, document.delete_sample(inner) if heading else document.delete_below_heading(inner))


def headings_left(files: DeckFiles, gone: Collection[int]) -> list[str]:
    """Return, in order, the headings that no sample is left under once some samples are gone.

    A heading is about the samples below it, up to the next one. What is about a single one, on disk too, belongs to
    that and goes with it; what stands above the first sample of a file that loses all of them is about the file.
    """
    headings: dict[tuple[int, int], str] = {}
    for index in sorted(gone):
        file, inner = _located(files, index)
        source, before = files.sources[file], index - inner
        under = _under_heading(source.document, inner)
        if not under or (file, under.start) in headings or not all(before + item in gone for item in under):
            continue
        heading, whole = source.document.heading(under.start), len(under) == len(source.document)
        saved = source.disk.saved
        was = (_under_heading(saved, number) for number in range(len(saved)) if saved.heading(number) == heading)
        if not whole and max(len(under), *map(len, was), 0) > 1:
            headings[file, under.start] = heading.strip()
    return [*headings.values()]


def headings_passed(before: DeckFiles, after: DeckFiles, moved: Collection[int]) -> list[tuple[int, str]]:
    """Return the headings that have lost their last sample, each with the number of its file.

    Args:
        before: the files before samples moved.
        after: the same files with the samples at other places.
        moved: the indexes that those samples had and have.
    """
    passed: list[tuple[int, str]] = []
    for number in sorted({before.locate(index)[0] for index in moved}):
        inner = [inner_index for index in moved for file, inner_index in [before.locate(index)] if file == number]
        old, new = before.sources[number].document, after.sources[number].document
        around = range(max(min(inner) - 1, 0), min(max(inner) + 2, len(old)))
        were, are = (Counter(document.heading(index).strip() for index in around) for document in (old, new))
        opens = new.pieces[0].rstrip()
        passed += [(number, heading) for heading in were - are if heading and not opens.endswith(heading)]
    return passed


def delete_heading(files: DeckFiles, source: int, heading: str) -> Change:
    """Delete a heading of a file that no sample is below."""
    return Change(source, files.sources[source].document.delete_heading(heading))


def _under_heading(document: Document, index: int) -> range:
    """Return the samples below the heading that a sample is under; none if it is under no heading."""
    if isinstance(document, MadeSamples):
        return range(0)
    first = next((number for number in range(index, -1, -1) if document.heading(number)), None)
    if first is None:
        return range(0)
    later = range(first + 1, len(document))
    return range(first, next((inner for inner in later if document.heading(inner)), len(document)))


def move_sample(files: DeckFiles, index: int, to: int) -> Change:
    """Move a sample so that its index becomes `to`, inside its file."""
    source, inner = _located(files, index)
    other, to_index = _located(files, to)
    if other != source:
        name = files.sources[other].path.name
        raise EditRefusedError(f"cannot move the sample: that place is in another file, {name}")
    document = files.sources[source].document
    edited_in(document, to_index)
    return Change(source, edited_in(document, inner).move_sample(inner, to_index))


def _is_step(step: object) -> bool:
    return isinstance(step, str) or (isinstance(step, int) and step.bit_length() <= _LONGEST_INDEX)


def _refuse_no_name(name: str) -> None:
    if not isinstance(name, str):
        raise EditRefusedError("a name must be a text")


def _located(files: DeckFiles, index: int) -> tuple[int, int]:
    counted_from_0(index, "sample")
    try:
        return files.locate(index)
    except IndexError:
        raise PathError(f"there is no sample {index} in a deck of {len(files)}") from None


def _file_and_index(files: DeckFiles, index: int) -> tuple[int, int]:
    if counted_from_0(index, "sample") > len(files):
        raise PathError(f"there is no place {index} in a deck of {len(files)} samples")
    if index > 0:
        source, inner = files.locate(index - 1)
        return source, inner + 1
    holders = [number for number, source in enumerate(files.sources) if len(source.document)]
    return (holders[0] if holders else len(files.sources) - 1), 0
