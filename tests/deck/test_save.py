"""Saving: proved, atomic, never over somebody else's change, and the original intact when anything fails."""

from __future__ import annotations

import errno
import os
import stat
import struct
from pathlib import Path

import pytest

from sampleui.deck.load import stamp_of
from sampleui.deck.model import Change, DeckFile, DeckFiles, Disk
from sampleui.deck.save import Saved, is_stale, save, write_copy
from sampleui.errors import SaveError, SaveRefusedError, StaleFileError
from sampleui.formats.document import Splice
from sampleui.text.confined import named
from tests.failing import failing

from .lines import Lines, files_of, rewritten


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "deck.txt"
    path.write_bytes(b"one\ntwo\r\nthree")
    return path


def others(folder: Path, *known: Path) -> list[Path]:
    return [found for found in folder.iterdir() if found not in known]


def test_a_save_writes_the_edit_and_nothing_else(path):
    files = rewritten(files_of(path), 0, "ONE")
    assert save(files) == Saved((path,))
    assert path.read_bytes() == b"ONE\ntwo\r\nthree"
    assert others(path.parent, path) == []


def test_whoever_reads_a_file_while_it_is_saved_has_the_old_text_whole(path):
    before = path.read_bytes()
    with path.open("rb") as reader:
        save(rewritten(files_of(path), 0, "ONE"))
        assert reader.read() == before
        assert not os.path.samestat(os.fstat(reader.fileno()), path.stat())


def test_after_a_save_every_state_of_the_deck_knows_of_it(path):
    before = files_of(path)
    files = rewritten(before, 0, "ONE")
    save(files)
    assert not files.changed
    assert before.changed, "undo after a save must be a change again"
    save(before)
    assert path.read_bytes() == b"one\ntwo\r\nthree"


def test_a_file_without_changes_is_not_touched(path):
    files = files_of(path)
    path.write_bytes(b"other")
    assert save(files) == Saved()
    assert path.read_bytes() == b"other"


def test_only_changed_files_are_written(path, tmp_path):
    other = tmp_path / "other.txt"
    other.write_bytes(b"kept\n")
    inode = other.stat().st_ino
    assert save(rewritten(files_of(other, path), 0, "ONE", source=1)).paths == (path,)
    assert other.stat().st_ino == inode


@pytest.mark.parametrize(
    "content", [b"ONE\ntwo\r\nthree", b"one\ntwo\r\nthree\n", b""], ids=["same size", "longer", "empty"]
)
def test_a_file_that_changed_on_disk_is_not_overwritten(path, content):
    files = rewritten(files_of(path), 1, "mine")
    held = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(held.st_atime_ns, held.st_mtime_ns))
    with pytest.raises(StaleFileError, match=r"deck\.txt was not saved: the file changed on disk"):
        save(files)
    assert path.read_bytes() == content
    assert others(path.parent, path) == []


def test_a_change_on_disk_is_noticed_without_a_save(path):
    source = files_of(path).sources[0]
    assert not is_stale(source)
    os.utime(path, (1, 1))
    assert not is_stale(source), "the bytes are the same"
    path.write_bytes(b"other")
    assert is_stale(source)
    path.unlink()
    assert is_stale(source)


def test_a_file_of_the_same_size_and_time_is_not_read(path, monkeypatch):
    source = files_of(path).sources[0]
    monkeypatch.setattr("sampleui.deck.save.opened", None)
    assert not is_stale(source)


def test_a_touched_file_with_the_same_bytes_is_not_stale(path):
    files = rewritten(files_of(path), 0, "ONE")
    os.utime(path, (1, 1))
    save(files)
    assert path.read_bytes().startswith(b"ONE")


def test_a_deleted_file_is_stale(path):
    files = rewritten(files_of(path), 0, "ONE")
    path.unlink()
    with pytest.raises(StaleFileError, match="the file was deleted since it was read"):
        save(files)
    assert others(path.parent) == []


def test_a_pipe_in_the_file_s_place_is_stale_and_not_waited_for(path):
    files = rewritten(files_of(path), 0, "ONE")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StaleFileError):
        save(files)


def new(path: Path) -> DeckFiles:
    empty = Lines.parse("")
    files = DeckFiles(path, (DeckFile(path, empty, Disk(empty, None)),))
    return files.apply(Change(0, Splice(1, (), ("first\n",))))


def test_a_new_deck_is_made_with_the_usual_mode(tmp_path):
    path = tmp_path / "new.txt"
    before = os.umask(0o027)
    try:
        save(new(path))
    finally:
        os.umask(before)
    assert path.read_bytes() == b"first\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_deck_does_not_replace_a_file_that_came_into_being(tmp_path):
    path = tmp_path / "new.txt"
    files = new(path)
    path.write_bytes(b"theirs")
    with pytest.raises(StaleFileError, match="was created after"):
        save(files)
    assert path.read_bytes() == b"theirs"


def test_a_missing_folder_is_said_in_one_line(tmp_path):
    with pytest.raises(SaveError, match="there is no folder") as caught:
        save(new(tmp_path / "nowhere" / "new.txt"))
    assert "\n" not in str(caught.value)


def test_the_mode_is_kept(path):
    path.chmod(0o604)
    save(rewritten(files_of(path), 0, "ONE"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(path):
    os.chown(path, 12345, 54321)
    save(rewritten(files_of(path), 0, "ONE"))
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may give files away")
def test_an_owner_that_cannot_be_kept_is_said_and_does_not_stop_the_save(path, monkeypatch):
    os.chown(path, 12345, 54321)
    monkeypatch.setattr(os, "fchown", failing(errno.EPERM))
    saved = save(rewritten(files_of(path), 0, "ONE"))
    assert path.read_bytes().startswith(b"ONE")
    assert saved.lost == ("deck.txt: it belonged to user 12345 and group 54321, now to 0 and 0",)


def test_a_symlink_stays_and_its_target_is_written(path, tmp_path):
    link = tmp_path / "sub" / "link.txt"
    link.parent.mkdir()
    link.symlink_to(Path("..") / path.name)
    save(rewritten(files_of(named(link)), 0, "ONE"))
    assert link.is_symlink()
    assert path.read_bytes().startswith(b"ONE")
    assert others(link.parent, link) == []


def test_another_hard_link_keeps_the_old_text(path, tmp_path):
    other = tmp_path / "hard.txt"
    other.hardlink_to(path)
    saved = save(rewritten(files_of(path), 0, "ONE"))
    assert other.read_bytes().startswith(b"one")
    assert saved.lost == ("deck.txt: its other hard links keep the old text",)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_extended_attributes_and_access_lists_are_kept(path):
    os.setxattr(path, "user.note", b"mine")
    os.setxattr(path, _ACCESS, _acl(user=4242))
    path.chmod(0o640)
    saved = save(rewritten(files_of(path), 0, "ONE"))
    assert saved.lost == ()
    assert os.getxattr(path, "user.note") == b"mine"
    assert os.getxattr(path, _ACCESS)[12:20] == struct.pack("<HHI", 2, 6, 4242)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_the_folder_s_default_list_gives_nobody_a_file_that_was_not_theirs(path):
    os.setxattr(path.parent, "system.posix_acl_default", _acl(user=4242))
    save(rewritten(files_of(path), 0, "ONE"))
    assert _ACCESS not in os.listxattr(path)
    save(new(path.with_name("new.txt")))
    assert _ACCESS in os.listxattr(path.with_name("new.txt")), "a new file is what its folder makes it"


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_an_attribute_that_cannot_be_kept_is_said(path, monkeypatch):
    os.setxattr(path, "user.note", b"mine")
    monkeypatch.setattr(os, "setxattr", failing(errno.EPERM))
    assert save(rewritten(files_of(path), 0, "ONE")).lost == ("deck.txt: its attribute user.note is not kept",)


_ACCESS = "system.posix_acl_access"


def _acl(user: int) -> bytes:
    """Return an access list that lets a user read and write."""
    entries = [(1, 6, -1), (2, 6, user), (4, 4, -1), (16, 6, -1), (32, 0, -1)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)


@pytest.mark.parametrize("step", ["write", "fchmod", "fsync", "replace"])
def test_a_failure_at_any_step_leaves_the_original_and_no_litter(path, monkeypatch, step):
    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, step, failing(errno.ENOSPC))
    with pytest.raises(SaveError, match="No space left on device"):
        save(files)
    monkeypatch.undo()
    assert path.read_bytes() == b"one\ntwo\r\nthree"
    assert others(path.parent, path) == []
    assert files.changed
    save(files)
    assert path.read_bytes().startswith(b"ONE"), "what failed once can be tried again"


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(2, "No such file or directory"),
        PermissionError(1, "Operation not permitted"),
        OSError(28, "No space left on device", "new"),
    ],
)
def test_what_has_nothing_to_do_with_the_folder_is_said_as_the_system_says_it(path, monkeypatch, error):
    def fail(_: int) -> None:
        raise error

    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SaveError) as refusal:
        save(files)
    assert str(refusal.value) == f"{path} was not saved: {error.strerror}"


def test_an_interrupt_leaves_the_original_and_no_litter(path, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(files)
    assert path.read_bytes() == b"one\ntwo\r\nthree"
    assert others(path.parent, path) == []


def test_a_folder_that_cannot_be_flushed_is_no_failed_save(path, monkeypatch):
    flush = os.fsync

    def only_files(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)
    save(rewritten(files_of(path), 0, "ONE"))
    assert path.read_bytes().startswith(b"ONE")


def test_a_read_only_folder_is_said_in_one_line(path, monkeypatch):
    really = os.open

    def refuse(name: Path, flags: int, mode: int = 0o777, **named: int | None) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied", str(name))
        return really(name, flags, mode, **named)

    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SaveError, match=r"the folder .* does not allow it \(Permission denied\)"):
        save(files)
    monkeypatch.undo()
    assert path.read_bytes().startswith(b"one")


def test_a_read_only_file_is_not_replaced(path, monkeypatch):
    really = os.open

    def refuse(name: Path, flags: int, mode: int = 0o777, **named: int | None) -> int:
        if Path(name).name == path.name and flags & os.O_WRONLY:
            raise PermissionError(13, "Permission denied", str(name))
        return really(name, flags, mode, **named)

    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SaveError, match="read-only"):
        save(files)
    monkeypatch.undo()
    assert path.read_bytes().startswith(b"one")
    assert others(path.parent, path) == []


def test_a_clean_up_that_fails_after_the_new_text_is_in_place_is_no_failed_save(path, monkeypatch):
    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, "unlink", failing(errno.EIO))
    monkeypatch.setattr(Path, "unlink", failing(errno.EIO))
    assert save(files).paths == (path,)
    assert not files.changed


def test_what_a_kill_left_is_cleared_by_the_next_save_and_nothing_else(path):
    for name in (".sampleui-0123456789ab.tmp", ".sampleui-mine.tmp", "x.sampleui-0123456789ab.tmp"):
        path.with_name(name).write_text("half")
    save(rewritten(files_of(path), 0, "ONE"))
    assert {one.name for one in others(path.parent, path)} == {".sampleui-mine.tmp", "x.sampleui-0123456789ab.tmp"}


def test_the_message_names_the_files_that_were_replaced_before_one_could_not_be(path, tmp_path, monkeypatch):
    other = tmp_path / "other.txt"
    other.write_bytes(b"theirs\n")
    files = rewritten(rewritten(files_of(path, other), 0, "ONE"), 0, "mine", source=1)
    really, renamed = os.replace, []

    def once(draft: str, target: str, **named: int | None) -> None:
        if renamed:
            raise OSError(5, "Input/output error")
        renamed.append(target)
        really(draft, target, **named)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(
        SaveError, match=r"other\.txt was not saved: Input/output error; saved before that: .*deck\.txt"
    ):
        save(files)
    monkeypatch.undo()
    assert (path.read_bytes()[:3], other.read_bytes()) == (b"ONE", b"theirs\n")
    assert others(tmp_path, path, other) == []
    assert save(files).paths == (other,)


def test_when_one_of_two_files_cannot_be_written_neither_is(path, tmp_path):
    other = tmp_path / "other.txt"
    other.write_bytes(b"theirs\n")
    files = rewritten(rewritten(files_of(path, other), 0, "ONE"), 0, "mine", source=1)
    other.write_bytes(b"changed\n")
    with pytest.raises(StaleFileError):
        save(files)
    assert path.read_bytes().startswith(b"one")
    assert others(tmp_path, path, other) == []


def test_a_copy_has_the_edits_and_the_deck_is_as_unsaved_as_before(path):
    files, copy = rewritten(files_of(path), 0, "ONE"), path.with_name("copy.txt")
    assert write_copy(files.sources[0], copy)
    assert copy.read_bytes() == b"ONE\ntwo\r\nthree"
    assert path.read_bytes() == b"one\ntwo\r\nthree" and files.changed
    assert others(path.parent, path, copy) == []


@pytest.mark.parametrize("kind", ["file", "link to nowhere", "folder"])
def test_a_copy_takes_the_place_of_nothing(path, kind):
    copy = path.with_name("copy")
    if kind == "file":
        copy.write_bytes(b"theirs")
    elif kind == "folder":
        copy.mkdir()
    else:
        copy.symlink_to("nowhere")
    assert not write_copy(files_of(path).sources[0], copy)
    assert copy.is_dir() or copy.is_symlink() or copy.read_bytes() == b"theirs"
    assert others(path.parent, path, copy) == []


def test_a_copy_that_fails_half_way_is_not_there(path, monkeypatch):
    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    with pytest.raises(SaveError, match=r"copy.txt was not saved: No space left on device"):
        write_copy(files_of(path).sources[0], path.with_name("copy.txt"))
    assert others(path.parent, path) == []


def test_what_is_on_disk_already_is_not_stale(path):
    files = rewritten(files_of(path), 0, "ONE")
    path.write_bytes(b"ONE\ntwo\r\nthree")
    save(files)
    assert not files.changed


def test_half_a_surrogate_pair_is_refused(path):
    with pytest.raises(SaveRefusedError, match=r"U\+D800"):
        save(rewritten(files_of(path), 0, "\ud800"))
    assert path.read_bytes().startswith(b"one")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("BROKEN", "line 2 would not be readable: this line is broken"),
        ("two\nand a half", "it would read as 4 samples and not as 3"),
        ("DECLARE", "the values beside the samples would change"),
    ],
)
def test_the_proof_refuses_a_text_that_does_not_read_back(path, line, reason):
    with pytest.raises(SaveRefusedError, match=reason):
        save(rewritten(files_of(path), 1, line))
    assert path.read_bytes() == b"one\ntwo\r\nthree"
    assert others(path.parent, path) == []


def test_the_proof_refuses_pieces_that_read_otherwise_together(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_bytes(b"one\ntwo\n")
    files = files_of(path).apply(Change(0, Splice(1, ("one\n", "two\n"), ("on", "e\ntwo\n"))))
    with pytest.raises(SaveRefusedError, match="#1 would not read back"):
        save(rewritten(files, 1, "e\nTWO"))


def test_a_sample_that_was_never_readable_does_not_stop_a_save(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_bytes(b"one\nUNREADABLE\nthree\n")
    save(rewritten(files_of(path), 0, "ONE"))
    assert path.read_bytes() == b"ONE\nUNREADABLE\nthree\n"
    save(rewritten(files_of(path), 1, "UNREADABLE too"))
    assert path.read_bytes() == b"ONE\nUNREADABLE too\nthree\n"


def test_a_sample_that_was_never_readable_keeps_its_text(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_bytes(b"UNREADABLE\nUNREADABLE\n")
    before = ("UNREADABLE\n", "UNREADABLE\n")
    with pytest.raises(SaveRefusedError, match="#1 would not read back"):
        save(files_of(path).apply(Change(0, Splice(1, before, ("UNREADABLE!\nUN", "READABLE\n")))))


def test_the_stamp_of_the_new_text_is_taken(path):
    files = rewritten(files_of(path), 0, "ONE")
    save(files)
    assert files.sources[0].disk.stamp == stamp_of(path, path.stat().st_size)
    assert not is_stale(files.sources[0])


def test_what_another_writes_while_the_new_text_is_being_written_is_not_overwritten(path, monkeypatch):
    flush = os.fsync

    def meanwhile(descriptor: int) -> None:
        path.write_bytes(b"theirs")
        flush(descriptor)

    files = rewritten(files_of(path), 0, "ONE")
    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(StaleFileError):
        save(files)
    assert path.read_bytes() == b"theirs"
    assert others(path.parent, path) == []
