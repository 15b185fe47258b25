"""Sections of a record as elements of the page: nothing in them leads away, is fetched, or is HTML of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sampleui.page.markup import Markup, escaped, joined, tag
from sampleui.sample.sections import Badge, Block, MailHeader, More, Section, Speech, Verbatim
from sampleui.settings.views import Shape
from sampleui.text.prose import Code, Grid, Heading, HorizontalRule, InlineSpan, ListItem, Paragraph, Quote
from sampleui.text.visible import one_line

_TAGS = {"strong": "strong", "emphasis": "em", "code": "code", "struck": "s"}


def section_elements(
    sections: Sequence[Section], blocks_of: Sequence[Sequence[Block]], longest: int
) -> Iterator[Markup]:
    """Yield sections as elements, badges beside each other; what is folded or hidden is in an element to open.

    Args:
        sections: the sections.
        blocks_of: the blocks of each, without what is to be replaced.
        longest: characters of a text that are shown.
    """
    pairs = zip(sections, blocks_of, strict=True)
    for is_badge, together in groupby(pairs, key=lambda pair: pair[0].kind is Shape.BADGE and not pair[0].hidden):
        if is_badge:
            yield tag("p", *(_badge(section, blocks) for section, blocks in together), class_="badges")
            continue
        for section, blocks in together:
            heading, elements = one_line(section.heading, 100), [*block_elements(blocks, longest)]
            if section.hidden or section.folded:
                yield tag("details", tag("summary", f"{heading} · {section.size}"), *elements)
            else:
                yield joined((tag("h4", heading), *elements))


def _badge(section: Section, blocks: Iterable[Block]) -> Markup:
    value = next((block.text for block in blocks if isinstance(block, Badge)), "")
    return tag("span", tag("small", one_line(section.heading, 100)), " ", tag("bdi", one_line(value, 400)))


def block_elements(blocks: Iterable[Block], longest: int) -> Iterator[Markup]:
    """Yield blocks as elements, at most so many characters of each text."""
    for block in blocks:
        yield _element(block, longest)


def _element(block: Block, longest: int) -> Markup:
    match block:
        case Heading(spans):
            return tag("h5", *_spans(spans))
        case Paragraph(spans):
            return tag("p", *_spans(spans), class_="prose")
        case ListItem(spans, marker, depth):
            return tag("p", tag("span", marker, class_="muted"), " ", *_spans(spans), class_=f"prose item d{depth}")
        case Grid(header, rows):
            heads = tag("thead", tag("tr", *(tag("th", *_spans(cell), scope="col") for cell in header)))
            body = tag("tbody", *(tag("tr", *(tag("td", *_spans(cell)) for cell in row)) for row in rows))
            return tag("div", tag("table", heads, body), class_="wide")
        case Quote(inner):
            return tag("blockquote", *block_elements(inner, longest))
        case HorizontalRule():
            return tag("hr")
        case Code(text) | Verbatim(text) | Badge(text):
            return tag("div", clipped(text, longest), class_="text")
        case MailHeader(name, text):
            return tag("p", tag("small", f"{one_line(name)}: "), one_line(text, 1000), class_="prose")
        case More(text):
            return tag("p", f"⋯ {text}", class_="muted")
        case Speech(role, note, inner):
            name = " ".join(filter(None, (one_line(role, 40), one_line(note, 60))))
            return tag("div", tag("h5", name), *block_elements(inner, longest), class_="speech")


def _spans(spans: Iterable[InlineSpan]) -> Iterator[str]:
    for span in spans:
        yield tag(_TAGS[span.style], span.text) if span.style in _TAGS else span.text


def clipped(text: str, longest: int) -> Markup:
    """Return a text up to a length, with how much more there is."""
    if len(text) <= longest:
        return escaped(text)
    more = tag("span", f"… ({len(text) - longest:,} characters more)", class_="muted")
    return joined((text[:longest], more))
