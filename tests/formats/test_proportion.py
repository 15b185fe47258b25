"""What a file costs grows with its size: steps are counted, and what has no bound is refused by its number."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from sampleui.cli.main import run
from sampleui.errors import FormatError
from sampleui.formats import csv, csv_cells
from sampleui.formats.csv import CsvDocument
from sampleui.formats.data import Table
from sampleui.formats.document import ordered
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.operations import Set
from sampleui.formats.toml.document import TomlDocument
from sampleui.text.limits import MAX_COLUMNS, MAX_TOML_DEPTH
from sampleui.workspace.deck import open_deck

SIZE, TIMES = 300, 4
MOST = 1.5
"""How much more than in proportion the steps may grow; those of the square would grow by 4."""


def steps(call: Callable[[], object]) -> int:
    """Return how many functions are called, those in C included."""
    count = 0

    def counted(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


def wide(columns: int) -> str:
    names = ["id", "messages", *(f"c{number}" for number in range(columns))]
    message = '"[{""role"":""user"",""content"":""x""}]"'
    return ",".join(names) + "\n" + ",".join(["a", message, *["1"] * columns]) + "\n"


def reads(text: str) -> None:
    document = CsvDocument.parse(text)
    document.notes()
    document.read(0)
    document.findings(0)
    document.edit(0, Set(("c1",), "2"))
    document.insert_sample(1, {name: "1" for name in document.columns if name != "messages"})


@pytest.mark.long
def test_a_table_is_read_checked_and_edited_in_proportion_to_its_columns(monkeypatch):
    looked_at = 0

    def length(value):
        nonlocal looked_at
        looked_at += 1
        return len(value)

    for module in (csv, csv_cells):  # `map(len, cells)` calls nothing that a profile sees
        monkeypatch.setattr(module, "len", length, raising=False)
    few, lengths = steps(lambda: reads(wide(SIZE))), looked_at
    looked_at = 0
    many = steps(lambda: reads(wide(SIZE * TIMES)))
    assert many < few * TIMES * MOST
    assert looked_at < lengths * TIMES * MOST


@pytest.mark.parametrize("columns", [MAX_COLUMNS + 1, MAX_COLUMNS * 4])
def test_a_table_of_too_many_columns_is_refused_by_its_number_after_steps_in_proportion(columns, monkeypatch):
    looked_at = 0

    def length(value):
        nonlocal looked_at
        looked_at += 1
        return len(value)

    monkeypatch.setattr(csv_cells, "len", length, raising=False)
    with pytest.raises(FormatError, match=f"more than {MAX_COLUMNS:,} columns"):
        CsvDocument.parse(wide(columns))
    assert looked_at < columns * 10


def added(count: int) -> object:
    """Add a sample with a table of named entries beside one whose entries are named in another order."""
    names = [f"k{number}" for number in range(count)]
    message: Table = {"role": "user", "content": "x"}
    deck = json.dumps([{"id": "a", "messages": [message], "metadata": dict.fromkeys(reversed(names), 1)}])
    document = JsonDocument.parse(deck)
    sample: Table = {"id": "b", "messages": [message], "metadata": {**dict.fromkeys(names, 2), "more": 1}}
    return document.insert_sample(1, sample)


def test_a_sample_with_a_table_of_named_entries_is_added_in_proportion_to_them():
    assert steps(lambda: added(SIZE * TIMES)) < steps(lambda: added(SIZE)) * TIMES * MOST


def test_a_large_table_is_written_in_the_order_that_is_usual_and_what_is_new_behind_the_key_before_it():
    names = [f"k{number}" for number in range(SIZE)]
    value = {"new": 0, **dict.fromkeys(reversed(names), 1)}
    value = {**{"k7": 1, "after": 2}, **value}
    written = [*ordered(value, [dict.fromkeys(names, 1)])]
    assert [name for name in written if name in names] == names
    assert written[written.index("after") - 1] == "k7"


NAMED = {
    "table of samples": lambda count: json.dumps(
        {
            "samples": {
                f"k{number}": {"messages": [{"role": "user", "content": "x"}], "expected": "y"}
                for number in range(count)
            }
        }
    ),
    "table of no samples": lambda count: json.dumps(
        {f"k{number}": {"messages": [{"role": "user", "content": "x"}]} for number in range(count)}
    ),
    "table in a sample": lambda count: json.dumps(
        [
            {
                "id": "a",
                "messages": [{"role": "user", "content": "x"}],
                "metadata": {f"k{number}": {"x": 1} for number in range(count)},
            }
        ]
    ),
    "tool calls": lambda count: json.dumps(
        [
            {
                "id": "a",
                "messages": [
                    {"role": "user", "content": "x"},
                    {
                        "role": "assistant",
                        "tool_calls": [
                            {"id": f"c{number}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
                            for number in range(count)
                        ],
                    },
                ],
            }
        ]
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("command", [["check"], ["render"], ["convert", "--force"], ["guess"], ["next"]])
def test_commands_take_steps_in_proportion_to_a_table_of_named_entries(name, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    counts = []
    for count in (SIZE // 4, SIZE // 4, SIZE // 4 * TIMES):  # the first imports what is needed
        folder = tmp_path / f"{len(counts)}"
        folder.mkdir()
        (folder / "x.json").write_text(NAMED[name](count))
        words = [command[0], str(folder / "x.json")]
        words += [str(folder / "y.yaml"), *command[1:]] if command[0] == "convert" else []
        counts.append(steps(lambda words=words: run(words)))
    assert counts[2] < counts[1] * TIMES * MOST


def test_headers_of_too_many_steps_are_refused_before_a_table_is_made_of_them():
    header = f"[{'.'.join(['a'] * 500)}"
    text = "".join(f"{header}.k{number}]\nx = 1\n" for number in range(2_000))

    def refused() -> None:
        with pytest.raises(FormatError, match=f"nested more than {MAX_TOML_DEPTH} levels deep"):
            TomlDocument.parse(text)

    refused()
    assert steps(refused) < 1_000
    quoted = '[[samples]]\nid = "x"\n' + ".".join(["'a'"] * 300) + " = 1\n"
    with pytest.raises(FormatError, match=f"nested more than {MAX_TOML_DEPTH} levels deep"):
        TomlDocument.parse(quoted)


def test_steps_of_headers_are_bounded_in_sum(monkeypatch):
    monkeypatch.setattr("sampleui.formats.toml.scan.MAX_TOML_STEPS", 1_000)
    text = "".join(f"[k{number}.{'.'.join(['a'] * 100)}]\nx = 1\n" for number in range(20))
    with pytest.raises(FormatError, match="more than 1,000 steps in its keys"):
        TomlDocument.parse(text)
    prose = f'[[samples]]\nid = "x"\nnote = "{"so. " * 2_000}" # {"so. " * 2_000}\n'
    assert len(TomlDocument.parse(prose)) == 1


def test_a_text_of_many_dotted_words_is_no_header(tmp_path):
    deck = tmp_path / "d.toml"
    deck.write_text(f'[[samples]]\nid = "x"\nnote = """\n{"a." * 300}\n"""\n')
    assert open_deck(deck).samples[0].data["note"] == "a." * 300 + "\n"


def test_more_replacements_in_one_sample_than_can_be_proved_are_refused_by_number(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sampleui.workspace.text_search.MAX_REPLACED", 1_000)
    deck = tmp_path / "d.json"
    deck.write_text(
        json.dumps([{"id": "a", "messages": [], "notes": {f"k{number}": "xxx" for number in range(50)}}])
    )
    before = deck.read_bytes()
    assert run(["replace", "xxx", "yyy", str(deck)]) == 2
    told = capsys.readouterr().err
    assert "50 values in a sample" in told and "no more than 1,000 is replaced at once" in told
    assert deck.read_bytes() == before
