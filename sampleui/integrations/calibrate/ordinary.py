"""Values of calibrate's samples that are plain to see to be right."""

from __future__ import annotations

from sampleui.sample.models.ordinary import (
    Ordinary,
    anything,
    are_turns,
    is_name,
    is_number,
    is_table,
    is_text,
    is_texts,
)

ORDINARY = Ordinary(
    sample={
        "id": is_name,
        "messages": are_turns,
        "expected": anything,
        "score": is_number,
        "description": is_text,
        "tags": is_texts,
    },
    beside={"meta": is_table},
)
