"""Whatever others write is read in time that grows with its size and not with the square of it.

Each text is read at one size and at four times that size. Its time may grow six times at the most (the square would
be sixteen); what takes no time at all at the larger size is quick whatever it grows by.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from sampleui.deck.load import load
from sampleui.errors import DeckError
from sampleui.formats.yaml.pieces import value_of
from sampleui.integrations.nunjucks import Filling
from sampleui.prompt.templates import fill
from sampleui.sample.pasting import speeches
from sampleui.sample.sections import section_of
from sampleui.sample.variables import names_in, parsed, pieces, with_environment, with_variables
from sampleui.text.confined import read_confined
from sampleui.text.limits import MAX_FILLED
from sampleui.text.position import position_at
from sampleui.text.prose import is_markdown, prose_of
from sampleui.text.visible import one_line, visible, visible_lines
from tests.command import ran

SIZE, TIMES, MOST = 4_000, 4, 6
QUICK = 0.02
UNITS = {
    "blank lines": "\n",
    "braces": "{{",
    "blocks": "{%",
    "comments": "{#",
    "closing braces": "}}",
    "single quotes": "'",
    "double quotes": '"',
    "backticks": "`",
    "escaped quotes": "\\'",
    "variables": "{{ a }}",
    "filters": "{{a|",
    "variables of the environment": "${{ A }}",
    "raw blocks": "{% raw %}",
    "turns": "User: hi\n",
    "openings of turns": "@[User]: x\n",
    "fences": "```\n",
    "letters": "a",
    "blanks": " ",
    "emoji": "👩‍👩‍👧",
    "combining marks": "e\u0301",
    "controls": "\x1b",
    "links": "![a](",
    "assignments": "A='",
}
READERS: dict[str, Callable[[str], object]] = {
    "a .env": parsed,
    "a value of a .env": lambda text: parsed(f"A={text}\nB='{text}"),
    "a template": lambda text: fill(text, {"a": "b"}, str),
    "an open template": lambda text: fill("{{" + text, {"a": "b"}, str),
    "a template of Nunjucks": lambda text: Filling({"a": "b"}, {}).with_filled().text(text),
    "a template that is not closed": lambda text: Filling({"a": "b"}, {}, keeps_partial=True).text("{{" + text),
    "variables": lambda text: with_variables(text, {"a": "b"}),
    "variables of the environment": lambda text: (with_environment(text, {"A": "b"}), names_in(text)),
    "pieces": lambda text: pieces(text, {"a": "b"}, {"A": "b"}),
    "a pasted text": speeches,
    "a line": lambda text: (visible(text), visible_lines(text), one_line(text)),
    "Markdown": lambda text: (is_markdown(text), prose_of(text)),
    "a value": lambda text: (section_of("x", text).blocks, section_of("x", f"[{text}]").blocks),
    "a name": lambda text: read_confined(text, (Path("/nowhere"),), Path("/nowhere"), 9),
}


def seconds(call: Callable[[str], object], text: str) -> float:
    """Return how long a call takes, the shortest of a few times."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        call(text)
        times.append(time.process_time() - begun)
    return min(times)


def grows(call: Callable[[str], object], unit: str, size: int = SIZE) -> float:
    """Return how many times as long four times as much takes; 0 for what is quick. What seems too much is looked at
    again: on a busy machine the shorter of two times may be the luckier one.
    """
    return next((times for _ in range(3) if (times := _growth(call, unit, size)) <= MOST), MOST + 1.0)


def _growth(call: Callable[[str], object], unit: str, size: int) -> float:
    small, large = (unit * (size * times // len(unit)) for times in (1, TIMES))
    longer = seconds(call, large)
    return 0.0 if longer < QUICK else longer / max(seconds(call, small), 1e-6)


@pytest.mark.parametrize("reader", READERS)
def test_a_text_of_one_thing_over_and_over_is_read_in_proportion(reader):
    growth = {name: grows(READERS[reader], unit) for name, unit in UNITS.items()}
    assert {name: times for name, times in growth.items() if times > MOST} == {}


DECKS = {
    "an item of YAML": ("yaml", "tests:\n- {} a: 1\n"),
    "an empty item of YAML": ("yaml", "tests:\n- a: 1\n-{}\n"),
    "a text of YAML": ("yaml", 'tests:\n- id: a\n  x: "{}'),
    "a file of YAML": ("yaml", "{}"),
    "a value of TOML": ("toml", "[[samples]]\nx = {}"),
    "a file of TOML": ("toml", "{}"),
    "a link of Markdown": ("md", "![a]({}"),
    "a file of Markdown": ("md", "{}"),
    "a cell of CSV": ("csv", 'a,b\n"{}'),
    "a file of JSON": ("json", "[{}"),
    "a line of JSON": ("jsonl", '{{"id": "{}'),
}


@pytest.mark.parametrize("name", DECKS)
def test_a_deck_is_read_in_proportion_to_what_is_in_it_over_and_over(name, tmp_path):
    ending, around = DECKS[name]
    path = tmp_path / f"deck.{ending}"

    def read(text: str) -> None:
        path.write_text(around.format(text))
        with suppress(DeckError):
            load(path)

    growth = {unit: grows(read, UNITS[unit]) for unit in UNITS}
    assert {unit: times for unit, times in growth.items() if times > MOST} == {}


def test_places_of_many_findings_are_found_in_proportion():
    def places(text: str) -> None:
        for offset in range(0, len(text), 100):
            position_at(text, offset)

    assert grows(places, "line\n", 100_000) <= MOST


@pytest.mark.parametrize("command", ["check", "render", "next", "report"])
@pytest.mark.parametrize("unit", ["{{", "'", "\n", "a"])
def test_a_command_takes_time_in_proportion_to_a_text_of_its_files(command, unit, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path))

    def run(text: str) -> None:
        quoted = json.dumps("{{" + text)
        (tmp_path / ".env").write_text(text)
        test = f"- vars: {{q: {quoted}}}\n  assert: [{{type: equals, value: {quoted}}}]\n"
        deck = "prompts: ['{{q}}']\ntests:\n" + test
        (tmp_path / "promptfooconfig.yaml").write_text(deck)
        row = {
            "test_id": text[:200_000],
            "score": 0.1,
            "candidate_answer": text,
            "error": text,
            "target": text[:900],
        }
        (tmp_path / "run.jsonl").write_text(json.dumps(row) + "\n")
        ran(command, "run.jsonl" if command in ("next", "report") else "promptfooconfig.yaml", folder=tmp_path)

    assert grows(run, unit, 8_000) <= MOST


def test_yaml_with_one_key_over_and_over_is_read_in_proportion():
    def read(text: str) -> None:
        try:
            value_of(text)
        except Exception as error:  # noqa: BLE001 - whatever it says of the keys, it says it in time
            str(error)

    assert grows(read, "User: hi\n", 20_000) <= MOST


def test_variables_that_hold_each_other_stay_within_bounds():
    laughs = {f"a{number}": f"{{{{ a{number + 1} }}}}" * 10 for number in range(9)} | {"a9": "ha"}
    filled = Filling(laughs, {}).with_filled().text("{{ a0 }}")
    assert len(filled) <= 2 * MAX_FILLED
    text, left = fill("{{ a }}" * 2_000, {"a": "x" * 10_000}, str)
    assert len(text) <= 2 * MAX_FILLED
    assert left
    assert len(with_variables("{{ a }}" * 2_000, {"a": "x" * 10_000})) <= 2 * MAX_FILLED
