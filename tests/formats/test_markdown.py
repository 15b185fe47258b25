"""References in Markdown decks: what is one, where it stands, where it leads."""

import pytest

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.markdown import MarkdownDocument, references
from sampleui.formats.operations import Set
from sampleui.text.limits import MAX_MARKDOWN_LENGTH


@pytest.mark.parametrize(
    ("text", "target", "title"),
    [
        ("![samples](./samples.toml)", "./samples.toml", "samples"),
        ("![](a.toml)", "a.toml", ""),
        ("> ![a](a.toml)", "a.toml", "a"),
        ("1. - ![a](a.toml)", "a.toml", "a"),
        ("    ![a](a.toml)", "a.toml", "a"),
        ('![a](a.toml "a title")', "a.toml", "a"),
        ("![a]( a.toml 'title' )", "a.toml", "a"),
        ("![a](<my samples.toml>)", "my samples.toml", "a"),
        ('![a](<a(b).toml> "t")', "a(b).toml", "a"),
        ("![a](my%20samples.toml)", "my samples.toml", "a"),
        ("![a](my samples.toml)", "my samples.toml", "a"),
        ("![a](a(1).toml)", "a(1).toml", "a"),
        (r"![a](a\_b.toml)", "a_b.toml", "a"),
        ("![a [nested] b](a.toml)", "a.toml", "a [nested] b"),
        ("![two\nlines](a.toml)", "a.toml", "two\nlines"),
        ("a `tick ![a](a.toml)\n\nand ` tick", "a.toml", "a"),
        ("<b>![a](a.toml)</b>", "a.toml", "a"),
        ("```\ncode\n```\n![a](a.toml)", "a.toml", "a"),
        ("```\r\ncode\r\n```\r\n![a](a.toml)\r\n", "a.toml", "a"),
        ("> ```\n> code\n\n![a](a.toml)", "a.toml", "a"),
        ("<!-- note --> ![a](a.toml)", "a.toml", "a"),
        ("`code` ![a](a.toml)", "a.toml", "a"),
        ("``` not a fence ``` ![a](a.toml)", "a.toml", "a"),
        (r"\` ![a](a.toml) `", "a.toml", "a"),
    ],
)
def test_a_reference_is_read_with_its_target_and_title(text, target, title):
    (reference,) = references(text)
    assert (reference.target, reference.title) == (target, title)
    written = text[reference.span.start : reference.span.end]
    assert written.startswith("![") and written.endswith(")")


@pytest.mark.parametrize(
    "text",
    [
        "[link](a.toml)",
        r"\![a](a.toml)",
        "![a] (a.toml)",
        "![a]()",
        "![a](#part)",
        "![a](http://example.com/a.toml)",
        "![a](HTTPS://example.com/a.toml)",
        "![a](//example.com/a.toml)",
        "![a](<file:///etc/a.toml>)",
        "`![a](a.toml)`",
        "`` ` ![a](a.toml) ``",
        "```\n![a](a.toml)\n```",
        "~~~ toml\n```\n![a](a.toml)\n~~~",
        "````\n```\n![a](a.toml)\n````",
        "```\n![a](a.toml)",
        "  - ```\n    ![a](a.toml)\n    ```",
        "> ```\n> ![a](a.toml)\n> ```",
        "<!-- ![a](a.toml) -->",
        "<!--\n![a](a.toml)\n\n![a](a.toml)\n-->",
        "<!-- ![a](a.toml)",
    ],
)
def test_what_is_no_reference(text):
    assert references(text) == ()


def test_positions_count_lines_and_columns_from_one():
    text = "# Deck\n\n![a](a.toml) and ![b](b.toml)\r\n> ![c](c.toml)\n"
    assert [(found.target, found.position.line, found.position.column) for found in references(text)] == [
        ("a.toml", 3, 1),
        ("b.toml", 3, 18),
        ("c.toml", 4, 3),
    ]


def test_a_markdown_deck_keeps_its_text_and_has_no_samples():
    text = "\ufeff# Deck\r\n![a](a.toml)"
    document = MarkdownDocument.parse(text)
    assert (document.text, len(document), document.container, dict(document.context)) == (text, 0, (), {})
    assert [reference.target for reference in document.references] == ["a.toml"]
    for call in (
        lambda: document.read(0),
        lambda: document.span(0, ()),
        lambda: document.edit(0, Set(("id",), "x")),
        lambda: document.delete_sample(0),
    ):
        with pytest.raises(PathError, match="no sample 0"):
            call()
    with pytest.raises(EditRefusedError, match="file it refers to"):
        document.insert_sample(0, {"id": "x"})


def test_prose_without_end_is_refused():
    with pytest.raises(FormatError):
        MarkdownDocument.parse("x" * (MAX_MARKDOWN_LENGTH + 1))


def test_a_reference_is_where_it_begins():
    places = [references(text)[0].position for text in ("![a](b.yaml)", "\n![a](b.yaml)", "\nx\n ![a](b.yaml)")]
    assert [(at.line, at.column) for at in places] == [(1, 1), (2, 1), (3, 2)]
