"""New values are written as most of those around them are."""

from __future__ import annotations

import pytest
import yaml

from sampleui.formats.yaml import YamlDocument

NEW = {"id": "new", "note": "it: is", "tags": ["a", "1"], "text": "two\nlines\n"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "tests:\n  - id: 'a'\n    tags: ['x']\n",
            "  - id: 'new'\n    note: 'it: is'\n    tags: ['a', '1']\n    text: |\n      two\n      lines\n",
        ),
        (
            'tests:\n- id: "a"\n  tags:\n  - "x"\n',
            '- id: "new"\n  note: "it: is"\n  tags:\n  - "a"\n  - "1"\n  text: |\n    two\n    lines\n',
        ),
        (
            "tests:\n  - id: a\n    note: 'b: c'\n    tags: [x, y]\n",
            "  - id: new\n    note: 'it: is'\n    tags: [a, '1']\n    text: |\n      two\n      lines\n",
        ),
        (
            "tests:\n  - id: a\n    other: b\n",
            '  - id: new\n    note: "it: is"\n    tags:\n      - a\n      - "1"\n'
            "    text: |\n      two\n      lines\n",
        ),
    ],
)
def test_a_new_sample_is_written_as_the_others_are(text: str, wanted: str) -> None:
    document = YamlDocument.parse(text)
    after = document.apply(document.insert_sample(1, NEW)).text
    assert after == f"{text}\n{wanted}"
    assert yaml.safe_load(after)["tests"][1] == NEW


def test_a_new_key_is_quoted_as_the_texts_around_it() -> None:
    document = YamlDocument.parse("tests:\n  - id: 'a'\n    b: 'c'\n")
    after = document.apply(document.set(0, ("d",), "plain")).text
    assert after == "tests:\n  - id: 'a'\n    b: 'c'\n    d: 'plain'\n"
