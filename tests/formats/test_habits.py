"""New values are written as most of the deck: quotes, indentation, flow or block, order of keys, blank lines."""

from __future__ import annotations

import itertools
import textwrap

import pytest

from sampleui.formats.data import Table
from sampleui.formats.document import Document
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.operations import Set
from sampleui.formats.toml import TomlDocument
from sampleui.formats.yaml import YamlDocument

READERS: dict[str, type[Document]] = {
    "toml": TomlDocument,
    "yaml": YamlDocument,
    "json": JsonDocument,
    "jsonl": JsonlDocument,
}


def deck(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


# Each style: what opens the file, a sample NAME, what stands between two, what ends the file.
STYLES: dict[str, tuple[str, str, str, str]] = {
    "toml plain": (
        "",
        deck("""
            [[samples]]
            id = "NAME"
            tags = ["x", "w"]
            messages = [{ role = "user", content = "Hi" }]
            expected = { score = 1 }
            """),
        "\n",
        "",
    ),
    "toml literal, tight, two blank lines": (
        "",
        deck("""
            [[samples]]
            id='NAME'
            messages=[{role='user',content='Hi'}]
            tags=['x','w']
            expected={score=1}
            """),
        "\n\n",
        "",
    ),
    "toml blocks, indented": (
        "# A deck.\n\n",
        deck("""
            [[samples]]
                id = "NAME"
                tags = [
                    "x",
                    "w"
                ]

                [[samples.messages]]
                    role = "user"
                    content = "Hi"

                [samples.expected]
                    score = 1
            """),
        "\n",
        "",
    ),
    "toml dotted, no blank lines": (
        "",
        deck("""
            [[samples]]
            expected.score = 1
            id = "NAME"
            tags = ["x", "w"]
            messages = [
                { content = "Hi", role = "user" },
            ]
            """),
        "",
        "",
    ),
    "yaml plain": (
        "tests:\n",
        "  - id: NAME\n    tags: [x, w]\n    messages:\n      - role: user\n        content: Hi\n"
        "    expected:\n      score: 1\n",
        "",
        "",
    ),
    "yaml single quotes, lists under their keys": (
        "tests:\n",
        "- id: 'NAME'\n  expected:\n      score: 1\n  messages:\n  - content: 'Hi'\n    role: 'user'\n"
        "  tags:\n  - 'x'\n  - 'w'\n",
        "\n",
        "",
    ),
    "yaml double quotes, braces": (
        "meta: x\ntests:\n",
        '    - id: "NAME"\n      messages:\n          - { role: "user", content: "Hi" }\n      tags: ["x", "w"]\n'
        "      expected: { score: 1 }\n",
        "\n\n",
        "other: 1\n",
    ),
    "yaml in braces": (
        "tests:\n",
        "  - {id: NAME, messages: [{role: user, content: Hi}], expected: {score: 1}, tags: [x, w]}\n",
        "",
        "",
    ),
    "json indented": (
        "[\n",
        deck("""
            {
              "id": "NAME",
              "messages": [
                {
                  "role": "user",
                  "content": "Hi"
                }
              ],
              "expected": {
                "score": 1
              },
              "tags": [
                "x",
                "w"
              ]
            }
            """).strip(),
        ",\n",
        "\n]\n",
    ),
    "json with short lists": (
        '{"samples": [\n',
        '    {\n        "id": "NAME",\n        "tags": ["x", "w"],\n'
        '        "messages": [{ "role": "user", "content": "Hi" }],\n        "expected": { "score": 1 }\n    }',
        ",\n",
        "\n]}\n",
    ),
    "jsonl": (
        "",
        '{"id": "NAME", "expected": {"score": 1}, "tags": ["x", "w"], '
        '"messages": [{"role": "user", "content": "Hi"}]}\n',
        "",
        "",
    ),
    "jsonl tight, with blank lines": (
        "",
        '{"messages":[{"content":"Hi","role":"user"}],"id":"NAME","tags":["x","w"],"expected":{"score":1}}\n',
        "\n",
        "",
    ),
}
OUTLIERS = {
    "toml": "[[samples]]\nmessages = [{content = 'Hi',   role = 'x'}]\nid = '''NAME'''\n",
    "yaml": '- messages:\n    - content: "Hi"\n      role: "user"\n  tags:\n    - "z"\n  id: "NAME"\n',
    "json": '{"messages":[],"id":"NAME"}',
    "jsonl": '{ "tags" : ["z"], "id" : "NAME" }\n',
}
NEW: Table = {
    "tags": ["x", "w"],
    "expected": {"score": 1},
    "messages": [{"role": "user", "content": "Hi"}],
    "id": "new",
}


def written(style: str, names: str | list[str]) -> str:
    """Return a deck of samples of some names; a name in capitals is written in another style."""
    opening, sample, between, closing = STYLES[style]
    kind = style.split(maxsplit=1)[0]
    other = OUTLIERS[kind]
    if kind == "yaml":
        indent = sample[: len(sample) - len(sample.lstrip())]
        other = textwrap.indent(other, indent)
    if kind == "json" and sample.startswith("{\n"):
        sample = textwrap.indent(sample, "  ")
    samples = [(other if name.isupper() else sample).replace("NAME", name) for name in names]
    return opening + between.join(samples) + closing


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("at", range(5))
def test_a_new_sample_is_written_as_most_are(style: str, at: int) -> None:
    names = ["a", "b", "c", "d"]
    text = written(style, names)
    document = READERS[style.split(maxsplit=1)[0]].parse(text)
    after = document.apply(document.insert_sample(at, NEW))
    names.insert(at, "new")
    assert after.text == written(style, names)


@pytest.mark.parametrize(
    "style", [style for style in STYLES if style not in ("yaml in braces", "json with short lists")]
)
@pytest.mark.parametrize("at", [2, 3, 4])
def test_one_sample_of_another_style_beside_it_changes_nothing(style: str, at: int) -> None:
    names = ["a", "b", "C", "d"]
    document = READERS[style.split(maxsplit=1)[0]].parse(written(style, names))
    after = document.apply(document.insert_sample(at, NEW))
    names.insert(at, "new")
    assert after.text == written(style, names)


KEYS = ["id", "tags", "score", "note"]


@pytest.mark.parametrize("missing", KEYS)
@pytest.mark.parametrize("order", [*itertools.permutations(KEYS)][::5])
@pytest.mark.parametrize("kind", READERS)
def test_a_new_key_goes_where_most_samples_have_it(kind: str, order: tuple[str, ...], missing: str) -> None:
    spelled = {
        "toml": ("[[samples]]\n", "{key} = {value}\n", "", "\n", "", ""),
        "yaml": ("tests:\n", "    {key}: {value}\n", "", "", "", ""),
        "json": ("[\n", '    "{key}": {value}', ",\n", ",\n", "\n]\n", "  {{\n{}\n  }}"),
        "jsonl": ("", '"{key}": {value}', ", ", "\n", "\n", "{{{}}}"),
    }[kind]

    def text(without: str = "") -> str:
        opening, pair, comma, between, closing, frame = spelled
        samples = []
        for number in range(3):
            keys = [key for key in order if number != 1 or key != without]
            body = comma.join(pair.format(key=key, value=number) for key in keys)
            body = frame.format(body) if frame else body
            body = opening + body if kind == "toml" else body.replace("    ", "  - ", 1) if kind == "yaml" else body
            samples.append(body)
        return ("" if kind == "toml" else opening) + between.join(samples) + closing

    document = READERS[kind].parse(text(missing))
    assert document.apply(document.edit(1, Set((missing,), 1))).text == text()


@pytest.mark.parametrize("style", STYLES)
def test_what_is_learned_is_kept_through_edits(style: str) -> None:
    document = READERS[style.split(maxsplit=1)[0]].parse(written(style, ["a", "b", "c"]))
    for at, name in ((3, "new"), (0, "new2")):
        document = document.apply(document.insert_sample(at, {**NEW, "id": name}))
    assert document.text == written(style, ["new2", "a", "b", "c", "new"])


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ('[{"id": 1}]', '[{"id": 9}, {"id": 1}]', '[{"id": 1}, {"id": 9}]'),
        ('[{"id":1}]', '[{"id":9},{"id":1}]', '[{"id":1},{"id":9}]'),
        ('[ {"id": 1} ]', '[ {"id": 9}, {"id": 1} ]', '[ {"id": 1}, {"id": 9} ]'),
        ('[\n  {"id": 1}\n]', '[\n  {"id": 9},\n  {"id": 1}\n]', '[\n  {"id": 1},\n  {"id": 9}\n]'),
        ('[{"i": 1},\n {"i": 2}]', '[{"id": 9},\n {"i": 1},\n {"i": 2}]', '[{"i": 1},\n {"i": 2},\n {"id": 9}]'),
        ('[ {"i": 1},{"i": 2}]', '[ {"id": 9},{"i": 1},{"i": 2}]', '[ {"i": 1},{"i": 2},{"id": 9}]'),
        ('[{"i": 1} , {"i": 2}]', '[{"id": 9}, {"i": 1} , {"i": 2}]', '[{"i": 1} , {"i": 2}, {"id": 9}]'),
    ],
)
def test_a_new_sample_of_json_stands_apart_as_others_do(text: str, first: str, last: str) -> None:
    deck = JsonDocument.parse(text)
    assert deck.apply(deck.insert_sample(0, {"id": 9})).text == first
    assert deck.apply(deck.insert_sample(len(deck), {"id": 9})).text == last


ITEM = '{0}- id: "n"\n{0}  messages:\n{0}    - role: user\n{0}      content: x\n'


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("tests: []\n", "tests:\n" + ITEM.format("  ")),
        ("[]\n", ITEM.format("")),
        ("[]", ITEM.format("")[:-1]),
        ("", "samples:\n" + ITEM.format("  ")),
        ("name: x", "name: x\nsamples:\n" + ITEM.format("  ")[:-1]),
        ("tests:\n", "tests:\n" + ITEM.format("  ")),
        ("tests:   [ ]  # e\nafter: 1\n", "tests:  # e\n" + ITEM.format("  ") + "after: 1\n"),
        ("tests: [ # c\n  ]\n", 'tests: [ # c\n    {id: "n", messages: [{role: user, content: x}]}\n  ]\n'),
        ("\ufeff[]\n", '\ufeff[\n  {id: "n", messages: [{role: user, content: x}]}\n]\n'),
        ("\ufefftests: []\n", "\ufefftests:\n" + ITEM.format("  ")),
    ],
)
def test_the_first_sample_of_yaml_stands_where_the_file_has_room(text: str, now: str) -> None:
    deck = YamlDocument.parse(text)
    data: Table = {"id": "n", "messages": [{"role": "user", "content": "x"}]}
    assert deck.apply(deck.insert_sample(0, data)).text == now
