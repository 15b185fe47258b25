"""Values of AgentV's eval cases that are plain to see to be right."""

from __future__ import annotations

from sampleui.sample.models.ordinary import (
    Ordinary,
    anything,
    are_turns,
    are_variables,
    are_whole_turns,
    is_input,
    is_name,
    is_table,
    is_text,
)

ORDINARY = Ordinary(
    sample={
        "id": is_name,
        "input_messages": are_turns,
        "input": is_input,
        "expected_messages": are_whole_turns,
        "expected_output": anything,
        "expected_outcome": is_text,
        "criteria": is_text,
        "outcome": is_text,
        "description": is_text,
        "conversation_id": is_text,
        "metadata": is_table,
        "execution": is_table,
        "vars": are_variables,
    },
    beside={"description": is_text, "target": is_text, "execution": is_table},
)
