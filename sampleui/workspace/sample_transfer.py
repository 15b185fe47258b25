"""A sample that goes from one deck to another: in its dialect and format, and with what is lost on the way."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import DataPath, Table, leaves, shown
from sampleui.formats.document import MAX_ASKED, Document
from sampleui.formats.made_samples import MadeSamples
from sampleui.sample.convert import Converted, convert
from sampleui.sample.convert.rows import as_row, by_columns, from_row
from sampleui.sample.dialects.older import new_messages
from sampleui.sample.message import FileSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_meant, integration_of, turns
from sampleui.text.confined import real_path
from sampleui.text.visible import one_line
from sampleui.workspace.deck import Deck

_NAMED = 3
_SHOWN = 40
_DIGITS = 4_000
"""Digits of a number that is read as one in every format; with more of them YAML is read as text."""

_PRECISE = re.compile(r"[\d_.]{16,}|[eE][-+]?\d{3}")
"""What a text has at least if one of its numbers is none that a float is."""


def transferred(deck: Deck, sample: Sample, target: Deck) -> Converted:
    """Return a sample of a deck as another deck may take it.

    Raises:
        EditRefusedError: when the sample cannot be read.
    """
    named = with_given_name(deck, sample)
    detached = integration_of(sample).references().detach(sample, target.path.parent, target.around)
    moved, notes = detached or as_meant(sample, target.kind, target.path.parent)
    row = {**{key: value for key, value in named.items() if key not in sample.data}, **moved.data}
    data = from_row(row, deck.kind, sample.columns)
    converted = convert(data, deck.kind, target.kind, messages_near(target))
    report = by_columns(converted.report, row, data, deck.kind)
    paths = _paths(moved, target) if detached is None else ()
    placed = as_format_writes(Converted(converted.data, (*unsaid(deck, sample), *notes, *report)), target)
    return Converted(placed.data, (*placed.report, *paths))


def messages_near(target: Deck) -> DataPath:
    """Return where samples of a deck have their messages: in an empty one where its program reads them today."""
    begun = new_messages(target.kind) if target.kind.today else ()
    return target.samples[0].messages_path if len(target.samples) else begun


def as_format_writes(converted: Converted, target: Deck) -> Converted:
    """Return a sample as the format of a deck can write it, with its columns if it has some."""
    document = target.files.sources[-1].document
    written, notes = converted.data, list[str]()
    if document.columns:
        written, notes = as_row(written, target.kind, document.columns)
    fitted, lost = document.fitting(written)
    return Converted(fitted, (*converted.report, *notes, *lost))


def with_given_name(deck: Deck, sample: Sample) -> Table:
    """Return a sample's data with the name that a keyed deck gives it where its dialect has the id.

    Raises:
        EditRefusedError: when the sample cannot be read.
    """
    number, inner = deck.files.locate(sample.index)
    try:
        document = deck.files.sources[number].document
        data = document.read(inner)
    except FormatError as error:
        raise EditRefusedError(
            f"{sample.path}:{sample.line}: the sample cannot be read: {error.message}"
        ) from error
    name, key = document.name(inner), _id_key(deck)
    own_name = document.made_name(inner) if isinstance(document, MadeSamples) and deck.kind.unique_ids else None
    if own_name is None and (name is None or data.get(key) is not None):
        return data
    return {key: own_name or name, **{other: value for other, value in data.items() if other != key}}


def unsaid(deck: Deck, sample: Sample) -> Iterator[str]:
    """Yield what the text of a sample says and its values do not: keys given again, tags, numbers too large."""
    number, inner = deck.files.locate(sample.index)
    document = deck.files.sources[number].document
    name, own_id = document.name(inner), document.read(inner).get(_id_key(deck))
    if name is not None and own_id is not None and str(own_id) != name:
        yield f"the name {name} is not carried, for the sample has an id of its own"
    for finding in document.findings(inner):
        yield f"{shown(finding.node)}: {finding.message}"
    for path, tag in document.tags(inner):
        yield f"{shown(path) or 'the sample'}: the tag {tag} is not carried"
    chunk = document.chunk(inner)
    precise = _PRECISE.search(chunk) is not None
    for path, value in leaves(document.read(inner)):
        is_float = isinstance(value, float) and precise
        if not is_float and not (isinstance(value, str) and len(value) > _DIGITS and document.format == "yaml"):
            continue
        span = document.span(inner, path)
        written = chunk[span.start : span.end]
        if isinstance(value, float):
            if why := _shortened(written, value):
                yield f"{shown(path)}: {one_line(written, _SHOWN)} {why}"
        elif written == value and written.isdecimal():
            yield f"{shown(path)}: {one_line(written, _SHOWN)} has too many digits, and is read as text"


def _shortened(written: str, value: float) -> str:
    """Return in words what becomes of a number that no float is; nothing for another one, and for an alias."""
    try:
        number = Decimal(written.strip().replace("_", ""))
    except InvalidOperation:
        return ""
    if not number.is_finite() or number == Decimal(repr(value)):
        return ""
    if math.isinf(value):
        return "is beyond a float, and read as infinity"
    return f"has more digits than a float, and is read as {value!r}" if value else "is too small, and is read as 0"


def _id_key(deck: Deck) -> str:
    """Return the key of the id: for a path of several keys `id`, which a conversion knows as well."""
    first = next(iter(deck.kind.id_paths), ("id",))
    return str(first[0]) if len(first) == 1 else "id"


def attached(samples: Iterable[Sample]) -> dict[str, None]:
    """Return the paths of the files that samples attach, each once."""
    return dict.fromkeys(
        segment.path
        for sample in samples
        for turn in turns(sample)
        for segment in turn.segments
        if isinstance(segment, FileSegment)
    )


def some(ids: list[str], count: int) -> str:
    """Return ids as a report names them: all of `count`, or the first few."""
    if len(ids) == count:
        return "all samples"
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _paths(sample: Sample, target: Deck) -> Iterator[str]:
    if real_path(sample.path.parent) != real_path(target.path.parent):
        for file in attached((sample,)):
            yield f"{file} is found from the folder of {sample.path.name}; the path is kept as it is written"


_FROM = 2 * MAX_ASKED


@dataclass
class Growing:
    """A document and what is being put at its end.

    A new sample is written as the samples that show the habits of a file are, and proved beside its neighbour. So
    the document that it is put into holds these alone: what it becomes there it would become in the whole one, but
    that would have to be built anew for each sample. Habits are learned once, as soon as there are many samples.

    Attributes:
        begun: the document, whole as long as it is small.
    """

    begun: Document
    _chunks: list[str] = field(default_factory=list)
    _near: Document | None = None

    @property
    def document(self) -> Document:
        """The whole document."""
        if self._near is None:
            return self.begun
        pieces = self._near.pieces
        return self._near.spliced(1, len(pieces) - 1, tuple(self._chunks))

    def add(self, data: Table) -> None:
        """Put a sample at the end. Raises as `Document.insert_sample` does."""
        if self._near is None:
            self.begun = self.begun.apply(self.begun.insert_sample(len(self.begun), data))
            if len(self.begun) >= _FROM and _is_plain(self.begun):
                self._near, self._chunks = self.begun, [*self.begun.pieces[1:-1]]
            return
        some = self._chunks[:: len(self._chunks) // MAX_ASKED][:MAX_ASKED]
        near = self._near.spliced(1, len(self._near.pieces) - 1, (*some, self._chunks[-1]))
        if self._near is self.begun:
            near = near.without_habits()
        splice = near.insert_sample(len(near), data)
        if splice.start <= MAX_ASKED:  # it changes more than the end
            self.begun, self._near = self.document, None
            self.add(data)
            return
        self._near = near.apply(splice)
        self._chunks[-1:] = self._near.pieces[1 + MAX_ASKED : -1]


def _is_plain(document: Document) -> bool:
    """Tell whether each sample has a piece of its own and no name to tell from others."""
    return (
        not document.keyed and not isinstance(document, MadeSamples) and len(document.pieces) == len(document) + 2
    )
