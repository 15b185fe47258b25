"""CSV and TSV decks keep every byte that an edit is not about, and read the same in Python's csv module."""

import csv
import io
import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.csv import CsvDocument, TsvDocument
from sampleui.formats.csv_cells import NUMBERS, STRUCTURED

from .invariants import BOM, NAME, VARIANTS, Form, check_deck, deeds
from .strategies import texts, turns

QUICK = settings(max_examples=settings().max_examples // 4, deadline=None, suppress_health_check=list(HealthCheck))
COLUMNS = ("id", "messages", "score", "tags", "é", "a b")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
VALUES = {
    "score": st.one_of(st.integers(-9, 9), st.floats(allow_nan=False, allow_infinity=False)),
    "tags": st.lists(texts(), max_size=2),
}


def read_otherwise(column, text):
    """Tell whether a column takes a text for JSON or a number."""
    try:
        value = json.loads(text, parse_constant=str)
    except ValueError:
        return False
    if column in NUMBERS:
        return type(value) in (int, float) and text == text.strip()
    return column in STRUCTURED and isinstance(value, list | dict)


def cannot_hold(sample):
    """Tell whether a row has no cell for some value of a sample, by what the docs say."""

    def fails(key, value):
        if isinstance(value, str):
            return "\0" in value or read_otherwise(key, value)
        if key in STRUCTURED:
            return not isinstance(value, list | dict)
        return isinstance(value, bool) or not (key in NUMBERS and isinstance(value, int | float))

    return any(fails(key, value) for key, value in sample.items() if key != NAME)


def refuses(deed):
    at = deed.index
    return deed.name not in {"delete sample", "move sample"} and cannot_hold(deed.wanted[at])


def reach(document, index, path):
    """Where a cell gets quotes, the whole cell changes."""
    span = document.span(index, path[:1])
    return path if document.chunk(index)[span.start] == '"' else path[:1]


@st.composite
def tables(draw, delimiter, quoting, least=0, end="\n"):
    """Return tables as Python's csv module writes them, some rows without their last cells."""
    columns = ("id", "messages", *draw(st.lists(st.sampled_from(COLUMNS[2:]), unique=True)))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerow(columns)
    spaced = draw(st.sampled_from(((",", ":"), (", ", ": "))))
    for number in range(draw(st.integers(least, max(least, 3)))):
        row = [f"s{number}", json.dumps(draw(st.lists(turns(), max_size=3)), separators=spaced)]
        for column in columns[2:]:
            value = draw(VALUES.get(column, texts().filter(lambda text: "\0" not in text)))
            row.append(value if isinstance(value, str) else json.dumps(value, ensure_ascii=draw(st.booleans())))
        writer.writerow(row[: draw(st.integers(2, len(row)))])
        if draw(st.booleans()):
            out.write(end)
    return out.getvalue()


def ends_alike(before, after):
    return before in {"", BOM} or before.endswith(("\n", "\r")) == after.endswith(("\n", "\r"))


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL], ids=["some quoted", "all quoted"])
@pytest.mark.parametrize("delimiter", DELIMITERS.values(), ids=DELIMITERS.keys())
def test_every_edit_keeps_the_rest(delimiter, quoting):
    @QUICK
    @given(st.data(), st.sampled_from(("\n", "\r")))
    def run(data, end):
        form = Form(
            (TsvDocument if delimiter == "\t" else CsvDocument).parse,
            tables(delimiter, quoting, end=end),
            variants=tuple(VARIANTS),
            line_ends_kept=False,  # what stands in cells is the author's; the test below looks at the rest
            final_newline_kept=ends_alike,
            refuses=refuses,
            reach=reach,
        )
        check_deck(form, data)

    run()


def read_strictly(text, delimiter):
    """Return a table as Python's csv module reads it: names of columns, and rows without their empty cells."""
    lines = csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), delimiter=delimiter, strict=True)
    header, *rows = [row for row in lines if row] or [[]]
    return header, [{name: cell for name, cell in zip(header, row, strict=False) if cell} for row in rows]


def as_cells(sample):
    """Return a sample's values as what their cells say, JSON as values."""
    return {
        key: value if isinstance(value, str) else ("json", value) for key, value in sample.items() if value != ""
    }


@pytest.mark.parametrize("delimiter", DELIMITERS.values(), ids=DELIMITERS.keys())
def test_another_reader_reads_the_edited_deck(delimiter):
    parse = (TsvDocument if delimiter == "\t" else CsvDocument).parse

    @QUICK
    @given(st.data(), st.sampled_from((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)), st.sampled_from(("\n", "\r\n", "\r")))
    def run(data, quoting, end):
        document = parse(data.draw(tables(delimiter, quoting, end=end)))
        form = Form(parse, st.nothing())
        deed = data.draw(deeds(document, form).filter(lambda deed: not refuses(deed)))
        after = document.apply(deed.make(document))
        assert parse(after.text).pieces == after.pieces
        header, rows = read_strictly(after.text, delimiter)
        assert header == list(after.columns)
        assert len(rows) == len(deed.wanted)
        for row, wanted in zip(rows, deed.wanted, strict=True):
            typed = {
                key: cell if isinstance(wanted.get(key), str) else ("json", json.loads(cell))
                for key, cell in row.items()
            }
            assert typed == as_cells({key: value for key, value in wanted.items() if key != NAME})
        assert row_ends(after) <= row_ends(document)

    run()


def row_ends(document):
    """Return what ends the header and the rows, and what is between them: each line end once."""
    behind = "".join(piece[len(piece.rstrip("\r\n")) :] for piece in document.pieces)
    return {*re.findall("\r\n|\n|\r", behind)}
