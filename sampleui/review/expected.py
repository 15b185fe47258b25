"""What a sample expects to be answered: its text, where it stands, and how an actual answer takes its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup
from sampleui.review.adapters.fields import spoken, table
from sampleui.sample.model import Sample

IN_VARS: DataPath = ("vars", "expected_output")
"""Where AgentV 5 has the expected answer."""

SPOKEN_BY = frozenset({"assistant", "model", "ai"})


@dataclass(frozen=True, slots=True)
class Expectation:
    """The text to compare an answer with, and the path of the value it comes from, to edit it there."""

    text: str
    path: DataPath


@dataclass(frozen=True, slots=True)
class Setting:
    """A value to set at a path of a sample."""

    path: DataPath
    value: Plain


def expectation(sample: Sample) -> Expectation | None:
    """Return the answer a sample wants, None when it says nothing of the kind.

    calibrate: a text under `expected`, else the answer of the assistant that ends the conversation, else
    `expected`. AgentV: the last expected message or `expected_output`, also below `vars`, else what is expected in
    words. gage-eval: the first reference, else `label`.
    """
    path = next((path for path in _PATHS[sample.dialect](sample) if _said(sample.data, path)), None)
    return None if path is None else Expectation(_said(sample.data, path), path)


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an actual answer the expected one, in the shape the sample already has."""
    return _TAKING[sample.dialect](sample, actual)


def _calibrate_paths(sample: Sample) -> tuple[DataPath, ...]:
    if isinstance(sample.data.get("expected"), str):
        return (("expected",),)
    return (*_last_answer(sample.data, sample.messages_path), ("expected", "answer"), ("expected",))


def _agentv_paths(sample: Sample) -> tuple[DataPath, ...]:
    listed = (
        path for key in ("expected_messages", "expected_output") for path in _last_answer(sample.data, (key,))
    )
    words = ("expected_outcome", "criteria", "outcome")
    return (*listed, ("expected_output",), ("expected_messages",), IN_VARS, *((key,) for key in words))


def _gage_paths(sample: Sample) -> tuple[DataPath, ...]:
    first = _at(sample.data, ("references", 0))
    if not isinstance(first, dict):
        return (("references", 0), ("label",))
    segments = first.get("answer")
    if isinstance(segments, list) and len(segments) == 1 and "text" in table(segments[0]):
        return (("references", 0, "answer", 0, "text"),)
    return (("references", 0, "answer"), ("label",))


def _take_calibrate(sample: Sample, actual: str) -> tuple[Setting, ...]:
    expected = sample.data.get("expected")
    answers = () if isinstance(expected, str) else _last_answer(sample.data, sample.messages_path)
    if answers:
        return (Setting(answers[0], actual),)
    return (Setting(("expected", "answer") if isinstance(expected, dict) else ("expected",), actual),)


def _take_agentv(sample: Sample, actual: str) -> tuple[Setting, ...]:
    for key in ("expected_messages", "expected_output"):
        if answers := _last_answer(sample.data, (key,)):
            return (Setting(answers[0], actual),)
        if key in sample.data:
            return (Setting((key,), actual if key == "expected_output" else _message(actual)),)
    if _said(sample.data, IN_VARS):
        return (Setting(IN_VARS, actual),)
    if sample.messages_path == ("input_messages",):
        return (Setting(("expected_messages",), _message(actual)),)
    return (Setting(("expected_output",), actual),)


def _take_gage(sample: Sample, actual: str) -> tuple[Setting, ...]:
    path = _gage_paths(sample)[0]
    label = (Setting(("label",), actual),) if isinstance(sample.data.get("label"), str) else ()
    if _at(sample.data, ("references", 0)) is None:
        references: Plain = [{"answer": [{"type": "text", "text": actual}]}]
        return (Setting(("references",), references), *label)
    if isinstance(_at(sample.data, path), list):
        return (Setting(path, [{"type": "text", "text": actual}]), *label)
    return (Setting(path, actual), *label)


def _last_answer(data: Table, path: DataPath) -> tuple[DataPath, ...]:
    """Return the path of the content of the last message when an assistant says it, else nothing."""
    messages = _at(data, path)
    last = table(messages[-1]) if isinstance(messages, list) and messages else {}
    if last.get("role") not in SPOKEN_BY or "content" not in last:
        return ()
    assert isinstance(messages, list)
    return ((*path, len(messages) - 1, "content"),)


def _message(text: str) -> Plain:
    return [{"role": "assistant", "content": text}]


def _at(data: Table, path: DataPath) -> Plain:
    try:
        return lookup(data, path)
    except PathError:
        return None


def _said(data: Table, path: DataPath) -> str:
    return spoken(_at(data, path)) or ""


_PATHS: Mapping[str, Callable[[Sample], tuple[DataPath, ...]]] = {
    "calibrate": _calibrate_paths,
    "agentv": _agentv_paths,
    "gage": _gage_paths,
}
_TAKING: Mapping[str, Callable[[Sample, str], tuple[Setting, ...]]] = {
    "calibrate": _take_calibrate,
    "agentv": _take_agentv,
    "gage": _take_gage,
}
