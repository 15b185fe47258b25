"""What a path leads to is read only inside the root, and nothing is told of what lies outside it."""

import os
from pathlib import Path

import pytest

from sampleui.text.confined import Confined, Refusal, RefusalKind, folder_held, read_confined

SECRET = b"s3cr3t"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "there").write_bytes(SECRET)
    inside = tmp_path / "root"
    (inside / "decks").mkdir(parents=True)
    (inside / "file").write_bytes(b"of the root")
    return inside


def read(root, written, max_bytes=99):
    return read_confined(written, (root / "decks", root), root, max_bytes)


def test_a_refusal_does_not_tell_what_is_outside(root):
    (root / "decks" / "way").symlink_to(root.parent / "outside")
    for start in ("way/", "../../outside/", f"{root.parent}/outside/"):
        refusals = [read(root, start + name) for name in ("there", "gone", "there/gone", "")]
        assert {refusal.kind for refusal in refusals} == {RefusalKind.OUTSIDE_ROOT}


def test_a_path_missing_inside_is_missing_whatever_the_next_folder_leads_to(root):
    assert read(root, "../nothing").kind is RefusalKind.NOT_FOUND
    assert read(root, "../file") == Confined((root / "file").resolve(), b"of the root")


def test_a_link_put_in_place_of_a_folder_after_the_check_leads_nowhere(root, monkeypatch):
    folder = root / "decks" / "folder"
    folder.mkdir()
    (folder / "there").write_bytes(b"harmless")
    real_open = os.open

    def swapped(path, flags, *rest):
        if str(path).endswith("there"):
            folder.rename(root / "decks" / "moved away")
            folder.symlink_to(root.parent / "outside")
        return real_open(path, flags, *rest)

    monkeypatch.setattr(os, "open", swapped)
    found = read(root, "folder/there")
    assert isinstance(found, Refusal)
    assert found.kind is RefusalKind.OUTSIDE_ROOT


@pytest.mark.parametrize("size", [0, 1, 98, 99])
def test_a_file_up_to_the_limit_is_read_whole(root, size):
    (root / "sized").write_bytes(b"x" * size)
    assert read(root, "sized") == Confined((root / "sized").resolve(), b"x" * size)


def test_a_file_past_the_limit_is_refused(root):
    (root / "sized").write_bytes(b"x" * 100)
    assert read(root, "sized").kind is RefusalKind.TOO_LARGE


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
@pytest.mark.parametrize("name", ["status", "maps"])
def test_a_file_that_the_system_makes_up_is_refused(name):
    read = read_confined(name, (Path("/proc/self"),), Path("/"), 1 << 20)
    assert isinstance(read, Refusal) and read.kind is RefusalKind.NOT_REGULAR


def test_a_file_of_holes_that_is_too_large_is_refused_without_reading_it(root):
    with (root / "holes").open("wb") as file:
        file.truncate(1 << 42)
    assert read(root, "holes").kind is RefusalKind.TOO_LARGE


def test_a_pipe_without_a_writer_is_refused_at_once(root):
    os.mkfifo(root / "pipe")
    assert read(root, "pipe").kind is RefusalKind.NOT_REGULAR


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc")
def test_no_descriptor_is_left_open(root):
    before = len(list(Path("/proc/self/fd").iterdir()))
    for written in ("file", "gone", "decks", "../outside/there"):
        read(root, written)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_folder_a_thousand_levels_down_cannot_be_made_and_that_is_all(tmp_path):
    deep = tmp_path.joinpath(*["y"] * 1500)
    with pytest.raises(OSError, match="too long"), folder_held(deep, create=True):
        pass
