"""JSON decks: their shapes, what is read, and how edits are written."""

import math

import pytest

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.operations import Delete, Set

from .by_name import splice_of

PRETTY = """\
{
  "name": "greetings",
  "samples": [
    {
      "id": "one",
      "messages": [
        {
          "role": "user",
          "content": "Hi"
        }
      ],
      "tags": []
    },
    {"id": "two", "messages": [ { "role": "user", "content": "Bye" } ]}
  ],
  "after": 1.0
}
"""


def edited(text, deed, *args):
    document = JsonDocument.parse(text)
    return document.apply(splice_of(document, deed, *args)).text


def changed(text, deed, *args):
    """Return what an edit takes out and puts in, without what both sides share."""
    document = JsonDocument.parse(text)
    splice = splice_of(document, deed, *args)
    edit = splice.text_edit()
    return "".join(splice.removed)[edit.start : edit.end], edit.text


@pytest.mark.parametrize(
    ("text", "container", "count", "names"),
    [
        ('[{"a": 1}, {"a": 2}]', (), 2, [None, None]),
        ("[]", (), 0, []),
        ('{"samples": [{"a": 1}]}', ("samples",), 1, [None]),
        ('{"evalcases": [{"a": 1}]}', ("evalcases",), 1, [None]),
        ('{"cases": [{"a": 1}], "version": 1}', ("cases",), 1, [None]),
        ('{"tests": {"x": {"a": 1}, "\\u0079": {}}}', ("tests",), 2, ["x", "y"]),
        ('{"messages": [], "tests": [1]}', (), 1, [None]),
        ('{"input_messages": []}', (), 1, [None]),
        ('{"name": "no samples"}', (), 0, []),
        ('{"samples": 3, "cases": [{}]}', ("cases",), 1, [None]),
    ],
)
def test_samples_are_found_in_every_shape_of_a_file(text, container, count, names):
    document = JsonDocument.parse(text)
    assert (document.container, len(document), [document.name(at) for at in range(count)]) == (
        container,
        count,
        names,
    )
    assert document.text == text


def test_a_chunk_is_whitespace_value_and_comma():
    document = JsonDocument.parse('\ufeff {"x": 1, "samples" : [\n {"a": 1} ,\n\n {"b": 2}\n ] }\n')
    assert document.pieces == (
        '\ufeff {"x": 1, "samples" : [',
        '\n {"a": 1} ,',
        '\n\n {"b": 2}',
        "\n ] }\n",
    )
    assert document.position(1, document.span(1, ()).start) == document.position(1, 3)
    assert (document.position(1, 3).line, document.position(1, 3).column) == (4, 2)


def test_context_is_what_stands_beside_the_samples():
    assert JsonDocument.parse(PRETTY).context == {"name": "greetings", "after": 1.0}
    assert JsonDocument.parse('{"name": "x"}').context == {"name": "x"}
    assert JsonDocument.parse('{"messages": [], "id": "x"}').context == {}
    assert JsonDocument.parse("[{}]").context == {}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "Expecting value"),
        ("[{},\n 3x]", 2, 3, "Expecting ',' or ']'"),
        ('{"samples": [{"a": 1}', 1, 22, "Expecting ',' or ']'"),
        ('{"samples": [{"a": 1,\n\n', 1, 22, "Expecting property name enclosed in double quotes"),
        ('[{"a": "b}]', 1, 8, "the quote that begins here is never closed"),
        ('[{"a": 1},]', 1, 11, "Expecting value"),
        ("[{}] x", 1, 6, "Extra data"),
        ("3", 1, 1, "a deck is a list or an object"),
        ("[1, 2]", 1, 2, "a sample must be an object"),
        ("// comment\n[]", 1, 1, "Expecting value"),
        ('{"samples": [{"a": "x\x00y"}]}', 1, 22, "a control character in a text must be written as \\u0000"),
        ('{"n": ' + "9" * 5000 + "}", 1, 7, "an integer with too many digits"),
        ("{x: 1}", 1, 2, "Expecting property name enclosed in double quotes"),
        ('{"x" 1}', 1, 6, "Expecting ':' delimiter"),
    ],
)
def test_what_is_no_json_is_an_error_with_its_place(text, line, column, message):
    with pytest.raises(FormatError) as caught:
        JsonDocument.parse(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)


def test_an_item_that_is_no_object_is_a_broken_sample_among_others():
    document = JsonDocument.parse('[{"a": 1}, 3, {"b": 2}]')
    assert [finding.message for finding in document.findings(1)] == ["a sample must be an object"]
    assert document.findings(0) == ()
    with pytest.raises(EditRefusedError, match="cannot be read"):
        document.edit(1, Set(("x",), 1))
    assert document.apply(document.edit(2, Set(("b",), 3))).text == '[{"a": 1}, 3, {"b": 3}]'
    assert document.apply(document.delete_sample(1)).text == '[{"a": 1}, {"b": 2}]'


BETWEEN = '\n    {"path": "file://b.py:made", "config": {"n": 2}},\n    '
MIXED = """{
  "tests": [
    "file://a.csv",
    {"vars": {"q": "1"}},
    {"path": "file://b.py:made", "config": {"n": 2}},
    {"vars": {"q": "2"}},
    "t/*.yaml"
  ]
}
"""


def test_items_that_name_files_are_no_samples_and_are_told_with_their_places():
    document = JsonDocument.parse(MIXED)
    assert [document.read(at)["vars"]["q"] for at in range(len(document))] == ["1", "2"]
    assert [(one.path, one.in_table, one.position.line, one.position.column) for one in document.named_files] == [
        ("file://a.csv", False, 3, 5),
        ("file://b.py:made", True, 5, 5),
        ("t/*.yaml", False, 7, 5),
    ]
    assert document.position(1, document.start(1)).line == 6


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (lambda one: one.edit(1, Set(("vars", "q"), "3")), '"2"}}', '"3"}}'),
        (lambda one: one.delete_sample(0), '    {"vars": {"q": "1"}},\n', ""),
        (
            lambda one: one.move_sample(0, 1),
            f'{{"vars": {{"q": "1"}}}},{BETWEEN}{{"vars": {{"q": "2"}}}}',
            f'{{"vars": {{"q": "2"}}}},{BETWEEN}{{"vars": {{"q": "1"}}}}',
        ),
        (
            lambda one: one.insert_sample(2, {"vars": {"q": "3"}}),
            '{"vars": {"q": "2"}},\n',
            '{"vars": {"q": "2"}},\n    {"vars": {"q": "3"}},\n',
        ),
        (
            lambda one: one.insert_sample(0, {"vars": {"q": "0"}}),
            '    {"vars": {"q": "1"}}',
            '    {"vars": {"q": "0"}},\n    {"vars": {"q": "1"}}',
        ),
    ],
)
def test_edits_among_them_leave_them_as_they_are(edit, before, after):
    document = JsonDocument.parse(MIXED)
    changed = document.apply(edit(document))
    assert changed.text == MIXED.replace(before, after)
    assert [one.path for one in changed.named_files] == ["file://a.csv", "file://b.py:made", "t/*.yaml"]


def test_a_sample_at_either_end_of_them_goes_with_its_comma():
    ends = '[{"a": 1}, "file://x.yaml", {"b": 2}]'
    document = JsonDocument.parse(ends)
    assert document.apply(document.delete_sample(1)).text == '[{"a": 1}, "file://x.yaml"]'
    assert document.apply(document.delete_sample(0)).text == '["file://x.yaml", {"b": 2}]'
    added = document.apply(document.insert_sample(2, {"c": 3}))
    assert added.text == '[{"a": 1}, "file://x.yaml", {"b": 2}, {"c": 3}]'


@pytest.mark.parametrize("item", ['"one"', '{"path": "a.csv", "vars": {}}', '{"path": 5}', '["file://a.csv"]'])
def test_what_may_be_a_sample_or_a_slip_is_no_name_of_a_file(item):
    document = JsonDocument.parse(f'[{{"vars": {{}}}}, {item}]')
    assert (len(document), document.named_files) == (2, ())


def test_a_list_of_names_alone_takes_no_sample():
    document = JsonDocument.parse('{"tests": [{"path": "a.csv"}]}')
    assert (len(document), [one.path for one in document.named_files]) == (0, ["a.csv"])
    with pytest.raises(EditRefusedError, match="only names of files"):
        document.insert_sample(0, {"vars": {}})


def test_spans_and_key_spans():
    document = JsonDocument.parse('[{"a": {"b": [1, "x"]}}]')
    chunk = document.chunk(0)

    def at(span):
        return chunk[span.start : span.end]

    assert at(document.span(0, ())) == chunk
    assert at(document.span(0, ("a", "b", 1))) == '"x"'
    assert at(document.key_span(0, ("a", "b"))) == '"b"'
    assert at(document.key_span(0, ("a", "b", 0))) == "1"
    for path in (("c",), ("a", "b", 2), ("a", "b", -1), ("a", 0), ("a", "b", 0, 0)):
        with pytest.raises(PathError):
            document.span(0, path)


@pytest.mark.parametrize(
    ("text", "path", "value", "old", "new"),
    [
        (PRETTY, ("messages", 0, "content"), "Hello", "i", "ello"),
        (PRETTY, ("id",), 'a "b"\n', "one", r"a \"b\"\n"),
        (PRETTY, ("tags",), ["x"], "", '\n        "x"\n      '),
        (PRETTY, ("score",), 0.5, "", ',\n      "score": 0.5'),
        ('[{"a": 1.50,"b":[1,2]}]', ("c",), {"d": [1]}, "", ',"c": {"d": [1]}'),
        ('[{"a":1.50,"b":[1,2]}]', ("c",), {"d": [1, 2]}, "", ',"c":{"d":[1,2]}'),
        ("[{}]", ("a",), True, "", '"a": true'),
        ('[{"a": 1}]', ("a",), 1.0, "", ".0"),
        ('[{"a": [ {"b": 1.10}, {"b": 2e0} ]}]', ("a",), [{"b": 1.1}, {"b": 3.0}], "2e", "3."),
    ],
)
def test_set_is_written_as_the_text_around_it(text, path, value, old, new):
    assert changed(text, "set", 0, path, value) == (old, new)


@pytest.mark.parametrize(
    ("text", "value", "wanted"),
    [
        (r'[{"a": "caf\u00e9"}]', "cafés", r'[{"a": "caf\u00e9s"}]'),
        (r'[{"a": "caf\u00E9 \/ \u0041"}]', "café / Aü", r'[{"a": "caf\u00E9 \/ \u0041\u00fc"}]'),
        (r'[{"a": "x", "b": "\u00e9"}]', "ü", r'[{"a": "\u00fc", "b": "\u00e9"}]'),
        (r'[{"a": "x"}, {"b": "\ud83d\ude00"}]', "ü", r'[{"a": "\u00fc"}, {"b": "\ud83d\ude00"}]'),
        (r'[{"a": "\ud83d\ude00!"}]', "😀?", r'[{"a": "\ud83d\ude00?"}]'),
        ('[{"a": "é"}]', "éü", '[{"a": "éü"}]'),
        ('[{"a": "x"}]', "ü", '[{"a": "ü"}]'),
        (r'[{"a": "C:\\u00e9"}]', r"C:\u00e9ü", r'[{"a": "C:\\u00e9ü"}]'),
        ('[{"a": "x"}]', "\u2028\x85\x00", r'[{"a": "\u2028\u0085\u0000"}]'),
        (r'[{"a": "\ud800 x"}]', "\ud800 y", r'[{"a": "\ud800 y"}]'),
        ('[{"a": "é"}]', "\ud800", r'[{"a": "\ud800"}]'),
    ],
)
def test_escapes_stay_as_the_file_writes_them(text, value, wanted):
    assert edited(text, "set", 0, ("a",), value) == wanted
    assert wanted.encode()


def test_inserted_turns_take_the_layout_of_their_neighbours():
    turn = {"role": "user", "content": "New"}
    flat = (
        '{"id": "two", "messages": [ { "role": "user", "content": "Bye" }, { "role": "user", "content": "New" } ]}'
    )
    assert flat in edited(PRETTY, "insert", 1, ("messages", 1), turn)
    assert changed(PRETTY, "insert", 1, ("messages", 0), turn) == ("", 'New" }, { "role": "user", "content": "')
    block = '        {\n          "role": "user",\n          "content": "New"\n        }'
    assert f"}},\n{block}\n      ]" in edited(PRETTY, "insert", 0, ("messages", 1), turn)
    assert f"[\n{block},\n        {{" in edited(PRETTY, "insert", 0, ("messages", 0), turn)


def test_deleted_members_take_one_comma():
    text = '[{"a": 1 , "b": [1,2 ,3], "c": 3}]'
    assert edited(text, "delete", 0, ("a",)) == '[{"b": [1,2 ,3], "c": 3}]'
    assert edited(text, "delete", 0, ("c",)) == '[{"a": 1 , "b": [1,2 ,3]}]'
    assert edited(text, "delete", 0, ("b", 1)) == '[{"a": 1 , "b": [1,3], "c": 3}]'
    assert edited(text, "delete", 0, ("b", 2)) == '[{"a": 1 , "b": [1,2], "c": 3}]'
    assert edited('[{"a": [ 1 ]}]', "delete", 0, ("a", 0)) == '[{"a": []}]'


def test_moved_items_keep_their_text_and_the_places_their_space():
    text = '[{"a": [1.0,  2e0,\n"\\u0041"]}]'
    assert edited(text, "move", 0, ("a", 0), 2) == '[{"a": [2e0,  "\\u0041",\n1.0]}]'
    assert edited(text, "move", 0, ("a", 2), 0) == '[{"a": ["\\u0041",  1.0,\n2e0]}]'


@pytest.mark.parametrize(
    ("text", "index", "wanted"),
    [
        ('[{"id": "a"}, {"id": "b"}]', 0, '[{"id": "n"}, {"id": "a"}, {"id": "b"}]'),
        ('[{"id": "a"}, {"id": "b"}]', 1, '[{"id": "a"}, {"id": "n"}, {"id": "b"}]'),
        ('[{"id":"a"},{"id":"b"}]', 2, '[{"id":"a"},{"id":"b"},{"id":"n"}]'),
        ('[ {"id": "a"} ]\n', 1, '[ {"id": "a"}, {"id": "n"} ]\n'),
        ('[\n\t{"id": "a"}\n]', 1, '[\n\t{"id": "a"},\n\t{"id": "n"}\n]'),
        ('[{"id":"a"}]', 1, '[{"id":"a"},{"id":"n"}]'),
        ("[]\n", 0, '[\n  {\n    "id": "n"\n  }\n]\n'),
        ('{"tests": []}', 0, '{"tests": [{"id": "n"}]}'),
        ('{\r\n "tests": [\r\n ]\r\n}', 0, '{\r\n "tests": [\r\n  {\r\n   "id": "n"\r\n  }\r\n ]\r\n}'),
        ('{"tests": {"a" : {"x": 1}}}', 1, '{"tests": {"a" : {"x": 1}, "n" : {}}}'),
        ('{"tests": {}}', 0, '{"tests": {"n": {}}}'),
    ],
)
def test_a_sample_is_inserted_in_the_layout_of_its_neighbours(text, index, wanted):
    assert edited(text, "insert_sample", index, {"id": "n"}) == wanted


def test_delete_and_move_sample():
    text = '{"samples": [\n  {"id": "a"},\n\n  {"id": "b"}, {"id": "c"}\n]}'
    assert edited(text, "delete_sample", 0) == '{"samples": [\n  {"id": "b"}, {"id": "c"}\n]}'
    assert edited(text, "delete_sample", 1) == '{"samples": [\n  {"id": "a"}, {"id": "c"}\n]}'
    assert edited(text, "delete_sample", 2) == '{"samples": [\n  {"id": "a"},\n\n  {"id": "b"}\n]}'
    assert edited(text, "move_sample", 2, 0) == '{"samples": [\n  {"id": "c"},\n\n  {"id": "a"}, {"id": "b"}\n]}'
    keyed = '{"tests": {"a": {"x": 1}, "b": {"x": 2}}}'
    assert edited(keyed, "move_sample", 0, 1) == '{"tests": {"b": {"x": 2}, "a": {"x": 1}}}'
    for index in (-1, 3):
        with pytest.raises(PathError):
            JsonDocument.parse(text).delete_sample(index)


def test_a_file_that_is_one_sample_takes_no_other_and_stays():
    document = JsonDocument.parse('{"messages": [{"role": "user", "content": "Hi"}]}\n')
    assert document.apply(document.edit(0, Set(("messages", 0, "content"), "Ho"))).text.endswith('"Ho"}]}\n')
    with pytest.raises(EditRefusedError, match="no list"):
        document.insert_sample(1, {"id": "n"})
    with pytest.raises(EditRefusedError, match="one sample"):
        document.delete_sample(0)


def test_a_keyed_deck_wants_a_new_name_for_a_new_sample():
    document = JsonDocument.parse('{"tests": {"a": {}}}')
    for data in ({"id": "a"}, {"id": 3}, {}):
        with pytest.raises(EditRefusedError, match="id"):
            document.insert_sample(0, data)


def test_a_renamed_sample_leaves_its_name_to_others_and_takes_the_new_one():
    document = JsonDocument.parse('{"tests": {"a": {"x": 1}, "b": {}}}')
    document = document.apply(document.edit(0, Set(("x",), 2)))
    document = document.apply(document.rename_sample(0, "c"))
    with pytest.raises(EditRefusedError, match="id"):
        document.insert_sample(2, {"id": "c"})
    assert (
        document.apply(document.insert_sample(2, {"id": "a"})).text
        == '{"tests": {"c": {"x": 2}, "b": {}, "a": {}}}'
    )


def test_duplicate_keys_are_findings_and_nothing_under_them_is_edited():
    document = JsonDocument.parse('[{"a": {"x": 1}, "a": {"x": 2, "y": {"z": 1, "z": 2}}, "b": 1}]')
    assert document.read(0)["a"] == {"x": 2, "y": {"z": 2}}
    assert [(finding.rule, finding.node) for finding in document.findings(0)] == [
        ("duplicate-key", ("a",)),
        ("duplicate-key", ("a", "y", "z")),
    ]
    for path in (("a",), ("a", "x"), ("a", "new"), ("a", "y", "z")):
        with pytest.raises(EditRefusedError, match="more than once"):
            document.edit(0, Set(path, 3))
    with pytest.raises(EditRefusedError, match="more than once"):
        document.edit(0, Delete(("a",)))
    assert document.apply(document.edit(0, Set(("b",), 2))).text.endswith('"b": 2}]')


def test_duplicate_keys_beside_the_samples_are_notes():
    document = JsonDocument.parse('\ufeff{"n": 1, "n": 2,\n"samples": [{}], "m": {"k": 1,\n "k": 2}}')
    assert [(finding.node, place.line, place.column) for finding, place in document.notes()] == [
        ((), 1, 1),  # the byte order mark
        (("n",), 1, 3),
        (("m", "k"), 2, 24),
    ]
    _, (finding, place) = JsonDocument.parse('\ufeff{"n": 1, "n": 2}').notes()
    assert (finding.node, place.line, place.column) == (("n",), 1, 3)


def test_samples_with_one_name_are_noted_and_not_edited():
    document = JsonDocument.parse('{"tests": {"a": {"x": 1},\n "a": {"x": 2}, "b": {"x": 3}}}')
    assert [(finding.node, place.line) for finding, place in document.notes()] == [(("tests", "a"), 1)]
    with pytest.raises(EditRefusedError, match="more than one sample 'a'"):
        document.edit(1, Set(("x",), 3))
    document = document.apply(document.edit(2, Set(("x",), 4)))
    document = document.apply(document.delete_sample(0))
    assert document.apply(document.edit(0, Set(("x",), 9))).text == '{"tests": {"a": {"x": 9}, "b": {"x": 4}}}'


def test_numbers_that_are_not_json_are_read_as_python_does_and_kept_but_not_written():
    document = JsonDocument.parse(
        '[{"a": NaN, "b": -Infinity, "c": 1e400, "d": 1.0, "e": 1, "f": 123456789012345678901}]'
    )
    value = document.read(0)
    assert math.isnan(value["a"]) and value["b"] == -math.inf and value["c"] == math.inf
    assert (type(value["d"]), type(value["e"]), value["f"]) == (float, int, 123456789012345678901)
    after = document.apply(document.edit(0, Set(("e",), 2)))
    assert after.text == document.text.replace('"e": 1', '"e": 2')
    for refused in (math.nan, math.inf):
        with pytest.raises(EditRefusedError, match=f"the number {refused}"):
            document.edit(0, Set(("e",), refused))


def test_a_path_that_leads_nowhere_is_named_as_far_as_it_goes():
    document = JsonDocument.parse('[{"a": {"b": 1}}]')
    with pytest.raises(PathError, match=r"there is no a\.c$"):
        document.span(0, ("a", "c", "d", "e"))


def test_the_last_sample_beside_names_of_files_goes_and_the_list_stays_one():
    document = JsonDocument.parse('{"tests": [{"vars": {}}, "t/a.csv"]}')
    after = document.apply(document.delete_sample(0))
    assert after.text == '{"tests": ["t/a.csv"]}'
    again = after.again(after.text)
    assert (again.pieces, again.container, again.context) == (after.pieces, ("tests",), {})
    alone = JsonDocument.parse('[{"vars": {}}, "t/a.csv"]')
    with pytest.raises(EditRefusedError, match="only names of files would be left"):
        alone.delete_sample(0)
