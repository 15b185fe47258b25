"""The rules that hold in every dialect (sample format migration, "Sample Validation").

In that document the first violation throws; here each is an error at its place, while rendering goes on with the
messages that are valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TypeAlias

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, shown
from sampleui.sample.argument_types import misfits, type_of
from sampleui.sample.dialects.dialect import Dialect, Older
from sampleui.sample.dialects.older import updated
from sampleui.sample.message import MEDIA_TYPES, TextSegment, segment
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of, is_row, own_id, place_of, value_at
from sampleui.sample.tool_calls import answered_call, arguments_in, calls_in, tools_of, unpaired
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.wording import enumerated

Rule: TypeAlias = Callable[[Sample], Iterator[Finding]]

_CLOSE_ENOUGH = 0.8
_RENDERED = ("text", "file", *MEDIA_TYPES)
"""The types of segments that are rendered in any dialect, in the order to name them in."""


def existing_part(sample: Sample, path: DataPath) -> DataPath:
    """Return the longest part of a path that the sample's data has, so that a missing key points at its parent."""
    node: Plain = sample.data
    for depth, step in enumerate(path):
        if isinstance(node, dict) and isinstance(step, str) and step in node:
            node = node[step]
        elif isinstance(node, list) and isinstance(step, int) and 0 <= step < len(node):
            node = node[step]
        else:
            return path[:depth]
    return path


def in_message(sample: Sample, index: int, *rest: str | int) -> DataPath:
    """Return the path of a value of a message, as far as the file has it."""
    return existing_part(sample, place_of(sample, index, *rest))


def may_be_supplied(sample: Sample) -> bool:
    """Tell whether something beside the samples may supply the messages that a sample lacks."""
    return any(key in sample.context for key in dialect_of(sample).context_messages)


def messages_missing(sample: Sample) -> Iterator[Finding]:
    """The sample has no list of messages, and nothing beside the samples may supply them."""
    value = value_at(sample.data, sample.messages_path)
    none_needed = dialect_of(sample).elsewhere and (value is None or isinstance(value, str))
    elsewhere = _variable(sample) or none_needed or (value is None and may_be_supplied(sample))
    if not (isinstance(value, list) or elsewhere or conversation(sample)):
        node = () if value is None else existing_part(sample, sample.messages_path)
        yield Finding("messages-missing", Severity.ERROR, "Sample must have messages array", node)


def messages_empty(sample: Sample) -> Iterator[Finding]:
    """The list of messages has no items."""
    if value_at(sample.data, sample.messages_path) == [] and not _variable(sample):
        yield Finding("messages-empty", Severity.ERROR, "Messages array cannot be empty", sample.messages_path)


def role_missing(sample: Sample) -> Iterator[Finding]:
    """A message has no role; any text is a role."""
    for index, message in enumerate(_judged(sample)):
        role = message.get("role") if isinstance(message, dict) else None
        if not (isinstance(role, str) and role):
            node = in_message(sample, index, "role")
            yield Finding("role-missing", Severity.ERROR, "Each message must have a role string", node)


def content_missing(sample: Sample) -> Iterator[Finding]:
    """A message has no content. One with tool calls may go without; a list of segments is content, if any says more
    than an empty text.
    """
    dialect = dialect_of(sample)
    kinds = str | list | dict if dialect.contents.tables else str | list
    for index, message in enumerate(_judged(sample)):
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        missing = content is None or (isinstance(content, kinds) and (not content or _is_silent(content)))
        calls = any(message.get(key) for key in dialect.contents.call_keys)
        if not isinstance(content, kinds | None) or (missing and not calls):
            node = in_message(sample, index, "content")
            yield Finding("content-missing", Severity.ERROR, "Each message must have a content string", node)


def _is_silent(content: Plain) -> bool:
    """Tell whether content is segments of text alone, all of them empty."""
    read = [segment(item, plain_text=True) for item in content] if isinstance(content, list) else []
    return bool(read) and all(isinstance(part, TextSegment) and not part.text for part in read)


def call_unpaired(sample: Sample) -> Iterator[Finding]:
    """A call has no result though the conversation goes on; a result answers no call above it, or not at once."""
    messages = conversation(sample)
    if any(calls_in(message) or answered_call(message) for message in messages):
        for item in unpaired(messages):
            steps = ("tool_call_id",) if item.call is None else ("tool_calls", item.call.position, "id")
            node = in_message(sample, item.turn, *steps)
            yield Finding("call-unpaired", Severity.WARNING, item.problem, node)


def argument_misfit(sample: Sample) -> Iterator[Finding]:
    """An argument of a call is not of the type that its tool's JSON Schema wants, or is required and missing."""
    tools = tools_of(sample.data)
    if not tools:
        return
    for turn, message in enumerate(conversation(sample)):
        for call in calls_in(message):
            arguments = arguments_in(value_at(message, ("tool_calls", call.position)))
            if arguments is None or call.name not in tools:
                continue
            for inside, wanted in misfits(type_of(tools[call.name]), arguments.table):
                node = in_message(sample, turn, "tool_calls", call.position, *arguments.path, *inside)
                missing = value_at(arguments.table, inside[:-1]) if inside else None
                if isinstance(missing, dict) and inside[-1] not in missing:
                    expectation = f", {wanted}," if wanted else ""
                    complaint = (
                        f'The call of {call.name} lacks "{shown(inside)}"{expectation} which its tool requires'
                    )
                else:
                    complaint = f'The argument "{shown(inside)}" of {call.name} must be {wanted}'
                yield Finding("argument-misfit", Severity.WARNING, complaint, node)


def segment_invalid(sample: Sample) -> Iterator[Finding]:
    """An item of a content list is not a segment that can be read; rendering leaves it out."""
    contents = dialect_of(sample).contents
    for node, item in _segments_in(_judged(sample)):
        if segment(item, contents.tables, contents.own) is None:
            message = _segment_message(item, dialect_of(sample))
            yield Finding("segment-invalid", Severity.ERROR, message, in_message(sample, *node))


def segment_foreign(sample: Sample) -> Iterator[Finding]:
    """A segment is of a type that only other dialects have; it is rendered here all the same."""
    dialect = dialect_of(sample)
    known = dialect.contents.segments
    for node, item in _segments_in(conversation(sample) if known else ()):
        kind = item.get("type") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(kind, str) or kind in known or kind not in _RENDERED:
            continue
        _, own = dialect.contents.own.get(kind, ("", ""))
        if not own or own not in item:
            complaint = f'{dialect.title} has no "{kind}" segments; it has {", ".join(sorted(known))}'
            yield Finding("segment-foreign", Severity.HINT, complaint, in_message(sample, *node))


def _segments_in(messages: Iterable[Plain]) -> Iterator[tuple[tuple[int, str, int], Plain]]:
    """Yield the items of contents that are lists: the message, its key and the place in it, and the item."""
    for index, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        for number, item in enumerate(as_list(content)):
            yield (index, "content", number), item


def unknown_key(sample: Sample) -> Iterator[Finding]:
    """A key is nearly one that the dialect knows, and that one is not there: a likely slip. Other keys are kept."""
    dialect = dialect_of(sample)
    row = is_row(sample.data, dialect, sample.columns)
    # Other columns of a row are variables, and those with a colon, such as `__metadata:topic`, say what they hold.
    looked_at = (key for key in sample.data if not row or (key.startswith("__") and ":" not in key))
    yield from _slips(dict.fromkeys(looked_at, 0), dialect.known, ())
    yield from _slips_within(sample.data, dialect.nested, ())


def unknown_beside(context: Table, dialect: Dialect) -> Iterator[Finding]:
    """Yield such a finding for keys beside the samples of a deck, and in what stands there for all samples."""
    under = {str(keys[0]) for keys in dialect.containers if keys}
    yield from _slips(context, frozenset(under | dialect.beside.keys()), ())
    yield from _slips_within(context, {key: item.holds for key, item in dialect.beside.items()}, ())
    for key, item in dialect.beside.items():
        if item.holds == dialect.known:
            yield from _slips_within(context.get(key), dialect.nested, (key,))


def id_missing(sample: Sample) -> Iterator[Finding]:
    """The sample has no id of its own, in a dialect that requires one."""
    if sample.id == f"#{sample.index + 1}" and own_id(sample.data, dialect_of(sample)) is None:
        yield Finding("id-missing", Severity.ERROR, "Sample must have an id", existing_part(sample, ("id",)))


def _variable(sample: Sample) -> bool:
    """Tell whether what stands for the messages is a variable of a prompt elsewhere, which may be anything."""
    return len(sample.messages_path) > 1 and may_be_supplied(sample)


def _judged(sample: Sample) -> list[Plain]:
    """Return the messages that the rules apply to: none where a variable stands for all of them."""
    return [] if _variable(sample) else conversation(sample)


def _slips(table: Plain, known: frozenset[str], path: DataPath) -> Iterator[Finding]:
    if not isinstance(table, dict):
        return
    for key in table:
        near = None if key in known else nearest(key, known)
        if near and (near not in table or _is_misspelt(key, near)):
            message = f'Unknown key "{key}"; did you mean "{near}"?'
            yield Finding("unknown-key", Severity.HINT, message, (*path, key))


def _slips_within(table: Plain, holds: Mapping[str, frozenset[str]], path: DataPath) -> Iterator[Finding]:
    """Yield slips in the tables under keys that hold some, or in the items of lists of such tables."""
    for key, known in holds.items():
        value = as_table(table).get(key) if known else None
        for index, item in enumerate(as_list(value)):
            yield from _slips(item, known, (*path, key, index))
        yield from _slips(value, known, (*path, key))


def _is_misspelt(key: str, near: str) -> bool:
    """Tell whether a key is another one with one letter wrong, though that is there too: no plural or number."""
    named, other = (name.rstrip("0123456789_").removesuffix("s") for name in (key, near))
    steps = SequenceMatcher(None, named, other, autojunk=False).get_opcodes()
    wrong = sum(max(stop - start, end - begin) for step, start, stop, begin, end in steps if step != "equal")
    return wrong == 1 or (wrong > 1 and sorted(named) == sorted(other))


@lru_cache(maxsize=1024)
def nearest(key: str, known: frozenset[str]) -> str | None:
    """Return the known key that a key is most likely meant to be, None when none is near."""
    close = get_close_matches(key, sorted(known), 1, _CLOSE_ENOUGH)
    return next(iter(close), None) or next((other for other in known if sorted(other) == sorted(key)), None)


def segment_types(dialect: Dialect) -> str:
    """Return the types of segments that a dialect has; for one that reads text alone, those that are rendered."""
    kinds = dialect.contents.segments or _RENDERED
    return enumerated([kind for kind in _RENDERED if kind in kinds], "or")


def _segment_message(item: Plain, dialect: Dialect) -> str:
    if not isinstance(item, dict):
        return "Each content segment must be a table with a type"
    kind = item.get("type")
    if not isinstance(kind, str) or not kind:
        return "Each content segment must have a type string"
    if kind in ("text", "file"):
        return f'A content segment of type "{kind}" must have a value string'
    if kind.endswith("_url"):
        return f'A content segment of type "{kind}" must have {kind}.url'
    return f'Unknown content segment type "{kind}"; it must be {segment_types(dialect)}'


RULES: tuple[Rule, ...] = (
    messages_missing,
    messages_empty,
    role_missing,
    content_missing,
    call_unpaired,
    argument_misfit,
    segment_foreign,
    unknown_key,
)


def inputs_beside(sample: Sample) -> Iterator[Finding]:
    """Inputs beside the one that is shown as the question: what a program makes of several is its own affair."""
    *holder, shown = sample.messages_path or ("",)
    table = value_at(sample.data, tuple(holder)) if holder else None
    others = (
        [key for key, value in table.items() if key != shown and value is not None]
        if isinstance(table, dict)
        else []
    )
    if others:
        text = f"{shown} alone is shown as what is asked; what is made of {', '.join(others)} is not known here"
        yield Finding("inputs-beside", Severity.INFO, text, tuple(holder))


def legacy_record(sample: Sample) -> Iterator[Finding]:
    """The record is in an older form, and can be rewritten.

    A key that a rule of its own tells of is none of it (gage-eval standardized sample, §1.5; sample format
    migration, "Current Format").
    """
    dialect = dialect_of(sample)
    update = updated(sample.data, dialect)
    old = [key for key in update.old if key not in update.told_apart] if update else []
    if update and old:
        read = dialect.older is Older.READ
        shown = "shown as it is spelled today" if read else f"which {dialect.title} no longer reads"
        besides = f", and keeps {', '.join(update.kept)} under {dialect.metadata}" if update.kept else ""
        message = f"Older record ({', '.join(old)}), {shown}; {cure(dialect)} rewrites it{besides}"
        yield Finding("legacy-record", Severity.WARNING, message, (old[0],))


def cure(dialect: Dialect) -> str:
    """Return what brings an older record up to date, with a screen and without."""
    return f"M in the app, or sampleui convert --from {dialect.name} --to {dialect.name},"
