"""What a TOML deck is read as: its samples, their places, its errors."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, Table
from sampleui.formats.toml import TomlDocument
from sampleui.text.position import Position

DECK = """\
# A deck of greetings.

[meta]
model = "m"

# The first sample.
[[samples]]
id = "one"  # its name
messages = [
  { role = "user", content = "Hi" },
  # the answer
  { role = "assistant", content = \"\"\"
Hello,
you.\"\"\" },
]
expected.score = 1

# ---- more ----

[[samples]]
id = "two"
[[samples.messages]]
role = "user"
content = 'x'
[samples.expected]
reason = "r"

[after]
y = 2
"""


def at(document: TomlDocument, index: int, *path: str | int) -> str:
    span = document.span(index, path)
    return document.chunk(index)[span.start : span.end]


def test_the_head_the_samples_and_the_tail_are_the_file() -> None:
    document = TomlDocument.parse(DECK)
    head, one, two, tail = document.pieces
    assert document.text == DECK
    assert head.endswith('model = "m"\n\n')
    assert one.startswith("# The first sample.\n[[samples]]")
    assert two.startswith('[[samples]]\nid = "two"')
    assert tail == "[after]\ny = 2\n"
    assert len(document) == 2
    assert document.container == ("samples",)
    assert document.context == {"meta": {"model": "m"}, "after": {"y": 2}}


def test_values_stand_where_they_are_said_to() -> None:
    document = TomlDocument.parse(DECK)
    assert document.read(0)["expected"] == {"score": 1}
    assert at(document, 0, "id") == '"one"'
    assert at(document, 0, "messages", 0, "content") == '"Hi"'
    assert at(document, 0, "messages", 1, "content") == '"""\nHello,\nyou."""'
    assert at(document, 0, "messages", 1).startswith('{ role = "assistant"')
    assert at(document, 0, "expected", "score") == "1"
    assert at(document, 1, "messages", 0) == "[[samples.messages]]\nrole = \"user\"\ncontent = 'x'"
    assert at(document, 1, "expected", "reason") == '"r"'
    assert at(document, 0).startswith("[[samples]]")
    key = document.key_span(1, ("messages", 0, "content"))
    assert document.chunk(1)[key.start : key.end] == "content"
    assert document.position(1, document.span(1, ("expected", "reason")).start) == Position(26, 10)


def test_a_path_that_leads_nowhere_is_an_error() -> None:
    document = TomlDocument.parse(DECK)
    for path in (("nothing",), ("messages", 9), ("id", "x"), ("messages", "role")):
        with pytest.raises(PathError):
            document.span(0, path)


@pytest.mark.parametrize(
    ("text", "names", "values"),
    [
        ("[samples.a]\nscore = 1\n[[samples.a.messages]]\nrole = 'u'\n", ["a"], [1]),
        (
            "[[samples.a.messages]]\nrole = 'u'\n[samples.a]\nscore = 1\n[samples.\"b c\"]\nscore = 2\n",
            ["a", "b c"],
            [1, 2],
        ),
        ("[samples]\n[samples.a]\nscore = 1\n", ["a"], [1]),
        ("[samples]\na.score = 1\nb.score = 2\n", ["a", "b"], [1, 2]),
        ("samples.a.score = 1\nsamples.'b.c'.score = 2\n[meta]\n", ["a", "b.c"], [1, 2]),
        ("samples = { a = { score = 1 }, b = { score = 2 } }\n", ["a", "b"], [1, 2]),
        (
            "[samples.a]\nscore=1\n[samples.b]\nscore=2\n[samples.a.meta]\n[samples.c]\nscore=3\n",
            ["a", "b", "c"],
            [1, 2, 3],
        ),
        ("[samples]\nnote = 1\n[samples.a]\nscore = 1\n", ["a"], [1]),
        ("[[samples]]\nscore = 1\n[other]\n[[samples]]\nscore = 2\n", [None, None], [1, 2]),
        ("samples = [ {score = 1}, {score = 2} ] # x\n", [None, None], [1, 2]),
        ('[["samples"]]\nscore = 1\n[[ samples ]]\nscore = 2\n', [None, None], [1, 2]),
        ("[[tests]]\nscore = 1\n", [None], [1]),
        ("[[evalcases]]\nscore = 1\n[tests]\nx = 1\n", [None], [1]),
        (
            "[[samples]]\nscore = 1\ntext = '''\n[[samples]]\n# '''\nlist = [\n[1],\n]\n[[samples]]\nscore=2",
            [None, None],
            [1, 2],
        ),
        ("samples = []\n", [], []),
        ("[samples]\n", [], []),
        ("samples = 3\n", [], []),
        ("[meta]\nx = 1\n", [], []),
        ("", [], []),
    ],
)
@pytest.mark.parametrize("variant", ["LF", "CRLF", "BOM"])
def test_every_spelling_of_samples_is_read(
    text: str, names: list[str | None], values: list[int], variant: str
) -> None:
    text = {"LF": text, "CRLF": text.replace("\n", "\r\n"), "BOM": "\ufeff" + text}[variant]
    document = TomlDocument.parse(text)
    assert document.text == text
    assert [document.name(index) for index in range(len(document))] == names
    assert [document.read(index)["score"] for index in range(len(document))] == values
    assert [index for piece in range(len(document.pieces)) for index in document.samples_in(piece)] == list(
        range(len(names))
    )


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('[[samples]]\nid = "open\n', 2, 11),
        ("[samples.a]\nx = 1\n[samples.a]\ny = 2\n", 3, 11),
        ("[[samples]]\nid = 1\nid = 2\n", 3, 7),
        ("[[samples]]\nid = yes\n", 2, 6),
        ("\ufeffx = \n", 1, 5),
    ],
)
def test_a_text_that_is_not_toml_is_an_error_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(FormatError) as caught:
        TomlDocument.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_values_nested_too_deep_are_an_error() -> None:
    with pytest.raises(FormatError):
        TomlDocument.parse("x = " + "[" * 100_000 + "]" * 100_000)


def test_one_sample_nested_too_deep_among_many_is_an_error() -> None:
    text = "[[samples]]\nx = 1\n" * 3
    for deep in ("x = " + "[" * 250 + "]" * 250 + "\n", "[samples." + ".".join("a" * 250) + "]\n"):
        for place in (0, len(text) // 3, len(text)):
            with pytest.raises(FormatError, match="nested more than 200 levels deep"):
                TomlDocument.parse(text[:place] + "[[samples]]\n" + deep + text[place:])


_LINES = (
    "[[samples]]", "[[samples]]", "  [[samples]] # why", "[samples.meta{}]", "[[samples.list{}]]", "[meta{}]",
    "# above", "", " ", "k{} = 1", "k{} = [\n[[1]],\n# in a list\n]", 'k{} = """\n# a\n# b"""', "k{} = '''\n['''",
)  # fmt: skip


@given(lines=st.lists(st.sampled_from(_LINES)), bom=st.booleans(), eol=st.sampled_from(["\n", "\r\n"]))
def test_samples_are_the_same_however_the_first_header_is_spelled(lines: list[str], bom: bool, eol: str) -> None:
    text = "\n".join(["[[samples]]", *lines, "[[samples]]", ""]).replace("\n", eol)
    for number in range(text.count("{}")):
        text = text.replace("{}", str(number), 1)
    plain = TomlDocument.parse("\ufeff" * bom + text)
    other = TomlDocument.parse("\ufeff" * bom + text.replace("[[samples]]", '[["samples"]]', 1))
    assert [piece.replace('[["samples"]]', "[[samples]]") for piece in other.pieces] == [*plain.pieces]
    assert len(plain) == sum(line.strip().startswith("[[samples]]") for line in lines) + 2


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [("[[samples]]\n", "[[ samples ]]\na = 2\n", {"a": 2}), ("samples = [{a = 1}, {a = 3}]\n", "", {"a": 3})],
)
def test_a_header_in_a_text_begins_no_sample(first: str, second: str, value: Table) -> None:
    quoted = ('x = """\n[[samples]]\n"""\n', 'y = """\n[[samples]]\n"""\n')
    document = TomlDocument.parse(first + "".join(quoted if not second else quoted[:1]) + second)
    assert len(document) == 2
    assert document.read(1) == value


@pytest.mark.parametrize("text", ["[[samples]]\nid = 1\n", "broken"])
def test_the_garbage_collector_is_as_it_was_after_reading(text: str) -> None:
    for collects in (True, False):
        gc.enable() if collects else gc.disable()
        try:
            TomlDocument.parse(text)
        except FormatError:
            assert text == "broken"
        assert gc.isenabled() == collects
    gc.enable()


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(
    ("path", "missing"), [(("x",), "x"), (("id", "y"), "id.y"), (("messages", 3, "role"), "messages[3]")]
)
def test_a_path_that_leads_nowhere_is_named_as_one_of_its_sample(index: int, path: DataPath, missing: str) -> None:
    text = '[[samples]]\nid = "a"\nmessages = []\n\n[[samples]]\nid = "b"\nmessages = []\n'
    for place in (TomlDocument.parse(text).span, TomlDocument.parse(text).key_span):
        with pytest.raises(PathError) as raised:
            place(index, path)
        assert str(raised.value) == f"there is no {missing}"
