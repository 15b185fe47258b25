"""The text that an edit of a TOML value leaves: its style, its layout, its comments."""

from __future__ import annotations

import pytest

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set
from sampleui.formats.toml import TomlDocument

TURN: Plain = {"role": "user", "content": "new"}


def after_set(text: str, path: DataPath, value: Plain, index: int = 0) -> str:
    document = TomlDocument.parse(text)
    return document.apply(document.edit(index, Set(path, value))).text


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ('"one"', "two", '"two"'),
        ('"one"', 'say "x" \\ \t', r'"say \"x\" \\ \t"'),
        ('"one"', "a\nb", '"""\na\nb"""'),
        (r'"a\nb"', "a\nc", r'"a\nc"'),
        (r'"caf\u00e9 au lait"', "café du lait", r'"caf\u00e9 du lait"'),
        ("'raw \\n'", "raw \\t", "'raw \\t'"),
        ("'raw'", "it's", '"it\'s"'),
        ("'raw'", "a\nb", "'''\na\nb'''"),
        ("'''raw'''", "two\nlines", "'''two\nlines'''"),
        ("'''\nraw'''", "it''''s", '"""\nit\'\'\'\'s"""'),
        ('"""\none\ntwo"""', "one\nthree", '"""\none\nthree"""'),
        ('"""\none\ntwo"""', "one", '"""\none"""'),
        ('"""one"""', "\n", '"""\n\n"""'),
        ('"""one"""', 'ends "', '"""ends \\""""'),
        ('"""one"""', 'a """" b', '"""a ""\\"" b"""'),
        ('"""\\\n   joined \\\n   lines"""', "joined words", '"""\\\n   joined \\\n   words"""'),
        ('"""\\\n   joined \\\n   lines"""', "other", '"""\\\n   other"""'),
        ('"one"', "\u2028\x85\x1b", r'"\u2028\u0085\u001B"'),
        ('"one"', "a\r\nb", '"""\na\\r\nb"""'),
        ("1", "one", '"one"'),
        ('"one"', 1, "1"),
        ("1", 2.0, "2.0"),
        ("1", True, "true"),
        ("[1, 2]", [1, "x"], '[1, "x"]'),
        ("[\n  1,\n]", [1, 2], "[\n  1,\n  2,\n]"),
        ("[1]", [], "[]"),
        ("{ a = 1 }", {"a b": {"c": [1]}}, '{ "a b" = { c = [1] } }'),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_value_keeps_the_style_it_had(old: str, value: Plain, new: str, newline: str) -> None:
    frame = "[[samples]]\nx = {}  # kept\nscore = 1\n"
    text = frame.replace("{}", old).replace("\n", newline)
    assert after_set(text, ("x",), value) == frame.replace("{}", new).replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "path", "value", "new"),
    [
        (
            "[[samples]]\nid = 1  # a\n\n[samples.notes]\n",
            ("score",),
            2,
            "[[samples]]\nid = 1  # a\nscore = 2\n\n[samples.notes]\n",
        ),
        ("[[samples]]\n  id=1", ("score",), 2, "[[samples]]\n  id=1\n  score=2"),
        ("[[samples]]\n", ("two words",), 2, '[[samples]]\n"two words" = 2\n'),
        (
            "[[samples]]\nexpected = { score = 1 }\n",
            ("expected", "reason"),
            "r",
            '[[samples]]\nexpected = { score = 1, reason = "r" }\n',
        ),
        ("[[samples]]\nexpected = {}\n", ("expected", "reason"), "r", '[[samples]]\nexpected = {reason = "r"}\n'),
        (
            "[[samples]]\nexpected.score = 1\nid = 2\n",
            ("expected", "b"),
            3,
            "[[samples]]\nexpected.score = 1\nexpected.b = 3\nid = 2\n",
        ),
        ("[[samples]]\nx = { a.b = 1 }\n", ("x", "a", "c"), 3, "[[samples]]\nx = { a.b = 1, a.c = 3 }\n"),
        ("[samples.a.notes]\nby = 1\n", ("score",), 2, "[samples.a.notes]\nby = 1\n\n[samples.a]\nscore = 2\n"),
        ("[[samples]]\n[samples.notes]\nby = 1\n", ("notes",), 5, "[[samples]]\nnotes = 5\n"),
        (
            "[[samples]]\n[samples.notes]\nby = 1 # x\n",
            ("notes",),
            {"at": 5},
            "[[samples]]\n[samples.notes]\n# x\nat = 5\n",
        ),
    ],
)
def test_a_key_is_added_where_its_table_is(text: str, path: DataPath, value: Plain, new: str) -> None:
    assert after_set(text, path, value) == new


def test_null_is_refused_with_the_reason() -> None:
    document = TomlDocument.parse("[[samples]]\nx = 1\n")
    with pytest.raises(EditRefusedError, match="null"):
        document.edit(0, Set(("x",), None))
    with pytest.raises(PathError):
        document.edit(0, Set(("y", "z"), 1))


INLINE = """\
[[samples]]
messages = [
  # first
  { role = "user", content = "1" },  # one

  # a banner

  { role = "tool", content = "2" } # two
]
"""


def test_turns_of_a_list_take_their_comments_along() -> None:
    document = TomlDocument.parse(INLINE)
    moved = document.apply(document.edit(0, Move(("messages", 0), 1))).text
    assert moved == INLINE.replace(
        '  # first\n  { role = "user", content = "1" },  # one', '  { role = "tool", content = "2" }, # two'
    ).replace(
        '\n  { role = "tool", content = "2" } # two\n]', '\n  # first\n  { role = "user", content = "1" }  # one\n]'
    )
    gone = document.apply(document.edit(0, Delete(("messages", 1)))).text
    assert gone == INLINE.replace('"1" },', '"1" }').replace('\n\n  { role = "tool", content = "2" } # two', "")
    gone = document.apply(document.edit(0, Delete(("messages", 0)))).text
    assert gone == INLINE.replace('  # first\n  { role = "user", content = "1" },  # one\n\n', "")
    added = document.apply(document.edit(0, Insert(("messages", 2), TURN))).text
    assert added == INLINE.replace("} # two\n", '}, # two\n  { role = "user", content = "new" }\n')
    first = document.apply(document.edit(0, Insert(("messages", 0), TURN))).text
    assert first == INLINE.replace("  # first\n", '  { role = "user", content = "new" },\n  # first\n')


@pytest.mark.parametrize(
    ("array", "new"),
    [
        ("[]", '[\n  { role = "user", content = "new" },\n]'),
        ("[\n]", '[\n  { role = "user", content = "new" },\n]'),
        ("[ {role='u'} ]", "[ {role='user', content='new'}, {role='u'} ]"),
        ("[{role='u'},]", "[{role='user', content='new'}, {role='u'},]"),
        ("[\n    {role='u'},\n]", "[\n    {role='user', content='new'},\n    {role='u'},\n]"),
        ("[ # none yet\n]", '[ # none yet\n  { role = "user", content = "new" },\n]'),
    ],
)
def test_a_turn_takes_the_layout_of_its_list(array: str, new: str) -> None:
    document = TomlDocument.parse(f"[[samples]]\nmessages = {array} # c\n")
    assert (
        document.apply(document.edit(0, Insert(("messages", 0), TURN))).text
        == f"[[samples]]\nmessages = {new} # c\n"
    )


BLOCKS = """\
[[samples]]
id = "a"

# greets
[[samples.messages]]
role = "user"
content = "1" # one

[[samples.messages]]
role = "tool"
content = "2"
[samples.messages.meta]
deep = true

[samples.expected]
score = 1
"""


def test_blocks_move_with_their_comments_and_tables() -> None:
    document = TomlDocument.parse(BLOCKS)
    one = '# greets\n[[samples.messages]]\nrole = "user"\ncontent = "1" # one'
    two = '[[samples.messages]]\nrole = "tool"\ncontent = "2"\n[samples.messages.meta]\ndeep = true'
    new = '[[samples.messages]]\nrole = "user"\ncontent = "new"'
    assert document.apply(document.edit(0, Move(("messages", 1), 0))).text == BLOCKS.replace(
        f"{one}\n\n{two}", f"{two}\n\n{one}"
    )
    assert document.apply(document.edit(0, Delete(("messages", 0)))).text == BLOCKS.replace(f"{one}\n\n", "")
    assert document.apply(document.edit(0, Delete(("messages", 1)))).text == BLOCKS.replace(f"{two}\n\n", "")
    assert document.apply(document.edit(0, Insert(("messages", 1), TURN))).text == BLOCKS.replace(
        two, f"{new}\n\n{two}"
    )
    assert document.apply(document.edit(0, Insert(("messages", 2), TURN))).text == BLOCKS.replace(
        two, f"{two}\n\n{new}"
    )


@pytest.mark.parametrize(
    "text", ["[samples.a]\nx = 1\n\n[[samples.a.messages]]\nrole = 'u'\n", "[[samples.a.messages]]\nrole = 'u'\n"]
)
def test_the_last_block_leaves_an_empty_list_that_takes_turns(text: str) -> None:
    document = TomlDocument.parse(text)
    emptied = document.apply(document.edit(0, Delete(("messages", 0))))
    assert emptied.text.endswith("messages = []\n")
    filled = emptied.apply(emptied.edit(0, Insert(("messages", 0), TURN)))
    assert filled.text.endswith("\n[[samples.a.messages]]\nrole = 'user'\ncontent = 'new'\n")
    assert "messages = []" not in filled.text


def test_comments_in_an_empty_list_stay_when_it_takes_its_first_turn() -> None:
    block = "[samples.a]\nx = 1\n[[samples.a.messages]]\nrole = 'u'\n\n"
    document = TomlDocument.parse(f"{block}[samples.b]\ny = 1\nmessages = [\n  # none yet\n]\n")
    filled = document.apply(document.edit(1, Insert(("messages", 0), TURN)))
    assert filled.text.endswith("messages = [\n  # none yet\n  { role = 'user', content = 'new' },\n]\n")


def test_new_messages_take_the_form_of_the_samples_nearby() -> None:
    blocks = "[[samples]]\nid = 1\n[[samples.messages]]\nrole = 'u'\n\n[[samples]]\nid = 2\n"
    assert after_set(blocks, ("messages",), [TURN], 1).endswith(
        "id = 2\n\n[[samples.messages]]\nrole = 'user'\ncontent = 'new'\n"
    )
    inline = blocks.replace("[[samples.messages]]\nrole = 'u'", "messages = [{role='u'}]")
    assert after_set(inline, ("messages",), [TURN], 1).endswith(
        "id = 2\nmessages = [{role='user', content='new'}]\n"
    )


def test_a_single_line_list_with_a_comment_is_laid_out_anew_to_move() -> None:
    document = TomlDocument.parse("[[samples]]\ntags = [1, 2 # two\n]\n")
    assert (
        document.apply(document.edit(0, Move(("tags", 1), 0))).text
        == "[[samples]]\ntags = [\n  2, # two\n  1,\n]\n"
    )


def test_a_key_is_renamed_in_all_dotted_keys_of_an_inline_table():
    document = TomlDocument.parse("[[samples]]\nv = { b.c.x = 1, a = 2, b.c.y.z = 3, b.d = 4 }\n")
    assert document.apply(document.edit(0, Rename(("v", "b", "c"), "new one"))).text == (
        '[[samples]]\nv = { b."new one".x = 1, a = 2, b."new one".y.z = 3, b.d = 4 }\n'
    )
    assert document.apply(document.edit(0, Rename(("v", "b"), "e"))).read(0) == {
        "v": {"e": {"c": {"x": 1, "y": {"z": 3}}, "d": 4}, "a": 2}
    }


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_value_keeps_the_place_and_the_comments_of_the_dotted_table_it_replaces(newline):
    text = "[[samples]]\n# above\n  x.a.b = 1 # one\nz = 1\n# two\nx.a.c = 2  # why\nx.a.d.e = 3\n# end\ny = 1\n"
    document = TomlDocument.parse(text.replace("\n", newline))
    after = document.apply(document.edit(0, Set(("x", "a"), 5)))
    wanted = "[[samples]]\n# above\n  x.a = 5 # one\nz = 1\n# two\n# why\n# end\ny = 1\n"
    assert after.text == wanted.replace("\n", newline)
    whole = document.apply(document.edit(0, Set(("x",), "new")))
    assert whole.text == wanted.replace("x.a = 5", 'x = "new"').replace("\n", newline)


def test_a_dotted_table_at_the_end_is_replaced():
    document = TomlDocument.parse("[[samples]]\na.b = 1\na.c = 2")
    assert document.apply(document.edit(0, Set(("a",), [1]))).text.rstrip("\n") == "[[samples]]\na = [1]"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("header", ["[samples.expected]", "[[samples.expected]]"])
def test_a_value_in_the_place_of_a_table_with_a_header_keeps_all_comments(header, newline):
    text = (
        '[[samples]]\nid = "a"\n\n# above\n'
        f"{header} # behind\nscore = 1 # one\n\n# apart\n\n"
        'reason = [ # in\n  "# none",\n]\n\n[[samples]]\nid = "b"\n'
    ).replace("\n", newline)
    comments = ["# above", "# behind", "# one", "# apart", "# in"]
    wanted = ["[[samples]]", 'id = "a"', *comments, 'expected = "x"', "", "[[samples]]", 'id = "b"', ""]
    assert after_set(text, ("expected",), "x") == newline.join(wanted)


def test_a_sample_that_only_its_messages_spell_stays_when_they_go():
    document = TomlDocument.parse('[[samples.a.messages]]\nrole = "user"\n\n[samples.b]\nscore = 1\n')
    after = document.apply(document.edit(0, Delete(("messages",))))
    assert after.text == "[samples]\na = {}\n\n[samples.b]\nscore = 1\n"


def test_the_table_of_a_dotted_key_stays_when_the_key_goes():
    document = TomlDocument.parse("[[samples]]\nid = 'a' # a\nd.e.f = 1 # f\n")
    after = document.apply(document.edit(0, Delete(("d", "e", "f"))))
    assert after.text == "[[samples]]\nid = 'a' # a\nd.e = {} # f\n"


def test_an_item_among_headers_is_refused_with_the_reason():
    document = TomlDocument.parse("[[samples]]\n[[samples.messages]]\nrole = 'user'\n")
    for operation in (Set, Insert):
        with pytest.raises(EditRefusedError, match="only a table can be in a list"):
            document.edit(0, operation(("messages", 0), "text"))


@pytest.mark.parametrize("end", [" ", ", "])
def test_the_last_item_goes_from_behind_a_comment(end):
    document = TomlDocument.parse(f"[[samples]]\nn = [\n  1, # one\n  2{end}]\n")
    after = document.apply(document.edit(0, Delete(("n", 1))))
    assert "# one\n" in after.text and after.read(0) == {"n": [1]}


def test_blanks_behind_the_pair_above_do_not_keep_blocks_from_being_replaced():
    text = "[[samples]]\nid = 'a' \n[[samples.messages]]\nrole = 'user'\n"
    assert after_set(text, ("messages",), "x") == "[[samples]]\nid = 'a' \nmessages = 'x'\n"


def test_one_of_three_interleaved_samples_can_go():
    text = "[samples.a]\nx = 1\n[samples.b]\ny = 1\n[samples.c]\nz = 1\n[samples.a.more]\nx = 2\n"
    document = TomlDocument.parse(text)
    assert document.apply(document.delete_sample(0)).text == "[samples.b]\ny = 1\n[samples.c]\nz = 1\n"


def test_a_text_that_grows_by_what_it_begins_with_keeps_the_escapes_around():
    text = '[[samples]]\nx = "\\u0061b\\u0061"\n'
    assert after_set(text, ("x",), "aba" + "ba") == '[[samples]]\nx = "\\u0061b\\u0061ba"\n'
    assert after_set(text, ("x",), "aa") == '[[samples]]\nx = "\\u0061\\u0061"\n'


def test_a_table_that_takes_the_place_of_another_keeps_its_comments():
    deck = TomlDocument.parse(
        "[[samples]]\n# above\n  [samples.meta] # head\n    x = 1 # one\n\n    # apart\n\n    y = 2\n    # tail\n"
    )
    kept = "[[samples]]\n# above\n  [samples.meta] # head\n    # one\n    # apart\n"
    assert deck.apply(deck.edit(0, Set(("meta",), {"z": 3}))).text == kept + "    z = 3\n    # tail\n"
    assert deck.apply(deck.edit(0, Set(("meta",), {}))).text == kept + "    # tail\n"


def test_blocks_that_take_the_place_of_others_keep_their_comments():
    block = '# {0}\n[[samples.messages]] # {0}\nrole = "{0}" # it is {0}\n'
    deck = TomlDocument.parse("[[samples]]\n" + block.format("a") + "\n# apart\n\n" + block.format("b"))
    now = deck.apply(deck.edit(0, Set(("messages",), [{"role": "c"}, {"role": "d"}, {"role": "e"}]))).text
    kept = '# {0}\n[[samples.messages]] # {0}\n# it is {0}\nrole = "{1}"\n'
    new = '\n[[samples.messages]]\nrole = "e"\n'
    assert now == "[[samples]]\n" + kept.format("a", "c") + "\n# apart\n\n" + kept.format("b", "d") + new


ALIGNED = """\
[[samples]]
id       = "a"
messages = [{ role = "user", content = "Hi" }]

[samples.expected]
score  = 1
reason = "x"

[[samples]]
id          = "b"
messages    = []
description = "longest"
"""


@pytest.mark.parametrize(
    ("index", "path", "line"),
    [
        (0, ("tags",), 'tags     = ["x"]\n'),
        (0, ("description",), 'description = ["x"]\n'),
        (0, ("expected", "by"), 'by     = ["x"]\n'),
        (1, ("tags",), 'tags        = ["x"]\n'),
    ],
)
def test_a_new_key_stands_in_columns_where_most_do(index: int, path: tuple[str, ...], line: str) -> None:
    document = TomlDocument.parse(ALIGNED)
    assert line in document.apply(document.edit(index, Set(path, ["x"]))).text.splitlines(keepends=True)


def test_a_new_sample_stands_in_columns_where_most_do() -> None:
    document = TomlDocument.parse(ALIGNED)
    after = document.apply(document.insert_sample(1, {"id": "n", "messages": [], "score": 1})).text
    assert '[[samples]]\nid       = "n"\nmessages = []\nscore    = 1\n' in after


def test_one_table_in_columns_is_no_habit() -> None:
    text = ALIGNED + '\n[[samples]]\nid = "c"\nmessages = []\n\n[samples.expected]\nscore = 1\nreason = "x"\n'
    text += "\n[[samples]]\nid = 1\nmessages = []\n" * 2
    document = TomlDocument.parse(text)
    assert "\ntags = []\n" in document.apply(document.edit(0, Set(("tags",), []))).text


def test_a_text_in_the_place_of_an_empty_one_has_the_quotes_of_the_others() -> None:
    document = TomlDocument.parse("[[samples]]\nid = 'a'\nx = 'b'\ny = \"\"\n")
    assert document.apply(document.edit(0, Set(("y",), "it"))).text.endswith("y = 'it'\n")
    assert document.apply(document.edit(0, Set(("y",), "1\n2\n"))).text.endswith('y = """\n1\n2\n"""\n')


def test_a_new_list_stands_on_lines_where_the_others_of_its_key_do() -> None:
    text = '[[samples]]\ntags = [\n  "a",\n  "b",\n]\n\n[[samples]]\ntags = "x"\n'
    assert after_set(text, ("tags",), ["c", "d"], 1).endswith('tags = [\n  "c",\n  "d",\n]\n')


def test_a_new_block_is_indented_as_the_blocks_beside_it() -> None:
    text = '[[samples]]\nid = "a"\n  [samples.meta]\n  k = 1\n'
    assert after_set(text, ("more",), {"l": {"m": 1}}).endswith("\n  [samples.more]\n  l = { m = 1 }\n")


def test_new_tables_follow_other_lists_of_tables_and_not_lists_of_texts() -> None:
    tools: Plain = [{"name": "t"}]
    sample = "[[samples]]\nid = 1\ntags = ['a']\nkinds = ['b']\n"
    blocks = f"{sample}[[samples.messages]]\nrole = 'u'\n"
    assert after_set(blocks, ("tools",), tools).endswith("[[samples.tools]]\nname = 't'\n")
    inline = f"{sample}messages = [{{role = 'u'}}]\n"
    assert "tools = [{name = 't'}]\n" in after_set(inline, ("tools",), tools)


@pytest.mark.parametrize("apart", ["\n", "\n\n", "\n\n\n"])
def test_a_new_block_stands_as_far_apart_as_the_last_one(apart: str) -> None:
    turns = [f"[[samples.messages]]\nrole = '{one}'\ncontent = ''" for one in ("u", "a")]
    document = TomlDocument.parse(f"[[samples]]\nid = 1\n\n{apart.join(turns)}\n")
    added = document.apply(document.edit(0, Insert(("messages", 2), TURN))).text
    assert added == f"{document.text.rstrip()}{apart}[[samples.messages]]\nrole = 'user'\ncontent = 'new'\n"


@pytest.mark.parametrize(
    ("written", "quotes"),
    [
        (['"""a\nb"""', '"""a\nb"""', "'''a\nb'''"], '"""'),
        (['"""a\\t\nb"""', '"""a\nit\'s"""', "'''a\nb'''"], "'''"),
        (['"a\\t"', '"it\'s"', "'a'"], "'"),
        (['"a"', '"b"', "'a'"], '"'),
        (['"a\'"', '"\'b"', "'a'"], "'"),
        (['"""\'a\nb"""', '"""a\nb\'"""', "'''a\nb'''"], "'''"),
    ],
)
def test_quotes_follow_the_texts_that_could_be_in_either(written: list[str], quotes: str) -> None:
    text = "[[samples]]\n" + "".join(f"t{at} = {one}\n" for at, one in enumerate(written))
    value = "x\ny" if len(quotes) == 3 else "x"
    opened = "\n" if len(quotes) == 3 else ""
    assert after_set(text, ("new",), value).endswith(f"new = {quotes}{opened}{value}{quotes}\n")
