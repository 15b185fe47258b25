"""The same small deck in every form, with comments where the form has them."""

from __future__ import annotations

TOML = """\
# The deck of two.
[[samples]]
id = "one"
score = 3 # out of three
messages = [
  { role = "user", content = "First" }, # a comment
  { role = "assistant", content = "Second" },
]

# Between them.
[[samples]]
id = "two"
[[samples.messages]]
role = "user"
content = '''
Third
line'''
"""

KEYED = """\
# Named by their keys.
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
"""

YAML = """\
# The deck of two.
evalcases:
  - id: one
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
"""

JSON = """\
[
  {
    "id": "one",
    "messages": [
      {"role": "user", "content": "First"},
      {"role": "assistant",  "content": "Second"}
    ]
  },
  {"id": "two", "messages": [{"role": "user", "content": "Th\\u00efrd"}], "x": 1.50}
]
"""

JSONL = """\
{"id": "one", "messages": [{"role": "user", "content": "First"}, {"role": "assistant",  "content": "Second"}]}
{"id": "two", "messages": [{"role": "user", "content": "Th\\u00efrd"}], "x": 1.50}
"""

DECKS_BY_FORM = {"toml": TOML, "yaml": YAML, "json": JSON, "jsonl": JSONL}
