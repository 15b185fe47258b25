"""Pictures are seen in half blocks, nothing is fetched or run for them, and what is large waits to be asked for."""

from __future__ import annotations

import base64
import io
import json
import os
import struct
import zlib
from pathlib import Path

import pytest

from sampleui.tui.drawing import pictures
from sampleui.tui.drawing.pictures import picture_rows
from sampleui.tui.drawing.rows import row_text

from .driver import opened, said
from .trace_driver import results, shown

Image = pytest.importorskip("PIL.Image")


def image_bytes(width: int = 2, height: int = 2, form: str = "PNG") -> bytes:
    image = Image.new("RGB", (width, height), "#0000ff")
    image.paste("#ff0000", (0, 0, width, max(height // 2, 1)))
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


def data_url(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def png(width: int, height: int, data: bytes) -> bytes:
    """Return a PNG that says of itself what size it has."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def texts(rows: list[tuple[tuple[str, str], ...]]) -> str:
    return "\n".join(map(row_text, rows))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_each_half_block_shows_two_points(form: str) -> None:
    (row,) = picture_rows(data_url(image_bytes(form=form), f"image/{form.lower()}"), 40)
    assert row_text(row) == "▀▀"
    over, under = row[0][0][:7], row[0][0][7:]
    assert len(over) == len(under) == 7


def test_an_odd_last_row_of_points_has_the_background_below_it() -> None:
    first, second = picture_rows(data_url(image_bytes(1, 3)), 40)
    assert [style for style, _ in (*first, *second)] == ["#ff0000#0000ff", "#0000ff#808080"]


def test_a_picture_is_as_wide_as_its_place_at_most() -> None:
    rows = picture_rows(data_url(image_bytes(400, 100)), 40)
    assert {len(row) for row in rows} == {40}
    assert len(rows) == 5


def test_what_is_large_is_a_line_until_it_is_asked_for() -> None:
    url = data_url(image_bytes(16, 16) + os.urandom(2 << 20))
    assert "drawn when they are asked for" in texts(picture_rows(url, 40))
    assert set(texts(picture_rows(url, 40, asked=True))) == {"▀", "\n"}


@pytest.mark.parametrize("asked", [False, True])
def test_a_bomb_is_a_line(asked: bool) -> None:
    bomb = png(60_000, 60_000, zlib.compress(bytes(1000)))
    (row,) = picture_rows(data_url(bomb), 90, asked=asked)
    assert row_text(row).startswith("not drawn: ")


def test_20_mb_are_a_line_without_being_decoded() -> None:
    url = "data:image/png;base64," + "A" * (20 << 20)
    (row,) = picture_rows({"type": "image_url", "image_url": {"url": url}}, 90)
    assert "not drawn: more than" in row_text(row)


def test_damaged_pictures_are_a_line_each() -> None:
    whole = image_bytes(30, 30)
    for form in ("PNG", "JPEG", "GIF", "WEBP", "BMP"):
        whole = image_bytes(30, 30, form)
        for at in range(0, len(whole), max(len(whole) // 60, 1)):
            for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
                shown = texts(picture_rows(data_url(damaged), 20))
                assert set(shown) <= {"▀", "\n"} or shown.startswith("not drawn: "), (form, at, shown)


def test_without_colours_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert picture_rows(data_url(image_bytes()), 40) == []


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "find_spec", lambda _: None)
    assert texts(picture_rows(data_url(image_bytes()), 40)) == "the extra sampleui[pictures] shows it"


def test_an_address_is_never_fetched_and_a_path_is_read_in_its_project_alone(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for folder in (tmp_path, project):
        (folder / "a.png").write_bytes(image_bytes())

    def drawn(url: str) -> str:
        return texts(picture_rows({"type": "image_url", "image_url": {"url": url}}, 40, places=((project, None),)))

    assert drawn("a.png") == "▀▀"
    assert "outside" in drawn("../a.png")
    assert drawn("https://example.org/a.png") == ""
    assert drawn("file:///etc/passwd") == ""
    assert texts(picture_rows({"type": "image_url", "image_url": {"url": "a.png"}}, 40)) == ""


async def test_a_picture_beside_a_run_is_drawn_in_its_trace_and_one_outside_of_its_folder_is_not(
    tmp_path: Path,
) -> None:
    (tmp_path / "secret.png").write_bytes(image_bytes())
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "shot.png").write_bytes(image_bytes(8, 8))

    def look(url: str) -> dict[str, object]:
        shot = {"type": "image_url", "image_url": {"url": url}}
        return {"id": url, "trace": [{"type": "tool_call", "name": "look", "output": [shot]}]}

    run = results(folder, look("shot.png"), look("../secret.png"), look(str(tmp_path / "secret.png")))
    async with shown(run) as app:
        assert "▀▀▀▀▀▀▀▀" in app.drawn()
        for _ in range(2):
            await app.press("right_square_bracket")
            assert "▀" not in app.drawn() and "lies outside" in app.drawn()


async def test_a_picture_by_its_path_is_drawn_in_the_turns_of_a_sample(tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(image_bytes(8, 8))
    part = {"type": "image_url", "image_url": {"url": "cat.png"}}
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps([{"id": "a", "messages": [{"role": "user", "content": [part]}]}]))
    async with opened(deck) as app:
        view = app.screen.conversation
        assert "▀▀▀▀" in "\n".join(row_text(row) for rows in view._above._rows for row in rows)


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put programs that open files into place, and return the file into which they copy what they open."""
    note, bin_folder = tmp_path / "note", tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("xdg-open", "open"):
        (bin_folder / name).write_text(f'#!/bin/sh\ncat "$1" > "{note}"\n')
        (bin_folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")
    return note


def deck(folder: Path, url: str) -> Path:
    path = folder / "deck.toml"
    part = f'{{ type = "image_url", image_url = {{ url = "{url}" }} }}'
    path.write_text(f'[[samples]]\nid = "a"\n[[samples.messages]]\nrole = "user"\ncontent = [{part}]\n')
    return path


async def test_a_medium_is_opened_by_the_system_once_the_command_was_seen(tmp_path: Path, started: Path) -> None:
    async with opened(deck(tmp_path, data_url(image_bytes()))) as app:
        await app.press("E", "enter")
        await app.until(lambda: "Open it" in app.dialog_text)
        assert "medium-1.png" in app.dialog_text
        assert not started.exists()
        await app.press("enter")
        await app.until(lambda: started.exists() and started.read_bytes() == image_bytes())


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://example.org/a.png", "nothing is fetched"),
        (data_url(b"<script>", "image/svg+xml"), "is not opened"),
        ("../../etc/passwd", ""),
    ],
)
async def test_what_would_be_fetched_or_run_is_not_opened(
    url: str, why: str, tmp_path: Path, started: Path
) -> None:
    async with opened(deck(tmp_path, url)) as app:
        await app.press("E", "enter")
        assert why in said(app.screen)
        assert "Open it" not in app.dialog_text
    assert not started.exists()
