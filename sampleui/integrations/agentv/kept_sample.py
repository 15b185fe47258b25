"""The sample as it was run: the copy that a run keeps of it, beside today's sample of the deck.

With every record, AgentV keeps a deck of the one test (`task/EVAL.yaml`, from 5 on `test/EVAL.yaml`), with the
assertions of its suite folded in, names for graders that have none, and copies of the files that the test attaches.
What AgentV adds in this way does not count as a difference. Nothing here is ever written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sampleui.deck.load import load
from sampleui.errors import DeckError
from sampleui.formats.data import Plain, Table
from sampleui.integrations.agentv.references import ASSERTIONS, assertions
from sampleui.prompt.library import Library
from sampleui.review.record import Record
from sampleui.review.results import fields
from sampleui.runs.sample_as_run import AsRun, RunField
from sampleui.sample.dialects.older import todays
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.text.confined import Refusal, read_confined
from sampleui.text.limits import MAX_KEPT_SAMPLE
from sampleui.workspace.deck import deck_of

EXPECTED = frozenset({"criteria", "expected_output", "assertions", "vars"})
"""The fields that say what was expected; of `vars` those that hold it in AgentV 5."""

_UNCOMPARED = frozenset({"id", "execution", "workspace", "metadata", "tags", "notes", "note", "conversation_id"})
_NO_PROMPT = "undefined"
"""What AgentV 4 writes as the prompt of a grader that has none."""
_GIVEN_BY_AGENTV = frozenset({"name", "metric", "weight", "cwd", "command", "script", "target", "provider"})


def as_run(record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
    """Return the sample of a record as it was run, None if the run keeps no copy that can be read.

    Args:
        record: the record.
        base_dir: the folder of the run.
        sample: the deck's sample of today, None if no deck has it.
    """
    home = next((item for key in ("task_dir", "test_dir") if isinstance(item := record.data.get(key), str)), None)
    file = None if home is None else read_confined(f"{home}/EVAL.yaml", [base_dir], base_dir, MAX_KEPT_SAMPLE)
    if file is None or isinstance(file, Refusal):
        return None
    try:
        deck = deck_of(load(file.path), "agentv")
    except DeckError:
        return None
    kept = [*deck.samples]
    kept_sample = next((item for item in kept if item.id == record.sample_id), next(iter(kept), None))
    if kept_sample is None:
        return None
    run = _fields(kept_sample, Library(file.path.parent, given_root=base_dir))
    today = run if sample is None else _fields(sample, Library(sample.folder))
    names = dict.fromkeys((*run, *today))
    compared = (RunField(name, *(_shown(state, name) for state in (run, today))) for name in names)
    return AsRun(file.path, tuple(compared), sample is not None, EXPECTED)


def _fields(sample: Sample, library: Library) -> Table:
    """Return the values of a sample that are compared, in the names of today, with its files by what is in them."""
    compared = {
        key: value
        for key, value in todays(sample.data, DIALECTS["agentv"]).items()
        if key not in (*_UNCOMPARED, *ASSERTIONS)
    }
    fields: Table = {key: _with_files(value, library) for key, value in compared.items()}
    if isinstance(files := compared.get("input_files"), list):
        fields["input_files"] = [_file(file, library) if isinstance(file, str) else file for file in files]
    if isinstance(named := fields.get("vars"), dict):
        fields["vars"] = {key: _named_file(value, library) for key, value in named.items()}
    listed = list(_assertions(_gathered(assertions(sample))))
    from_rubrics = _assertions([{"type": "rubrics", "criteria": fields.pop("rubrics", None)}])
    fields["assertions"] = [*(item for item in from_rubrics if item["rubrics"] and item not in listed), *listed]
    return {key: _trimmed(value) for key, value in fields.items() if value not in (None, [], {})}


def _gathered(listed: Sequence[Plain]) -> Iterator[Plain]:
    """Yield the assertions, with mere texts as one of rubrics in the place of the first, as AgentV has them."""
    texts: list[Plain] = [item for item in listed if isinstance(item, str)]
    first = next((index for index, item in enumerate(listed) if isinstance(item, str)), None)
    for index, item in enumerate(listed):
        if index == first:
            yield {"type": "rubrics", "criteria": texts}
        elif not isinstance(item, str):
            yield item


def _assertions(listed: Iterable[Plain]) -> Iterator[Table]:
    for entry in listed:
        if not isinstance(entry, dict):
            continue
        if entry.get("type") == "rubrics":
            entry = {"type": "llm-grader", "rubrics": entry.get("criteria", entry.get("rubrics"))}
        assertion: Table = {key: value for key, value in entry.items() if key not in _GIVEN_BY_AGENTV}
        if assertion.get("negate") is False:  # AgentV leaves out what is its default
            del assertion["negate"]
        if isinstance(rubrics := assertion.get("rubrics"), list):
            assertion["rubrics"] = [_rubric(number, item) for number, item in enumerate(rubrics, 1)]
        if isinstance(needed := assertion.get("required"), float):
            assertion = {"min_score": needed, **assertion}
        if assertion.get("prompt") == _NO_PROMPT:
            del assertion["prompt"]
        yield dict(sorted(assertion.items()))


def _rubric(number: int, item: Plain) -> Plain:
    if isinstance(item, str):
        item = {"outcome": item}
    rubric: Table = {"id": f"rubric-{number}", "weight": 1, "required": True}
    return dict(sorted({**rubric, **item}.items())) if isinstance(item, dict) else item


def _with_files(value: Plain, library: Library) -> Plain:
    if isinstance(value, list):
        return [_with_files(item, library) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") in ("file", "image") and isinstance(written := value.get("value"), str):
        return {**value, "value": _file(written, library)}
    return {key: _with_files(item, library) for key, item in value.items()}


def _file(written: str, library: Library) -> Plain:
    """Return the name of a file with its text: where it is makes no difference."""
    file = library.read(written)
    return {"file": written.rpartition("/")[2], "text": file.text}


def _named_file(value: Plain, library: Library) -> Plain:
    """Return a file named by a path in `vars`, which AgentV rewrites in its copy, with its text."""
    if not isinstance(value, str) or "/" not in value or library.read(value).text is None:
        return value
    return _file(value, library)


def _trimmed(value: Plain) -> Plain:
    """Return a value without white space at the ends of texts: AgentV writes its copy in other blocks."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return [_trimmed(item) for item in value]
    return {key: _trimmed(item) for key, item in value.items()} if isinstance(value, dict) else value


def _shown(state: Table, name: str) -> str | None:
    value = state.get(name)
    if name not in state or isinstance(value, str):
        return value if isinstance(value, str) else None
    return json.dumps(_counted(value), indent=2, ensure_ascii=False, default=str)


def _counted(value: Plain) -> Plain:
    """Return a value with its whole numbers as JavaScript has them: 1.0 is 1, and large ones are rounded."""
    if isinstance(value, list):
        return [_counted(item) for item in value]
    if isinstance(value, dict):
        return {key: _counted(item) for key, item in value.items()}
    number = fields.number(value)
    return int(number) if number is not None and number.is_integer() else value
