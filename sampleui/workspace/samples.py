"""The samples of a deck's files, each read when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import overload

from sampleui.deck import edit
from sampleui.deck.model import DeckFile, DeckFiles
from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.data import END, DataPath, Plain, Table, as_list, copied
from sampleui.formats.document import Document
from sampleui.formats.made_samples import is_from_suite
from sampleui.integrations.index import of_dialect
from sampleui.sample import parse
from sampleui.sample.dialects.shipped import DIALECTS, Dialect, readers
from sampleui.sample.model import Sample
from sampleui.sample.other_files import OtherFile, other_file
from sampleui.sample.parse import is_row
from sampleui.text.position import Position, offset_at

_LOOKED_AT = 20
_RAN = frozenset({"score", "output", "success", "error", "passed"})


class Samples(Sequence[Sample]):
    """The samples of a deck, each read when it is asked for."""

    def __init__(self, files: DeckFiles, dialect: Dialect) -> None:
        self._files = files
        self._dialect = dialect
        self._kept: tuple[Table, Table] | None = None

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._files)

    @overload
    def __getitem__(self, index: int) -> Sample: ...

    @overload
    def __getitem__(self, index: slice) -> list[Sample]: ...

    def __getitem__(self, index: int | slice) -> Sample | list[Sample]:
        """Return one sample, or a list of them for a slice."""
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        number, inner = self._files.locate(index)
        return self._sample(self._files.sources[number], inner, index)

    def __iter__(self) -> Iterator[Sample]:
        """Yield them in order."""
        index = 0
        for source in self._files.sources:
            for inner in range(len(source.document)):
                yield self._sample(source, inner, index)
                index += 1

    def _context(self, suite: DeckFile) -> Table:
        """Return what a file holds for all its samples, with the test in another file that all are counted from."""
        context = suite.document.context
        named = context.get("defaultTest")
        if not isinstance(named, str):
            return context
        if self._kept is None or self._kept[0] is not context:
            from sampleui.prompt.library import Library

            shared = of_dialect(self._dialect).prompts().default_test(named, Library(suite.path.parent))
            self._kept = (context, context if shared is None else {**context, "defaultTest": shared})
        return self._kept[1]

    def _sample(self, source: DeckFile, inner: int, index: int) -> Sample:
        document = source.document
        suite = source if source.suite is None else self._files.sources[source.suite]
        # What a document reads is shared by all its states: whoever is given a sample may change it.
        data = {key: copied(value) for key, value in readable(document, inner).items()}
        return Sample(
            id=parse.sample_id(data, self._dialect, source.name(inner, or_made=self._dialect.unique_ids), index),
            index=index,
            data=data,
            dialect=self._dialect.name,
            kind=self._dialect,
            messages_path=parse.messages_path(data, self._dialect),
            path=source.path,
            line=document.position(inner, document.start(inner)).line,
            context=self._context(suite),
            base=suite.path.parent,
            from_base=is_from_suite(document),
            columns=document.columns or (tuple(data) if source.as_rows else ()),
            locate=partial(located, document, inner),
        )


def readable(document: Document, index: int) -> Table:
    """Return a sample's value, or an empty one where its text cannot be read."""
    return document.reading(index) or {}


def located(document: Document, index: int, node: DataPath) -> Position:
    """Return where a value of a sample is in its file, or the nearest one around it that exists."""
    return document.position(index, _offset(document, index, node))


def _offset(document: Document, index: int, node: DataPath) -> int:
    try:
        document.read(index)
    except FormatError as error:
        return offset_at(document.chunk(index), Position(error.line or 1, error.column or 1))
    for depth in range(len(node), -1, -1):
        try:
            return document.span(index, node[:depth]).start
        except PathError:
            continue
    return 0


def asks_nothing(samples: Iterable[Sample], most: int | None = _LOOKED_AT) -> bool:
    """Tell whether no message is found in the first samples, or in any of them if `most` is None."""
    return not any(parse.conversation(sample) for sample in islice(samples, most))


def has_run(samples: Iterable[Sample], dialect: Dialect) -> bool:
    """Tell whether the first sample has what a run adds to one, and the dialect does not know it."""
    ran = _RAN - dialect.known
    return any(ran & sample.data.keys() for sample in islice(samples, 1))


def misplaced(files: DeckFiles, dialect: Dialect, index: int, path: DataPath) -> str:
    """Return why a value has no place in the file of a sample: a table takes no tables; empty where it has one.

    A program that reads cells its own way takes such a column for something else, such as a variable.
    """
    number, _ = files.locate(index)
    source, key = files.sources[number], str(next(iter(path), ""))
    columns, field = source.document.columns, dialect.fields.get(key)
    if columns is None or key in columns or field is None or of_dialect(dialect).dialects().rows is None:
        return ""
    if not {"table", "tables", "list"} & set(field.type.split("|")):
        return ""
    return (
        f"{source.path.name} is a table, in which {key} is no column that its program reads: {', '.join(columns)}"
    )


def as_columns(files: DeckFiles, dialect: Dialect, index: int, path: DataPath, value: Plain) -> Table:
    """Return the columns by which the row of a sample would have a value under a key that is none of its columns.

    Args:
        files: the deck's files.
        dialect: its dialect.
        index: the sample.
        path: the key, and `END` behind it for an item more of the list there.
        value: the value.
    """
    from sampleui.sample.convert.rows import as_row, from_row  # few decks are tables

    number, inner = files.locate(index)
    document = files.sources[number].document
    row, columns = readable(document, inner), document.columns or ()
    test, (key, *behind) = from_row(row, dialect, columns), path
    if behind not in ([], [END]):
        return {}
    wanted = [*as_list(test.get(str(key))), value] if behind else value
    changed, lost = as_row({**test, str(key): wanted}, dialect, columns)
    return {} if lost else {name: cell for name, cell in changed.items() if row.get(name) != cell}


def as_its_file_spells(files: DeckFiles, dialect: Dialect, index: int, data: Table) -> Table:
    """Return a sample that is to be inserted at an index as the file that it joins spells it: a row, in a table.

    Raises:
        EditRefusedError: when it is a table that has no place for all of the sample.
    """
    from sampleui.sample.convert.rows import (
        as_row,  # few decks are tables of a program that reads cells its own way
    )

    source = edit.file_of_new(files, index)
    columns = source.document.columns
    if columns is None or of_dialect(dialect).dialects().rows is None or is_row(data, dialect, tuple(data)):
        return data
    row, lost = as_row(data, dialect, columns)
    if lost:
        others = (at for at in range(len(files)) if edit.file_of_new(files, at).document.columns is None)
        way = next((f"; as sample {at + 1} it joins {edit.file_of_new(files, at).path.name}" for at in others), "")
        raise EditRefusedError(f"it does not go into {source.path.name}, a table: {'; '.join(lost)}{way}")
    return row


def what_tells_dialect(document: Document) -> Iterator[Table]:
    """Yield what shows the dialect of a file: its samples, or the columns of a table."""
    if document.columns is not None:
        yield dict.fromkeys(document.columns, "")
    else:
        first = int(first_is_no_sample(document))
        yield from (readable(document, index) for index in range(first, len(document)))


_OF_ANYTHING = frozenset({"id", "name", "title", "description", "version", "type", "metadata"})
"""Keys that say nothing of what a line is."""


def first_is_no_sample(document: Document) -> bool:
    """Tell whether the first line of a file of lines has nothing of what the next ones have in common."""
    if document.format != "jsonl" or len(document) < 3:
        return False
    first, *others = (readable(document, index).keys() - _OF_ANYTHING for index in range(min(len(document), 5)))
    shared = frozenset.intersection(*map(frozenset, others))
    return bool(first and shared) and not any(first & other for other in others)


def why_other_table(source: DeckFile, own_dialects: Sequence[Dialect] = ()) -> str:
    """Return why a table is no deck, as most are not: no dialect finds messages in it; empty for any other file."""
    columns = source.document.columns
    if not columns or readers(columns, own_dialects):
        return ""
    known = dict.fromkeys(str(path[0]) for dialect in DIALECTS.values() for path in dialect.message_paths)
    return (
        f"no column holds messages: there is none of {', '.join(known)}, and none holds a question and its answer; "
        "sampleui guess prints a table that says which ones do"
    )


def other_file_of(files: DeckFiles) -> OtherFile | None:
    """Return which other tool's file this is, and no deck; None for any other file, and for several files."""
    if len(files.sources) != 1:
        return None
    document = files.sources[0].document
    context, container = document.context, document.container
    around = {**context, **({str(container[0]): []} if container and container[0] not in context else {})}
    return other_file(what_tells_dialect(document), around)
