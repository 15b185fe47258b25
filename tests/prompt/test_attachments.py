"""A stranger's deck names files of its choice. None of them may be read outside the project, or hang the reader."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sampleui.prompt.attachments import AttachmentReader
from sampleui.prompt.render import render

from .conftest import Make, Write

SECRET = "s3cr3t-t0k3n-0f-an0ther-f0lder"


@pytest.fixture
def reader(project: Path) -> AttachmentReader:
    return AttachmentReader((project / "decks").resolve(), project.resolve())


def hostile(tmp_path: Path, project: Path) -> dict[str, str]:
    """Lay out everything that must not be read; return the rule by path as written."""
    decks, outside = project / "decks", tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    (decks / "link.txt").symlink_to(outside / "secret.txt")
    (decks / "folder").symlink_to(outside)
    (decks / "nowhere.txt").symlink_to(outside / "gone.txt")
    (decks / "device").symlink_to("/dev/zero")
    (decks / "loop").symlink_to("loop")
    os.mkfifo(decks / "pipe")
    (decks / "sub").mkdir()
    (decks / "big.txt").write_text(SECRET + "x" * (2 * 1024 * 1024))
    (decks / "binary.txt").write_bytes(SECRET.encode() + b"\xff\xfe")
    (decks / "nul.txt").write_bytes(SECRET.encode() + b"\0")
    return {
        "../../outside/secret.txt": "file-outside-root",
        "../../outside/gone.txt": "file-outside-root",
        str(outside / "secret.txt"): "file-outside-root",
        str(outside / "gone.txt"): "file-outside-root",
        "/etc/passwd": "file-outside-root",
        "/dev/zero": "file-outside-root",
        "link.txt": "file-outside-root",
        "folder/secret.txt": "file-outside-root",
        "folder/gone.txt": "file-outside-root",
        "nowhere.txt": "file-outside-root",
        "device": "file-outside-root",
        "loop": "file-not-found",
        "gone.txt": "file-not-found",
        "notes.txt/gone": "file-not-found",
        "nul\0byte": "file-not-found",
        "lone\ud800surrogate": "file-not-found",
        "x" * 5000: "file-not-found",
        "pipe": "file-not-text",
        "sub": "file-not-text",
        ".": "file-not-text",
        "big.txt": "file-too-large",
        "binary.txt": "file-not-text",
        "nul.txt": "file-not-text",
    }


@pytest.mark.parametrize("patterns", [None, ["**"]], ids=["embedded", "guideline"])
@pytest.mark.parametrize("dialect", ["calibrate", "agentv", "gage"])
def test_nothing_hostile_is_read(
    tmp_path: Path, project: Path, make: Make, dialect: str, patterns: list[str] | None
) -> None:
    rules = hostile(tmp_path, project)
    segments = [{"type": "file", "value": path} for path in rules]
    rendered = render(make({"role": "user", "content": segments}, dialect=dialect), guideline_patterns=patterns)
    assert SECRET not in repr(rendered)
    assert "root:" not in repr(rendered)
    found = {file.written: file.problem.rule for file in rendered.attachments if file.problem}
    assert found == rules
    assert rendered.chat_prompt == []
    assert [finding.rule for finding in rendered.findings if finding.rule.startswith("file")] == list(
        rules.values()
    )


def test_an_outside_path_does_not_tell_whether_there_is_a_file(
    tmp_path: Path, project: Path, reader: AttachmentReader
) -> None:
    hostile(tmp_path, project)
    for there, gone in (("../../outside/secret.txt", "../../outside/gone.txt"), ("link.txt", "nowhere.txt")):
        one, other = reader.read(there), reader.read(gone)
        assert (one.problem, one.path, one.text) == (other.problem, other.path, other.text)


def test_a_root_that_holds_everything_still_reads_no_device(reader: AttachmentReader) -> None:
    everywhere = AttachmentReader(reader.folder, Path("/"))
    for path in ("/dev/zero", "/dev/null", "/dev"):
        problem = everywhere.read(path).problem
        assert problem
        assert problem.rule == "file-not-text"


def test_a_pipe_with_a_writer_is_not_read(project: Path, reader: AttachmentReader) -> None:
    pipe = project / "decks" / "pipe"
    os.mkfifo(pipe)
    descriptor = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(descriptor, SECRET.encode())
        assert reader.read("pipe").text is None
        assert os.read(descriptor, 100) == SECRET.encode()
    finally:
        os.close(descriptor)


def test_the_deck_folder_comes_before_the_root(project: Path, write: Write, reader: AttachmentReader) -> None:
    (project / "notes.txt").write_text("of the root")
    assert reader.read("notes.txt").text == "of the root"
    write({"notes.txt": "of the deck"})
    assert reader.read("notes.txt").text == "of the deck"


def test_a_refused_file_of_the_deck_is_not_replaced_by_one_of_the_root(
    tmp_path: Path, project: Path, reader: AttachmentReader
) -> None:
    (project / "link.txt").write_text("of the root")
    (tmp_path / "secret.txt").write_text(SECRET)
    (project / "decks" / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert reader.read("link.txt").text is None


@pytest.mark.parametrize(
    "written", ["../shared.txt", "./../shared.txt", "{root}/shared.txt", "/shared.txt", "shared.txt"]
)
def test_paths_inside_the_root_are_read(project: Path, reader: AttachmentReader, written: str) -> None:
    (project / "shared.txt").write_text("inside")
    found = reader.read(written.format(root=project))
    assert (found.text, found.path) == ("inside", (project / "shared.txt").resolve())


def test_a_symlink_inside_the_root_is_read(project: Path, reader: AttachmentReader) -> None:
    (project / "shared.txt").write_text("inside")
    (project / "decks" / "link.txt").symlink_to("../shared.txt")
    assert reader.read("link.txt").text == "inside"


def test_a_root_apart_from_the_deck_is_searched(tmp_path: Path, reader: AttachmentReader) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("apart")
    assert AttachmentReader(reader.folder, other.resolve()).read("notes.txt").text == "apart"


@pytest.mark.parametrize(("size", "read"), [(1024 * 1024, True), (1024 * 1024 + 1, False)])
def test_one_mebibyte_is_the_most(write: Write, reader: AttachmentReader, size: int, read: bool) -> None:
    write({"big.txt": "x" * size})
    assert (reader.read("big.txt").text is not None) is read


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file_is_a_problem(project: Path, write: Write, reader: AttachmentReader) -> None:
    (write({"locked.txt": "x"}) / "locked.txt").chmod(0)
    problem = reader.read("locked.txt").problem
    assert problem
    assert problem.reason == "cannot be read"


def test_a_file_that_becomes_a_link_outside_is_not_read(
    tmp_path: Path, write: Write, reader: AttachmentReader
) -> None:
    notes = write({"notes.txt": "inside"}) / "notes.txt"
    assert reader.read("notes.txt").text == "inside"
    (tmp_path / "secret.txt").write_text(SECRET)
    notes.unlink()
    notes.symlink_to(tmp_path / "secret.txt")
    assert reader.read("notes.txt").text is None
