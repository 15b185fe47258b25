"""calibrate: its samples, which are conversations with a score and what is expected, and what else is known of it.

Its old samples have `userMessage` and `assistantResponse` in place of messages (sample format migration). It no
longer reads them ("Clean Break Approach"), so neither is one read as the sample that it can be rewritten as.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations import index
from sampleui.integrations.calibrate.fields import BESIDE, FIELDS
from sampleui.integrations.integration import Answers, Checks, Converting, Grading, Integration, Results, Updates
from sampleui.sample.dialects.dialect import Contents, Dialect, Expected, Older, Updated, paths
from sampleui.sample.dialects.field import keys
from sampleui.sample.parse import dialect_of

if TYPE_CHECKING:
    from sampleui.formats.data import DataPath, Table
    from sampleui.review.samples.expectation import Setting
    from sampleui.sample.convert.tabled import Case, Written
    from sampleui.sample.model import Sample
    from sampleui.sample.models.shapes import Shapes

_MESSAGE = keys("role content name tool_calls tool_call_id")

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    integration="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=paths("messages"),
    expected=Expected(paths=paths("expected")),
    tag_paths=paths("tags"),
    nested={"messages": _MESSAGE},
    contents=Contents(text_key="value", attaches_files=True),
    metadata="",
    rules=("content-segments", "segment-invalid", "legacy-record"),
    older=Older.REWRITTEN,
    fields=FIELDS,
    beside=BESIDE,
    modelled=True,
)


OLD_KEYS = {"userMessage": "user", "assistantResponse": "assistant"}


def updated(data: Table) -> Updated | None:
    """Return an old sample with its texts as messages, None for one that has messages, or no text."""
    old = tuple(key for key in OLD_KEYS if key in data)
    texts = {key: text for key in old if isinstance(text := data[key], str)}
    if "messages" in data or len(texts) < len(old) or not any(map(str.strip, texts.values())):
        return None
    messages: list[Table] = [
        {"role": OLD_KEYS[key], "content": text} for key, text in texts.items() if text.strip()
    ]
    rest = {key: value for key, value in data.items() if key not in old}
    named = {key: rest.pop(key) for key in ("id",) if key in rest}
    return Updated({**named, "messages": [*messages], **rest}, old)


def expected_paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a sample may have its answer, the places that count first at the beginning."""
    from sampleui.review.samples.expectation import last_answer

    key = dialect_of(sample).expected_keys[0]
    if isinstance(sample.data.get(key), str):
        return ((key,),)
    return (*last_answer(sample.data, sample.messages_path), (key, "answer"), (key,))


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    from sampleui.review.samples.expectation import Setting, last_answer

    key = dialect_of(sample).expected_keys[0]
    expected = sample.data.get(key)
    answers = () if isinstance(expected, str) else last_answer(sample.data, sample.messages_path)
    if answers:
        return (Setting(answers[0], actual),)
    return (Setting((key, "answer") if isinstance(expected, dict) else (key,), actual),)


def from_turn(data: Table, dialect: Dialect) -> Case:
    """Read a sample as calibrate's. An answer that is a table of `criteria` and `output` is a pair of both."""
    from sampleui.sample.convert.tabled import Case, taken_messages

    rest = dict(data)
    messages = taken_messages(rest, dialect)
    answer, criteria = rest.pop(dialect.expected_keys[0], None), None
    if isinstance(answer, dict) and "criteria" in answer and answer.keys() <= {"criteria", "output"}:
        given = answer["criteria"]
        if isinstance(given, str):
            answer, criteria = answer.get("output"), given
    return Case(messages, answer, criteria, rest, spelled={"criteria": f"{dialect.expected_keys[0]}.criteria"})


def to_turn(case: Case, head: Table, dialect: Dialect) -> Written:
    """Write what is expected as calibrate does: the answer, or a table of `criteria` and `output`."""
    from sampleui.sample.convert.tabled import Written

    key = dialect.expected_keys[0]
    if case.criteria is None:
        return Written(head if case.answer is None else {**head, key: case.answer})
    pair: Table = {"criteria": case.criteria}
    if case.answer is not None:
        pair["output"] = case.answer
    return Written({**head, key: pair}, notes=(f"criteria: kept as {key}.criteria",))


class Calibrate(Integration):
    """calibrate."""

    def dialects(self) -> Sequence[Dialect]:
        return (CALIBRATE,)

    def checks(self) -> Checks:
        from sampleui.integrations.calibrate.rules import RULES

        return Checks(RULES, shapes=_shapes)

    def updates(self) -> Updates:
        return Updates(updated)

    def conversion(self, dialect: Dialect) -> Converting:
        return Converting(from_turn, to_turn)

    def answers(self) -> Answers:
        return Answers(expected_paths, taking)

    def grading(self) -> Grading:
        """Return what AgentV makes of assertions: they are spelled as AgentV's are."""
        return index.integration("agentv").grading()

    def results(self) -> Results:
        """Return the reader of its rows, and of the lists of them below `graderResults`."""
        from sampleui.integrations.calibrate.results import ADAPTER, rows

        return Results((ADAPTER,), rows)


def _shapes() -> Shapes:
    from sampleui.sample.models.shapes import Shapes

    return Shapes({}, "calibrate deck")


INTEGRATION = Calibrate()
