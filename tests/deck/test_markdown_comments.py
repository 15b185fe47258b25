"""An edit through a Markdown deck changes the file of its sample alone, and loses no comment there or beside."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.command import ran

_ASIDE = st.sampled_from(
    (
        "",
        "<!-- m{} -->\n",
        "# Heading m{}\n",
        "> quoted m{}\n",
        "```yaml\n# m{}\n- id: x\n```\n",
        "[//]: # (m{})\n",
        "text m{}\n",
    )
)
_YAML = """# y0
- id: a # y1
  # y2
  messages: # y3
    - role: user # y4
      # y5
      content: Hi # y6
    # y7
  expected: x # y8
# y9
- id: b
  messages: [{role: user, content: Ho}] # y10
# y11
"""
_TOML = """# t0
[[samples]] # t1
# t2
id = "c" # t3
messages = [ # t4
  { role = "user", content = "Hi" }, # t5
  # t6
] # t7
expected = "x" # t8
# t9
[[samples]]
id = "d"
messages = [{ role = "user", content = "Ho" }] # t10
# t11
"""
_EDITS = (
    ("set", "--path", "messages[0].content", "--value", "two\nlines # no comment"),
    ("set", "--path", "expected", "--json", '{"k": ["v", 1]}'),
    ("set", "--path", "metadata", "--json", '{"new": true}'),
    ("insert", "--path", "messages[1]", "--json", '{"role": "assistant", "content": "Yes"}'),
    ("insert", "--path", "messages[0]", "--json", '{"role": "system", "content": "Be brief"}'),
    ("rename", "--path", "expected", "--to", "wanted"),
)


@settings(deadline=None, max_examples=max(settings().max_examples, 20), suppress_health_check=list(HealthCheck))
@given(
    st.lists(_ASIDE, min_size=3, max_size=3),
    st.sampled_from(("\n", "\r\n")),
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(_EDITS)), min_size=1, max_size=3),
)
def test_no_comment_is_lost_by_edits_through_a_markdown_deck(
    asides: list[str], ends: str, edits: list[tuple[str, tuple[str, ...]]]
) -> None:
    first, second, third = (aside.format(number) for number, aside in enumerate(asides))
    index = f"{first}\n![one](one.yaml)\n\n{second}\n![two](two.toml)\n\n{third}".replace("\n", ends).encode()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "deck.md").write_bytes(index)
        for file, text in (("one.yaml", _YAML), ("two.toml", _TOML)):
            (folder / file).write_bytes(text.replace("\n", ends).encode())
        for sample, (command, *rest) in edits:
            other = folder / ("two.toml" if sample in "ab" else "one.yaml")
            before = other.read_bytes()
            done = ran(command, "deck.md", "--sample", sample, *rest, "--format", "json", folder=folder)
            assert done.code in (0, 2), done.err  # an edit may be refused, as one of a key that is not there
            assert json.loads(done.out or "{}") is not None
            assert (folder / "deck.md").read_bytes() == index and other.read_bytes() == before
        for file, text in (("one.yaml", _YAML), ("two.toml", _TOML)):
            left = (folder / file).read_bytes().decode()
            assert re.findall(r"# [yt]\d+(?=\r?\n)", left) == re.findall(r"# [yt]\d+", text), left
