"""The rules of gage-eval samples (gage-eval standardized sample, §1.2 to §1.5).

What a type can express is checked by `shape`; what a type cannot express has a rule here. An older record is
checked as the sample it maps to; findings point to what the file has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.integrations.integration import Checks

if TYPE_CHECKING:
    from sampleui.sample.models.base import Shapes


import re
from collections.abc import Iterator, Mapping, Sequence

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, shown
from sampleui.integrations.gage.labels import options_of, stands_for
from sampleui.sample.message import reference_text
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import TYPES
from sampleui.sample.parse import dialect_of, json_text, read
from sampleui.sample.rules.every_dialect import Rule, cure, existing_part
from sampleui.text.diagnostic import Finding, Severity

TASK_TYPES = (
    "multiple-choice",
    "short-answer",
    "dialogue",
    "audio-translation",
    "image-qa",
    "video-qa",
    "doc-qa",
    "text-to-image",
    "image-to-image",
    "text-to-audio",
    "text-to-video",
    "code-generation",
    "agent",
)
_CHOICE = "multiple-choice"
_ANSWERED = frozenset(
    {_CHOICE, "short-answer", "audio-translation", "image-qa", "video-qa", "doc-qa", "code-generation"}
)
"""The tasks whose answer is compared with a reference; a dialogue, an agent, a picture may be judged otherwise."""

TOOL_CHOICES = ("auto", "none", "required")

_LARGE = ("predict_result", "eval_result", "raw_assets", "sandbox")
_DEPRECATED = ("model_prompt_tmpl", "model_prompt_placeholder")
_NOT_RELATIVE = re.compile(r"[/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)|\Z", re.DOTALL)


def label_mismatch(sample: Sample) -> Iterator[Finding]:
    """A label stands neither for the first reference nor for a medium of the sample (§1.3.3)."""
    for path, item in _items(read(sample)):
        label, references = item.get("label"), as_list(item.get("references"))
        wanted = reference_text(references[0]) if references else None
        if isinstance(label, str) and wanted is not None and not stands_for(label, item):
            message = f'label "{_brief(label)}" is not the first reference, "{_brief(wanted)}"'
            yield Finding("label-mismatch", Severity.WARNING, message, existing_part(sample, (*path, "label")))


def few_shot_nested(sample: Sample) -> Iterator[Finding]:
    """A few-shot item holds few-shot items of its own (§1.3.4)."""
    for index, item in _few_shots(sample.data):
        if "few_shot_examples" in item:
            node = ("few_shot_examples", index, "few_shot_examples")
            yield Finding("few-shot-nested", Severity.ERROR, "Few-shot examples cannot be nested", node)


def few_shot_field(sample: Sample) -> Iterator[Finding]:
    """A few-shot item carries a runtime or large field (§1.3.4)."""
    for index, item in _few_shots(sample.data):
        for key in _LARGE:
            if key in item:
                node = ("few_shot_examples", index, key)
                yield Finding("few-shot-field", Severity.ERROR, f"A few-shot example cannot carry {key}", node)


def tool_choice(sample: Sample) -> Iterator[Finding]:
    """The tool choice is not one of OpenAI's words, or names a function that is not defined (§1.3.8)."""
    yield from _tool_choice(sample.data, (), ())
    for index, item in _few_shots(sample.data):
        yield from _tool_choice(item, ("few_shot_examples", index), as_list(sample.data.get("tools")))


def options_missing(sample: Sample) -> Iterator[Finding]:
    """There is nothing to choose between in a multiple choice (§1.3.2, §1.3.3)."""
    data = read(sample)
    if _task(data) == _CHOICE and not data.get("options"):
        message = f"The task {_CHOICE} needs options to choose between"
        yield Finding("options-missing", Severity.WARNING, message, existing_part(sample, ("options",)))


def option_map(sample: Sample) -> Iterator[Finding]:
    """The map of the options under `metadata` says something else than the options (§1.5)."""
    data = read(sample)
    metadata = data.get("metadata")
    option_map = metadata.get("option_map") if isinstance(metadata, dict) else None
    options = dict(options_of(data))
    if option_map is None or not options:
        return
    node: DataPath = ("metadata", "option_map")
    if not isinstance(option_map, dict):
        yield Finding(
            "option-map", Severity.WARNING, "metadata.option_map must be a table", existing_part(sample, node)
        )
        return
    for name in dict.fromkeys((*option_map, *options)):
        message = _of_map(name, option_map, options)
        if message:
            yield Finding("option-map", Severity.WARNING, message, existing_part(sample, (*node, name)))


def call_unnamed(sample: Sample) -> Iterator[Finding]:
    """A tool call has no function, and so no name of what is called (§1.3.5: messages as OpenAI has them)."""
    for path, message in _spoken(sample):
        for index, call in enumerate(as_list(message.get("tool_calls"))):
            if isinstance(call, dict) and not _function_name(call):
                node = existing_part(sample, (*path, "tool_calls", index))
                unnamed = "This call has no function.name: nothing says what is called"
                yield Finding("call-unnamed", Severity.WARNING, unnamed, node)


def tool_unnamed(sample: Sample) -> Iterator[Finding]:
    """A function tool has no function, and so no name to call it by (§1.3.8)."""
    for path, item in _items(sample.data):
        for index, tool in enumerate(as_list(item.get("tools"))):
            if isinstance(tool, dict) and tool.get("type") == "function" and tool.get("function") is None:
                node = (*path, "tools", index)
                yield Finding(
                    "tool-unnamed", Severity.WARNING, "This tool has no function.name to call it by", node
                )


def option_duplicate(sample: Sample) -> Iterator[Finding]:
    """Two options have one id, so that an answer may mean either (§1.3.3)."""
    for path, item in _items(read(sample)):
        first: dict[str, int] = {}
        for index, option in enumerate(as_list(item.get("options"))):
            name = option.get("id") if isinstance(option, dict) else None
            if isinstance(name, str) and first.setdefault(name, index) != index:
                message = f'The id "{_brief(name)}" is already that of option {first[name] + 1}'
                node = existing_part(sample, (*path, "options", index, "id"))
                yield Finding("option-duplicate", Severity.WARNING, message, node)


def answer_no_option(sample: Sample) -> Iterator[Finding]:
    """A reference is neither the id nor the text of an option (§1.3.3), in a task that is graded by its answer."""
    data = read(sample)
    if _task(data) not in (None, *_ANSWERED):
        return
    for path, item in _items(data):
        known = {text.strip() for option in options_of(item) for text in option}
        for index, reference in enumerate(as_list(item.get("references")) if known else ()):
            text = reference_text(reference)
            if text is not None and text not in known:
                node = existing_part(sample, (*path, "references", index))
                message = f'The answer "{_brief(text)}" is not one of the options'
                yield Finding("answer-no-option", Severity.WARNING, message, node)


def references_empty(sample: Sample) -> Iterator[Finding]:
    """There is no answer to compare with, and the task is of those that are graded by one (§1.3.2, §1.3.3)."""
    data = read(sample)
    references, task = data.get("references"), _task(data)
    needed = task in _ANSWERED or (task is None and bool(data.get("options")))
    if needed and isinstance(references, list) and not any(map(reference_text, references)):
        what = f"The task {task}" if task in _ANSWERED else "A choice between options"
        message = f"{what} needs an answer in references"
        yield Finding("references-empty", Severity.WARNING, message, existing_part(sample, ("references",)))


def sandbox_path(sample: Sample) -> Iterator[Finding]:
    """A target of `sandbox.files` is not a path below the sandbox (§1.3.6)."""
    sandbox = sample.data.get("sandbox")
    files = sandbox.get("files") if isinstance(sandbox, dict) else None
    for name in as_table(files):
        if _NOT_RELATIVE.match(name):
            message = f'sandbox.files: "{name}" must be a relative path'
            yield Finding("sandbox-path", Severity.ERROR, message, ("sandbox", "files", name))


def question_type(sample: Sample) -> Iterator[Finding]:
    """The task type is under its older name (§1.3.2)."""
    if "question_type" in sample.data:
        message = f"question_type is now task_type; {cure(dialect_of(sample))} renames it"
        yield Finding("question-type", Severity.HINT, message, ("question_type",))


def prompt_deprecated(sample: Sample) -> Iterator[Finding]:
    """The sample has one of the prompt fields that §1.1 deprecates."""
    for key in _DEPRECATED:
        if key in sample.data:
            message = f"{key} is deprecated; use messages; {cure(dialect_of(sample))} puts it under metadata"
            yield Finding("prompt-deprecated", Severity.WARNING, message, (key,))


def task_type_unknown(sample: Sample) -> Iterator[Finding]:
    """The task type is not one of those that §1.3.2 suggests."""
    value = sample.data.get("task_type")
    if isinstance(value, str) and value not in TASK_TYPES:
        yield Finding("task-type-unknown", Severity.HINT, f'Unknown task_type "{value}"', ("task_type",))


def _of_map(name: str, option_map: Table, options: dict[str, str]) -> str:
    """Return what is wrong with one entry of the map of the options; nothing if it is right."""
    if name not in option_map:
        return f'metadata.option_map lacks the option "{_brief(name)}"'
    if name not in options:
        return f'metadata.option_map has "{_brief(name)}", which is no option'
    meaning, text = option_map[name], options[name]
    if isinstance(meaning, str) and meaning.strip() == text.strip():
        return ""
    return f'metadata.option_map has {shown((name,))} as {_value(meaning)}, and the option is "{_brief(text)}"'


def _value(value: Plain) -> str:
    return f'"{_brief(value)}"' if isinstance(value, str) else _brief(json_text(value))


def _spoken(sample: Sample) -> Iterator[tuple[DataPath, Table]]:
    """Yield the messages of a sample, of its examples and of its trajectories, with their places."""
    data = read(sample)
    lists: list[tuple[DataPath, Plain]] = [
        *(((*path, "messages"), item.get("messages")) for path, item in _items(data)),
        *(
            (("golden_trajectories", index), trajectory)
            for index, trajectory in enumerate(as_list(data.get("golden_trajectories")))
        ),
    ]
    for path, messages in lists:
        for index, message in enumerate(as_list(messages)):
            if isinstance(message, dict):
                yield (*path, index), message


def _tool_choice(item: Table, path: DataPath, others: Sequence[Plain]) -> Iterator[Finding]:
    choice, node = item.get("tool_choice"), (*path, "tool_choice")
    if isinstance(choice, str) and choice not in TOOL_CHOICES:
        yield Finding("tool-choice", Severity.WARNING, "tool_choice is auto, none, required or a function", node)
    if choice == "required" and not (as_list(item.get("tools")) or others):
        yield Finding("tool-choice", Severity.WARNING, "tool_choice is required, and there are no tools", node)
    if isinstance(choice, dict) and choice.get("type") == "function" and not _function_name(choice):
        yield Finding("tool-choice", Severity.WARNING, "tool_choice has no function.name: it names no tool", node)
    elif isinstance(choice, dict):
        name, names = _function_name(choice), map(_function_name, (*as_list(item.get("tools")), *others))
        if name is not None and name not in names:
            message = f'tool_choice names "{name}", which is not in tools'
            yield Finding("tool-choice", Severity.WARNING, message, node)


def _few_shots(data: Table) -> Iterator[tuple[int, Table]]:
    for index, item in enumerate(as_list(data.get("few_shot_examples"))):
        if isinstance(item, dict):
            yield index, item


def _items(data: Table) -> Iterator[tuple[DataPath, Table]]:
    """Yield a sample and its few-shot examples, with their places."""
    yield (), data
    yield from ((("few_shot_examples", index), item) for index, item in _few_shots(data))


def _task(data: Table) -> str | None:
    """Return the type of a task, None if there is none; "" for what is not a text, which `shape` reports."""
    value = data.get("task_type")
    return value if value is None or isinstance(value, str) else ""


def _function_name(tool: Plain) -> str | None:
    function = tool.get("function") if isinstance(tool, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else None


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


RULES: Mapping[str, Rule] = {
    "label-mismatch": label_mismatch,
    "few-shot-nested": few_shot_nested,
    "few-shot-field": few_shot_field,
    "tool-choice": tool_choice,
    "tool-unnamed": tool_unnamed,
    "options-missing": options_missing,
    "option-map": option_map,
    "call-unnamed": call_unnamed,
    "option-duplicate": option_duplicate,
    "answer-no-option": answer_no_option,
    "references-empty": references_empty,
    "sandbox-path": sandbox_path,
    "question-type": question_type,
    "prompt-deprecated": prompt_deprecated,
    "task-type-unknown": task_type_unknown,
}

PLAIN = {"references": TYPES["texts"].test}
"""Fields whose types a plain test tells."""


def _shapes() -> Shapes:
    from sampleui.integrations.gage.shapes import SHAPES

    return SHAPES


CHECKS = Checks(RULES, PLAIN, _shapes)
