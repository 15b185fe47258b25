"""gage-eval: its standardized samples, the older records read as such, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations import index
from sampleui.integrations.gage.fields import FIELDS
from sampleui.integrations.integration import (
    Answers,
    Checks,
    Converting,
    Grading,
    Integration,
    Prompts,
    ReadingResults,
)
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

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.sample.models.shapes import Shapes


GAGE = Dialect(
    name="gage",
    title="gage-eval",
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


class Gage(Integration):
    """gage-eval."""

    def dialects(self) -> Sequence[Dialect]:
        return (GAGE,)

    def uncounted(self, sample: Table) -> frozenset[str]:
        """Return the keys of a sample that anyone's may have.

        A label alone, beside a text, is of any data set, and choices without a question are a model's. A question
        with choices is of any quiz if something is beside it that gage-eval does not know, as in the rows of MMLU
        and ARC.
        """
        others = frozenset[str]() if sample.keys() & _BESIDE_LABELS else keys("label")
        if sample.keys() - _OF_OLDER and not sample.keys() & _OWN:
            others |= _OF_QUIZZES
        return others if sample.keys() & _ASKING else others | keys("choices")

    def checks(self) -> Checks:
        from sampleui.integrations.gage.rules import PLAIN, RULES

        return Checks(RULES, PLAIN, _shapes)

    def updated(self, sample: Table) -> Updated | None:
        from sampleui.integrations.gage.older import updated

        return updated(sample)

    def prompts(self) -> Prompts:
        """Return the few-shot examples of a sample, and its media that are files."""
        from sampleui.integrations.gage.prompts import examples, media

        return Prompts(examples=examples, media=media)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.gage.conversion import from_references, to_references

        return Converting(from_references, to_references)

    def answers(self) -> Answers:
        from sampleui.integrations.gage.conversion import paths, taking

        return Answers(paths, taking)

    def grading(self) -> Grading:
        """Return what AgentV makes of assertions: they are spelled as AgentV's are."""
        return index.integration("agentv").grading()

    def results(self) -> ReadingResults:
        """Return the readers of its rows, and the standardized sample that a run wrote its results into."""
        from sampleui.integrations.gage import results, run_results

        return ReadingResults((run_results.ADAPTER, results.ADAPTER), repeated_sample=results.repeated_sample)


def _shapes() -> Shapes:
    from sampleui.integrations.gage.shapes import SHAPES

    return SHAPES


INTEGRATION = Gage()
