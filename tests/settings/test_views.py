"""`[view.NAME]` in the settings: read, refused with its place, and changed with all other text kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import SettingsError
from sampleui.settings.options import load_settings, settings_in
from sampleui.settings.project_remarks import remarks
from sampleui.settings.views import Shape, ViewField
from sampleui.settings.writing import keep_view, table_in, take_table

WRITTEN = """# mine
theme = "nord" # yes

[view.prod]   # the view
fields = [
  # first
  "question", # q
  { path = 'answer', kind = "markdown" }, "a,b"
  , { path = "x.y", heading = "He ] # y" , hidden=true} # last
  # end
]

[results.prod]
id = "x"
"""
FIELDS = (
    ViewField("question"),
    ViewField("answer", Shape.MARKDOWN),
    ViewField("a,b"),
    ViewField("x.y", None, "He ] # y", True),
)


def project(tmp_path: Path, text: str) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / ".sampleui.toml").write_text(text)
    return tmp_path


def test_a_view_is_read_from_the_project(tmp_path):
    assert load_settings(project(tmp_path, WRITTEN)).view == {"prod": FIELDS}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('[view.p]\nfields = ["a", { path = "b", kind = "x" }]', (2, 16), "field 2: kind must be one of text,"),
        ('[view.p]\nfields = ["a",\n  {path="b", knd = "x"}]', (3, 3), "did you mean kind?"),
        (
            '[[view.p.fields]]\npath = "a"\n\n[[view.p.fields]]\npath = "b"\nhidden = 1',
            (4, 1),
            "hidden must be true",
        ),
        ('[view.p]\nfields = ["a",\n "a"]', (3, 2), "a is in the view already"),
        ('[view.p]\nfields = ["a", 3]', (2, 16), "must be a path, or a table"),
        ('[view.p]\nfields = [".a"]', (2, 11), "path must be a path of keys"),
        ('[view.p]\nfeilds = ["a"]', (2, 1), "did you mean fields?"),
        ("[view.p]\nfields = []", (2, 1), "at least one"),
        ("view = 3", (1, 1), "must be a table of tables"),
    ],
)
def test_a_view_that_is_wrong_is_refused_with_its_place(text, place, message):
    with pytest.raises(SettingsError, match=message.replace("?", r"\?").replace("[", r"\[")) as caught:
        settings_in(text, Path("x"))
    assert (caught.value.line, caught.value.column) == place


def test_a_view_that_is_changed_keeps_the_text_of_what_does_not_change(tmp_path):
    folder = project(tmp_path, WRITTEN)
    question, answer, _, last = FIELDS
    keep_view(folder, "prod", (last, question._replace(hidden=True), answer))
    text = (folder / ".sampleui.toml").read_text()
    before, _, rest = WRITTEN.partition("fields = [")
    assert text == before + (
        "fields = [\n"
        '  { path = "x.y", heading = "He ] # y" , hidden=true}, # last\n'
        "  # first\n"
        '  { path = "question", hidden = true }, # q\n'
        "  { path = 'answer', kind = \"markdown\" },\n"
        "  # end\n"
        "]" + rest.partition("\n]")[2]
    )


def test_a_view_is_added_below_all_else_with_the_ends_of_lines_that_the_file_has(tmp_path):
    folder = project(tmp_path, "")
    (folder / ".sampleui.toml").write_bytes(b'theme = "nord"\r\n')
    keep_view(folder, "prod", FIELDS[:2])
    assert (folder / ".sampleui.toml").read_bytes() == (
        b'theme = "nord"\r\n\r\n[view.prod]\r\nfields = [\r\n  "question",\r\n'
        b'  { path = "answer", kind = "markdown" },\r\n]\r\n'
    )
    assert load_settings(folder).view == {"prod": FIELDS[:2]}


HEADERS = """\
theme = "nord"

# of a
[[view.prod.fields]]
path = "a"  # the first

[[view.prod.fields]]
path = "b"
# why
hidden = true

# of c
[[view.prod.fields]]
path = "c"
# at the end

[keys]
"""
OWN = (ViewField("a"), ViewField("b", hidden=True), ViewField("c"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("view", "after"),
    [
        (OWN, HEADERS),
        (
            (OWN[2], OWN[0]),
            'theme = "nord"\n\n# of c\n[[view.prod.fields]]\npath = "c"\n# at the end\n\n'
            '# of a\n[[view.prod.fields]]\npath = "a"  # the first\n\n[keys]\n',
        ),
        (
            (OWN[0], ViewField("b", Shape.JSON), OWN[2], ViewField("d")),
            HEADERS.replace("# why\nhidden = true", 'kind = "json"').replace(
                "# at the end", '# at the end\n\n[[view.prod.fields]]\npath = "d"'
            ),
        ),
    ],
)
def test_a_view_that_is_spelled_in_headers_keeps_them_and_its_comments(tmp_path, view, after, newline):
    folder = project(tmp_path, "")
    (folder / ".sampleui.toml").write_bytes(HEADERS.replace("\n", newline).encode())
    keep_view(folder, "prod", view)
    assert (folder / ".sampleui.toml").read_bytes().decode() == after.replace("\n", newline)
    assert load_settings(folder).view == {"prod": view}


def test_a_view_whose_headers_stand_apart_is_changed_where_they_stand(tmp_path):
    text = '[[view.prod.fields]]\npath = "a"\n[keys]\n[[view.prod.fields]]\npath = "b"\n'
    folder = project(tmp_path, text)
    keep_view(folder, "prod", (ViewField("b", hidden=True),))
    assert (folder / ".sampleui.toml").read_text() == ('[keys]\n[[view.prod.fields]]\npath = "b"\nhidden = true\n')


def test_a_view_in_one_line_is_changed_there(tmp_path):
    folder = project(tmp_path, 'view = { prod = { fields = ["a", "b"] } }\n')
    keep_view(folder, "prod", (ViewField("b", hidden=True), ViewField("a"), ViewField("c")))
    assert (folder / ".sampleui.toml").read_text() == (
        'view = { prod = { fields = [{ path = "b", hidden = true }, "a", "c"] } }\n'
    )


TABLE = '[results.prod]\nid = "id"\nprompt = "q"\n\n[view.prod]\nfields = ["q"]\n'


def test_a_table_is_taken_together_with_its_view(tmp_path):
    assert table_in(TABLE, Path("x")).view == (ViewField("q"),)
    folder = project(tmp_path, 'theme = "nord"\n')
    take_table(folder, TABLE)
    assert load_settings(folder).view == {"prod": (ViewField("q"),)}
    assert load_settings(folder).results.keys() == {"prod"}


def test_a_view_of_another_name_is_not_taken_with_a_table():
    with pytest.raises(SettingsError, match="another name") as caught:
        table_in(TABLE.replace("view.prod", "view.other"), Path("x"))
    assert caught.value.line == 5


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("prod", ""),
        ("promptfoo", ""),
        ("gage", ""),
        ("skill-triggers", ""),
        ("conversation", ""),
        (
            "promtfoo",
            "5:2: warning: there is a view of promtfoo, as no table here and no tool is called; did you mean",
        ),
        ("prdo", "did you mean prod?"),
        ("mailbox", "5:2: info: there is a view of mailbox"),
    ],
)
def test_a_view_of_what_nobody_knows_is_told_with_its_place_and_what_is_meant(tmp_path, name, told):
    folder = project(tmp_path, f'[results.prod]\nid = "x"\nactual = "y"\n# mine\n[view.{name}]\nfields = ["a"]\n')
    found = "\n".join(map(str, remarks(folder)))
    assert told in found
    assert bool(told) == bool(found)


def test_a_view_of_the_users_own_may_be_for_another_project(tmp_path, monkeypatch):
    monkeypatch.setattr("sampleui.settings.options.user_file", lambda: tmp_path / "config.toml")
    (tmp_path / "config.toml").write_text('[view.elsewhere]\nfields = ["a"]\n')
    assert remarks(project(tmp_path, '[view.elsewher]\nfields = ["a"]\n'))
    assert not remarks(project(tmp_path, 'theme = "nord"\n'))


def test_a_guessed_name_is_known_as_well(tmp_path):
    folder = project(tmp_path, '[view.mailbox]\nfields = ["a"]\n')
    assert remarks(folder)
    assert not remarks(folder, ["mailbox"])
