"""AgentV 5's prompts: what its loader (`loadTestSuite` of 5.3.1-next) made of the cases in `agentv5/sent.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain
from sampleui.prompt.render import render
from tests.prompt.conftest import Write, sample

CASES = [json.loads(line) for line in (Path(__file__).parent / "agentv5" / "sent.jsonl").read_text().splitlines()]


def as_text(content: Plain) -> str:
    """Return the content of a message of AgentV's as sampleui shows it."""
    if isinstance(content, dict):
        return json.dumps(content, indent=2)
    if isinstance(content, str):
        return content
    assert isinstance(content, list)
    items: list[Any] = content
    parts = [
        f"=== {item['value']} ===\n{item['text'].rstrip()}" if item["type"] == "file" else item["value"]
        for item in items
    ]
    return "\n".join(parts)


@pytest.mark.parametrize("case", CASES, ids=[json.dumps(case["prompts"])[:60] for case in CASES])
def test_what_each_prompt_sends_is_what_agentv_sends(project: Path, write: Write, case: dict[str, Any]) -> None:
    write(case.get("files", {}))
    around = {key: case[key] for key in ("prompts", "default_test") if key in case}
    shown = render(sample(project / "decks", {"id": "t", "vars": case["vars"]}, **around))
    made = [
        [(message["role"], message["content"]) for message in one.chat_prompt] for one in (shown, *shown.others)
    ]
    wanted = [[(message["role"], as_text(message["content"])) for message in sent] for sent in case["sent"]]
    notes = [one.message for one in shown.findings]
    assert made == wanted
    missing = "{{ none }} has no value; nothing is sent in its place"
    assert notes == [missing] * ("{{ none }}" in str(case["prompts"]))
