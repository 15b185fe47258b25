"""Decks that authors have: every format, several dialects, and what makes one sample depend on another."""

from __future__ import annotations

import json
from collections.abc import Sequence

_TOML = """\
# The deck of four.

# Section A

[[samples]]
id = "one"
score = 3 # out of three
messages = [
  { role = "user", content = "First" }, # a comment
  { role = "assistant", content = "Second" },
]

[[samples]]
id = "two"
[[samples.messages]]
role = "user"
content = '''
Third
line'''

# Section B

[[samples]]
id = "two"
tags = ["math"]
messages = [{ role = "user", content = "" }]

[[samples]]
messages = [{ role = "user", content = "Fourth" }]
"""

_KEYED = """\
[meta]
name = "keyed"

[samples.one]
score = 3

[[samples.one.messages]]
role = "user"
content = "First"

[[samples.two.messages]]
role = "user"
content = "Third"

[samples.two]
score = 1

[samples.three]
messages = [{ role = "system", content = "Be kind" }, { role = "tool", content = "x" }]
"""

_AGENTV = """\
# The deck of three.
execution:
  target: default
evalcases:
  # Section A

  - id: one
    expected_outcome: "yes"
    input_messages:
      - role: user
        content: First  # a comment
      - {role: assistant, content: "Second"}

  # Between them.
  - id: two
    input_messages:
      - role: user
        content: |
          Third
          line

  # Section B

  - id: two
    outcome: &good fine
    input_messages:
      - &asked
        role: user
        content: Third
  - id: four
    outcome: *good
    input_messages:
      - *asked
      - role: user
        content:
          - type: file
            value: missing.md
"""

_FLOW = """\
- {id: a, input: "First", criteria: good}
- {id: b, input: "Second", criteria: good}
- {id: a, input: [{role: user, content: "Third"}]}
"""

_PROMPTFOO = """\
prompts: ["Say {{a}} and {{b}}"]
providers: [echo]
defaultTest:
  vars: {b: two}
tests:
  - vars: {a: one}
    assert:
      - type: equals
        value: one
  - vars: {a: other}
    assert: [{type: nothing-known}]
  - description: third
    vars:
      c: three
"""

_GAGE_OLD = [
    {"question": "First?", "choices": ["a", "b"], "answer": "a", "question_type": "multiple-choice"},
    {"sample_id": "q2", "question": "Second?", "answer": "b"},
    {"sample_id": "q2", "prompt": "Third?", "image": "x.png", "label": 3},
    {"schema_version": "v1", "sample_id": "q4", "messages": [{"role": "user", "content": "Fourth"}], "label": "A"},
]

_GAGE = [
    {
        "schema_version": "v1",
        "sample_id": "a",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "First"}]}],
        "options": [{"id": "A", "content": "yes"}],
        "references": ["A"],
        "label": "A",
        "tags": ["math"],
    },
    {"schema_version": "v1", "sample_id": "a", "messages": [{"role": "user", "content": ""}]},
    {"schema_version": "v2", "sample_id": "c", "messages": [], "inputs": {"prompt": "x"}},
]

_OPENAI = [
    {
        "messages": [
            {"role": "system", "content": "Be kind"},
            {"role": "user", "content": "First"},
            {"role": "assistant", "tool_calls": [_CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
        ]
    }
    for _CALL in [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]
] + [{"messages": [{"role": "user", "content": "Second"}]}, {"messages": [{"role": "nobody", "content": 3}]}]

_INSPECT = [
    {"id": 1, "input": "First", "target": "a", "choices": ["x", "y"]},
    {"id": 1, "input": [{"role": "user", "content": "Second"}], "target": ["a", "b"], "metadata": {"k": 1}},
    {"id": 3, "target": "c"},
]

_CSV = """\
id,input,target,tags
one,First,a,
two,"Sec,ond",b,x
two,,c,
four,Fourth
"""


def _lines(samples: Sequence[object]) -> str:
    return "".join(json.dumps(one) + "\n" for one in samples)


DECKS: dict[str, dict[str, str]] = {
    "calibrate": {"deck.toml": _TOML},
    "windows": {"deck.toml": _TOML.replace("\n", "\r\n").rstrip()},
    "keyed": {"deck.toml": _KEYED},
    "agentv": {"deck.yaml": _AGENTV},
    "flow": {"deck.yaml": _FLOW},
    "promptfoo": {"promptfooconfig.yaml": _PROMPTFOO},
    "gage, old": {"deck.jsonl": _lines(_GAGE_OLD)},
    "gage": {"deck.json": json.dumps(_GAGE, indent=2) + "\n"},
    "openai": {"deck.jsonl": _lines(_OPENAI) + "{broken\n"},
    "inspect": {"deck.json": json.dumps({"meta": 1, "samples": _INSPECT}, indent=1)},
    "table": {"deck.csv": _CSV},
    "markdown": {"deck.md": "# Deck\n\n![a](./a.toml)\n\n![b](./b.yaml)\n", "a.toml": _TOML, "b.yaml": _AGENTV},
}
"""The files of each deck, its own first."""
