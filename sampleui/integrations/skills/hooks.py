"""Agent Skills: the evals of a skill (`evals/evals.json`), and the queries that should trigger it or not.

Source: "Evaluating skill output quality" and "Optimizing descriptions" of agentskills.io, the schemas of
skill-creator (anthropics/skills), and evals of public repositories: `expectations` and `assertions` are in use, as
texts and as tables, and other tools add keys of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import (
    Attaching,
    Checks,
    Converting,
    Grading,
    Integration,
    Prompts,
    ReadingResults,
    RunFiles,
)
from sampleui.integrations.skills.conversion import fields, read, write
from sampleui.integrations.skills.feedback import HANDS_BACK
from sampleui.integrations.skills.layout import described, is_run_folder
from sampleui.integrations.skills.prompts import asked
from sampleui.integrations.skills.results import ADAPTER, hydrated, recorded_outcomes
from sampleui.integrations.skills.rules import RULES, about_file
from sampleui.integrations.skills.skill import folders_of_files
from sampleui.integrations.skills.workspace import Runs
from sampleui.sample.dialects.dialect import Conversion, Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import Edited, Field, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.review.results.sources import ResultSource
    from sampleui.sample.model import Sample

_FIELDS: Mapping[str, Field] = {
    "id": Field("number|text", purpose="The number of the eval; some tools write a text"),
    "prompt": Field("text", required=True, purpose="What a user asks"),
    "expected_output": Field("text", purpose="What a good result is, in words; no text to be equal to"),
    "files": Field(
        "texts",
        edited=Edited.LINE,
        purpose="Files that the user gives, by paths from the skill, evals/ or the project",
    ),
    "expectations": Field("list", edited=Edited.LINE, purpose="What must be true of the outputs, a statement each"),
    "assertions": Field("list", edited=Edited.LINE, purpose="What must be true of the outputs, by its other name"),
    "name": Field("text", purpose="A name that tools put beside the number"),
    "eval_name": Field("text", purpose="A name that tools put beside the number"),
    "category": Field("text", purpose="Labels"),
    "should_trigger": Field("truth", purpose="Whether the skill should be used for it"),
    "must_have": Field("list", edited=Edited.LINE, purpose="Patterns that other tools look for in the outputs"),
    "must_not_have": Field("list", edited=Edited.LINE, purpose="Patterns that other tools miss in good outputs"),
    "focus": Field("list", edited=Edited.LINE, purpose="What other tools say that an eval is about"),
    "notes": Field("any", purpose="Remarks of people"),
    "manual_review_expected": Field("any", purpose="Whether other tools leave an eval to people"),
}
_ANOTHERS = USUAL_KEYS | RAN | keys("input vars query conversations metadata")
SKILLS = Dialect(
    name="skills",
    title="Agent Skills",
    integration="skills",
    containers=paths("evals"),
    formats=("json",),
    message_paths=paths("prompt input"),
    expected=Expected(paths=paths("expected_output"), criteria=("expected_output",)),
    tag_paths=paths("category tags"),
    marks=(
        DialectMark(paths("prompt"), _ANOTHERS, under=paths("evals"), beside=keys("skill_name")),
        DialectMark(paths("prompt"), _ANOTHERS, under=paths("evals")),
        DialectMark(paths("input"), _ANOTHERS - keys("input"), under=paths("evals"), beside=keys("skill_name")),
        DialectMark((), beside=keys("skill_name evals")),
    ),
    turns=Turns(shorthand=True, text_path=("prompt",)),
    elsewhere=True,
    begins={"id": 1, "expected_output": "", "expectations": [""]},
    metadata="",
    fields=_FIELDS,
    rules=("id-missing", "skill-prompt", "skill-files", "skill-expectations"),
    conversion=Conversion(text_only=True, own=keys("files")),
)

TRIGGERS = Dialect(
    name="skill-triggers",
    title="queries that trigger a skill",
    integration="skills",
    containers=((), *paths("evals")),
    formats=("json",),
    message_paths=paths("query"),
    marks=(DialectMark(paths("query should_trigger"), USUAL_KEYS | RAN, truths=paths("should_trigger")),),
    turns=Turns(shorthand=True, text_path=("query",)),
    begins={"should_trigger": True},
    id_paths=(),
    metadata="",
    fields={
        "query": Field("text", required=True, purpose="What a user asks"),
        "should_trigger": Field("truth", purpose="Whether the skill should be used for it"),
    },
    rules=("trigger-query",),
    conversion=Conversion(text_only=True, own=keys("should_trigger")),
)


class Skills(Integration):
    """Agent Skills."""

    def dialects(self) -> Sequence[Dialect]:
        return (SKILLS, TRIGGERS)

    def checks(self) -> Checks:
        """Return the rules of evals and of queries, and what is wrong beside them with the skill."""
        return Checks(RULES, of_file=about_file)

    def prompts(self) -> Prompts:
        """Return what an agent is given for an eval: with the skill, and without it."""
        return Prompts(asked, attaching=_attaching)

    def results(self) -> ReadingResults:
        """Return the reader of runs, of their folders and of `benchmark.json`."""
        return ReadingResults(
            (ADAPTER,), open_folder=_opened, describe_folder=_described, hands_back=lambda: HANDS_BACK
        )

    def grading(self) -> Grading:
        """Return which statements of an eval held in a run; nothing is judged again."""
        return Grading(recorded_outcomes=recorded_outcomes)

    def run_files(self) -> RunFiles:
        """Return how the outputs and the transcript of a run are read."""
        return RunFiles(hydrate=hydrated)

    def conversion(self, dialect: Dialect) -> Converting:
        """Return how statements and what describes success are written elsewhere; queries are said by the table."""
        return Converting(read, write, convert_fields=fields) if dialect is SKILLS else Converting()


def _opened(folder: Path) -> ResultSource | None:
    return Runs(folder) if is_run_folder(folder) else None


def _described(folder: Path) -> str:
    return described(folder)


def _attaching(sample: Sample) -> Attaching | None:
    listed = sample.dialect == SKILLS.name
    return Attaching(("files",), folders_of_files(sample.path)[0]) if listed else None


INTEGRATION = Skills()
