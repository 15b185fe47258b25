"""What people said of the runs of an iteration: `feedback.json`, in both forms in use, read and written.

skill-creator's viewer writes `{"reviews": [{"run_id", "feedback", "timestamp"}], "status"}`, where `run_id` is the
path of a run below the iteration with `-` for `/`; the pages of agentskills.io have a map of the folders of evals.
An empty feedback means that it was looked at and found fine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.skills.layout import FEEDBACK, iteration_of
from sampleui.review.handing_back import Decided, Handed, HandsBack, text_with
from sampleui.text.confined import Refusal, is_folder, read_confined
from sampleui.text.limits import MAX_FEEDBACK_BYTES

FINE = "looked at, and found fine"


class Said(NamedTuple):
    """What was said.

    Attributes:
        about: of what: the path of a run with `-` for `/`, or the name of an eval's folder.
        text: what; empty if it was found fine.
        of_eval: whether it is of an eval with all its runs.
    """

    about: str
    text: str
    of_eval: bool

    def is_of(self, run: str) -> bool:
        """Tell whether it is about a run, given its path below the iteration."""
        if self.of_eval:
            return self.about == run or self.about in run.split("/")
        return self.about == run_id(run)


def run_id(run: str) -> str:
    """Return what a run is called, given its path below the iteration."""
    return run.replace("/", "-")


def said_in(iteration: Path) -> tuple[Said, ...]:
    """Return what was said of an iteration; nothing where that cannot be read."""
    read = read_confined(FEEDBACK, (iteration,), iteration, MAX_FEEDBACK_BYTES)
    if isinstance(read, Refusal):
        return ()
    try:
        data: Plain = json.loads(read.data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return ()
    return said_by(as_table(data))


def said_by(data: Table) -> tuple[Said, ...]:
    """Return what a feedback says, in either form."""
    if not _is_map(data):
        reviews = [as_table(item) for item in as_list(data.get("reviews"))]
        return tuple(
            Said(str(item["run_id"]), str(item.get("feedback") or ""), of_eval=False)
            for item in reviews
            if isinstance(item.get("run_id"), str)
        )
    return tuple(Said(name, text, of_eval=True) for name, text in data.items() if isinstance(text, str))


def _is_map(data: Table) -> bool:
    """Tell whether a feedback is a map of evals: it has no list of reviews, and more than a status."""
    return not isinstance(data.get("reviews"), list) and bool(data.keys() - {"status"})


def feedback_path(results: Path) -> Path:
    """Return where people's words are, given an iteration, the folder of an eval, or a `benchmark.json`."""
    return (iteration_of(results) if is_folder(results) else results.parent) / FEEDBACK


def merged(before: Table, results: Path, decided: Sequence[Decided], complete: bool) -> Handed:
    """Return a feedback with decisions in it, in the form that it has; a list where there is none.

    What others said of a run stays, and a decision stands behind it. A decision stands in the place of what the
    same reviewer had said before.
    """
    said = [(*_named(item, results), item) for item in decided]
    if _is_map(before):
        return _as_map(before, said)
    reviews = [*as_list(before.get("reviews"))]
    notes: list[str] = []
    left_out: list[str] = []
    for _, run, item in said:
        about = run_id(run)
        review: Table = {
            "run_id": about,
            "feedback": item.words,
            "timestamp": item.decision.time,
            "reviewer": item.decision.reviewer,
            **({} if item.decision.verdict is None else {"verdict": str(item.decision.verdict)}),
        }
        there = [index for index, other in enumerate(reviews) if as_table(other).get("run_id") == about]
        by_reviewer = [
            index for index in there if as_table(reviews[index]).get("reviewer") == item.decision.reviewer
        ]
        others = [as_table(reviews[index]) for index in there if index not in by_reviewer]
        if by_reviewer:
            reviews[by_reviewer[-1]] = review
        elif any(other.get("feedback") == item.words for other in others):
            left_out.append(f"{item.name}: left out, others said just that of it")
        else:
            reviews.append(review)
            notes += [f"{about}: what others said of it stays"] if others else []
    status = "complete" if complete else "in_progress"
    return Handed({**before, "reviews": reviews, "status": status}, tuple(notes), tuple(left_out))


def _as_map(before: Table, said: Sequence[tuple[str, str, Decided]]) -> Handed:
    """Return a map of evals with decisions in it; those on several runs of one are a line each, behind the run."""
    by_eval: dict[str, list[tuple[str, Decided]]] = {}
    for eval_folder, run, item in said:
        by_eval.setdefault(eval_folder, []).append((run.partition(f"{eval_folder}/")[2] or run, item))
    after = dict(before)
    notes: list[str] = []
    left_out: list[str] = []
    for eval_folder, decided in by_eval.items():
        there = before.get(eval_folder)
        if there is not None and not isinstance(there, str):
            why = f"what {FEEDBACK} has of {eval_folder} is no text, and stays"
            left_out += [f"{item.name}: left out, {why}" for _, item in decided]
            continue
        after[eval_folder], others = text_with(there or "", decided, FINE)
        notes += [f"{eval_folder}: what others said of it stays"] if others else []
    return Handed(after, tuple(notes), tuple(left_out))


def _named(item: Decided, results: Path) -> tuple[str, str]:
    """Return the folder of the eval of a record, and the path of its run below the iteration."""
    data = item.record.data
    run = data.get("skill_run")
    if not isinstance(run, str):
        number = data.get("run_number")
        folder = f"eval-{data.get('eval_id')}"
        return folder, f"{folder}/{data.get('configuration')}/run-{number if number is not None else 1}"
    path = run if iteration_of(results) == results else f"{results.name}/{run}"
    parts = path.split("/")
    number_of_parts = 2 if parts[-1].startswith("run-") and len(parts) > 2 else 1
    return parts[-1 - number_of_parts], path


HANDS_BACK = HandsBack(merged, feedback_path)
