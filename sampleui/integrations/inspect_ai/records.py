"""Records of Inspect's logs, as `log.py` makes rows of them, and what its scorers give (0.3.285).

Inspect says what each scorer gave, but not whether a sample passed: that is left to one of its scorers
(`sampleui.review.results.scoring`). Samples without an id are numbered from 1 after the dataset was shuffled; in
that case they are recognized by what they ask.

A score is a value of any shape, with an answer, an explanation and who edited it. Values are read as Inspect's own
metrics read them (`value_to_float`): C is 1, P 0.5, I and N 0, and texts like `yes` and `0.7` are what they say.
NaN is "not scored". A table or a list of values becomes one mark for each value. Other texts have no number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sampleui.formats.data import Plain, Table, as_table, tables_in, texts_in
from sampleui.integrations.inspect_ai.dialect import INSPECT, MARK
from sampleui.review.record import (
    Details,
    Entry,
    EvaluatorScore,
    Grade,
    ParsedRow,
    Record,
    SampleDigests,
    all_of_words,
    join_key,
    missed,
    value_digest,
)
from sampleui.review.results import fields
from sampleui.review.results.scoring import ReportedMetrics, Scoring, is_beyond
from sampleui.review.verdict import Decision, Verdict

_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_SAID = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_VERDICTS = {1.0: "pass", 0.5: "borderline", 0.0: "fail"}
_PLACEHOLDER = "88F74D2C"
"""What Inspect calls the scorer of a log from before scorers had names."""


def claims(row: Table) -> bool:
    """A row that was read from a log."""
    return isinstance(row.get(MARK), dict) and "id" in row


def parse_row(row: Table) -> ParsedRow:
    """Read a row."""
    return ParsedRow(
        _entry(row),
        lambda: fields.usage(row),
        lambda: _details(row),
        lambda: SampleDigests(_digest_of(_asked(row.get("input"))), _digest_of(row.get("target"))),
    )


def _entry(row: Table) -> Entry | None:
    sample_id = fields.text(row.get("id"))
    if sample_id is None:
        return None
    run, grades = as_table(row.get(MARK)), grades_of(as_table(row.get("scores")))
    dataset = fields.text(run.get("dataset"))
    number, shuffled = row.get("id"), run.get("shuffled") is True
    return Entry(
        sample_id=sample_id,
        score=None,
        error=fields.error_line(row.get("error")),
        grades=grades,
        tags=tuple(_tags(row)),
        target=fields.text(run.get("model")),
        attempt=fields.whole(row.get("epoch")),
        source=dataset,
        suite=fields.text(run.get("named")) if dataset is None else None,
        join_keys=(join_key(("input",), _asked(row.get("input"))),) if shuffled else (),
        position=number - 1 if isinstance(number, int) and not shuffled else None,
    )


def _details(row: Table) -> Details:
    actual, scores = fields.text(row.get("text")) or "", as_table(row.get("scores"))
    targets = fields.texts(row.get("target"))
    together = len(targets) > 1 and (_CHOICE in scores or bool(row.get("choices") and not scores))
    return Details(
        reasoning=limit_of(row),
        actual=actual,
        extracted=extracted(scores, actual),
        expected=all_of_words(targets) if together else "\n".join(targets) or None,
        wanted=targets if together else (),
        any_of=targets if len(targets) > 1 and not together else (),
        evaluators=evaluators(scores),
        sample_messages=_own_messages(row.get("input")),
    )


_CHOICE = "choice"
"""The scorer that wants all letters of a target to be chosen, and no others."""

INTERRUPTED = "interrupted"
"""The key of a row with what Inspect wrote of a sample that was interrupted as its run was broken off."""


def limit_of(row: Table) -> str | None:
    """Return what ended a sample before it was done, in words: a limit, or the end of the run."""
    if INTERRUPTED in row:
        return "interrupted as the run was broken off"
    limit = row.get("limit")
    table = as_table(limit)
    kind = fields.text(table.get("type")) or fields.text(limit)
    if kind is None:
        return None
    return f"ended by the {kind} limit" + (f": {why}" if (why := fields.text(table.get("reason"))) else "")


def _own_messages(value: Plain) -> tuple[Table, ...]:
    if isinstance(value, str):
        return ({"role": "user", "content": value},)
    return tuple({key: table.get(key) for key in ("role", "content")} for table in tables_in(value))


def _asked(value: Plain) -> Plain:
    """Return what a sample asks as its dataset has it: messages without what the log alone says of them."""
    return [*_own_messages(value)] if isinstance(value, list) else value


_SUMMARIZED = 5120
"""Characters of a text that summaries of a log have (`MAX_TEXT_LENGTH` of Inspect's `log/_util.py`, 0.3.285)."""


def _digest_of(value: Plain) -> str | None:
    """Return a digest of a value, the same of a summary and of a whole sample; None where none is known."""
    if value is None or any(text.startswith("attachment://") for text in texts_in(value)):
        return None
    return value_digest(_summarized(value))


def _summarized(value: Plain) -> Plain:
    """Return what both a summary and a whole sample say: of texts the beginnings, of media that they are there."""
    if isinstance(value, str):
        return value[:_SUMMARIZED]
    if isinstance(value, list):
        return [_summarized(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "role" in value:
        return {"role": value["role"], "content": _summarized(value.get("content"))}
    kind = value.get("type")
    return _summarized(value.get("text")) if kind == "text" else f"({str(kind).capitalize()})"


def _tags(row: Table) -> list[str]:
    metadata = as_table(row.get("metadata"))
    limit = row.get("limit")
    kind = fields.text(as_table(limit).get("type")) or fields.text(limit)
    ended = [f"limit:{kind}"] if kind else []
    ended += [INTERRUPTED] if INTERRUPTED in row else []
    return [*fields.texts(metadata.get("tags")), *ended, *(["invalidated"] if row.get("invalidation") else [])]


def repeated_sample(row: Table) -> tuple[Table, str]:
    """Return the fields of a record that its sample has, and their dialect.

    A log has an empty target of a sample that has none.
    """
    sample = {key: row[key] for key in INSPECT.known if key in row}
    if sample.get("target") == "":
        del sample["target"]
    return sample, INSPECT.name


# Scores


def grades_of(scores: Table) -> tuple[Grade, ...]:
    """Return the scores of a sample in short, one for each value."""
    return tuple(
        Grade(name, *_judged(value), not _infinite(value), _edited(score))
        for scorer, score in scores.items()
        for name, value in _values(scorer, score)
    )


def evaluators(scores: Table) -> tuple[EvaluatorScore, ...]:
    """Return the scores of a sample in full. Remarks about a table of values go to the first of them."""
    listed = []
    for scorer, score in scores.items():
        table = as_table(score)
        for index, (name, value) in enumerate(_values(scorer, score)):
            number, verdict = _judged(value)
            about = table if index == 0 else {}
            listed.append(
                EvaluatorScore(
                    name=name,
                    type=None,
                    score=number,
                    verdict=verdict,
                    reasoning="\n\n".join(_reasons(value, about)) or None,
                    assertions=(),
                    grader_input=_grader_input(about),
                    details=_answered(about),
                    bounded=not _infinite(value),
                    by_person=_edited(score),
                )
            )
    return tuple(listed)


def extracted(scores: Table, actual: str) -> str:
    """Return the part of an answer that the scorers compared who failed it; empty if it was all, or they differ."""
    failing = (table for table in tables_in([*scores.values()]) if _judged(table.get("value"))[1] == "fail")
    answers = {item.strip() for score in failing if isinstance(item := score.get("answer"), str)}
    parts = [item for item in answers if item and item.casefold() != actual.strip().casefold()]
    return (
        parts[0]
        if len(parts) == 1 and any(parts[0] in whole for whole in (actual, actual.replace(",", "")))
        else ""
    )


def _values(scorer: str, score: Plain) -> Iterator[tuple[str, Plain]]:
    name = "score" if scorer == _PLACEHOLDER else scorer
    value = score.get("value") if isinstance(score, dict) else score
    if isinstance(value, dict) and value:
        yield from ((f"{name}/{key}", item) for key, item in value.items())
    elif isinstance(value, list) and value:
        yield from ((f"{name}/{index}", item) for index, item in enumerate(value, 1))
    else:
        yield name, value


def _judged(value: Plain) -> tuple[float | None, str | None]:
    """Return a value as a number and as a verdict, None for what it does not say."""
    if isinstance(value, bool):
        return float(value), "pass" if value else "fail"
    if isinstance(value, str):
        number = _WORDS.get(value, _SAID.get(value.lower()))
        return (number, _VERDICTS[number]) if number is not None else (_number(value), None)
    return fields.number(value), None


def _number(text: str) -> float | None:
    try:
        return fields.number(float(text))
    except ValueError:
        return None


def _infinite(value: Plain) -> bool:
    """Tell whether a value is an infinite number, which a text may be as well."""
    try:
        return fields.infinite(float(value) if isinstance(value, str) else value)
    except ValueError:
        return False


def _reasons(value: Plain, score: Table) -> Iterator[str]:
    """Yield what there is to say of a value: what the letter means, why it has no number, the explanation."""
    edits = [table for table in tables_in(score.get("history")) if as_table(table.get("provenance"))]
    for edit in edits:
        by = as_table(edit.get("provenance"))
        why = f": {by['reason']}" if by.get("reason") else ""
        yield f"edited by {by.get('author')}{why}"
    if isinstance(value, str) and _judged(value)[0] is None:
        yield f"value: {value}"
    elif _infinite(value):
        yield f"value: {value}"
    elif isinstance(value, float) and fields.number(value) is None:
        yield "not scored"
    if reason := fields.text(score.get("reason")):
        yield reason
    if explanation := fields.text(score.get("explanation")):
        yield explanation


def _edited(score: Plain) -> bool:
    """Tell whether somebody gave a score another value than its scorer (`edit_score`, with who and why)."""
    edits = tables_in(as_table(score).get("history"))
    return any(
        isinstance(edit.get("provenance"), dict) and edit.get("value", UNCHANGED) != UNCHANGED for edit in edits
    )


def _grader_input(score: Table) -> Plain:
    """Return what the model was sent that graded: its messages up to its answer."""
    grading = tables_in(as_table(score.get("metadata")).get("grading"))
    asked: list[Plain] = [
        {"role": message.get("role"), "content": message.get("content")} for message in grading[:-1]
    ]
    return asked or None


def _answered(score: Table) -> Plain:
    grading = tables_in(as_table(score.get("metadata")).get("grading"))
    rest = {key: value for key, value in as_table(score.get("metadata")).items() if key != "grading"}
    details: dict[str, Plain] = {
        "answer": score.get("answer"),
        "grader": fields.spoken(grading[-1].get("content")) if grading else None,
        "metadata": rest or None,
        "history": score.get("history") or None,
    }
    return {key: value for key, value in details.items() if value is not None} or None


class ScorersSeen:
    """Which scores a log has, which of them decides, and which have a scale of their own, as its samples are read.

    The first scorer of the task decides; of a log that does not list them, the first that gave anything. Where it
    gives a table of several values, there is none that decides.
    """

    def __init__(self, scorers: Iterable[Table]) -> None:
        """Take the scorers as the header of the log lists them."""
        self._values: dict[str, dict[str, None]] = {name: {} for name in keys_of(scorers)}
        self._beyond: set[str] = set()
        self._scoring: Scoring | None = None

    def add(self, scores: Table) -> None:
        """Note the `scores` of a sample."""
        for scorer, score in scores.items():
            for grade in grades_of({scorer: score}):
                beyond = is_beyond(grade)
                if grade.name not in self._values.get(scorer, ()) or (beyond and grade.name not in self._beyond):
                    self._values.setdefault(scorer, {})[grade.name] = None
                    self._beyond.update((grade.name,) if beyond else ())
                    self._scoring = None

    @property
    def scoring(self) -> Scoring:
        """What is known so far."""
        if self._scoring is None:
            names = tuple(name for values in self._values.values() for name in values)
            self._scoring = Scoring(names, self._first(), frozenset(self._beyond))
        return self._scoring

    def _first(self) -> str | None:
        scorer, values = next(iter(self._values.items()), (None, {}))
        return next(iter(values)) if len(values) == 1 else scorer


def keys_of(scorers: Iterable[Table]) -> Iterator[str]:
    """Yield what the scorers of a task are called in the scores of a sample (`unique_scorer_name` of 0.3.285)."""
    seen = Counter[str]()
    for scorer in scorers:
        name = scorer.get("name")
        if isinstance(name, str):
            yield f"{name}{seen[name] or ''}"
            seen[name] += 1


def metrics_of(results: Table) -> Iterator[ReportedMetrics]:
    """Yield the metrics of each score of a log, those of one that has its scorer's name below that of the scorer.

    Args:
        results: the `results` of the header; older logs have one score alone.
    """
    listed = tables_in(results.get("scores")) or [results]
    for score in listed:
        name, scorer = fields.text(score.get("name")), fields.text(score.get("scorer"))
        metrics = tuple(_metrics(score.get("metrics")))
        if metrics:
            of = f"{scorer}/{name}" if name and scorer and name != scorer else name or scorer or "score"
            yield ReportedMetrics(of, fields.text(score.get("reducer")) or "", metrics)


def _metrics(metrics: Plain) -> Iterator[tuple[str, float]]:
    for key, metric in as_table(metrics).items():
        value = fields.number(metric.get("value") if isinstance(metric, dict) else metric)
        if value is not None:
            yield key, value


UNCHANGED = "UNCHANGED"
"""What Inspect calls a part of a score that an edit leaves as it is."""

_OTHERWISE: dict[Plain, Plain] = {"C": "I", "I": "C", "N": "C", True: False, False: True}


def score_edits(record: Record, decision: Decision) -> Iterator[Table]:
    """Yield an edit of the score that decides of a record with a decision; of each that failed where none does.

    It says who decided what and why. The value is another one only where that one scorer was found wrong and its
    value has an opposite; any other value is for a person to set.
    """
    names = _scorers(record)
    scores = as_table(record.data.get("scores"))
    reason = ": ".join(item for item in (str(decision.verdict), decision.comment) if item)
    for name in names:
        value = as_table(scores[name]).get("value")
        edited: Plain = UNCHANGED
        if len(names) == 1 and decision.verdict is Verdict.GRADER_WRONG and isinstance(value, str | bool):
            edited = _OTHERWISE.get(value, UNCHANGED)
        yield {
            "sample_id": record.data["id"],
            "epoch": record.attempt,
            "score_name": name,
            "edit": {
                "value": edited,
                "provenance": {"timestamp": decision.time, "author": decision.reviewer, "reason": reason},
            },
        }


def _scorers(record: Record) -> list[str]:
    """Return the scorer that decides; where none does, those that failed, all if none did."""
    scores = as_table(record.data.get("scores"))
    of_scorer = {name: {grade.name for grade in grades_of({name: score})} for name, score in scores.items()}
    if decides := [name for name, grades in of_scorer.items() if record.decider in grades]:
        return decides
    failing = [name for name, score in scores.items() if any(map(missed, grades_of({name: score})))]
    return failing or [*scores]
