"""What a log says of the whole run: who answered, which dataset was run, and how it ended."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.inspect_ai.records import metrics_of
from sampleui.review.results import fields
from sampleui.review.results.documents import sibling_names, to_open
from sampleui.review.results.scoring import ReportedMetrics
from sampleui.text.confined import belongs
from sampleui.text.wording import counted

FINISHED = "success"


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What the records of a log share.

    Attributes:
        model: the model that answered.
        task: the name of the task.
        dataset: the path of the dataset as far as the run says: from where it was started, or from the root.
        named: what the dataset is called.
        shuffled: whether samples without an id are numbered in another order than that of the dataset.
        scorers: the names and options of its scorers, as the log has them.
        metrics: the metrics that it has of its scores.
        chosen: the ids of the samples that were to run; None where the log does not say. None of those that have
            only a number, if the numbers are not those of the dataset.
        notes: how much of the dataset was to run where that is not all of it, and how the run ended where that was
            not well, a line each.
        created: when the run was made.
        evaluation: the id of the evaluation, which `inspect score` keeps.
        planned: how many records there were to be, one for each epoch of each sample; None where that is not said.
        broken_off: whether the run did not come to its end, so that samples may have been interrupted.
    """

    model: str | None = None
    task: str | None = None
    dataset: str | None = None
    named: str | None = None
    shuffled: bool = False
    scorers: tuple[Table, ...] = ()
    metrics: tuple[ReportedMetrics, ...] = ()
    chosen: frozenset[str] | None = None
    notes: tuple[str, ...] = ()
    created: str = ""
    evaluation: str = ""
    planned: int | None = None
    broken_off: bool = False

    @classmethod
    def of(cls, log: Table) -> LogHeader:
        """Read the header of a log, or what stands for it while a run goes on (`eval` alone)."""
        run = as_table(log.get("eval"))
        dataset = as_table(run.get("dataset"))
        return cls(
            model=fields.text(run.get("model")),
            task=fields.text(run.get("task")),
            dataset=_dataset(fields.text(dataset.get("location")), fields.text(run.get("task_file"))),
            named=fields.text(dataset.get("name")),
            shuffled=dataset.get("shuffled") is True,
            scorers=tuple(
                {key: scorer[key] for key in ("name", "options") if key in scorer}
                for scorer in tables_in(run.get("scorers"))
            ),
            metrics=tuple(metrics_of(as_table(log.get("results")))),
            chosen=_chosen(dataset),
            notes=tuple(item for item in (_limited(run), _problem(log)) if item is not None),
            created=fields.text(run.get("created")) or "",
            evaluation=fields.text(run.get("eval_id")) or "",
            planned=_planned(run),
            broken_off=_problem(log) is not None,
        )

    def interrupted(self, sample: Table) -> bool:
        """Tell whether a sample, or its summary, was interrupted as its run was broken off, which is no error."""
        error = sample.get("error")
        message = fields.text(as_table(error).get("message")) or fields.text(error)
        return self.broken_off and message is not None and message.startswith(_CANCELLED)

    def all_notes(self, ran: int, interrupted: int) -> tuple[str, ...]:
        """Return its notes, with how many records there are of those that were to be.

        Args:
            ran: the records that the log has.
            interrupted: those among them that were interrupted.
        """
        left = self.broken_off and self.planned is not None and ran < self.planned
        if not interrupted and not left:
            return self.notes
        parts = [f"{ran:,} ran" if self.planned is None else f"{ran:,} of {self.planned:,} ran"]
        parts += [f"{interrupted:,} {'was' if interrupted == 1 else 'were'} interrupted"] if interrupted else []
        return (*self.notes, ", ".join(parts))

    def shared(self) -> Table:
        """Return what a row has of it."""
        values: dict[str, Plain] = {
            "model": self.model,
            "task": self.task,
            "dataset": self.dataset,
            "named": self.named,
            "shuffled": self.shuffled or None,
            "scorers": [*self.scorers] or None,
        }
        return {key: value for key, value in values.items() if value is not None}


def is_header(log: Plain) -> bool:
    """Tell whether a table is the header of a log, or a whole log: a run of a model over a dataset."""
    run = as_table(log).get("eval")
    return isinstance(run, dict) and "dataset" in run and "model" in run and ("task" in run or "eval_id" in run)


def _dataset(location: str | None, task_file: str | None) -> str | None:
    """Return where the dataset is. A path that is not from the root is counted from the folder of its task."""
    if location is None:
        return None
    home = posixpath.dirname((task_file or "").replace("\\", "/"))
    path = posixpath.normpath(posixpath.join(home, location.replace("\\", "/")))
    while path.startswith("../"):  # a path from outside is looked for by its end
        path = path.removeprefix("../")
    return path


def _chosen(dataset: Table) -> frozenset[str] | None:
    ids = dataset.get("sample_ids")
    if not isinstance(ids, list):
        return None
    lasting = (item for item in ids if isinstance(item, str) or dataset.get("shuffled") is not True)
    return frozenset(str(item) for item in lasting)


_CANCELLED = "CancelledError("
"""How the message of a sample begins that was interrupted (Inspect 0.3.285)."""


def _sizes(run: Table) -> tuple[int | None, int | None]:
    """Return how many samples of its dataset a run chose, and how many that has; None where it does not say."""
    dataset = as_table(run.get("dataset"))
    ids = dataset.get("sample_ids")
    return len(ids) if isinstance(ids, list) else None, fields.whole(dataset.get("samples"))


def _planned(run: Table) -> int | None:
    """Return how many records a run was to have: the samples that were chosen, in each epoch."""
    chosen, size = _sizes(run)
    samples, epochs = size if chosen is None else chosen, as_table(run.get("config")).get("epochs")
    times = 1 if epochs is None else fields.whole(epochs)
    return None if samples is None or times is None else samples * times


def _limited(run: Table) -> str | None:
    """Return how many samples were to run, of how many, where somebody chose some of them."""
    (chosen, size), config = _sizes(run), as_table(run.get("config"))
    if chosen is None or size is None:
        asked = config.get("limit") is not None or config.get("sample_id") is not None
        return "a limited run" if asked else None
    return f"a limited run: {chosen:,} of {size:,} samples" if chosen < size else None


def _problem(log: Table) -> str | None:
    status = fields.text(log.get("status")) or "started"
    if status == FINISHED:
        return None
    error = fields.error_line(log.get("error"))
    ended = {"started": "the run has not finished", "cancelled": "the run was cancelled"}
    problem = ended.get(status, "the run ended with an error")
    return f"{problem}: {error}" if error else problem


_SET = frozenset({"eval_set_id", "tasks"})
_HEADER = frozenset({"version", "status", "eval"})


def summary_of(document: Table, path: Path) -> str:
    """Return that a document lists the tasks of an eval set, or headers of logs, and where their records are."""
    if document.keys() == _SET:
        return f"the tasks of an eval set of Inspect's, without records; {_logs(path)}"
    if document and all(
        name.endswith((".eval", ".json")) and header.keys() >= _HEADER and as_table(header["eval"])
        for name, header in zip(document, map(as_table, document.values()), strict=True)
    ):
        named = [name for name in document if Path(name).name == name and belongs(path.parent / name)]
        return f"the headers of Inspect's logs, without records; {to_open(named) or _logs(path)}"
    return ""


def head_words(log: Table, path: Path) -> str:
    """Say that a file is the head of a log, and of how many samples, which are elsewhere."""
    chosen, size = _sizes(as_table(log.get("eval")))
    ran = fields.whole(as_table(log.get("results")).get("total_samples"))
    samples = next((count for count in (chosen, ran, size) if count is not None), None)
    many = "" if samples is None else f" of {counted(samples, 'sample')}"
    return f"this is the head of a log of Inspect's{many}, without records; {_logs(path)}"


def _logs(path: Path) -> str:
    return to_open(sibling_names(path, "*.eval")) or "its records are in the logs, *.eval"
