"""AgentV's result rows: the older ones have `eval_id` and `candidate_answer`, today's `test_id` and `scores`.

Rows of other tools are read the same way if they are objects with an id and an answer or a score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.integration import ReadingResults
from sampleui.review.record import (
    FAIL_UNDER,
    Details,
    Entry,
    ParsedRow,
    SampleDigests,
    Usage,
    digest_of,
    overall_verdict,
)
from sampleui.review.results import fields
from sampleui.review.results.adapters import Adapter
from sampleui.review.results.failure_signs import BESTS, doubted

if TYPE_CHECKING:
    from sampleui.review.handing_back import HandsBack

OWN_IDS = ("test_id", "eval_id", "testId", "evalId")
ID_KEYS = (*OWN_IDS, "sample_id", "id")
SCORE_LISTS = ("scores", "evaluator_results", "evaluatorResults", "graders", "evaluators", "component_results")
ANSWERS = ("candidate_answer", "candidateAnswer", "answer", "output", "output_messages", "outputMessages", "text")
WHOLE = "outputs/answer.md"
"""Where a row has the whole text of its answer's file."""

_OTHERS_ANSWERS = (
    *("response", "completion", "prediction", "generation", "generated_text", "reply", "actual", "actual_output"),
    *("model_output", "model_answer", "model_response", "final_answer", "llm_output"),
)
"""Where rows of other tools have an answer."""

EXPECTED = ("expected_output", "reference_answer", "referenceAnswer", "expected_messages", "expected")
ASKED = ("input", "question", "prompt")
TRIES = ("sample_index", "attempt", "trial", "trial_index", "epoch")
_SPOKEN = frozenset({"content", "text", "message", "answer", "output", "value"})
STATUSES = {
    "ok": True,
    "passed": True,
    "pass": True,
    "success": True,
    "quality_failure": False,
    "execution_error": False,
    "failed": False,
    "fail": False,
    "failure": False,
    "error": False,
    "errored": False,
}
_RAN = frozenset({"ok", "success"})
"""What other tools say of a run that ended well, whatever came of it."""

_KNOWN = frozenset(
    """
    score scores evaluator_results evaluatorResults graders evaluators component_results assertions hits misses
    execution_status executionStatus status success passed pass verdict threshold min_score error trials samples
    attempts aggregation reasoning reason trace trace_summary requests execution_metadata workspace artifacts
    """.split()  # noqa: SIM905
)
"""Keys of AgentV's rows that say how they came out, which its own rules weigh."""
SIGNS = ("score", *SCORE_LISTS, *ANSWERS, "assertions", "error", "execution_status", "trace", "trace_ref")

_LISTED_TRIALS = ("trials", "samples", "attempts")
_STATUSES = ("execution_status", "executionStatus", "status")


def claims(row: Table) -> bool:
    """A row with an id and with something that a run leaves behind.

    A row of another tool has to say it as AgentV does, so that nothing it says is passed over.
    """
    if row.keys().isdisjoint(SIGNS):
        return False
    return has_own_id(row) or (fields.first(row, ID_KEYS) is not None and _understood(row))


def has_own_id(row: Table) -> bool:
    """Tell whether a row has an id by a name that AgentV alone gives it."""
    return fields.first(row, OWN_IDS) is not None


def is_evident(row: Table) -> bool:
    """Tell whether a row is a result for certain, though it repeats the input of its test."""
    return "test_id" in row and "score" in row


def has_outcome(row: Table) -> bool:
    """Tell whether a row says how it came out in a way that is read here, a score being one from 0 to 1."""
    if has_own_id(row):
        return True
    score = row.get("score")
    if score is not None:
        number = fields.number(score)
        return number is not None and 0 <= number <= 1
    graded = any(tables_in(row.get(key)) for key in (*SCORE_LISTS, "assertions"))
    is_judged = graded or bool(_status(row)) or isinstance(row.get("verdict"), str)
    return is_judged or _outcome(row) is not None or bool(row.get("error"))


def _understood(row: Table) -> bool:
    """Tell whether what a row says of its outcome is spelled as it is read here."""
    lists = (row.get(key) for key in SCORE_LISTS)
    if any(item is not None and not isinstance(item, list) for item in lists) or isinstance(
        row.get("score"), dict | list
    ):
        return False
    answer = fields.first(row, ANSWERS)
    if answer is None:
        return fields.first(row, _OTHERS_ANSWERS) is None
    return not isinstance(answer, dict) or bool(_SPOKEN & answer.keys())


def parse_row(row: Table) -> ParsedRow:
    """Read a row."""
    return ParsedRow(_entry(row), lambda: _usage(row), lambda: _details(row), lambda: _digests(row))


def _entry(row: Table) -> Entry | None:
    sample_id = fields.text(fields.first(row, ID_KEYS))
    if sample_id is None:
        return None
    grades = fields.grades_in(fields.first(row, SCORE_LISTS))
    facts = Entry(
        sample_id=sample_id,
        score=fields.number(row.get("score")),
        error=_error(row),
        verdict=overall_verdict(fields.verdict(row.get("verdict")), grades),
        grades=grades,
        tags=_tags(row),
        target=fields.text(fields.first(row, ("target", "model", "provider"))),
        attempt=_attempt(row),
        source=fields.named_deck(row),
        suite=fields.text(row.get("suite")),
        outcome=_outcome(row),
        trials=_trials(row),
        outcome_unclear=_has_a_scale(row),
        bounded=not fields.infinite(row.get("score")),
    )
    return doubted(facts, row, _KNOWN if has_own_id(row) else frozenset())


def _digests(row: Table) -> SampleDigests:
    return SampleDigests(digest_of(fields.first(row, ASKED)), digest_of(fields.first(row, EXPECTED)))


def _usage(row: Table) -> Usage:
    trace = as_table(row.get("trace"))
    usage = fields.first(row, ("token_usage", "tokenUsage", "usage")) or trace.get("token_usage")
    return Usage(
        cost_usd=_measure(row, trace, ("cost_usd", "costUsd", "cost")),
        latency_ms=_measure(row, trace, ("duration_ms", "durationMs", "latency_ms", "latencyMs")),
        tokens=fields.tokens(as_table(usage)),
        timestamp=fields.text(row.get("timestamp")),
    )


def _details(row: Table) -> Details:
    assertions = fields.assertions(row.get("assertions"))
    reasoning = fields.spoken(fields.first(row, ("reasoning", "reason")))
    return Details(
        hits=fields.texts(row.get("hits")) or tuple(item.text for item in assertions if item.passed is True),
        misses=fields.texts(row.get("misses")) or tuple(item.text for item in assertions if item.passed is False),
        reasoning="\n\n".join(filter(None, (reasoning, _of_several(row)))) or None,
        actual=_answer(row) or "",
        whole=fields.text(row.get(WHOLE)) or "",
        expected=fields.spoken(fields.first(row, EXPECTED)),
        evaluators=fields.evaluators(fields.first(row, SCORE_LISTS)),
        assertions=assertions,
    )


_OF_ALL = {
    "pass_at_k": "the score is that of the best one",
    "mean": "the score is the mean of all",
    "confidence_interval": "the score is the lower end of an interval around the mean of all",
}
"""What the score of a row of several trials is, by their strategy (`aggregateTrials` of AgentV 4.42)."""


def _of_several(row: Table) -> str:
    """Say what the score of a row of several trials stands for; nothing where it is that of one trial.

    Its status is `ok` if one of them passed; answer and graders are the best one's (`runEvalCaseWithTrials`).
    A row that does not list its trials has a score then that is not the one of its graders.
    """
    strategy = as_table(row.get("aggregation")).get("strategy")
    trials = tables_in(fields.first(row, _LISTED_TRIALS))
    if not has_own_id(row):
        return ""
    if not trials and strategy is None and not _is_of_others(row):
        return ""
    score = _OF_ALL.get(str(strategy), "the score is of all of them")
    return f"of several trials: passed if one of them did, answer and graders are those of the best one, {score}"


def _is_of_others(row: Table) -> bool:
    """Tell whether a row passed whose score is under that of its graders, as those of one trial make it."""
    graders = tables_in(fields.first(row, SCORE_LISTS))
    weighted = [(fields.number(item.get("score")), fields.number(item.get("weight", 1))) for item in graders]
    known = [(score, weight) for score, weight in weighted if score is not None and weight is not None]
    total, own = sum(weight for _, weight in known), fields.number(row.get("score"))
    if row.get("execution_status") != "ok" or own is None or not total or len(known) < len(graders):
        return False
    return own < sum(score * weight for score, weight in known) / total - _ROUNDED


_ROUNDED = 0.01


def _answer(row: Table) -> str | None:
    """Return the answer; of messages what the last one of the assistant says that has a content, even if nothing.

    That is the one that AgentV grades (`extractLastAssistantContent` of 4 and 5).
    """
    answer = fields.first(row, ANSWERS)
    turns = tables_in(answer) if has_own_id(row) else []
    contents = [turn.get("content") for turn in turns if turn.get("role") == "assistant"]
    said = [content for content in contents if content is not None]
    return fields.spoken(said[-1] if said else answer)


def _error(row: Table) -> str | None:
    error = fields.error_line(row.get("error"))
    if error is not None:
        return error
    return "the run could not be executed" if row.get("execution_status") == "execution_error" else None


def _attempt(row: Table) -> int | None:
    attempt = fields.first(row, TRIES)
    return fields.whole(attempt if attempt is not None else fields.dimensions(row).get("attempt"))


def _status(row: Table) -> str:
    """Return the first status of a row that is one of AgentV's; empty if there is none."""
    for key in _STATUSES:
        status = row.get(key)
        if isinstance(status, str) and (word := status.lower()) in STATUSES:
            return word
    return ""


def _outcome(row: Table) -> bool | None:
    """Return what the runner says came of it: its status, its truth value, or else its own threshold."""
    status = _status(row)
    if status and (status not in _RAN or has_own_id(row)):
        return STATUSES[status]
    plain = fields.first(row, ("success", "passed", "pass"))
    if isinstance(plain, bool):
        return plain
    threshold = fields.number(fields.first(row, ("threshold", "min_score")))
    score = None if threshold is None else fields.number(row.get("score"))
    return None if score is None or threshold is None else score >= threshold


def _trials(row: Table) -> tuple[int, int] | None:
    """Return how many attempts passed, of how many, for a row that sums several up."""
    listed = tables_in(fields.first(row, _LISTED_TRIALS))
    if listed:
        return len([item for item in listed if _passed(item)]), len(listed)
    summed = row.get("aggregation")
    if not isinstance(summed, dict):
        return None
    passed = fields.whole(fields.first(summed, ("passed_attempts", "passedAttempts", "passed_samples")))
    total = fields.whole(fields.first(summed, ("total_attempts", "totalAttempts", "total_samples")))
    return None if passed is None or total is None else (passed, total)


def _passed(trial: Table) -> bool:
    verdict = trial.get("verdict")
    passed = verdict.lower() == "pass" if isinstance(verdict, str) else _outcome(trial)
    return (fields.number(trial.get("score")) or 0) >= FAIL_UNDER if passed is None else passed


def _has_a_scale(row: Table) -> bool:
    """Tell whether a row says that its score is of another scale than that from 0 to 1."""
    most = fields.number(fields.first(row, BESTS))
    return most is not None and most != 1 and fields.number(row.get("score")) is not None


def _tags(row: Table) -> tuple[str, ...]:
    tags = fields.texts(row.get("tags"))
    named = [name for key in ("suite", "dataset", "category") if (name := fields.text(row.get(key)))]
    return tuple(dict.fromkeys((*tags, *named))) if named or len(tags) > 1 else tags


def _measure(row: Table, trace: Table, keys: fields.Keys) -> float | None:
    figure: Plain = fields.first(row, keys)
    return fields.number(figure if figure is not None else fields.first(trace, keys))


def evaluation(row: Table) -> str:
    """Return the id of the run that a row is of, which is the name of its folder, and when the row was written."""
    run, time = fields.text(fields.dimensions(row).get("run_id")), fields.text(row.get("timestamp"))
    return "" if run is None or time is None else f"{run} {time}"


ADAPTER = Adapter(
    "agentv",
    claims,
    parse_row,
    self_evident=is_evident,
    signed=has_own_id,
    has_outcome=has_outcome,
    evaluation=evaluation,
)


def _hands_back() -> HandsBack:
    from sampleui.integrations.agentv.feedback import HANDS_BACK

    return HANDS_BACK


RESULTS = ReadingResults((ADAPTER,), hands_back=_hands_back)
