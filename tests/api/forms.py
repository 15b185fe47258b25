"""One deck in every form."""

from __future__ import annotations

import json
from pathlib import Path

import sampleui

TOML_INLINE = """\
# the arithmetic deck
[[samples]]
id = "sum"
tags = ["math"]
messages = [
  { role = "system", content = "Be short." },
  { role = "user", content = "2+2?" }, # keep me
]
expected = "4"

[[samples]]
id = "sky"
messages = [{ role = "user", content = "Colour of the sky?" }]
expected = "blue"
"""
TOML_BLOCKS = """\
# the arithmetic deck
[[samples]]
id = "sum"
tags = ["math"]
expected = "4"

[[samples.messages]]
role = "system"
content = "Be short."

[[samples.messages]]
role = "user"
content = "2+2?" # keep me

[[samples]]
id = "sky"
expected = "blue"

[[samples.messages]]
role = "user"
content = "Colour of the sky?"
"""
TOML_KEYED = """\
# the arithmetic deck
[samples.sum]
tags = ["math"]
expected = "4"

[[samples.sum.messages]]
role = "system"
content = "Be short."

[[samples.sum.messages]]
role = "user"
content = "2+2?" # keep me

[samples.sky]
expected = "blue"

[[samples.sky.messages]]
role = "user"
content = "Colour of the sky?"
"""
YAML = """\
# the arithmetic deck
samples:
  - id: sum
    tags: [math]
    messages:
      - role: system
        content: Be short.
      - role: user
        content: 2+2? # keep me
    expected: '4'
  - id: sky
    messages:
      - {role: user, content: Colour of the sky?}
    expected: blue
"""
ROWS: list[dict[str, object]] = [
    {
        "id": "sum",
        "tags": ["math"],
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "2+2?"}],
        "expected": "4",
    },
    {"id": "sky", "messages": [{"role": "user", "content": "Colour of the sky?"}], "expected": "blue"},
]
FORMS = {
    "inline.toml": TOML_INLINE,
    "blocks.toml": TOML_BLOCKS,
    "keyed.toml": TOML_KEYED,
    "deck.yaml": YAML,
    "list.json": json.dumps(ROWS, indent=2) + "\n",
    "named.json": json.dumps({"samples": ROWS}) + "\n",
    "lines.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
}
TURN = {"role": "user", "content": 'a "new" turn\nof two lines'}


def opened(folder: Path, name: str) -> sampleui.Deck:
    (folder / name).write_text(FORMS[name])
    return sampleui.open_deck(folder / name, dialect="calibrate")


def contents(deck: sampleui.Deck, index: int = 0) -> list[object]:
    return [message["content"] for message in deck.samples[index].messages]


def saved(deck: sampleui.Deck) -> sampleui.Deck:
    deck.save()
    return sampleui.open_deck(deck.path, deck.dialect)
