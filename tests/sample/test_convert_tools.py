"""The tools of ShareGPT's samples, as the tools that OpenAI and gage-eval read."""

from __future__ import annotations

import json

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS

WEATHER: Table = {"name": "weather", "description": "Tells it.", "parameters": {"type": "object", "properties": {}}}
WRAPPED: Table = {"type": "function", "function": WEATHER}


def converted(tools: Plain, target: str = "openai") -> tuple[Plain, tuple[str, ...]]:
    turns: list[Plain] = [{"from": "human", "value": "Weather?"}, {"from": "gpt", "value": "Rain."}]
    made = convert({"conversations": turns, "tools": tools}, DIALECTS["sharegpt"], DIALECTS[target])
    return made.data.get("tools"), made.report


@pytest.mark.parametrize("target", ["openai", "gage"])
@pytest.mark.parametrize(
    "tools", [json.dumps([WEATHER]), json.dumps(WEATHER), [WEATHER], json.dumps([WRAPPED]), [{"function": WEATHER}]]
)
def test_tools_of_sharegpt_become_a_list_of_functions(tools: Plain, target: str) -> None:
    assert converted(tools, target)[0] == [WRAPPED]


@pytest.mark.parametrize(
    "tools", ["not json", '[{"description": "no name"}]', '["weather"]', json.dumps([WEATHER, 1])]
)
def test_tools_that_are_no_functions_are_kept_and_told(tools: str) -> None:
    kept, report = converted(tools)
    assert kept == tools
    assert any("tools: kept as it is" in line for line in report)


@pytest.mark.parametrize("tools", ["", "[]", "  "])
def test_tools_that_name_none_are_left_out_and_told(tools: str) -> None:
    assert converted(tools) == (None, ("tools: left out, for it names none",))
