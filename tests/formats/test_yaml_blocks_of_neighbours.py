"""A text of several lines becomes a block where the deck has such texts as blocks and a neighbour is one."""

from __future__ import annotations

import pytest

from sampleui.formats.operations import Insert, Operation, Set
from sampleui.formats.registry import BY_NAME

DECK = """\
tests:
  - id: a
    criteria: "quoted"
    input:
      - {role: system, content: short}   # why
      - role: user
        content: |
          l1
          l2
    others:
      - {role: system, content: short}
  - id: b
    criteria: |
      one
      two
"""


@pytest.mark.parametrize(
    ("operation", "before", "after"),
    [
        (
            Set(("input", 0, "content"), "x\ny"),
            "      - {role: system, content: short}   # why\n",
            "      - role: system   # why\n        content: |-\n          x\n          y\n",
        ),
        (
            Insert(("input", 1), {"role": "user", "content": "x\ny"}),
            "   # why\n",
            "   # why\n      - role: user\n        content: |-\n          x\n          y\n",
        ),
        (Set(("criteria",), "x\ny\n"), 'criteria: "quoted"\n', "criteria: |\n      x\n      y\n"),
        (Insert(("input", 1), {"role": "user"}), "   # why\n", "   # why\n      - {role: user}\n"),
    ],
)
def test_a_text_of_several_lines_is_written_as_its_neighbours_are(operation: Operation, before: str, after: str):
    document = BY_NAME["yaml"].parse(DECK)
    assert document.apply(document.edit(0, operation)).text == DECK.replace(before, after, 1)


def test_a_text_of_several_lines_stays_in_braces_where_no_neighbour_is_a_block():
    document = BY_NAME["yaml"].parse(DECK)
    edited = document.apply(document.edit(0, Set(("others", 0, "content"), "x\ny")))
    assert '- {role: system, content: "x\\ny"}\n' in edited.text
