"""Result dialects, shipped or a user's: tables of what tells the rows of one tool from those of another."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects.dialect import DialectMark
from sampleui.sample.dialects.field import keys
from sampleui.settings.vocabulary import TELLING, UserTable, paths_at, texts_at

Paths: TypeAlias = tuple[DataPath, ...]
"""Where a value may be in a row; the first place that has one counts."""

PASSES = keys(
    "pass passed passing success succeeded successful ok correct right true yes y c good accept accepted resolved"
)
FAILS = keys(
    """
    fail failed failing failure error errored incorrect wrong false no n i bad reject rejected unresolved
    quality_failure execution_error
    """
)

STEP_NAMES = ("tool", "tool_name", "name", "action", "function", "operation", "step", "type", "kind", "event")
"""Keys under which a step of a log says what was done."""


class Graders(NamedTuple):
    """Where a row has what its evaluators gave, and how each of them is spelled.

    An item may be a number, a truth or a table; of a table of items the keys are the names.

    Attributes:
        path: where the list or the table is.
        names: in an item, where its name is.
        scores, outcomes, reasons, kinds: in an item, where these are.
        details: in an item, what else is to be shown of it.
        setups: in an item, what the evaluator was set to: if that changes, the answer is judged by something else.
    """

    path: DataPath
    names: Paths = (("name",), ("id",), ("metric",), ("type",))
    scores: Paths = (("score",), ("value",))
    outcomes: Paths = (("success",), ("passed",), ("pass",), ("verdict",), ("value",))
    reasons: Paths = (("reason",), ("reasoning",), ("explanation",), ("error",))
    kinds: Paths = (("type",),)
    details: Paths = ()
    setups: Paths = ()


class Outcomes(NamedTuple):
    """How rows say whether they passed.

    Attributes:
        paths: where a truth stands, 0 or 1, or a word.
        passes, fails: the words for it.
        scores: where the score is.
        mean: whether the mean of the evaluators' scores stands in for a missing score.
        scale: the worst and the best score; what is read is counted from 0 to 1.
        thresholds: where the score stands from which a row passes.
    """

    paths: Paths = ()
    passes: frozenset[str] = PASSES
    fails: frozenset[str] = FAILS
    scores: Paths = ()
    mean: bool = False
    scale: tuple[float, float] = (0.0, 1.0)
    thresholds: Paths = ()


NO_OUTCOMES = Outcomes()


class Spent(NamedTuple):
    """Where a row says what an answer cost in money, time and tokens.

    Attributes:
        cost: US dollars.
        milliseconds, seconds: how long it took.
        tokens: a table of what was used.
        timestamps: when it was given.
    """

    cost: Paths = ()
    milliseconds: Paths = ()
    seconds: Paths = ()
    tokens: Paths = ()
    timestamps: Paths = ()


NOTHING_SPENT = Spent()


def indented(value: Plain) -> str:
    """Return a value as JSON to be read."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ResultDialect:
    """One spelling of rows. All paths are counted from a row.

    Attributes:
        name: its name.
        title: the name for people.
        marks: what its rows are recognized by, any one of these.
        containers: where the lists of rows are in a document; all of them are read. Rows may stand in
            a list or in lines all the same.
        times: where a document says when its run was made.
        evaluations: where a document, or else its first row, has the tool's own id of the evaluation.
        ids: where the id of the sample is.
        labels: where a row without an id has the value that names it; of a table, its texts.
        positions: where the number of the sample is, from 0, by which a sample without an id is found.
        join_paths: pairs of where a row repeats a value of the sample and of where the sample has it, by which
            a sample is found whose id does not settle it; an empty path is the whole sample.
        outcomes: how it says whether a row passed.
        errors: where it stands why there is no answer.
        actual, expected, reasons: where these are.
        writes: how its tool writes an answer that is a table or a list, and is that as a whole; None where such an
            answer has a text somewhere in it.
        prompts: where it stands what was asked: a text, or messages.
        messages: where the whole conversation is, the answer included, or the part that was answered.
        done: where messages stand of what was done, calls as OpenAI has them or as `{tool, input, output}`.
        steps: where a list of tables stands of what was done, a step each, in words of their own.
        people: where it stands what a person said of the answer.
        graders: where the evaluators are.
        metrics: where a list stands of the names of keys that are scores.
        baselines: the names of targets that are the baseline of the others in a run, the first that it has counts;
            its evaluators are statements about single samples then.
        targets: where it stands who answered, a path for each part of the name.
        attempts, suites, sources, tags: where these are.
        spent: where it stands what the answer took.
        prepare: a function that returns a row with what no path leads to put in.
    """

    name: str
    title: str
    marks: tuple[DialectMark, ...]
    containers: tuple[DataPath, ...] = ()
    times: Paths = ()
    evaluations: Paths = ()
    ids: Paths = ()
    labels: Paths = ()
    positions: Paths = ()
    join_paths: tuple[tuple[DataPath, DataPath], ...] = ()
    outcomes: Outcomes = NO_OUTCOMES
    errors: Paths = ()
    actual: Paths = ()
    expected: Paths = ()
    writes: Callable[[Plain], str] | None = None
    reasons: Paths = ()
    prompts: Paths = ()
    messages: Paths = ()
    done: Paths = ()
    steps: Paths = ()
    people: Paths = ()
    graders: tuple[Graders, ...] = ()
    metrics: DataPath = ()
    baselines: tuple[str, ...] = ()
    targets: tuple[Paths, ...] = ()
    attempts: Paths = ()
    suites: Paths = ()
    sources: Paths = ()
    tags: Paths = ()
    spent: Spent = NOTHING_SPENT
    prepare: Callable[[Table], Table] | None = None

    @property
    def grades(self) -> bool:
        """Whether its rows may say how they came out; else they are records that nobody has graded yet."""
        return bool(
            self.outcomes.paths
            or self.outcomes.scores
            or self.people
            or self.graders
            or self.metrics
            or self.prepare
        )

    def __repr__(self) -> str:
        """Return its name: the table is long."""
        return f"ResultDialect({self.name!r})"


USUAL_GRADERS = Graders(())


def user_result_dialect(name: str, table: UserTable) -> ResultDialect:
    """Return the result dialect that a user's table describes.

    Args:
        name: its name.
        table: the table, found right by `resulttables.read_result_tables`.
    """
    paths = defaultdict[str, Paths](tuple, {key: paths_at(table, key) for key in table})
    passes, fails = (_words(table, key) for key in ("passes", "fails"))
    return ResultDialect(
        name=name,
        title=str(table.get("title", name)),
        marks=_marks(paths),
        containers=paths["container"],
        ids=paths["id"],
        labels=paths["prompt"] or paths["messages"] or paths["actual"],
        join_paths=tuple((prompt, prompt) for prompt in paths["prompt"]),
        outcomes=Outcomes(
            paths=paths["outcome"],
            passes=passes or PASSES - fails,
            fails=fails or FAILS - passes,
            scores=paths["score"],
            mean="outcome" not in table,
            scale=_scale(table),
            thresholds=paths["threshold"],
        ),
        errors=paths["error"],
        actual=paths["actual"],
        expected=paths["expected"],
        reasons=paths["reason"],
        prompts=paths["prompt"],
        messages=paths["messages"],
        done=paths["messages"],
        steps=paths["steps"],
        people=paths["label"],
        graders=tuple(_graders(evaluators, paths) for evaluators in paths["evaluators"]),
        targets=tuple((target,) for target in paths["target"]),
        attempts=paths["attempt"],
        suites=paths["suite"],
        sources=paths["deck"],
        tags=paths["tags"],
        spent=Spent(paths["cost"], paths["milliseconds"], paths["seconds"], paths["tokens"], paths["time"]),
    )


def _marks(paths: Mapping[str, Paths]) -> tuple[DialectMark, ...]:
    """Return what rows are recognized by: the keys given for that, or else an id or a prompt, and an outcome.

    Where nothing says how a row came out, anything to read in it will do.
    """
    if marks := paths["marks"]:
        return (DialectMark(marks),)
    first = paths["id"] or paths["prompt"] or paths["messages"]
    telling = [path for key in TELLING for path in paths[key]]
    if not telling:
        read = [path for key in ("messages", "prompt", "actual", "steps") for path in paths[key]]
        return tuple(DialectMark((path,)) for path in read or first)
    return tuple(DialectMark((path, other)) for path in first for other in telling)


def _graders(path: DataPath, paths: Mapping[str, Paths]) -> Graders:
    return Graders(
        path,
        names=paths.get("evaluator_name", USUAL_GRADERS.names),
        scores=paths.get("evaluator_score", USUAL_GRADERS.scores),
        outcomes=paths.get("evaluator_outcome", USUAL_GRADERS.outcomes),
        reasons=paths.get("evaluator_reason", USUAL_GRADERS.reasons),
    )


def _words(table: UserTable, key: str) -> frozenset[str]:
    return frozenset(text.strip().lower() for text in texts_at(table, key))


def _scale(table: UserTable) -> tuple[float, float]:
    ends = table.get("scale")
    if not isinstance(ends, tuple):
        return 0.0, 1.0
    worst, best = ends
    return float(worst), float(best)
