"""What gage-eval's samples say, read into neutral cases and written from them."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Plain, Table, as_table
from sampleui.integrations.integration import Converting
from sampleui.review.samples.expectation import Setting, found_at
from sampleui.sample.convert.contents import beside_text
from sampleui.sample.convert.tabled import Case, WrittenSample, taken_messages
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.message import TextSegment, json_text, reference_text, segments
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of

LABEL = "label"


def paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a sample may have its answer, the places that count first at the beginning."""
    path, label = (dialect_of(sample).expected_keys[0], 0), (LABEL,)
    first = found_at(sample.data, path)
    if not isinstance(first, dict):
        return (path, label)
    segments = first.get("answer")
    if isinstance(segments, list) and len(segments) == 1 and "text" in as_table(segments[0]):
        return ((*path, "answer", 0, "text"),)
    return ((*path, "answer"), label)


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    path, key = paths(sample)[0], dialect_of(sample).expected_keys[0]
    label = (Setting((LABEL,), actual),) if isinstance(sample.data.get(LABEL), str) else ()
    if found_at(sample.data, (key, 0)) is None:
        references: Plain = [{"answer": [{"type": "text", "text": actual}]}]
        return (Setting((key,), references), *label)
    if isinstance(found_at(sample.data, path), list):
        return (Setting(path, [{"type": "text", "text": actual}]), *label)
    return (Setting(path, actual), *label)


_WRITTEN_FIRST: Table = {"schema_version": "v1"}


def from_references(data: Table, dialect: Dialect) -> Case:
    """Read a sample as gage-eval's; a label that adds nothing is left out."""
    rest = dict(data)
    messages = taken_messages(rest, dialect)
    references = rest.pop(dialect.expected_keys[0], None)
    answer = _answer(references) if isinstance(references, list) else references
    wanted = [dialect.expected_keys[0]]
    label = LABEL
    repeats = isinstance(references, list) and references and rest.get(label) == reference_text(references[0])
    if repeats and rest.pop(label, None) is not None:
        wanted.append(label)
    criteria, metadata = None, rest.get("metadata")
    if isinstance(metadata, dict) and isinstance(by_criteria := metadata.get("criteria"), str):
        criteria = by_criteria
        rest["metadata"] = {key: value for key, value in metadata.items() if key != "criteria"}
    spelled = {"expected": ", ".join(wanted), "criteria": "metadata.criteria"}
    return Case(messages, answer, criteria, rest, spelled=spelled)


def to_references(case: Case, head: Table, dialect: Dialect) -> WrittenSample:
    """Write what is expected as gage-eval does: references, and the first of them as label."""
    key = dialect.expected_keys[0]
    references, label = _references(case.answer)
    data: Table = {**_WRITTEN_FIRST, **head, key: references}
    left: Table = {} if case.criteria is None else {"criteria": case.criteria}
    if label is not None:
        return WrittenSample({**data, LABEL: label}, left)
    if case.answer is None and "expected" not in case.spelled:
        return WrittenSample(data, left, (f"{key}: written empty, for the sample expects no answer",))
    if case.answer is None or _are_references(case.answer):
        return WrittenSample(data, left)
    return WrittenSample(data, left, (f"expected: written as JSON text, and as it was in {key}[0].meta.value",))


def _are_references(value: Plain) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "answer" in item for item in value)
    )


def _are_texts(value: Plain) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value)


def _references(answer: Plain) -> tuple[list[Plain], str | None]:
    """Return an answer as references, with the text of the first of them; a value that is not a text has none."""
    if answer is None:
        return [], None
    if isinstance(answer, list) and _are_references(answer):
        return answer, reference_text(answer[0])
    texts: list[Plain] = [answer] if isinstance(answer, str) else []
    if isinstance(answer, list) and _are_texts(answer):
        texts = answer
    if texts:
        return [{"answer": [{"type": "text", "text": text}]} for text in texts], str(texts[0])
    content: list[Plain] = [{"type": "text", "text": json_text(answer)}]
    return [{"answer": content, "meta": {"value": answer}}], None


def _answer(references: list[Plain]) -> Plain:
    """Return references as an answer: plain texts as texts, a kept value as it was, all else as it is."""
    if not references:
        return None
    texts = [_text(reference) for reference in references]
    if all(text is not None for text in texts):
        return texts[0] if len(texts) == 1 else [text for text in texts if text is not None]
    metadata = value_at(list(references), (0, "meta"))
    if len(references) == 1 and isinstance(metadata, dict) and metadata.keys() == {"value"}:
        return metadata["value"]
    return references


def _text(reference: Plain) -> str | None:
    """Return the text of a reference that is one text and nothing else."""
    if isinstance(reference, dict):
        reference = reference["answer"] if reference.keys() == {"answer"} else None
    if any(map(beside_text, reference if isinstance(reference, list) else [reference])):
        return None
    parts = segments(reference) or ()
    if len(parts) == 1 and isinstance(parts[0], TextSegment):
        return parts[0].text
    return None


CONVERSION = Converting(from_references, to_references, expected_paths=paths, accept_answer=taking)
