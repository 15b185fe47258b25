"""What an agent is given for an eval of a skill: with the skill, and without it.

An agent is first told the name and the description of each skill, and reads `SKILL.md` when it decides to use it.
How a runner words the rest is its own; what is certain is the prompt, the files, and whether the skill is there.
"""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import as_list
from sampleui.integrations.integration import Attaching, Prompts
from sampleui.integrations.skills.skill import SKILL, Skill, folders_of_files, skill_of
from sampleui.prompt.library import Library
from sampleui.prompt.parts import Placed, placed_messages
from sampleui.prompt.templates import Templated
from sampleui.sample.message import Message, TextSegment
from sampleui.sample.model import Sample

WITH, WITHOUT = "with the skill", "without it"


def asked(sample: Sample, _: Library) -> Sequence[Templated]:
    """Return the prompt of an eval with the skill and without it; none where there is no skill, or no prompt."""
    messages = placed_messages(sample)
    skill = skill_of(sample.path) if messages and "query" not in sample.data else None
    if skill is None:
        return ()
    prompt = (*messages, *_files(sample, len(messages)))
    system = Message(0, "system", (TextSegment(_told(skill)),))
    before = Placed(system, sample.messages_path, {"role": "system", "content": _told(skill)})
    return [Templated((before, *prompt), (), WITH), Templated(prompt, (), WITHOUT)]


def _told(skill: Skill) -> str:
    """Return what an agent is told of a skill before it reads it."""
    size = f"{SKILL}: {len(skill.text.encode()):,} bytes, {skill.text.count(chr(10)):,} lines, read when it is used"
    described = skill.description or skill.problem
    return f"Skill {skill.name or skill.folder.name}: {described}\n({size})"


def _files(sample: Sample, index: int) -> Sequence[Placed]:
    """Return a turn that names the files of an eval; none if it has none."""
    names = [name for name in as_list(sample.data.get("files")) if isinstance(name, str) and name]
    if not names:
        return ()
    text = "\n".join(("Files:", *(f"- {name}" for name in names)))
    return (Placed(Message(index, "user", (TextSegment(text),)), ("files",), {"role": "user", "content": text}),)


def _attaching(sample: Sample) -> Attaching | None:
    is_eval = sample.dialect == "skills"
    return Attaching(("files",), folders_of_files(sample.path)[0]) if is_eval else None


PROMPTS = Prompts(asked, attaching=_attaching)
