"""Langfuse: the items of its data sets."""

from __future__ import annotations

from sampleui.integrations.integration import Spellings
from sampleui.sample.dialects.dialect import Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import fields
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

LANGFUSE = Dialect(
    name="langfuse",
    title="Langfuse",
    purpose="items of a dataset: an input and what is expected",
    integration="langfuse",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=paths("input input.messages input.question"),
    expected=Expected(paths=paths("expectedOutput")),
    tag_paths=paths("metadata.tags"),
    marks=(DialectMark(paths("input expectedOutput"), USUAL_KEYS | RAN),),
    turns=Turns(shorthand=True, any_input=True, text_path=("input",)),
    begins={"expectedOutput": ""},
    fields=fields("id:text input:any expectedOutput:any metadata:any status:text"),
    rules=("inputs-beside",),
)


DIALECTS = Spellings((LANGFUSE,))
