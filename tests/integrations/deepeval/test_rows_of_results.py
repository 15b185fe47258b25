"""What no path leads to in the rows of DeepEval, function by function."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.deepeval import dialect as deepeval
from tests.inside import inside


def test_calls_of_deepeval_come_before_the_answer() -> None:
    tool: Table = {"name": "look", "inputParameters": {"q": 1}, "output": "seen"}
    row = deepeval.prepare({"toolsCalled": [tool], "actualOutput": "x", "inputTokenCount": 3, "turns": []})
    assert row[deepeval.TOKENS] == {"input": 3, "output": None}
    first, last = inside(row, deepeval.DONE)
    assert first["tool_calls"] == [{"tool": "look", "input": {"q": 1}, "output": "seen"}]
    assert last == {"role": "assistant", "content": "x"}
    assert deepeval.prepare({"turns": [1]})[deepeval.DONE] == [1]
