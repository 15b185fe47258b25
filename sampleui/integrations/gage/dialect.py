"""gage-eval: its standardized samples, the older records read as such, and what else is known of it."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.gage.fields import FIELDS
from sampleui.integrations.integration import Spellings
from sampleui.sample.dialects.dialect import (
    Contents,
    Conversion,
    Dialect,
    DialectMark,
    Expected,
    Older,
    Updated,
    paths,
)
from sampleui.sample.dialects.field import keys

GAGE = Dialect(
    name="gage",
    title="gage-eval",
    purpose="messages with references or options, for scoring",
    integration="gage",
    containers=((), ("samples",)),
    formats=("jsonl", "json"),
    message_paths=(("messages",),),
    # A question and its answer, and nothing else (gage-eval standardized sample, §1.5): as in any data set.
    marks=(DialectMark(paths("question answer"), only=keys("question answer"), weak=True),),
    expected=Expected(paths=paths("references label")),
    tag_paths=paths("tags metadata.tags data_tag"),
    fields=FIELDS,
    modelled=True,
    contents=Contents(segments=keys("text image_url audio_url video_url file_url")),
    options_path=("options",),
    rules=(
        *("id-missing", "label-mismatch", "few-shot-nested", "few-shot-field", "tool-choice", "tool-unnamed"),
        *("options-missing", "option-map", "call-unnamed", "option-duplicate", "answer-no-option"),
        *("references-empty", "sandbox-path", "question-type", "prompt-deprecated", "task-type-unknown"),
        "legacy-record",
    ),
    older=Older.READ,
    conversion=Conversion(
        own=keys("question prompt text choices answer question_type"),
    ),
)


_ASKING = keys("messages question prompt text")
_OF_QUIZZES = keys("choices options label")
_KINDS = ("image", "audio", "video", "file")
_OF_OLDER = GAGE.known | {"visual", *(f"{kind}{end}" for kind in _KINDS for end in ("", "_url", "s", "_urls"))}
_OWN = GAGE.telling | keys("messages question_type")
_BESIDE_LABELS = keys("messages options references schema_version task_type choices")


def _uncounted(sample: Table) -> frozenset[str]:
    """Return the keys of a sample that anyone's may have.

    A label alone, beside a text, is of any data set, and choices without a question are a model's. A question with
    choices is of any quiz if something is beside it that gage-eval does not know, as in the rows of MMLU and ARC.
    """
    others = frozenset[str]() if sample.keys() & _BESIDE_LABELS else keys("label")
    if sample.keys() - _OF_OLDER and not sample.keys() & _OWN:
        others |= _OF_QUIZZES
    return others if sample.keys() & _ASKING else others | keys("choices")


def _updated(sample: Table) -> Updated | None:
    from sampleui.integrations.gage.older import updated  # few decks have older records

    return updated(sample)


DIALECTS = Spellings((GAGE,), _uncounted, updated=_updated)
