"""What a sample gives its graders besides the context: criteria, rubrics, evaluators, settings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.prompt.library import Library
from sampleui.prompt.render import Rendered
from sampleui.prompt.templates import fill
from sampleui.sample.model import Sample
from sampleui.sample.parse import json_text

_KEYS = (
    *("expected_outcome", "criteria", "outcome", "rubrics", "evaluators", "evaluator", "assertions", "assert"),
    "expectations",
    *("execution", "eval_config", "score"),
)
_BESIDE = ("evaluators", "assertions", "execution", "defaultTest")


def grading_fields(sample: Sample) -> Table:
    """Return the fields of a sample that its graders go by, and those of its file, which are named as such."""
    of_sample: Table = {key: sample.data[key] for key in _KEYS if key in sample.data}
    return of_sample | {f"{key} of the file": sample.context[key] for key in _BESIDE if key in sample.context}


def grader_prompts(sample: Sample, rendered: Rendered) -> Iterator[tuple[str, str]]:
    """Yield the name of each grader with a prompt of its own, and that prompt as far as it is known before a run.

    What the candidate answers stays as the variable that it is written as, and so does what a sample lacks. Of a
    prompt that names a file it is the text of that, read as attached files are; else why it cannot be read.
    """
    outcome = next((sample.data[key] for key in _OUTCOMES if key in sample.data), None)
    expected = _text(rendered.grading_context.get("expected"))
    known: dict[str, Plain] = {
        **dict.fromkeys(("question", "input"), rendered.question),
        **dict.fromkeys(_OUTCOMES, outcome),
        **dict.fromkeys(("reference_answer", "expected_output"), expected),
        "rubrics": sample.data.get("rubrics"),
    }
    variables: Table = {name: value for name, value in known.items() if value not in (None, "")}
    for number, grader in enumerate(_graders(sample), start=1):
        prompt = grader.get("prompt")
        if isinstance(prompt, str) and prompt.strip():
            filled, _ = fill(_read(prompt.strip(), sample) or prompt, variables, json_text)
            yield str(grader.get("name") or grader.get("metric") or grader.get("type") or f"#{number}"), filled


_OUTCOMES = ("criteria", "expected_outcome", "outcome")
_FILE = re.compile(r"file://(?P<marked>.+)|(?P<bare>[^\s{}]+\.\w+)")
"""A prompt that is the path of a file: behind `file://`, or one word with an extension."""


def _read(prompt: str, sample: Sample) -> str:
    """Return the text of the file that a prompt names, or why it cannot be read; empty if it names none."""
    named = _FILE.fullmatch(prompt)
    if named is None:
        return ""
    file = Library(sample.folder).read(named["marked"] or named["bare"])
    why = file.problem.reason if file.problem else "is empty"
    return file.text or f"{file.written} {why}"


def _graders(sample: Sample) -> Iterator[Table]:
    for data in (sample.data, sample.context):
        execution = data.get("execution")
        for table in (data, as_table(execution)):
            for key in ("evaluators", "assertions", "assert"):
                listed = table.get(key)
                yield from tables_in(listed)


def _text(expected: Plain) -> str:
    """Return an expected answer as text: of messages, what the last one says."""
    if isinstance(expected, list) and expected and isinstance(expected[-1], dict):
        expected = expected[-1].get("content")
    if isinstance(expected, str):
        return expected
    return "" if expected is None else json_text(expected)
