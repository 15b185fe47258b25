"""YAML decks keep every byte that an edit is not about."""

import json
import re
import textwrap

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.formats.yaml import YamlDocument
from sampleui.formats.yaml.writing.spelling import double_quoted, flow

from .invariants import Form, check_deck, deeds
from .strategies import plain_values, texts, turns

QUICK = settings(max_examples=settings().max_examples // 3, deadline=None, suppress_health_check=list(HealthCheck))

PROSE = st.lists(
    st.sampled_from(
        ("A plain line.", "", "Another one, longer than the first.", "  indented", "- item", "key: 1", "#x")
    ),
    min_size=1,
    max_size=5,
).map("\n".join)
WORDS = st.sampled_from(
    ("Hello there", "it's 5 o'clock", "a, b [c]", "yes", "1e3", "0o14", "~", "on", "C:\\dir", "é 你好 🙂")
)


def indented(text, inset):
    return textwrap.indent(text, " " * inset, lambda line: line != "\n")


@st.composite
def scalars(draw, inset, signs=("", "-")):
    """Return a scalar behind a key, spelled in any style, with the lines of a block at a column."""
    style = draw(
        st.sampled_from(("plain", "single", "double", "literal", "folded", "any", "plain lines", "quoted lines"))
    )
    pad = " " * inset
    if style == "plain":
        return draw(WORDS) + draw(st.sampled_from(("", "  # why not")))
    if style == "single":
        return "'" + draw(WORDS).replace("'", "''") + "'"
    if style == "any":
        return double_quoted(draw(texts()))
    if style == "double":
        return json.dumps(draw(WORDS), ensure_ascii=False)
    if style == "plain lines":
        return f"first line of\n{pad}a plain text\n{pad}of three lines"
    if style == "quoted lines":
        return f'"first line\n\n{pad}after a blank\\\n{pad}joined"'
    prose = draw(PROSE.filter(str.strip))
    sign = draw(st.sampled_from(signs))
    mark = "|" if style == "literal" else ">"
    digit = str(draw(st.sampled_from((2, 2, 2)))) if prose[0] in " \n" else ""
    note = draw(st.sampled_from(("", "  # a note")))
    return f"{mark}{digit}{sign}{note}\n{indented(prose, inset)}"


@st.composite
def block_samples(draw, column, dash=2):
    """Return a sample as the lines of a table at a column, the first without indentation."""
    pad = " " * column
    number = draw(st.integers(0, 99))
    lines = [f"id: s{number}"]
    if draw(st.booleans()):
        lines.append(f"{pad}score: 3  # graded")
    if draw(st.booleans()):
        lines.append(f"{pad}note: {draw(scalars(column + 2, ('', '-', '+')))}")
    inner = column + dash
    messages = []
    for at in range(draw(st.integers(0, 3))):
        ahead = draw(st.sampled_from(("", "", f"{' ' * inner}# #~turn{at}of{number}x{column}\n", "\n")))
        role = draw(st.sampled_from(("user", "assistant", '"user"')))
        content = draw(scalars(inner + 4))
        messages.append(f"{ahead}{' ' * inner}- role: {role}\n{' ' * inner}  content: {content}")
    lines.append(f"{pad}messages:{'' if messages else ' []'}")
    lines += messages
    if draw(st.booleans()):
        lines += [f"{pad}expected:", f"{pad}  tags: [a, 'b', {{c: 1}}]  # flow", f"{pad}  empty:"]
    return "\n".join(lines)


@st.composite
def listed(draw, head, column, dash=2, tail=""):
    pad = " " * column
    parts = [head]
    for at in range(draw(st.integers(1, 4))):
        above = draw(st.sampled_from(("", f"{pad}# #~about{at}\n", f"\n{pad}# ==== #~banner{at}\n\n", "\n")))
        parts.append(f"{above}{pad}- {draw(block_samples(column + 2, dash))}\n")
    return "".join(parts) + tail


@st.composite
def keyed(draw):
    names = draw(st.lists(st.sampled_from(("one", "two words", '"three: 3"', "four")), min_size=1, unique=True))
    rows = [f"  {name}:\n    {draw(block_samples(4))}\n" for name in names]
    return "name: x\nsamples:\n" + "".join(rows) + "meta: {a: 1}\n"


@st.composite
def bracketed(draw):
    samples = st.builds(
        lambda number, messages, note: {"id": f"s{number}", "messages": messages, **note},
        st.integers(0, 9),
        st.lists(turns(), max_size=3),
        st.dictionaries(st.sampled_from(("score", "tags", "é")), plain_values(), max_size=2),
    )
    rows = [flow(sample, quoted=True) for sample in draw(st.lists(samples, max_size=3))]
    layout = draw(
        st.sampled_from(
            ("tests: [{}]\n", "tests: [\n  {}\n]  # end\nafter: 1\n", '{{"cases": [{}], "z": 1}}\n', "[{}]\n")
        )
    )
    return layout.format((", " if "\n" not in layout else ",\n  ").join(rows))


LAYOUTS = {
    "under a key": listed("# deck\nname: demo\nevalcases:\n", 2),
    "at the margin": listed("tests:\n", 0, 0, "\nother: |\n  text\n"),
    "the file itself": listed("# #~header\n", 0, 2),
    "deeply indented": st.one_of(
        listed("---\nname: demo\ncases:\n", 4, 4, "# #~end\n...\n"),
        listed("---\nname: demo\ndata:\n  v: 1\n  items:\n", 6, 4, "  # #~end\n  z: 1\n...\n"),
    ),
    "named": keyed(),
    "in brackets": bracketed(),
}


def parsed(text):
    found = YamlDocument.under(text, ("data", "items"))
    return YamlDocument.parse(text) if found is None else found


def ended_alike(before, after):
    """Tell whether the end of the file is in order: a block that has come to end it may need a final line break."""
    same = not after or before.endswith("\n") == after.endswith("\n")
    return same or (after.endswith("\n") and re.search(r": [|>]", after) is not None)


@pytest.mark.parametrize("decks", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_edit_keeps_the_rest(decks):
    @QUICK
    @given(st.data())
    def run(data):
        check_deck(Form(parsed, decks, final_newline_kept=ended_alike), data)

    run()


@QUICK
@given(st.data(), st.sampled_from([*LAYOUTS.values()]))
def test_the_pieces_of_an_edited_deck_are_those_of_its_text(data, decks):
    document = parsed(data.draw(decks))
    deed = data.draw(deeds(document, Form(parsed, decks)))
    after = document.apply(deed.make(document))
    assert document.again(after.text).pieces == after.pieces


@pytest.mark.parametrize("head", ["", "# head\n", "# head\n\n", "tests:\n", "tests:\n\n# head\n\n"])
@pytest.mark.parametrize("gap", ["# own\n", "\n# own\n", "\n# apart\n\n", "\n"])
def test_the_first_sample_goes_and_its_successor_s_comments_are_where_a_reader_has_them(head, gap):
    document = YamlDocument.parse(f"{head}- id: a\n{gap}- id: b\n- id: c\n")
    for splice in (document.delete_sample(0), document.move_sample(1, 0)):
        after = document.apply(splice)
        assert YamlDocument.parse(after.text).pieces == after.pieces
        assert after.apply(splice.inverse()).pieces == document.pieces
