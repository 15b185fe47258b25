"""Decks and records that say what no one should obey, for programs that are tortured over them."""

from __future__ import annotations

import json
from pathlib import Path

TEXTS = (
    "[red]red[/red] [/] [@click=app.quit]x[/] [INST] \\[b] [bold",
    "a\x1b[31mred\x1b[0m\x1b[2J\x1b]0;stolen\x07\x1b]52;c;AAAA",
    "a\tb\n\tc\n漢\td " + "漢字かな交じり文" * 12,
    "😀👩‍👩‍👧‍👦🇩🇪👍🏽" * 8 + "e\u0301a\u0300\u0301o\u0308" * 20,
    "abc\u202edef\u202c \u2066x\u2069 שלום \U000e0041\U000e007f",
    "\ufff9note\ufffaabove\ufffb \U000e0001\U000e0064 a\u2028b\u2029c\x85d\x0be\x0cf\x1cg",
    "one\rtwo\r\nthree\nfour\r \x00\x01\x7f\x80\x9f a\u200bb\ufeffc\u2060d\xade \ue000\uf8ff",
    "\n\n\n",
    "",
    "word " * 3000,
    "x" * 5000,
)


def deck(path: Path) -> Path:
    """Write a deck of JSON Lines whose samples say the texts in every place, and return its path."""
    lines = [json.dumps(_sample(number, text)) for number, text in enumerate(TEXTS)]
    path.write_text("\n".join([*lines, '{"id": "broken", "messages": [', "{}", "[]", '{"id": 7}']) + "\n")
    return path


def results(path: Path) -> Path:
    """Write results of a run of the deck, with traces, and return their path."""
    path.write_text(
        "\n".join(json.dumps(_record(number, text)) for number, text in enumerate(TEXTS)) + "\nbroken\n"
    )
    return path


def _sample(number: int, text: str) -> dict[str, object]:
    turns = [{"role": role, "content": text} for role in ("system", "user", "assistant")]
    parts = [{"type": "text", "value": text}, {"type": "file", "value": text[:40]}]
    odd = {"role": text[:30], "name": text[:30], "content": parts, "tool_calls": [{"tool": text[:20]}]}
    return {
        "id": f"{number} {text[:40]}",
        "messages": [*turns, odd],
        text[:40]: 1,
        "expected": {"x": text},
        "tags": [],
    }


def _record(number: int, text: str) -> dict[str, object]:
    calls = [{"tool": text[:30], "input": {"x": text}, "output": text}, {"tool": "t", "input": text}]
    return {
        "test_id": f"{number} {text[:40]}",
        "score": number / len(TEXTS),
        "hits": [text[:60]],
        "misses": [text[:60]],
        "reasoning": text,
        "candidate_answer": text,
        "error": text if number % 3 == 0 else None,
        "scores": [{"name": text[:20], "score": 0.5, "reasoning": text}],
        "output_messages": [
            {"role": "assistant", "content": text, "tool_calls": calls},
            {"role": text[:20] or "tool", "content": text},
        ],
    }
