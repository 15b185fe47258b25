"""Decks for measuring, of about 1 KB a sample."""

from __future__ import annotations

import json
import random

_WORDS = ["the", "model", "should", "answer", "briefly", "and", "cite", "every", "source", "when", "asked", "about"]


def texts(count: int) -> list[str]:
    """Return sentences of random length."""
    chance = random.Random(7)
    return [" ".join(chance.choices(_WORDS, k=chance.randint(20, 44))).capitalize() + "." for _ in range(count)]


def toml_deck(samples: int) -> str:
    """Return a deck in TOML, with comments."""
    sentences = texts(512)
    parts = ["# a deck for measuring\n"]
    for number in range(samples):
        system, question, answer, last = (sentences[(number * 4 + offset) % 512] for offset in range(4))
        parts.append(
            f'\n# about {number}\n[[samples]]\nid = "sample-{number}"\nscore = 2  # graded\nmessages = [\n'
            f'  {{ role = "system", content = "{system}" }},\n  {{ role = "user", content = "{question}" }},\n'
            f'  {{ role = "assistant", content = """\n{answer}\n- one\n- two""" }},\n'
            f'  {{ role = "user", content = "{last}" }},\n]\n'
        )
    return "".join(parts)


def yaml_deck(samples: int) -> str:
    """Return the same deck in YAML."""
    sentences = texts(512)
    parts = ["# a deck for measuring\nsamples:\n"]
    for number in range(samples):
        system, question, answer, last = (sentences[(number * 4 + offset) % 512] for offset in range(4))
        parts.append(
            f"\n  # about {number}\n  - id: sample-{number}\n    score: 2  # graded\n    messages:\n"
            f'      - role: system\n        content: "{system}"\n'
            f'      - role: user\n        content: "{question}"\n'
            f"      - role: assistant\n        content: |-\n          {answer}\n          - one\n          - two\n"
            f'      - role: user\n        content: "{last}"\n'
        )
    return "".join(parts)


def jsonl_deck(samples: int) -> str:
    """Return a deck in JSON Lines, with keys of gage's."""
    sentences = texts(512)
    roles = ("system", "user", "assistant", "user")
    lines = []
    for number in range(samples):
        messages = [
            {"role": role, "content": sentences[(number * 4 + index) % 512]} for index, role in enumerate(roles)
        ]
        row = {"schema_version": "v1", "id": f"s-{number}", "messages": messages, "references": ["x"], "label": "x"}
        lines.append(json.dumps(row) + "\n")
    return "".join(lines)
