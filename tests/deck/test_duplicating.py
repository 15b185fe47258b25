"""A copy of a sample is its text: spelling, comments and blocks as they are, under another id."""

from __future__ import annotations

import pytest

from sampleui.deck import edit
from sampleui.formats.operations import Insert
from sampleui.formats.registry import BY_NAME
from sampleui.workspace.deck import open_deck

TOML = """\
# the deck

[[samples]]
id = "a"      # small
score = 1.50  # as printed
messages = [{ role = 'user', content = '''
two
lines''' }]

[[samples]]
id = "b"
messages = [{role="user",content="x"}]
"""

YAML = """\
policy: &policy Refunds need a supervisor.
tests:
  - id: a   # small
    criteria: >-
      Folds over
      two lines.
    input:
      - {role: system, content: *policy}
      - {role: user, content: 'It''s 0x10'}
    score: 0x10
    assertions: &base
      - type: contains   # why
        value: &word supervisor
      - type: equals
        value: *word
  - id: b
    criteria: plain
    input: "And now?"
    assertions: *base
"""

JSON = """\
[
  {"id": "a", "score": 1.50, "messages": [{"role":"user", "content":"\\u00e9"}]},
  {"id": "b", "messages": []}
]
"""


def _copied(tmp_path, name: str, text: str) -> list[str]:
    path = tmp_path / name
    path.write_text(text)
    deck = open_deck(path)
    data = {**deck.samples[0].data, "id": "a-2"}
    files = deck.files.apply(edit.duplicate_sample(deck.files, 0, 1, data))
    return files.sources[0].document.text.splitlines()


@pytest.mark.parametrize(("name", "text", "start", "lines"), [("d.toml", TOML, 2, 7), ("d.json", JSON, 1, 1)])
def test_a_copy_repeats_each_line_but_the_id(tmp_path, name, text, start, lines):
    before = text.splitlines()
    copy = [line.replace('"a"', '"a-2"') for line in before[start : start + lines]]
    assert _copied(tmp_path, name, text) == [*before[: start + lines], *copy, *before[start + lines :]]


def test_a_copy_keeps_aliases_and_repeats_no_anchor(tmp_path):
    after = _copied(tmp_path, "d.yaml", YAML)
    copy = YAML.splitlines()[2:15]
    copy = [line.replace("id: a ", "id: a-2 ").replace(" &base", "").replace("&word ", "") for line in copy]
    assert after[15:28] == copy
    assert [after[:15], after[28:]] == [YAML.splitlines()[:15], YAML.splitlines()[15:]]


def test_a_copy_of_the_last_sample_is_parted_as_the_others_are():
    document = BY_NAME["yaml"].parse("tests:\n  - id: a\n    input: x\n\n  - id: b # last\n    input: y")
    after = document.apply(document.duplicate_sample(1, 2, {"id": "c", "input": "y"}))
    assert after.text == document.text + "\n\n  - id: c # last\n    input: y"


def test_a_copy_of_a_row_keeps_its_quotes():
    document = BY_NAME["csv"].parse('id,input\na,"plain"\nb,x\n')
    after = document.apply(document.duplicate_sample(0, 1, {"id": "a-2", "input": "plain"}))
    assert after.text == 'id,input\na,"plain"\na-2,"plain"\nb,x\n'


@pytest.mark.parametrize(
    ("name", "text", "path", "copied"),
    [
        (
            "yaml",
            "tests:\n  - id: a\n    input:\n      - role: user # who\n        content: >-\n          one\n",
            ("input", 0),
            "      - role: user # who\n        content: >-\n          one\n",
        ),
        (
            "toml",
            '[[samples]]\nid = "a"\n\n[[samples.messages]]\nrole = \'user\' # who\ncontent = """\none"""\n',
            ("messages", 0),
            '[[samples.messages]]\nrole = \'user\' # who\ncontent = """\none"""\n',
        ),
        ("json", '[{"id": "a", "messages": [{"role":"user"}]}]', ("messages", 0), ', {"role":"user"}'),
    ],
)
def test_a_copy_of_a_turn_repeats_its_text(name, text, path, copied):
    document = BY_NAME[name].parse(text)
    value = document.read(0)[path[0]][0]
    after = document.apply(document.duplicate(0, path, Insert((path[0], 1), value)))
    assert after.text.count(copied.lstrip(", ")) == 2
    assert len(after.text) - len(text) <= len(copied) + 1
