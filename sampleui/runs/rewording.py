"""Whether a sample expects something else now than when it was run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from sampleui.formats.data import Plain
from sampleui.formats.timestamps import Moment
from sampleui.review.record import Record
from sampleui.review.samples.accept_answer import Expectation, criteria_in, expectation
from sampleui.review.samples.answers import answers_of, found_at, kept_before, said_at
from sampleui.runs.archive import as_run
from sampleui.runs.regrading import target_is_open
from sampleui.sample.model import Sample
from sampleui.sample.references import as_followed
from sampleui.sample.variables import with_variables


def expects_otherwise(record: Record, base_dir: Path, sample: Sample) -> bool:
    """Tell whether a sample is known to expect something else now.

    That is: than the copy that the run keeps of it, or else than its record says was expected.
    """
    kept = as_run(record, base_dir, sample)
    if kept is not None:
        return kept.expects_otherwise
    wanted = expectation(sample)
    ran = record.any_of or record.wanted or (() if record.expected is None else (record.expected,))
    if wanted is None or not ran or criteria_in(sample) or target_is_open(record, sample):
        return False
    if record.any_of or wanted.any_of:
        return not _same_answers(wanted.any_of or (wanted.text,), ran)
    sample = as_followed(sample)
    if isinstance(found_at(sample.data, wanted.path), Moment):  # readers differ in what it is
        return False
    return not any(same_value(spelling, other) for spelling in _spellings(sample, wanted) for other in ran)


def same_value(value: str, other: str) -> bool:
    """Tell whether two texts are of one value: equal but for white space, or the same JSON, all numbers as doubles.

    A runner writes what it read in its own way: JSON compactly, `1.0` as `1`, `True` as `true`.
    """
    return value.split() == other.split() or _value(value) == _value(other)


def _same_answers(some: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether all answers of each are among the others."""
    return all(
        any(same_value(value, other) for other in right)
        for left, right in ((some, others), (others, some))
        for value in left
    )


def _spellings(sample: Sample, wanted: Expectation) -> Iterator[str]:
    """Yield how a run may have written what a sample expects: filled in or not, and without the type before it."""
    variables = sample.data.get("vars")
    filled = with_variables(wanted.text, variables if isinstance(variables, dict) else None)
    written = said_at(sample.data, wanted.path)
    kind = kept_before(sample.data, wanted.path, answers_of(sample).types) or ""
    whole = found_at(sample.data, wanted.path[:-1]) if wanted.path and wanted.path[-1] == 0 else None
    for text in (wanted.text, str(filled), written, json.dumps(whole, default=str)):
        yield text
        yield text.removeprefix(kind)


_WORDS: dict[str, Plain] = {"true": True, "false": False, "none": None, "null": None}


def _value(text: str) -> tuple[str, Plain]:
    """Return the value that a text is as JSON or as Python writes it, with its kind: true is not 1."""
    word = text.strip()
    if word.lower() in _WORDS:
        return "word", _WORDS[word.lower()]
    try:
        value: Plain = json.loads(word, parse_int=float)
    except (ValueError, RecursionError):
        return "text", word
    return type(value).__name__, value
