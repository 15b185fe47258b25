"""The runs of a skill as records, each an eval under a configuration, with its expectations as evaluators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, tables_in
from sampleui.integrations.integration import Hydrated, ReadingResults, Sharing
from sampleui.integrations.skills.benchmark import counts_of, seconds_of
from sampleui.integrations.skills.feedback import FINE, HANDS_BACK
from sampleui.integrations.skills.layout import OUTPUTS, TRANSCRIPT, described, is_run_folder
from sampleui.integrations.skills.outputs import joined, read
from sampleui.integrations.skills.statements import statement, statements
from sampleui.integrations.skills.workspace import EVAL_PROMPT, RUN, Runs, messages_of, transcript_of
from sampleui.review.record import REMARK, AnswerFile, Assertion, Details, EvaluatorScore, ParsedRow, Record, Usage
from sampleui.review.results import adapters
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect
from sampleui.review.results.fields import number
from sampleui.review.results.sources import ResultSource
from sampleui.sample.dialects.dialect import DialectMark, paths
from sampleui.sample.model import Sample
from sampleui.sample.tokens import Tokens
from sampleui.text.confined import is_folder
from sampleui.trace.reading.extract import PROSE

OUTCOME, SCORE, ANSWER, NAMED = "\0outcome", "\0score", "\0answer", "\0named"
"""Where a prepared row has what no path leads to: keys that no tool uses."""

RUNS = ResultDialect(
    name="skills",
    title="runs of a skill",
    marks=(
        DialectMark(paths(f"{RUN} configuration")),
        DialectMark(paths("eval_id configuration result")),
        DialectMark(paths("eval_id configuration expectations")),
    ),
    containers=paths("runs"),
    times=paths("metadata.timestamp"),
    ids=paths("eval eval_id"),
    join_paths=(((EVAL_PROMPT,), ("prompt",)),),
    outcomes=Outcomes(paths=((OUTCOME,),), scores=((SCORE,),)),
    actual=((ANSWER,),),
    prompts=paths("prompt"),
    graders=(
        Graders(
            (NAMED,),
            names=paths("name"),
            scores=(),
            outcomes=paths("passed"),
            reasons=paths("evidence reason notes"),
        ),
    ),
    baselines=("without_skill", "old_skill", "baseline"),
    targets=(paths("configuration"),),
    attempts=paths("run_number"),
    sources=paths("deck"),
)


def recorded_outcomes(record: Record, sample: Sample, _: bool = False) -> Mapping[DataPath, bool | None]:
    """Return which statements of an eval held in a run, by their words; one that nobody graded is left out."""
    graded = {grade.name: grade.verdict for grade in record.grades}
    outcomes = {"pass": True, "fail": False}
    return {
        (key, path): outcomes.get(graded[text] or "")
        for key, path, (text, name, _) in statements(sample.data)
        for text in (text or name,)
        if text in graded
    }


def prepare(row: Table) -> Table:
    """Return a row with its outcome: it passed if all its expectations did, and is ungraded if nobody said so."""
    counts = counts_of(row)
    items = tables_in(row.get("expectations"))
    named: list[Plain] = [
        {
            "name": statement(item).text or statement(item).name or f"expectation {number}",
            "passed": item.get("passed") if isinstance(item.get("passed"), bool) else None,
            "evidence": item.get("evidence"),
            "reason": item.get("reason"),
        }
        for number, item in enumerate(items, start=1)
    ]
    fails = any(item.get("passed") is False for item in items)
    outcome = False if fails else None if counts is None else counts[0] == counts[1]
    if counts is None and not items:
        rate = number(as_table(row.get("result")).get("pass_rate"))
        outcome = rate >= 1 if rate is not None and as_table(row.get("result")).get("total") != 0 else None
    score = None if counts is None else counts[0] / counts[1]
    return {**row, OUTCOME: outcome, SCORE: score, NAMED: named}


def parse_row(row: Table) -> ParsedRow:
    """Read a row, of a folder or of `benchmark.json`."""
    prepared = prepare(row)
    parsed = adapters.parse_row(RUNS, prepared)
    entry = parsed.entry
    if entry is not None and entry.outcome is None:
        entry = replace(entry, outcome_unclear=True)  # one of several expectations says neither
    return parsed._replace(entry=entry, usage=lambda: _usage(row), details=lambda: _details(row, parsed.details()))


def _usage(row: Table) -> Usage:
    timing, result = as_table(row.get("timing")), as_table(row.get("result"))
    seconds, total = seconds_of(timing), number(timing.get("total_tokens"))
    if seconds is None:
        seconds = number(result.get("time_seconds"))
    if total is None:
        total = number(result.get("tokens"))
    tokens = Tokens(total=int(total)) if total is not None and total > 0 else None
    return Usage(latency_ms=None if seconds is None else seconds * 1000, tokens=tokens)


def _details(row: Table, parsed: Details) -> Details:
    suggested = {
        str(item.get("assertion")): str(item.get("reason") or "")
        for item in tables_in(as_table(row.get("eval_feedback")).get("suggestions"))
    }
    graded = tuple(
        item._replace(assertions=(Assertion(f"suggestion: {suggested.pop(item.name)}", None, None),))
        if item.name in suggested
        else item
        for item in parsed.evaluators
    )
    more = [*_said(row), *_claims(row), *_notes(row)]
    if row.get(PROSE):
        more.append(_told("transcript", f"{row.get('skill_folder')}/{row.get(RUN)}/{TRANSCRIPT}"))
    if suggested:
        reasoning = "\n".join(
            f"{name}: {reason}" if name != "None" else reason for name, reason in suggested.items()
        )
        more.append(_told("suggestions", reasoning))
    return replace(
        parsed, evaluators=(*graded, *more), files=(*_files(row),), more_files=row.get("outputs_left_out") is True
    )


def _said(row: Table) -> Iterator[EvaluatorScore]:
    """Yield what people said of a run, and of the run of the iteration before."""
    for key, name in (("said", "feedback"), ("said_before", "feedback before")):
        for text in as_list(row.get(key)):
            yield EvaluatorScore(name, REMARK, None, None, str(text).strip() or FINE, (), by_person=True)


def _claims(row: Table) -> Iterator[EvaluatorScore]:
    claims = tuple(
        Assertion(
            str(item.get("claim")), verified if isinstance(verified, bool) else None, _text(item.get("evidence"))
        )
        for item in tables_in(row.get("claims"))
        for verified in (item.get("verified"),)
    )
    if claims:
        yield EvaluatorScore("claims", None, None, None, None, claims)


def _notes(row: Table) -> Iterator[EvaluatorScore]:
    for key, items in as_table(row.get("user_notes_summary")).items():
        said = "\n".join(str(item) for item in as_list(items))
        if said:
            yield _told(key.replace("_", " "), said)
    if overall := _text(as_table(row.get("eval_feedback")).get("overall")):
        yield _told("of the evals", overall)


def _told(name: str, text: str) -> EvaluatorScore:
    return EvaluatorScore(name, "note", None, None, text, ())


def _text(value: Plain) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def hydrated(row: Table, folder: Path, _: Sharing) -> Hydrated | None:
    """Return a row with its outputs as the answer and its transcript as the trace; None for one without a folder.

    Args:
        row: the row.
        folder: the folder that rows are counted from: that around the iteration or the eval.
    """
    own = row.get(RUN)
    if not isinstance(own, str) or not isinstance(home := row.get("skill_folder"), str):
        return None
    root = folder / home
    run = root / own
    problems = tuple(str(item) for item in as_list(row.get("problems")))
    if not is_folder(run):
        return Hydrated(row, (*problems, f"{own} is gone"), lost=True)
    files = read(run / OUTPUTS, [*_files(row)])
    listed: list[Plain] = [
        {
            **{"name": file.name, "bytes": file.size, "place": f"{home}/{own}/{OUTPUTS}/{file.name}"},
            **({} if file.text is None else {"text": file.text}),
            **({"note": file.note} if file.note else {}),
        }
        for file in files
    ]
    transcript = transcript_of(run, root)
    answer = joined(files)
    more: Table = {ANSWER: answer, "outputs": listed} if answer else {}
    if transcript:
        more[PROSE] = True
        more["output_messages"] = messages_of(transcript, str(row.get("prompt") or ""))
    return Hydrated({**row, **more}, problems)


def _files(row: Table) -> Iterator[AnswerFile]:
    """Yield the outputs of a row, with what they say where it was read."""
    for item in tables_in(row.get("outputs")):
        name, size, text = item.get("name"), item.get("bytes"), item.get("text")
        if isinstance(name, str) and isinstance(size, int):
            location, note = str(item.get("place") or ""), str(item.get("note") or "")
            yield AnswerFile(name, size, location, text if isinstance(text, str) else None, note)


ADAPTER = adapters.adapter_by(RUNS)._replace(parse=parse_row)


def _opened(folder: Path) -> ResultSource | None:
    return Runs(folder) if is_run_folder(folder) else None


RESULTS = ReadingResults((ADAPTER,), open_folder=_opened, describe_folder=described, hands_back=lambda: HANDS_BACK)
