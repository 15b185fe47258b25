"""Which dialects are recognized by the marks of their samples: by keys that no other dialect has together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, shown
from sampleui.sample.dialects.dialect import ALL, Dialect, DialectMark, value_at
from sampleui.sample.dialects.field import keys

RAN = keys("score scores output success error reward run_type")
"""What rows of results have and samples to run do not."""

USUAL_KEYS = keys("messages input_messages criteria expected_outcome expected_messages schema_version references")
"""Keys of the dialects that are weighed by their keys: a mark of another lacks most of them."""


def dialect_by_marks(
    dialects: Iterable[Dialect],
    container: tuple[str, ...],
    context: Mapping[str, Plain],
    samples: Sequence[Table],
    *,
    weak: bool = False,
) -> tuple[Dialect, DialectMark] | None:
    """Return the first dialect whose marks the samples bear, and the mark; None if there is none.

    One sample at least bears a mark, and every other could be its neighbour: it has messages where the dialect has
    them, or something beside it may supply them, and it has none of the keys that the mark rules out. A file
    without samples is recognized by its other values.

    Args:
        dialects: the dialects, in the order to try them.
        container: the keys the samples are under.
        context: the values beside the samples.
        samples: some of the samples; those that are empty because they could not be read count for nothing.
        weak: whether the weak marks are meant, or the others.
    """
    filled = [sample for sample in samples if sample]
    for dialect in dialects:
        for mark in (mark for mark in dialect.marks if mark.weak is weak):
            if not samples and mark.beside and not mark.has and mark.beside <= context.keys():
                return dialect, mark
            if mark.under is not None and container not in mark.under:
                continue
            if mark.apart & context.keys():
                continue
            if not mark.beside <= context.keys() or not any(bears(sample, mark) for sample in filled):
                continue
            supplied = dialect.elsewhere or any(key in context for key in dialect.context_messages)
            if all(bears(sample, mark) or _neighbour(sample, mark, dialect, supplied) for sample in filled):
                return dialect, mark
    return None


def bears(sample: Table, mark: DialectMark) -> bool:
    """Tell whether a sample has all of a mark. A table's header, which has no values, is asked no types."""
    header = not any(sample.values())
    return (
        not mark.lacks & sample.keys()
        and (not mark.only or sample.keys() <= mark.only)
        and all(_has(sample, path) for path in mark.has)
        and (header or all(isinstance(value_at(sample, path), list) for path in mark.lists))
        and (header or all(isinstance(value_at(sample, path), dict) for path in mark.tables))
        and (header or all(isinstance(value_at(sample, path), bool) for path in mark.truths))
        and (
            not mark.texts or any(isinstance(item, str) for key in mark.texts for item in as_list(sample.get(key)))
        )
        and (not mark.answered or _ends_answered(sample, mark.has[0]))
    )


def may_bear(present: Set[str], mark: DialectMark) -> bool:
    """Tell whether a sample with some keys may bear a mark, whatever its values are."""
    named = all(path[0] in present for path in mark.has if path and path[0] != ALL)
    return named and mark.lacks.isdisjoint(present) and (not mark.only or present <= mark.only)


def mark_in_words(mark: DialectMark) -> str:
    """Return a mark in words."""
    reasons = []
    if mark.has:
        alone = " alone" if mark.only == {path[0] for path in mark.has} else ""
        reasons.append(f"samples have {', '.join(shown(path).replace('[]', '') for path in mark.has)}{alone}")
    if mark.texts:
        reasons.append(f"texts in {', '.join(sorted(mark.texts))}")
    if mark.beside:
        reasons.append(f"{', '.join(sorted(mark.beside))} beside them")
    return "; ".join(reasons) or f"samples are made of {'.'.join((mark.under or ((),))[0])}"


def _neighbour(sample: Table, mark: DialectMark, dialect: Dialect, supplied: bool) -> bool:
    reads = supplied or any(value_at(sample, path) is not None for path in dialect.message_paths)
    return reads and not mark.lacks & sample.keys() and (not mark.only or sample.keys() <= mark.only)


def _has(value: Plain, path: DataPath) -> bool:
    """Tell whether a path leads to something, a null included."""
    if not path:
        return True
    if path[0] == ALL:
        return isinstance(value, list) and any(_has(item, path[1:]) for item in value)
    return isinstance(value, dict) and path[0] in value and _has(value[str(path[0])], path[1:])


def _ends_answered(sample: Table, path: DataPath) -> bool:
    return any(as_table(turn).get("role") == "assistant" for turn in as_list(value_at(sample, path))[-1:])
