"""Agent Skills: the evals of a skill (`evals/evals.json`), and the queries that should trigger it or not.

Source: "Evaluating skill output quality" and "Optimizing descriptions" of agentskills.io, the schemas of
skill-creator (anthropics/skills), and evals of public repositories: `expectations` and `assertions` are in use, as
texts and as tables, and other tools add keys of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.integrations.integration import Spellings
from sampleui.sample.dialects.dialect import Conversion, Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import Edited, Field, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

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
    purpose="prompts, and what must be true of the outputs",
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
    beside={"skill_name": Field("text", purpose="The name of the skill")},
    rules=("id-missing", "skill-prompt", "skill-files", "skill-expectations"),
    conversion=Conversion(text_only=True, own=keys("files")),
)

TRIGGERS = Dialect(
    name="skill-triggers",
    title="queries that trigger a skill",
    purpose="queries, and whether they should trigger a skill",
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


DIALECTS = Spellings((SKILLS, TRIGGERS))
