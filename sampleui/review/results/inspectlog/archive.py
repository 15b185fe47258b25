"""The members of an archive, unpacked within bounds: stored, deflate, and zstd in any number of frames."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import Protocol

from sampleui.errors import ResultsError
from sampleui.review.results.inspectlog.contents import Member, data_of, table_of
from sampleui.review.results.inspectlog.members import Members
from sampleui.text.confined import opened

MAX_MEMBER = 512 << 20
"""Bytes of the longest member that is read as a whole."""

_STEP = 1 << 20
_STORED, _DEFLATE, _ZSTD = 0, 8, 93


class Archive:
    """A zip archive whose members are read one at a time.

    Attributes:
        members: by their names; of those that share one the last.
    """

    def __init__(self, path: Path) -> None:
        """Read the table of contents.

        Raises:
            ResultsError: when the file is not a whole archive.
        """
        self.path = path
        with opened(path) as file:
            self.members = Members(*table_of(file, path), path)
            self._state = _state(file)

    def read(self, name: str, most: int = MAX_MEMBER) -> bytes:
        """Return a member as it was before it was packed, proved by its checksum.

        Raises:
            ResultsError: when it is longer than `most` bytes, cannot be unpacked, or the file changed.
        """
        size = self.members[name].size
        if size > most:
            raise ResultsError(f"{name}: {size:,} bytes; no more than {most:,} are read", self.path)
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member in pieces of 1 MiB at most. What is wrong with it is reported when reading gets there.

        Raises:
            ResultsError: as `read` does.
        """
        member = self.members[name]
        if member.encrypted:
            raise ResultsError(f"{name}: encrypted", self.path)
        unpacked = self._unpacker(member)
        crc, size = 0, 0
        try:
            with opened(self.path) as file:
                if _state(file) != self._state:
                    raise ResultsError("the file changed since it was read; open it again", self.path)
                file.seek(data_of(file, member, self.path))
                for piece in unpacked(_packed(file, member.packed)):
                    crc, size = zlib.crc32(piece, crc), size + len(piece)
                    if size > member.size:
                        said = f"holds more than the {member.size:,} bytes that the archive says"
                        raise ResultsError(f"{name}: {said}", self.path)
                    yield piece
        except OSError as error:
            raise ResultsError(error.strerror or str(error), self.path) from error
        except ValueError as error:  # what the unpackers raise
            raise ResultsError(f"{name}: broken after {size:,} bytes: {error}", self.path) from error
        if size != member.size or crc != member.crc:
            raise ResultsError(f"{name}: broken after {size:,} bytes: not what was packed", self.path)

    def _unpacker(self, member: Member) -> Callable[[Iterator[bytes]], Iterator[bytes]]:
        if member.method == _STORED:
            return iter
        if member.method == _DEFLATE:
            return _inflated
        if member.method != _ZSTD:
            raise ResultsError(f"{member.name}: packed by method {member.method}, which is not known", self.path)
        return partial(_unpacked_zstd, *_zstd(self.path))


def _packed(file: BufferedReader, left: int) -> Iterator[bytes]:
    while left and (piece := file.read(min(_STEP, left))):
        left -= len(piece)
        yield piece


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    for piece in packed:
        while piece and not inflating.eof:
            try:
                yield inflating.decompress(piece, _STEP)
            except zlib.error as error:
                raise ValueError(str(error)) from error
            piece = inflating.unconsumed_tail


class _Zstd(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def _unpacked_zstd(
    begun: Callable[[], _Zstd], error_class: type[Exception], packed: Iterator[bytes]
) -> Iterator[bytes]:
    frame = begun()
    for piece in packed:
        while piece or not (frame.needs_input or frame.eof):
            try:
                yield frame.decompress(piece, _STEP)
            except error_class as error:
                raise ValueError(str(error)) from error
            piece = b""
            if frame.eof and frame.unused_data:
                piece, frame = frame.unused_data, begun()
            elif frame.eof:
                frame = begun()


def _zstd(path: Path) -> tuple[Callable[[], _Zstd], type[Exception]]:
    """Return what unpacks a frame and what it raises, of the standard library or of the package before it."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        said = "packed with zstd, which this Python cannot read: pip install backports.zstd"
        raise ResultsError(said, path) from error
    return zstd.ZstdDecompressor, zstd.ZstdError


def _state(file: BufferedReader) -> tuple[int, int, int]:
    found = os.fstat(file.fileno())
    return found.st_ino, found.st_size, found.st_mtime_ns
