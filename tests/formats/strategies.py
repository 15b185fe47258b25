"""Texts, values and samples that a form of deck may write wrongly."""

from __future__ import annotations

from hypothesis import strategies as st

from sampleui.formats.data import Plain, Table

FRAGMENTS = (
    *(
        "",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\t",
        "\\",
        "\\n",
        "\\\n",
        "\\u0041",
        '"',
        '""',
        '"""',
        '""""',
        "'",
        "''",
    ),
    *(
        "'''",
        "#",
        " # not a comment",
        ": ",
        "- ",
        "---",
        "...",
        "|",
        ">",
        "&a",
        "*a",
        "!t",
        "%",
        "@",
        "`",
        "{",
        "}",
        "[",
        "]",
    ),
    *(
        "[[samples]]",
        "[table]",
        "key = 1",
        "key: value",
        ",",
        "=",
        "yes",
        "no",
        "null",
        "~",
        "true",
        "1",
        "1e3",
        "0o14",
    ),
    *(
        "2024-01-01",
        "\u2028",
        "\u2029",
        "\x85",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x00",
        "\x1b[31m",
        "\x7f",
        "\xa0",
        "\ufeff",
    ),
    *(
        "é",
        "你好",
        "こんにちは",
        "🙂",
        "👩‍👩‍👧",
        "\U0010ffff",
        "[red]",
        "{{ input }}",
        "![a](b.md)",
        "word",
        "Two words.",
    ),
)


def texts() -> st.SearchStrategy[str]:
    """Return texts of every kind that a form may write wrongly."""
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    return st.one_of(
        st.lists(st.one_of(st.sampled_from(FRAGMENTS), anything), max_size=6).map("".join),
        st.sampled_from(FRAGMENTS),
        st.lists(st.sampled_from(("A plain line.", "", "  indented", "ends in space ", "- item")), max_size=4).map(
            "\n".join
        ),
    )


def plain_values(null: bool = True) -> st.SearchStrategy[Plain]:
    """Return values of every kind, nested. Without `null` for forms that have none."""
    scalars = st.one_of(
        texts(),
        st.integers(-(2**53), 2**53),
        st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(),
        *([st.none()] if null else []),
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys(), inner, max_size=3),
        max_leaves=5,
    )


def keys() -> st.SearchStrategy[str]:
    """Return names of keys, some of which need quotes."""
    return st.sampled_from(
        ("score", "reason", "note-2", "a.b", "two words", "é", "", '"', "'", "#", "a\nb", "1", "yes", "x:")
    )


def turns() -> st.SearchStrategy[Table]:
    """Return messages."""
    return st.builds(
        lambda role, content: {"role": role, "content": content}, st.sampled_from(("user", "tool")), texts()
    )


def new_samples() -> st.SearchStrategy[Table]:
    """Return samples with an id that no generated deck holds."""
    return st.builds(
        lambda messages, expected: {"id": "brand-new", "messages": messages, "expected": expected},
        st.lists(turns(), min_size=1, max_size=3),
        texts(),
    )
