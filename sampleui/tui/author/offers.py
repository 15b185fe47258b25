"""What may be added to a sample: the fields that its dialect knows and that are not there yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sampleui.formats.data import DataPath, shown
from sampleui.sample.dialects.older import superseded
from sampleui.sample.fields import FieldType, message_fields, sample_shape, start_of
from sampleui.sample.kinds import kind_of
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, value_at


@dataclass(frozen=True, slots=True)
class Offer:
    """A field that may be added: its name, its type, what it is for; whether it goes into a table of the sample."""

    name: str
    words: str
    help: str
    inner: bool = False


def offers(sample: Sample, here: DataPath) -> list[Offer]:
    """Return what may be added, the fields of the sample first, then those of the tables around the cursor."""
    if sample.index < 0:
        names = sorted(dialect_of(sample).weights.beside - sample.data.keys())
        return [Offer(name, "", "what the file says beside its samples") for name in names]
    shape = sample_shape(dialect_of(sample))
    taken = {
        *superseded(dialect_of(sample)),
        *(name for name, value in sample.data.items() if value is not None),
        *(str(path[0]) for path in dialect_of(sample).message_paths if sample.messages),
    }
    new_fields = [Offer(name, item.words, item.help) for name, item in shape.fields().items() if name not in taken]
    return [*new_fields, *_inner(sample, shape, here)]


def table_around(sample: Sample, here: DataPath) -> str:
    """Return the name of the innermost table that the cursor is on or in; empty if that is the sample."""
    paths = (here[:depth] for depth in range(len(here), 0, -1))
    return next((shown(path) for path in paths if isinstance(value_at(sample.data, path), dict)), "")


def narrowed(offered: Sequence[Offer], typed: str, around: str = "", *, inside: bool = False) -> list[Offer]:
    """Return the fields that match a name being typed, the best first, and last the name as it is typed.

    Such a field may be one of the sample, or of the table around the cursor, if there is one.

    A known field of that very name comes first, then those that begin so, those of the tables around the cursor,
    and those that hold it. The name as typed comes before what merely holds it. Inside a table a key of that table
    comes first, unless what is typed begins the name of a known field.
    """
    if not typed:
        return list(offered)
    low = typed.casefold()
    exact = [item for item in offered if item.name.casefold() == low]
    begins = [item for item in offered if not item.inner and item.name.casefold().startswith(low)]
    within = [item for item in offered if item.inner and item.name.rpartition(".")[2].casefold().startswith(low)]
    path = [item for item in offered if item.inner and item.name.casefold().startswith(low)]
    holds = [item for item in offered if low in item.name.casefold()]
    own = [] if exact else [Offer(typed, "", "a field of this name")]
    if around and not any(typed.startswith(f"{around}{sign}") for sign in ".["):
        own.append(Offer(f"{around}.{typed}", "", f"a key of {around}", inner=True))
    first = [*within, *own[-1:]] if inside and own and own[-1].inner and (exact or not begins) else []
    listed = {item.name: item for item in (*exact, *begins, *within, *path, *own, *holds)}
    return [*({item.name: listed[item.name] for item in (*first, *listed.values())}).values()]


def _inner(sample: Sample, shape: FieldType, here: DataPath) -> Iterator[Offer]:
    """Yield the fields of the tables around the cursor, the innermost table first."""
    shapes = [shape]
    for step in here:
        inner = shapes[-1].step(step)
        if inner is None:
            break
        shapes.append(inner)
    for depth in range(len(here), 0, -1):
        value = value_at(sample.data, here[:depth])
        if isinstance(value, dict):
            start = start_of(dialect_of(sample), sample.data, here[:depth])
            if start is not None:
                yield from (
                    Offer(
                        shown((*here[:depth], name)), str(kind_of(first)), f"of {start.value['type']}", inner=True
                    )
                    for name, first in (start.value | start.more).items()
                    if name not in value
                )
            known: Mapping[str, FieldType] = {}
            if depth < len(shapes):
                known = shapes[depth].fields()
            elif "role" in value:
                known = message_fields()
            yield from (
                Offer(shown((*here[:depth], name)), item.words, item.help, inner=True)
                for name, item in known.items()
                if value.get(name) is None
            )
