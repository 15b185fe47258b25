"""Assertions that AgentV 4 leaves out, or that no answer passes (4.42.4, `parseGraderList`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sampleui.formats.data import DataPath, Table, as_list, as_table
from sampleui.integrations.javascript import pattern_fault
from sampleui.sample.dialects.field import keys
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import is_of_type
from sampleui.sample.rules.every_dialect import nearest
from sampleui.text.confined import is_folder, project_root
from sampleui.text.diagnostic import Finding, Severity

_LISTS = ("assertions", "assert", "evaluators")
_OF_TEXT = keys("contains icontains equals regex starts-with ends-with")
_OF_LISTS = keys("contains-any contains-all icontains-any icontains-all")
_KINDS = frozenset(
    (
        *_OF_TEXT,
        *_OF_LISTS,
        *keys(
            """
            code-grader llm-grader rubric rubrics composite tool-trajectory field-accuracy latency cost token-usage
            execution-metrics skill-trigger is-json inline-assert
            """
        ),
    )
)
_JUDGES = keys("code-judge llm-judge")
_OWN = (".agentv/assertions", ".agentv/graders")
"""Folders of programs that a project adds as types of assertions."""


def assertions_left_out(sample: Sample) -> Iterator[Finding]:
    """An assertion that AgentV 4 leaves out of a run, that no answer passes, or that does nothing where it is."""
    if sample.context.get("prompts"):
        return  # version 5, which leaves out the test
    for key in _LISTS:
        for index, item in enumerate(as_list(sample.data.get(key))):
            if isinstance(item, dict) and "include" not in item:
                yield from _wrong(item, (key, index), sample.folder)


def _wrong(item: Table, path: DataPath, folder: Path) -> Iterator[Finding]:
    written = item.get("type")
    kind = written.replace("_", "-") if isinstance(written, str) else ""
    if not kind:
        yield _left_out("it has no type", (*path, "type") if "type" in item else path)
        return
    if kind in _JUDGES:
        yield _left_out(f'"{kind}" is called "{kind.replace("judge", "grader")}" today', (*path, "type"))
    elif kind not in _KINDS:
        if not _has_own(folder):
            near = nearest(kind, _KINDS)
            hint = f'; did you mean "{near}"?' if near else ""
            yield _never(f'AgentV has no assertion "{written}"{hint}', (*path, "type"))
        return
    yield from _wrong_value(kind, item, path)
    members = next((key for key in _LISTS if isinstance(item.get(key), list)), None)
    if members is not None and kind == "composite":
        for index, member in enumerate(as_list(item[members])):
            if isinstance(member, dict):
                inner: DataPath = (*path, members, index)
                if not (isinstance(member.get("name"), str) and member["name"]):
                    yield _left_out("a member of a composite must have a name", inner)
                yield from _wrong(member, inner, folder)
    elif members is not None and any(as_table(member).get("type") for member in as_list(item[members])):
        text = f"AgentV judges nothing by assertions under one of the type {kind}, but by those of a composite"
        yield Finding("assertion-nested", Severity.WARNING, text, (*path, members))


def _wrong_value(kind: str, item: Table, path: DataPath) -> Iterator[Finding]:
    value = item.get("value")
    place: DataPath = (*path, "value") if "value" in item else path
    if kind in _OF_TEXT and not (isinstance(value, str) and value):
        yield _left_out(f"the value of {kind} must be a text", place)
    elif kind in _OF_LISTS and not (value and is_of_type("texts", value)):
        yield _left_out(f"the value of {kind} must be a list of texts", place)
    elif kind == "regex":
        flags = item.get("flags")
        if why := pattern_fault(str(value), flags if isinstance(flags, str) else ""):
            yield _never(f"JavaScript refuses it: {why}", place)
    elif kind == "is-json" and (key := next((key for key in ("schema", "value") if item.get(key)), None)):
        text = f"AgentV does not read the {key} of is-json: it asks only whether the answer is JSON"
        yield Finding("assertion-nested", Severity.WARNING, text, (*path, key))


def _has_own(folder: Path) -> bool:
    """Tell whether a project adds types of its own, in its folder or one above it."""
    root = project_root(folder)
    above = [item for item in (folder, *folder.parents) if item.is_relative_to(root)]
    return any(is_folder(item / name) for item in (*above, root) for name in _OWN)


def _left_out(why: str, path: DataPath) -> Finding:
    return Finding("assertion-left-out", Severity.WARNING, f"AgentV leaves this assertion out: {why}", path)


def _never(why: str, path: DataPath) -> Finding:
    return Finding("assertion-invalid", Severity.ERROR, f"no answer passes: {why}", path)
