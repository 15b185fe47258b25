"""The rules of evals of skills and of queries that should trigger one, and what is wrong with the skill."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sampleui.formats.data import Plain, as_list
from sampleui.formats.document import Document
from sampleui.integrations.integration import Checks
from sampleui.integrations.skills.skill import missing_file, skill_of
from sampleui.integrations.skills.statements import statements
from sampleui.sample.dialects.field import keys
from sampleui.sample.model import Sample
from sampleui.sample.rules.every_dialect import Rule
from sampleui.sample.value_lines import STATEMENTS
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.wording import enumerated

MAX_DESCRIPTION = 1_024
"""Characters that the description of a skill may have."""

_MAX_QUERIES = 1_000
_NAMED = 5
_WORD = re.compile(r"\w+")
_FILLING = keys("a an the this that my me i you please pls can could would for to of in it is")
_SAY_NOTHING = keys(
    """
    a an the it its is are be very of output outputs answer result response skill looks look works work should high
    quality good great nice fine ok okay well correct right correctly properly appropriate helpful useful
    professional
    """
)
"""Words of which a statement alone consists that two graders would judge by their taste."""


def skill_id(sample: Sample) -> Iterator[Finding]:
    """An eval without an id, or with a text where skill-creator has whole numbers."""
    eval_id = sample.data.get("id")
    if eval_id is None:
        yield Finding("id-missing", Severity.ERROR, "An eval must have an id")
    elif isinstance(eval_id, str) and eval_id.strip():
        text = f'The id "{eval_id}" is a text; skill-creator has whole numbers'
        yield Finding("skill-id-text", Severity.WARNING, text, ("id",))
    elif isinstance(eval_id, float):
        yield Finding("skill-id-text", Severity.WARNING, f"The id {eval_id} is not a whole number", ("id",))


def skill_prompt(sample: Sample) -> Iterator[Finding]:
    """An empty prompt."""
    prompt = sample.data.get("prompt")
    if isinstance(prompt, str) and not prompt.strip():
        yield Finding("skill-prompt-empty", Severity.ERROR, "An eval must have a prompt", ("prompt",))


def skill_files(sample: Sample) -> Iterator[Finding]:
    """A file that is neither below the skill nor in `evals/` nor in the project."""
    for index, written in enumerate(as_list(sample.data.get("files"))):
        if isinstance(written, str) and (why := missing_file(written, sample.path)):
            yield Finding("skill-file-missing", Severity.WARNING, why, ("files", index))


def skill_expectations(sample: Sample) -> Iterator[Finding]:
    """Expectations that say nothing, an eval without any, or one with lists under both names."""
    listed = [*statements(sample.data)]
    for key, index, said in listed:
        if not said.text.strip():
            yield Finding("expectation-empty", Severity.WARNING, "This says nothing to judge by", (key, index))
        elif _SAY_NOTHING.issuperset(_WORD.findall(said.text.casefold())):
            text = f'"{said.text.strip()}" says nothing that two graders would judge alike'
            yield Finding("expectation-vague", Severity.HINT, text, (key, index))
    if not listed and "must_have" not in sample.data:
        yield Finding("expectations-none", Severity.INFO, "No expectations: the runs of this eval stay ungraded")
    if all(sample.data.get(key) for key in STATEMENTS):
        text = "expectations and assertions: skill-creator grades by expectations alone"
        yield Finding("expectations-twice", Severity.WARNING, text, ("assertions",))


def trigger_query(sample: Sample) -> Iterator[Finding]:
    """A query that says nothing, or not whether it should trigger the skill."""
    query = sample.data.get("query")
    if isinstance(query, str) and not query.strip():
        yield Finding("query-empty", Severity.ERROR, "A query must not be empty", ("query",))
    if sample.data.get("should_trigger") is None:
        yield Finding("query-untold", Severity.ERROR, "It is not said whether this should trigger the skill")


RULES: Mapping[str, Rule] = {
    "id-missing": skill_id,
    "skill-prompt": skill_prompt,
    "skill-files": skill_files,
    "skill-expectations": skill_expectations,
    "trigger-query": trigger_query,
}


def about_file(document: Document, path: Path) -> Iterator[Finding]:
    """Yield what is wrong with the skill beside evals, or how queries are spread.

    Args:
        document: the file.
        path: where it is.
    """
    context = document.context
    if "evals" in document.container or "skill_name" in context:
        yield from _about_skill(context.get("skill_name"), path)
    else:
        yield from _about_queries(document)


def _about_skill(name: Plain, path: Path) -> Iterator[Finding]:
    """Yield what is wrong with `SKILL.md`, and with the name that evals have for the skill."""
    skill, node = skill_of(path), ("skill_name",)
    if skill is None:
        if name is not None:
            yield Finding("skill-missing", Severity.INFO, "No SKILL.md is beside these evals", node)
        return
    if skill.problem:
        yield Finding("skill-invalid", Severity.WARNING, f"SKILL.md: {skill.problem}", node)
        return
    if isinstance(name, str) and skill.name and name != skill.name:
        text = f'skill_name is "{name}"; SKILL.md has the name "{skill.name}"'
        yield Finding("skill-name-differs", Severity.WARNING, text, node)
    if len(skill.description) > MAX_DESCRIPTION:
        text = (
            f"The description in SKILL.md has {len(skill.description):,} characters; "
            f"it may have {MAX_DESCRIPTION:,}"
        )
        yield Finding("skill-description-long", Severity.WARNING, text, node)
    if not skill.description:
        yield Finding("skill-description-missing", Severity.WARNING, "SKILL.md has no description", node)


def _about_queries(document: Document) -> Iterator[Finding]:
    """Yield how many queries should trigger the skill and how many should not, and which are nearly the same."""
    samples = [document.reading(index) or {} for index in range(min(len(document), _MAX_QUERIES))]
    should = [sample.get("should_trigger") for sample in samples]
    yes, no = should.count(True), should.count(False)
    if not yes and not no:
        return
    severity = Severity.INFO if yes and no else Severity.WARNING
    shown = f" of the first {len(samples):,}" if len(samples) < len(document) else ""
    text = f"{yes:,} {'query' if yes == 1 else 'queries'}{shown} should trigger the skill, {no:,} should not"
    yield Finding("trigger-balance", severity, text)
    alike: dict[frozenset[str], list[int]] = {}
    for number, sample in enumerate(samples, start=1):
        words = frozenset(_WORD.findall(str(sample.get("query", "")).casefold())) - _FILLING
        if words:
            alike.setdefault(words, []).append(number)
    for numbers in alike.values():
        if len(numbers) > 1:
            named = enumerated([*map(str, numbers[:_NAMED])], "and")
            more = f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else ""
            yield Finding("queries-alike", Severity.HINT, f"Queries {named}{more} say nearly the same")


CHECKS = Checks(RULES, of_file=about_file)
