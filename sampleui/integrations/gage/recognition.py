"""What tells gage-eval's records from quizzes and data sets that use a few of the same keys."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Table
from sampleui.integrations.gage.dialect import GAGE
from sampleui.sample.dialects.dialect import keys

_ASKING = keys("messages question prompt text")
_OF_QUIZZES = keys("choices options label")
_KINDS = ("image", "audio", "video", "file")
_OF_OLDER = GAGE.known | {"visual", *(f"{kind}{end}" for kind in _KINDS for end in ("", "_url", "s", "_urls"))}
_OLDEST = keys("question answer")
_OWN = GAGE.weights.telling | keys("messages question_type")
_BESIDE_LABELS = keys("messages options references schema_version task_type choices")


def uncounted(sample: Table) -> frozenset[str]:
    """Return the keys of a sample that anyone's may have.

    A label alone, beside a text, is of any data set, and choices without a question are a model's. A question with
    choices is of any quiz if something is beside it that gage-eval does not know, as in the rows of MMLU and ARC.
    """
    others = frozenset[str]() if sample.keys() & _BESIDE_LABELS else keys("label")
    if sample.keys() - _OF_OLDER and not sample.keys() & _OWN:
        others |= _OF_QUIZZES
    return others if sample.keys() & _ASKING else others | keys("choices")


def claims(samples: Sequence[Table]) -> str:
    """Say that samples are a question and its answer, and nothing else (gage-eval standardized sample, §1.5).

    In a folder such a file is any data set; one that is named is known by it.
    """
    oldest = bool(samples) and all(sample.keys() == _OLDEST for sample in samples)
    return f"samples have a question and an answer alone, the oldest form of {GAGE.title}" if oldest else ""
