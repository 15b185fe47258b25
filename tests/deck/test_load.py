"""Loading: strict UTF-8, one clear line for what is no deck, and references that stay inside the project."""

from __future__ import annotations

import errno
import gc
import os
import socket
from pathlib import Path

import pytest

from sampleui.deck import load as loading
from sampleui.deck.load import create, load, read_text
from sampleui.deck.save import save
from sampleui.errors import DeckError
from sampleui.formats.operations import Set
from sampleui.formats.registry import parse_document
from sampleui.text.diagnostic import Severity
from sampleui.workspace.deck import open_deck
from tests.failing import failing

SAMPLE = '[[samples]]\nmessages = [{ role = "user", content = "hi" }]\n'


def failure(path: Path) -> DeckError:
    with pytest.raises(DeckError) as caught:
        load(path)
    assert caught.value.path == path
    assert "\n" not in str(caught.value)
    return caught.value


def test_the_text_is_kept_byte_for_byte(tmp_path):
    path = tmp_path / "deck.toml"
    data = ("\ufeff" + SAMPLE.replace("\n", "\r\n") + "# ünï \u2028 end").encode()
    path.write_bytes(data)
    files = load(path)
    assert files.sources[0].document.text.encode() == data
    assert not files.changed
    assert files.path == files.sources[0].path == path


@pytest.mark.parametrize(
    "data",
    [
        b'{"id": "a"}\n{"id": "b"}\n',
        '{"id": "ü\u2028"}\r\n{"id": "b"}'.encode(),
        b'{"id": "a"}\n{broken\n[1]\n',
        b'{"id": "a"}\n\n \n{"id": "b"}\n',
        b'\xef\xbb\xbf{"id": "a"}\n',
        b'\n{"id": "a"}\n',
        b'{"samples":\n [{"id": "a"}]}\n',
        b'[{"id": "a"}]\n',
        b"",
    ],
)
def test_lines_are_read_as_their_text_is(tmp_path, data):
    path = tmp_path / "deck.jsonl"
    path.write_bytes(data)
    source = load(path).sources[0]
    assert source.document == parse_document(data.decode(), path)
    assert source.document.text.encode() == data
    assert source.disk.stamp == read_text(path)[1]
    assert source.disk.read


@pytest.mark.parametrize(
    ("data", "line", "told"),
    [
        (b'{"id": "a"}\n{"id": "\xff"}\n', 2, "the file is not UTF-8: byte 0xff (invalid start byte)"),
        (b'{"id": "a"}\n{"id": "\0"}\n', None, "the file is binary: byte 21 is NUL"),
        (b'"{}"\n"{}"\n', 1, "the lines are texts that hold JSON: the file was encoded twice"),
    ],
)
def test_lines_that_are_no_deck_are_told_as_any_text_is(tmp_path, data, line, told):
    path = tmp_path / "deck.jsonl"
    path.write_bytes(data)
    error = failure(path)
    assert (error.line, error.message) == (line, told)


def test_the_stamp_says_size_and_time(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("a = 1\n")
    stamp = read_text(path)[1]
    assert (stamp.size, stamp.mtime_ns) == (6, path.stat().st_mtime_ns)


def test_the_stamp_of_a_file_that_is_gone_has_no_time(tmp_path):
    assert loading.stamp_of(tmp_path / "gone.toml", 1).mtime_ns == 0


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    assert failure(tmp_path / "none.toml").message == "there is no such file"


def test_a_folder_is_told_to_be_no_deck(tmp_path):
    assert failure(tmp_path).message == "this is a folder and not a deck"


def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    assert failure(path).message == "this is not a regular file"


def test_a_device_is_not_read():
    assert failure(Path("/dev/zero")).message == "this is not a regular file"


def test_a_socket_is_no_deck(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.toml")
        failure(Path("s.toml"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_told_with_the_reason_of_the_system(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(SAMPLE)
    path.chmod(0)
    assert "cannot be read: Permission denied" in failure(path).message


def test_an_unreadable_file_as_the_system_says_it(tmp_path, monkeypatch):
    path = tmp_path / "deck.toml"
    path.write_text(SAMPLE)

    monkeypatch.setattr(os, "open", failing(errno.EACCES))
    assert failure(path).message == "the file cannot be read: Permission denied"


def test_a_link_that_leads_to_itself(tmp_path):
    path = tmp_path / "loop.toml"
    path.symlink_to(path)
    assert "cannot be read" in failure(path).message


def test_a_link_to_a_deck_elsewhere_is_opened(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "deck.toml").write_text(SAMPLE)
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / "real" / "deck.toml")
    assert len(load(link)) == 1


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    path = tmp_path / "deck.toml"
    path.write_text(SAMPLE)
    monkeypatch.setattr(loading, "MAX_DECK_BYTES", 1 << 20)
    path.write_text("#" * (1 << 20) + "\n")
    assert failure(path).message == "the file is larger than 1 MiB"


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"a = 1\nb = 'x\xff'\n", 2, 7, "not UTF-8: byte 0xff"),
        ("é = '".encode() + b"\xe9'\n", 1, 6, "not UTF-8: byte 0xe9"),
        (b"a = '\xed\xa0\x80'\n", 1, 6, "not UTF-8"),
        (b"a = '\xc3", 1, 6, "not UTF-8"),
        (b"\n\xff", 2, 1, "not UTF-8"),
    ],
)
def test_bytes_that_are_not_utf_8_have_their_place(tmp_path, data, line, column, words):
    path = tmp_path / "deck.toml"
    path.write_bytes(data)
    error = failure(path)
    assert words in error.message
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a = 1\n\x00", "the file is binary: byte 7 is NUL"),
        (b"\x00a = 1\n", "the file is binary: byte 1 is NUL"),
        (b"\x7fELF\x00\xff", "the file is binary: byte 5 is NUL"),
        ("a = 1".encode("utf-16"), "the file is UTF-16; decks are UTF-8"),
        (b"\xfe\xff" + "a = 1".encode("utf-16-be"), "the file is UTF-16; decks are UTF-8"),
        ("a = 1".encode("utf-32"), "the file is UTF-32; decks are UTF-8"),
        (b"\x00\x00\xfe\xff" + "a".encode("utf-32-be"), "the file is UTF-32; decks are UTF-8"),
    ],
)
def test_what_is_no_text_at_all_has_no_line(tmp_path, data, words):
    path = tmp_path / "deck.toml"
    path.write_bytes(data)
    error = failure(path)
    assert (error.message, error.line) == (words, None)


def test_a_text_that_does_not_parse_has_its_place(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(SAMPLE + "what is this\n")
    error = failure(path)
    assert error.line == 3
    assert error.column is not None


def test_the_collector_is_as_it_was_afterwards(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("broken")
    failure(path)
    assert gc.isenabled()
    gc.disable()
    try:
        failure(path)
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("name", ["new.toml", "new.yaml", "new.json", "new.jsonl", "new.ndjson"])
def test_a_new_deck_can_be_filled_and_saved(tmp_path, name):
    path = tmp_path / name
    files = create(path)
    assert len(files) == 0
    assert not path.exists()
    from sampleui.deck.edit import insert_sample

    sample = {"id": "first", "messages": [{"role": "user", "content": "hi"}]}
    save(files.apply(insert_sample(files, 0, sample)))
    again = load(path)
    assert again.sources[0].document.read(0) == sample


def test_a_new_deck_needs_a_name_that_says_its_format(tmp_path):
    with pytest.raises(DeckError, match=r"\.toml"):
        create(tmp_path / "deck.txt")


class Project:
    """A project on disk, its files given as text."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / ".git").mkdir(parents=True)

    def write(self, name: str, text: str = SAMPLE) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def rules(files) -> list[tuple[str, str, int, int]]:
    return [(note.rule, note.path.name, note.line, note.column) for note in files.notes]


def names(files) -> list[str]:
    return [source.path.name for source in files.sources]


def test_references_are_followed_in_order_and_through_other_files(project):
    deck = project.write("decks/a.deck.md", "# A\n\n![one](./one.toml) ![b](../more/b.md)\n\n![two](two.yaml)\n")
    project.write("decks/one.toml")
    project.write("decks/two.yaml", "samples:\n  - messages:\n      - role: user\n        content: hi\n")
    project.write("more/b.md", "![three](./three.jsonl)\n")
    project.write("more/three.jsonl", '{"id": "x", "messages": [{"role": "user", "content": "hi"}]}\n')
    files = load(deck)
    assert names(files) == ["a.deck.md", "one.toml", "b.md", "three.jsonl", "two.yaml"]
    assert len(files) == 3
    assert files.notes == ()
    assert files.sources[3].path == project.root / "more" / "three.jsonl"


def test_a_file_that_is_referenced_twice_is_read_once(project):
    deck = project.write("a.md", "![x](s.toml)\n![x](./s.toml)\n![b](b.md)\n![b](b.md)\n")
    project.write("b.md", "![x](s.toml)\n")
    project.write("s.toml")
    files = load(deck)
    assert names(files) == ["a.md", "s.toml", "b.md"]
    assert files.notes == ()


def test_a_file_that_is_no_deck_is_said_once(project):
    deck = project.write("a.md", "![s](broken.toml)\n![s](broken.toml)\n")
    project.write("broken.toml", "x =\n")
    assert len(load(deck).notes) == 1


def test_what_is_wrong_with_a_reference_is_said_at_the_reference(project):
    lines = [
        "![a](none.toml)",
        "text ![b](empty.toml)",
        "![c](broken.toml)",
        "![d](../../out.toml)",
        "![e](pipe.toml)",
    ]
    deck = project.write("decks/a.md", "\n".join(lines))
    project.write("decks/empty.toml", "a = 1\n")
    project.write("decks/broken.toml", "a = \n")
    (project.root.parent / "out.toml").write_text(SAMPLE)
    os.mkfifo(project.root / "decks" / "pipe.toml")
    found = sorted(open_deck(deck).notes, key=lambda one: one.line)
    assert [(one.rule, one.path.name, one.line, one.column) for one in found] == [
        ("reference-missing", "a.md", 1, 1),
        ("reference-empty", "a.md", 2, 6),
        ("reference-invalid", "a.md", 3, 1),
        ("reference-outside-root", "a.md", 4, 1),
        ("reference-invalid", "a.md", 5, 1),
    ]
    assert "line 1" in found[2].message
    assert [note.severity for note in found].count(Severity.ERROR) == 1


def test_a_deck_of_prose_without_samples_says_why(project):
    deck = project.write("a.md", "# A\n`[no](no.toml)` see [mine](./s.toml) and [web](https://e.org/x.toml)\n")
    (note,) = open_deck(deck).notes
    assert (note.rule, note.severity, note.line, note.column) == ("samples-missing", Severity.WARNING, 2, 21)
    assert note.message == "a plain link is not followed: a reference to samples is ![mine](./s.toml)"
    deck = project.write("b.md", "# B\n\n![picture](./s.png)\n")
    (note,) = open_deck(deck).notes
    assert note.message == "it refers to no file of samples: a reference is ![any text](./samples.toml)"
    project.write("s.toml")
    assert open_deck(project.write("c.md", "![s](s.toml) [mine](s.toml)\n")).notes == ()


def test_a_file_without_samples_is_told_at_its_reference_alone(project):
    deck = project.write("a.md", "![b](empty.toml)\n![b](empty.toml)\n")
    project.write("empty.toml", "a = 1\n")
    assert [(one.rule, one.path.name) for one in open_deck(deck).diagnostics] == [("reference-empty", "a.md")]


def test_a_link_that_leads_out_of_the_project_is_not_followed(project):
    deck = project.write("a.md", "![a](inside.toml)\n")
    secret = project.root.parent / "secret.toml"
    secret.write_text(SAMPLE.replace("hi", "TOP SECRET"))
    (project.root / "inside.toml").symlink_to(secret)
    files = load(deck)
    assert rules(files) == [("reference-outside-root", "a.md", 1, 1)]
    assert "TOP SECRET" not in repr(files)


def test_absolute_references_outside_are_not_followed(project):
    deck = project.write("a.md", "![a](/etc/passwd.toml) ![b](/dev/zero)\n")
    assert names(load(deck)) == ["a.md"]


def test_cycles_are_said_and_not_followed(project):
    deck = project.write("a.md", "![self](a.md)\n![b](b.md)\n")
    project.write("b.md", "![back](a.md)\n![s](s.toml)\n")
    project.write("s.toml")
    files = load(deck)
    assert rules(files) == [("reference-cycle", "a.md", 1, 1), ("reference-cycle", "b.md", 1, 1)]
    assert names(files) == ["a.md", "b.md", "s.toml"]


def test_a_long_chain_of_files_comes_to_an_end(project):
    for number in range(200):
        project.write(f"{number}.md", f"![next]({number + 1}.md)\n")
    files = load(project.root / "0.md")
    assert len(files.sources) == 50
    assert files.notes[0].message == "the reference is not followed: it is included through 50 files"


def test_prose_without_samples_and_pictures_are_in_order(project):
    deck = project.write("a.md", "![base](base.md)\n![logo](logo.png) ![clip](clip.mp4)\n![s](s.toml)\n")
    project.write("base.md", "# You are a strict grader.\n")
    project.write("s.toml")
    files = load(deck)
    assert files.notes == ()
    assert len(files) == 1


def test_an_edit_goes_to_the_file_that_holds_the_sample(project):
    from sampleui.deck.edit import apply

    deck = project.write("a.md", "![one](one.toml)\n![two](two.toml)\n")
    one, two = project.write("one.toml"), project.write("two.toml")
    files = load(deck)
    files = files.apply(apply(files, 1, Set(("messages", 0, "content"), "changed")))
    assert save(files).paths == (two,)
    assert one.read_text() == SAMPLE
    assert two.read_text() == SAMPLE.replace("hi", "changed")
    assert deck.read_text().startswith("![one]")


def test_too_much_beside_the_samples_is_an_error_of_the_deck_at_its_line(tmp_path, monkeypatch):
    from sampleui.formats.yaml import nodes

    path = tmp_path / "a.yaml"
    path.write_text("tests:\n- id: a\nother:\n" + "- x\n" * 200)
    monkeypatch.setattr(nodes, "MAX_YAML_PIECE_NODES", 100)
    with pytest.raises(DeckError, match="more than 100 values") as raised:
        load(path)
    assert raised.value.path == path
    assert raised.value.line is not None and raised.value.line > 3


@pytest.mark.parametrize("name", ["promptfooconfig.js", "promptfooconfig.ts", "c.mjs", "C.CTS", "tests.py"])
def test_a_program_is_said_to_be_one_and_is_not_run(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("tests = []\nraise SystemExit\n")
    with pytest.raises(DeckError) as caught:
        load(path)
    assert (caught.value.message, caught.value.line) == (
        "a program makes its samples when it is run, and is not run here",
        None,
    )
