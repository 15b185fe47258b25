"""Where calibrate's samples have their answer, and the edits that make another one the expected one."""

from __future__ import annotations

from sampleui.formats.data import DataPath
from sampleui.integrations.integration import Answers
from sampleui.review.samples.expectation import Setting, last_answer
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of


def expected_paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a sample may have its answer, the places that count first at the beginning."""
    key = dialect_of(sample).expected_keys[0]
    if isinstance(sample.data.get(key), str):
        return ((key,),)
    return (*last_answer(sample.data, sample.messages_path), (key, "answer"), (key,))


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    key = dialect_of(sample).expected_keys[0]
    expected = sample.data.get(key)
    answers = () if isinstance(expected, str) else last_answer(sample.data, sample.messages_path)
    if answers:
        return (Setting(answers[0], actual),)
    return (Setting((key, "answer") if isinstance(expected, dict) else (key,), actual),)


ANSWERS = Answers(expected_paths, taking)
