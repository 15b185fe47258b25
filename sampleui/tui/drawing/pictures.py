"""Pictures as rows of half blocks, each of which shows two of their points, by the extra `pictures` (Pillow).

Nothing is asked of the terminal, and nothing is read but data that is in a text and files of a project. How large a
picture may be is bounded in bytes and in points, before any of these is decoded.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from typing import TypeAlias

from sampleui.formats.data import Plain
from sampleui.sample.media import Medium, Places, medium_of
from sampleui.text.confined import Confined, Refusal, RefusalKind, project_root, read_confined
from sampleui.text.limits import (
    MAX_PICTURE_BYTES,
    MAX_PICTURE_BYTES_UNASKED,
    MAX_PICTURE_POINTS,
    MAX_PICTURE_POINTS_UNASKED,
)
from sampleui.tui.drawing.rows import Row, text_rows

EXTRA = "sampleui[pictures]"
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_MAX_ROWS = 20
_MAX_SHOWN = 4
_BACK = (128, 128, 128)
"""What is behind what can be seen through."""

_HALF = "▀"
_IMAGE = "image_url"
_DATA = "data:"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class NoPictureError(ValueError):
    """Why a picture is not drawn, in words."""


_Points: TypeAlias = tuple[tuple[str, ...], ...]
"""The points of a picture, from the top, an even number of rows of them, each as `#rrggbb`."""


def media_in(value: Plain) -> Iterator[Medium]:
    """Yield the images, sounds and files in a value, the value itself among them, the outermost first."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        medium = medium_of(item)
        if medium is not None:
            yield medium
        elif isinstance(item, dict):
            waiting += [*item.values()][::-1]
        elif isinstance(item, list):
            waiting += item[::-1]
        elif isinstance(item, str) and item.startswith("data:image/"):
            yield Medium(_IMAGE, item, item[len(_DATA) : item.find(";")][:40])


def picture_rows(value: Plain, width: int, *, asked: bool = False, places: Places = ()) -> list[Row]:
    """Return the pictures in a value, the first few; of one that is not drawn why it is not.

    Args:
        value: a part of a message, or anything that may hold some.
        width: cells in a row.
        asked: whether somebody asked to see it all; else what is large is a line.
        places: where the files of paths may be; without any none is drawn.
    """
    images = (medium.url for medium in media_in(value) if medium.kind == _IMAGE)
    drawn = [url for url in images if url.startswith(_DATA) or (places and is_path(url))]
    return [row for url in drawn[:_MAX_SHOWN] for row in _rows_of(url, max(width, 2), asked, places)]


def is_path(url: str) -> bool:
    """Tell whether the address of a medium is a path, and nothing that would have to be fetched."""
    return bool(url) and _SCHEME.match(url) is None


def _rows_of(url: str, width: int, asked: bool, places: Places) -> list[Row]:
    if os.environ.get("NO_COLOR"):
        return []
    if find_spec("PIL") is None:
        return text_rows(f"the extra {EXTRA} shows it", "faint", width)
    try:
        shown = _of_file(url, places, width, asked) if is_path(url) else _of_data(url, width, asked)
    except NoPictureError as error:
        return text_rows(f"not drawn: {error}", "faint", width)
    pairs = zip(shown[::2], shown[1::2], strict=True)
    return [tuple((f"{over}{under}", _HALF) for over, under in zip(*pair, strict=True)) for pair in pairs]


def _of_file(written: str, places: Places, width: int, asked: bool) -> _Points:
    read = found_file(written, places, MAX_PICTURE_BYTES if asked else MAX_PICTURE_BYTES_UNASKED)
    if isinstance(read, Refusal):
        raise NoPictureError(read.reason)
    return _points(read.data, width, asked)


def found_file(written: str, places: Places, most: int) -> Confined | Refusal:
    """Return a file by its path, of at most so many bytes; why not, where it is in none of the places."""
    read: Confined | Refusal = Refusal(RefusalKind.NOT_FOUND, "no folder is known that its path is relative to")
    for folder, root in places:
        read = read_confined(written, (folder,), root or project_root(folder), most)
        if not isinstance(read, Refusal):
            break
    return read


@lru_cache(maxsize=16)
def _of_data(url: str, width: int, asked: bool) -> _Points:
    """Return the points of a picture. Raises NoPictureError if it is too large, or cannot be read."""
    most_bytes = MAX_PICTURE_BYTES if asked else MAX_PICTURE_BYTES_UNASKED
    head, _, text = url.partition(",")
    if len(text) * 3 // 4 > most_bytes:
        raise NoPictureError(_too_large("bytes", most_bytes, asked))
    try:
        data = base64.b64decode(text) if head.endswith(";base64") else text.encode()
    except (binascii.Error, ValueError) as error:
        raise NoPictureError("it is not in base64") from error
    return _points(data, width, asked)


@lru_cache(maxsize=16)
def _points(data: bytes, width: int, asked: bool) -> _Points:
    from PIL import Image

    most = MAX_PICTURE_POINTS if asked else MAX_PICTURE_POINTS_UNASKED
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its size is looked at before its points are read
            with Image.open(BytesIO(data), formats=_FORMATS) as image:
                if image.width * image.height > most:
                    raise NoPictureError(_too_large("points", most, asked))
                size = (width, 2 * _MAX_ROWS)
                image.draft("RGB", size)
                small = image.convert("RGBA")
                small.thumbnail(size)
                back = Image.new("RGBA", (small.width, small.height + small.height % 2), (*_BACK, 255))
                back.alpha_composite(small)
                points = back.convert("RGB").tobytes()
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise NoPictureError(f"it cannot be read as {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}") from error
    lines = (points[start : start + 3 * back.width] for start in range(0, len(points), 3 * back.width))
    return tuple(tuple(f"#{line[at : at + 3].hex()}" for at in range(0, len(line), 3)) for line in lines)


def _too_large(unit: str, most: int, asked: bool) -> str:
    return f"more than {most:,} {unit}" + ("" if asked else ", which are drawn when they are asked for")
