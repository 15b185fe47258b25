"""The rules of AgentV samples, and values that are right at first sight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.formats.data import DataPath, Plain, as_list, as_table
from sampleui.formats.document import Document
from sampleui.formats.registry import TREES
from sampleui.integrations.agentv.assertions import assertions_left_out
from sampleui.integrations.agentv.left_out import left_out
from sampleui.integrations.agentv.refused_5 import as_read, refused_file, refused_test
from sampleui.integrations.integration import Checks
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import TYPES, ValueTest, are_turns
from sampleui.sample.parse import value_at
from sampleui.sample.rules.every_dialect import Rule
from sampleui.text.diagnostic import Finding, Severity

if TYPE_CHECKING:
    from sampleui.sample.fields import Starts
    from sampleui.sample.models.base import Shapes

_DEPENDS_ON = "depends_on"


def expected_messages_multiple(sample: Sample) -> Iterator[Finding]:
    """Several expected messages, of which AgentV compares the first. With tool calls they are a whole run."""
    messages = sample.data.get("expected_messages")
    if not isinstance(messages, list) or len(messages) < 2:
        return
    if any(isinstance(message, dict) and message.get("tool_calls") for message in messages):
        return
    text = f"{len(messages)} expected messages; AgentV compares the answer with the first"
    yield Finding("expected-messages-multiple", Severity.WARNING, text, ("expected_messages",))


def tool_turn(sample: Sample) -> Iterator[Finding]:
    """A turn of a tool in the conversation, which AgentV's runs send and its own check refuses."""
    messages = value_at(sample.data, sample.messages_path)
    for index, message in enumerate(as_list(messages)):
        if isinstance(message, dict) and message.get("role") == "tool":
            text = "`agentv validate` refuses turns of a tool; the runs of AgentV take them"
            yield Finding("tool-turn", Severity.INFO, text, (*sample.messages_path, index, "role"))
            return


def wrong_in_file(document: Document, path: Path) -> Iterator[Finding]:
    """Yield what is wrong with a file: what version 5 refuses beside its tests, and why none would run.

    None would where one waits for a missing one, or they wait for each other (`validateDependencyGraph`). A missing
    test is told only where all tests stand in the file itself.
    """
    if document.context.get("prompts"):
        yield from refused_file(document.context, document.container, path.parent)
    if not any(_DEPENDS_ON in piece for piece in document.pieces):
        return
    tests = [as_table(document.reading(index)) for index in range(len(document))]
    ids = {str(test["id"]): index for index, test in enumerate(tests) if "id" in test}
    waiting = {
        name: [item for item in as_list(tests[index].get(_DEPENDS_ON)) if isinstance(item, str)]
        for name, index in ids.items()
    }
    is_whole = len(ids) == len(tests) and not document.refers and "scenarios" not in document.context
    for name, others in waiting.items():
        for other in others if is_whole else ():
            if other not in ids:
                yield _runs_none(document, ids[name], f"{name} depends on {other}, and no test has that id")
    try:
        TopologicalSorter(waiting).prepare()
    except CycleError as error:
        cycle = [*reversed(error.args[1])]
        yield _runs_none(document, ids[cycle[0]], " depends on ".join(cycle))


def _runs_none(document: Document, index: int, why: str) -> Finding:
    key = index if (name := document.name(index)) is None else name
    path: DataPath = (*document.container, key, _DEPENDS_ON) if document.format in TREES else ()
    return Finding("tests-wait", Severity.ERROR, f"AgentV runs none of the tests: {why}", path)


RULES: Mapping[str, Rule] = {
    "test-left-out": left_out,
    "assertion-left-out": assertions_left_out,
    "file-refused": refused_test,
    "expected-messages-multiple": expected_messages_multiple,
    "tool-turn": tool_turn,
}


def _are_answers(value: Plain) -> bool:
    return are_turns(value) and all(item["content"] for item in value)


def _are_variables(value: Plain) -> bool:
    value_input = value.get("input", "x") if isinstance(value, dict) else None
    return TYPES["name"].test(value_input) or (_are_answers(value_input) and value_input != [])


PLAIN: Mapping[str, ValueTest] = {
    "conversation": lambda value: TYPES["name"].test(value) or are_turns(value),
    "answers": _are_answers,
    "variables": _are_variables,
}
"""Tests of values that are right at first sight, for words of the table of fields."""


def _starts() -> Starts:
    from sampleui.integrations.agentv.shapes import STARTS

    return STARTS


def _shapes() -> Shapes:
    from sampleui.integrations.agentv.shapes import SHAPES

    return SHAPES


CHECKS = Checks(RULES, PLAIN, _shapes, skeletons=_starts, of_file=wrong_in_file, as_read=as_read)
