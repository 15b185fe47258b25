"""What is said of files that cannot be read: where a quote opens, and what cures a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import DeckError
from sampleui.workspace.deck import open_deck
from tests.quick import within


def refused(path: Path, text: str) -> tuple[int | None, int | None, str]:
    path.write_text(text, "utf-8")
    with pytest.raises(DeckError) as caught:
        open_deck(path)
    return caught.value.line, caught.value.column, caught.value.message


def case(text: str) -> str:
    return f"evalcases:\n- id: a\n  {text}\n- id: b\n  input: two\n"


COLON = 'a ": " inside a text without quotes begins another key; put the text in quotes: '


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("content: Here it is: [x]", 3, 12, f'{COLON}"Here it is: [x]"'),
        ("content: Say this:", 3, 12, f'{COLON}"Say this:"'),
        ("tags:\n  - Note: be: kind", 4, 11, f'{COLON}"be: kind"'),
        *(
            (
                f"input: {sign} is it",
                3,
                10,
                f'a text cannot begin with {sign[0]} here; put the text in quotes: "{sign} is it"',
            )
            for sign in ("@bob", "%d", "`ls`", "*it*", "& it", "[x]", "{{ name }}", "| it", "? it", "- it")
        ),
        ("\tinput: x", 3, 3, "a tab cannot indent YAML: write blanks in its place"),
        ("input:x\n  criteria: y", 3, 8, "a blank is missing behind this colon"),
        ("input: x\n   criteria: y", 4, 4, "this line is indented by 3, and the one before it by 2"),
        (
            "input: x\n  y\n  criteria: z",
            4,
            3,
            "this line is no key, and is not indented enough to go on with the text above",
        ),
        ("tags: [x, y", 3, 9, "the [ that begins here is not closed"),
        ("input: 'x", 3, 10, "the quote that begins here is never closed"),
        (
            "input: 'it's'",
            3,
            10,
            "text follows the closing quote: write '' for ' inside, or quote the whole text",
        ),
        (
            'input: "x\n- id: c\n  input: "y"',
            3,
            10,
            "the quote that begins here is closed in line 5 only, and text follows: one is missing",
        ),
        (
            'input: "C:\\dir"',
            3,
            13,
            'found unknown escape character: in "…" a backslash begins an escape;'
            " write \\\\ for a backslash, or put the text in '…'",
        ),
    ],
)
def test_mistakes_in_yaml_are_told_with_their_cure(
    tmp_path: Path, text: str, line: int, column: int, message: str
) -> None:
    assert refused(tmp_path / "deck.yaml", case(text)) == (line, column, message)


def test_a_hostile_line_does_not_hold_up_its_reader(tmp_path: Path) -> None:
    text = case(f"input: a{' ' * 200_000}: b: c")
    with within(5):
        assert refused(tmp_path / "deck.yaml", text)[0] == 3


def test_a_mistake_is_told_where_it_is_in_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    line, column, message = refused(tmp_path / "deck.yaml", "\ufeff" + case("input: Note: x"))
    assert (line, column, message) == (3, 10, f'{COLON}"Note: x"')


@pytest.mark.parametrize("opening", ["[", "[\n\t", '["a", '])
def test_values_that_are_nested_too_deeply_are_told_no_cure(tmp_path: Path, opening: str) -> None:
    text = case(f"input: {opening * 1_500}{']' * 1_500}")
    assert refused(tmp_path / "deck.yaml", text)[2] == "nested too deeply"


@pytest.mark.parametrize(("text", "rule"), [("!now do it", "yaml-tag"), ("&amp more", "yaml-anchor")])
def test_words_that_yaml_takes_out_of_a_text_are_told(tmp_path: Path, text: str, rule: str) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text(case(f"input: {text}"), "utf-8")
    (found,) = open_deck(path).diagnostics
    assert (found.rule, found.line) == (rule, 3)
    assert text.split(maxsplit=1)[0] in found.message and "put the text in quotes" in found.message
    path.write_text(case(f"input: '{text}'"), "utf-8")
    assert open_deck(path).diagnostics == ()


def test_an_anchor_that_is_referred_to_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text(case("input: &shared more\n  criteria: *shared"), "utf-8")
    assert open_deck(path).diagnostics == ()


NEVER = "the quote that begins here is never closed"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('id = "a\nscore = 1', 2, 6, NEVER),
        ("id = 'a\nscore = 1", 2, 6, NEVER),
        ('id = """a\nscore = 1', 2, 6, NEVER),
        ("# it's\nid = '''a\nscore = 1", 3, 6, NEVER),
        (
            'id = """a\n[[samples]]\nid = """b"""',
            2,
            6,
            "the quote that begins here is closed in line 4 only, and text follows: one is missing",
        ),
        (
            'id = "say "hi" there"',
            2,
            6,
            "text follows the closing quote: write \\\" for a \" inside, or put the text in '…'",
        ),
        ("id = hello", 2, 6, "a text needs quotes"),
        (
            'id = "C:\\dir"',
            2,
            11,
            "Unescaped '\\' in a string: write \\\\ for a backslash, or put the text in '…'",
        ),
        ('tags = ["x",\nid = "b"', 3, 1, "Invalid value"),
    ],
)
def test_mistakes_in_toml(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    assert refused(tmp_path / "deck.toml", f"[[samples]]\n{text}\n") == (line, column, message)


FOLLOWS = 'text follows the closing quote: one is missing, or a " inside is not written as \\"'


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('[{"id": "a, "messages": []}]', 1, 9, FOLLOWS),
        ('[{"id": "a"},\n {"id": "b}]', 2, 9, NEVER),
        ('[{"id": "a', 1, 9, NEVER),
        ("[{'id': 1}]", 1, 3, "JSON has double quotes alone"),
        ("[{id: 1}]", 1, 3, "a key needs double quotes"),
        ('[{"id": "a",}]', 1, 13, "a comma stands before this closing bracket"),
        ('[{"id": "a\tb"}]', 1, 11, "a control character in a text must be written as \\t"),
    ],
)
def test_mistakes_in_json(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    assert refused(tmp_path / "deck.json", text + "\n") == (line, column, message)


def test_a_quote_that_is_not_closed_is_told_in_its_line(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [{"role": "user", "content": "x"}]}\n{"id": "b}\n', "utf-8")
    (found,) = open_deck(path).diagnostics
    assert (found.rule, found.line, found.column, found.message) == ("parse-error", 2, 8, NEVER)
