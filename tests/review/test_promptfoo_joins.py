"""Which test of a config a row of promptfoo's results is of: by what is certain, and of none by what is not.

The rows are as promptfoo 0.121.20 and 0.123.1 write them for such a config, cut to what is read here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.review.results.file import open_results
from sampleui.review.samples.index import SampleIndex
from sampleui.workspace import open_deck

CONFIG = """prompts: ['{{q}}']
providers: [echo]
defaultTest: {assert: [{type: not-contains, value: sorry}]}
tests:
  - vars: {q: a}
  - vars: {q: 'list [1]', at: '[1, 2]', kept: file://./kept.txt}
  - vars: {q: img, image: file://a.png}
  - vars: {q: changed, url: u}
    options: {transformVars: 'return { ...vars, shown: `(${vars.url})` }'}
  - assert: [{type: contains, value: one}]
  - assert: [{type: contains, value: two}]
  - vars: {q: same}
    assert: [{type: equals, value: '1'}]
  - vars: {q: same}
    assert: [{type: equals, value: '2'}]
  - vars: {q: programmed}
    options: {transformVars: file://t.js}
"""
NOT_SORRY = {"type": "not-contains", "value": "sorry"}


def row(variables: dict[str, Any], *asserted: dict[str, Any], **options: str) -> dict[str, Any]:
    case = {"vars": variables, "assert": [NOT_SORRY, *asserted], "options": options, "metadata": {}}
    return {"vars": variables, "testCase": case, "prompt": {"raw": "p"}, "promptIdx": 0, "success": True}


ADDS = "return { ...vars, shown: `(${vars.url})` }"


@pytest.mark.parametrize(
    ("found", "written"),
    [
        (0, row({"q": "a"})),
        (1, row({"q": "list [1]", "at": "[1,2]", "kept": "file://kept.txt"})),
        (2, row({"q": "img", "image": "[REDACTED]"})),
        (None, row({"q": "a", "image": "[REDACTED]"})),
        (3, row({"q": "changed", "url": "u", "shown": "(u)"}, transformVars=ADDS)),
        (None, row({"q": "a", "url": "x", "shown": "(x)"}, transformVars=ADDS)),
        (None, row({"q": "a"}, transformVars="file://t.js")),
        (None, row({"q": "a"}, transformVars="return {q: vars.q.toLowerCase()}")),
        (5, row({}, {"type": "contains", "value": "two"})),
        (7, row({"q": "same"}, {"type": "equals", "value": "2"})),
        (None, row({"q": "same"}, {"type": "equals", "value": "3"})),
        (None, row({"q": "a", "more": "from the command line"})),
    ],
)
def test_a_row_finds_its_test_or_none(tmp_path: Path, found: int | None, written: dict[str, Any]) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)
    (tmp_path / "out.jsonl").write_text(json.dumps(written) + "\n")
    (entry,) = open_results(tmp_path / "out.jsonl").indexed().entries
    assert SampleIndex(open_deck(tmp_path / "promptfooconfig.yaml").samples).find(entry) == found


def test_empty_cells_are_empty_texts_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: file://t.csv\n")
    (tmp_path / "t.csv").write_text("q,more\na,\nb,c\n")
    written = {**row({"q": "a", "more": ""}), "description": "Row #1"}
    (tmp_path / "out.jsonl").write_text(json.dumps(written) + "\n")
    (entry,) = open_results(tmp_path / "out.jsonl").indexed().entries
    assert SampleIndex(open_deck(tmp_path / "promptfooconfig.yaml").samples).find(entry) == 0
