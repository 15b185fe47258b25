"""Text found in values: a sample is passed over unread only where its text cannot hold what is looked for."""

from __future__ import annotations

import pytest

from sampleui.workspace.deck import open_deck
from sampleui.workspace.text_search import Query, hits_in, may_hold

SPELLED = {
    "json": r'[{"id": "a", "messages": [{"role": "user", "content": "the \u0043at sat"}]}]',
    "jsonl": r'{"id": "a", "messages": [{"role": "user", "content": "the C\u0061t sat"}]}',
    "toml": '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = """the Ca\\\n   t sat""" }]\n',
    "yaml": 'evalcases:\n  - id: a\n    input_messages:\n      - {role: user, content: "the C\\x61t sat"}\n',
    "csv": "id,input,expected_output\na,the Cat sat,b\n",
}
ALIAS = """\
shared: &text the Cat sat
evalcases:
  - id: a
    input_messages:
      - role: user
        content: *text
"""


@pytest.mark.parametrize("form", [*SPELLED, "yml"])
@pytest.mark.parametrize("query", [Query("Cat"), Query("the Cat", word=True), Query("cAt S", ignore_case=True)])
def test_what_is_spelled_otherwise_is_found(form, query, tmp_path):
    path = tmp_path / f"deck.{form}"
    path.write_text(SPELLED.get(form, ALIAS))
    deck = open_deck(path)
    assert hits_in(0, deck.sample_at(0).data, query)
    assert may_hold(deck.files, 0, query)


def test_samples_that_cannot_hold_it_are_not_read(tmp_path):
    path = tmp_path / "deck.jsonl"
    lines = [f'{{"id": "{at}", "messages": [{{"role": "user", "content": "no {at} *dog*"}}]}}\n' for at in range(3)]
    path.write_text("".join(lines).replace("*dog*", "**dog**"))
    files = open_deck(path).files
    assert [may_hold(files, at, Query("no 1")) for at in range(3)] == [True] * 3
    assert [may_hold(files, at, Query("cat")) for at in range(3)] == [False] * 3
    assert may_hold(files, 0, Query("c.t", regex=True)) and may_hold(files, 0, Query("?!"))
    assert not may_hold(files, 0, Query("DOGS", ignore_case=True)) and may_hold(
        files, 0, Query("DOG", ignore_case=True)
    )
