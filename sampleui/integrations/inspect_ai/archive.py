"""The members of an archive by their names, unpacked within bounds: stored, deflate, and zstd in any frames."""

from __future__ import annotations

import os
import struct
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import ResultsError
from sampleui.text.confined import opened
from sampleui.text.limits import MAX_ARCHIVE_CONTENTS, MAX_ARCHIVE_MEMBER, MAX_ARCHIVE_RATIO, MAX_ARCHIVE_SUM

if TYPE_CHECKING:
    from backports.zstd import ZstdDecompressor

_END = struct.Struct("<4s4H2LH")
_END64_AT = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
ENTRY_SIZE = _ENTRY.size
"""Bytes of an entry before its name."""
SIGN = b"PK\1\2"
"""How an entry begins."""
_MAX_COMMENT = 1 << 16
_FULL = 0xFFFFFFFF
_UTF8 = 1 << 11
_ENCRYPTED = 1


class ArchiveMember(NamedTuple):
    """A member of an archive.

    Attributes:
        method: how it is packed: 0 stored, 8 deflate, 93 zstd.
        crc: CRC-32 of what is in it.
        packed: its bytes in the archive.
        size: the bytes of what is in it, as the table of contents has it.
        offset: where its local header begins.
        encrypted: whether it is.
    """

    name: str
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    encrypted: bool


def table_of(file: BufferedReader, path: Path) -> tuple[bytes, int, int]:
    """Return the table of contents of an archive, where it stands, and how many entries it says it has.

    Raises:
        ResultsError: when the file is not a whole zip archive, with the byte at which it is not.
    """
    file_size = os.fstat(file.fileno()).st_size
    count, length, start = _end(file, path, file_size)
    if start + length > file_size or length > MAX_ARCHIVE_CONTENTS:
        raise ResultsError(f"the table of contents of the archive cannot be at byte {start:,}", path)
    file.seek(start)
    table = file.read(length)
    if not table and count:
        raise ResultsError(f"the table of contents of the archive is missing at byte {start:,}", path)
    return table, start, count


def data_of(file: BufferedReader, member: ArchiveMember, path: Path) -> int:
    """Return where the packed bytes of a member begin.

    Raises:
        ResultsError: when its local header is not there.
    """
    file.seek(member.offset)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(b"PK\3\4"):
        raise ResultsError(f"{member.name}: no member of the archive at byte {member.offset:,}", path)
    name, extra = _LOCAL.unpack(head)[-2:]
    return member.offset + _LOCAL.size + int(name) + int(extra)


def _end(file: BufferedReader, path: Path, file_size: int) -> tuple[int, int, int]:
    """Return how many members there are, and the length and the place of the table of contents."""
    back = min(file_size, _END.size + _MAX_COMMENT)
    file.seek(file_size - back)
    tail = file.read(back)
    position = tail.rfind(b"PK\5\6")
    file.seek(0)
    if not file.read(4).startswith((b"PK\3\4", b"PK\5\6")):
        raise ResultsError("not a log: neither an archive nor JSON", path)
    if position < 0 or len(tail) - position < _END.size:
        raise ResultsError(f"cut off: the archive has no table of contents before byte {file_size:,}", path)
    _, _, _, _, count, length, start, _ = _END.unpack_from(tail, position)
    before = position - _END64_AT.size
    if before >= 0 and tail.startswith(b"PK\6\7", before):
        offset = _END64_AT.unpack_from(tail, before)[2]
        if offset + _END64.size > file_size:
            raise ResultsError(f"the table of contents of the archive cannot be at byte {offset:,}", path)
        file.seek(offset)
        head = file.read(_END64.size)
        if not head.startswith(b"PK\6\6"):
            raise ResultsError(f"the table of contents of the archive is missing at byte {offset:,}", path)
        count, length, start = _END64.unpack(head)[-3:]
    return count, length, start


def entry_at(table: bytes, position: int) -> tuple[ArchiveMember, int]:
    """Return the member of an entry that begins at a place of the table, and where the next one begins."""
    _, _, _, flags, method, _, _, crc, packed, size, name, extra, comment, _, _, _, offset = _ENTRY.unpack_from(
        table, position
    )
    named = position + ENTRY_SIZE
    raw = table[named : named + name]
    if _FULL in (packed, size, offset):
        more = table[named + name : named + name + extra]
        packed, size, offset = _widened(more, packed, size, offset)
    called = raw.decode("utf-8" if flags & _UTF8 else "cp437", "replace")
    member = ArchiveMember(called, method, crc, packed, size, offset, bool(flags & _ENCRYPTED))
    return member, named + name + extra + comment


def _widened(extra: bytes, packed: int, size: int, offset: int) -> tuple[int, int, int]:
    """Return sizes and the place of a member as its zip64 field has those that 32 bits do not hold."""
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, position)
        if kind == 1:
            wide = iter(struct.unpack_from(f"<{min(length, len(extra) - position - 4) // 8}Q", extra, position + 4))
            size = next(wide, size) if size == _FULL else size
            packed = next(wide, packed) if packed == _FULL else packed
            offset = next(wide, offset) if offset == _FULL else offset
            break
        position += 4 + length
    return packed, size, offset


READ_AT_ONCE = 2_000
"""Entries of the longest table that is gone through before anything is looked up."""

SAMPLES = "samples/"


class Members(Mapping[str, ArchiveMember]):
    """The members of an archive; of those that share a name the last.

    While the table is being read, a sample is the first of its name; that it comes once more is told in the end.

    Attributes:
        again: the samples that came once more after they had been looked up, once all is read.
        problem: where the table cannot be read on.
    """

    def __init__(self, table: bytes, start: int, count: int, path: Path) -> None:
        """Take a table of contents.

        Args:
            table: its bytes.
            start: where it stands in the file.
            count: how many entries it says it has.
            path: the file.

        Raises:
            ResultsError: when no entry can be read, or, of a short table, not all of them.
        """
        self._table, self._start, self._path = table, start, path
        self._offsets: dict[str, int] = {}
        self._asked: set[str] = set()
        self._at = 0
        self._reading = threading.Lock()
        self.count = count
        self.again: list[str] = []
        self.problem: ResultsError | None = None
        self._read_on(1 if self.count > READ_AT_ONCE else None)
        if self.problem is not None:
            raise self.problem

    @property
    def whole(self) -> bool:
        """Whether the table is read to its end."""
        return self._at >= len(self._table)

    def __getitem__(self, name: str) -> ArchiveMember:
        """Return a member by its name, as far as the table has to be read for it."""
        entry_offset = self._offset_of(name)
        if entry_offset is None:
            raise KeyError(name)
        return entry_at(self._table, entry_offset)[0]

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a member of a name."""
        return isinstance(name, str) and self._offset_of(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all members; the table is read to its end for it."""
        self._read_on()
        return iter(self._offsets)

    def __len__(self) -> int:
        """Return how many names there are; the table is read to its end for it."""
        self._read_on()
        return len(self._offsets)

    def _offset_of(self, name: str) -> int | None:
        if not self.whole and not name.startswith(SAMPLES):
            return self._from_the_end(name)
        if name not in self._offsets:
            self._read_on(wanted=name)
        if not self.whole:
            self._asked.add(name)
        return self._offsets.get(name)

    def _from_the_end(self, name: str) -> int | None:
        raw = name.encode()
        position = len(self._table)
        while (position := self._table.rfind(raw, 0, position)) >= 0:
            entry_offset = position - ENTRY_SIZE
            if (
                entry_offset >= 0
                and self._table.startswith(SIGN, entry_offset)
                and entry_at(self._table, entry_offset)[0].name == name
            ):
                return entry_offset
        return None

    def _read_on(self, most: int | None = None, wanted: str | None = None) -> None:
        """Read so many entries, or to one that is wanted, or all."""
        with self._reading:
            table, offsets, asked = self._table, self._offsets, self._asked
            position, left = self._at, -1 if most is None else most
            while left and position < len(table) and (wanted is None or wanted not in offsets):
                if not table.startswith(SIGN, position) or position + ENTRY_SIZE > len(table):
                    broken = self._start + position
                    message = "missing" if not position else "broken"
                    reason = f"the table of contents of the archive is {message} at byte {broken:,}"
                    self.problem, position = ResultsError(reason, self._path), len(table)
                    break
                name, end = _name_at(table, position)
                if name in asked:
                    self.again.append(name)
                offsets[name] = position
                position, left = end, left - 1
            self._at = position


def _name_at(table: bytes, position: int) -> tuple[str, int]:
    """Return the name of an entry and where the next one begins. Layout: APPNOTE.TXT 6.3.10, 4.3.12."""
    named = position + ENTRY_SIZE
    length = table[position + 28] | table[position + 29] << 8
    raw = table[named : named + length]
    end = (
        named
        + length
        + (table[position + 30] | table[position + 31] << 8)
        + (table[position + 32] | table[position + 33] << 8)
    )
    return (raw.decode("ascii") if raw.isascii() else entry_at(table, position)[0].name), end


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
            self._most = max(MAX_ARCHIVE_SUM, MAX_ARCHIVE_RATIO * os.fstat(file.fileno()).st_size)
        self._counted: set[str] = set()
        self._sum = 0

    def _count(self, name: str, size: int) -> None:
        """Count a member that is unpacked, once. Raises ResultsError when all in sum are larger than is read."""
        if name not in self._counted:
            if self._sum + size > self._most:
                message = f"no more than {self._most:,} bytes in sum are unpacked of this archive"
                raise ResultsError(f"{name}: {message}", self.path)
            self._counted.add(name)
            self._sum += size

    def read(self, name: str, most: int = MAX_ARCHIVE_MEMBER) -> bytes:
        """Return a member as it was before it was packed, proved by its checksum.

        Raises:
            ResultsError: when it is longer than `most` bytes, cannot be unpacked, or the file changed.
        """
        size = self.members[name].size
        if size > most:
            raise ResultsError(f"{name}: {size:,} bytes; no more than {most:,} are read", self.path)
        data = BytesIO()  # joining pieces would hold all of them twice
        data.writelines(self.pieces(name))
        return data.getvalue()

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member in pieces of 1 MiB at most. What is wrong with it is reported when reading gets there.

        Raises:
            ResultsError: as `read` does, and when what was unpacked before is too much in sum.
        """
        member = self.members[name]
        if member.encrypted:
            raise ResultsError(f"{name}: encrypted", self.path)
        self._count(name, member.size)
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
                        message = f"holds more than the {member.size:,} bytes that the archive says"
                        raise ResultsError(f"{name}: {message}", self.path)
                    yield piece
        except OSError as error:
            raise ResultsError(error.strerror or str(error), self.path) from error
        except ValueError as error:  # what the unpackers raise
            raise ResultsError(f"{name}: broken after {size:,} bytes: {error}", self.path) from error
        if size != member.size or crc != member.crc:
            raise ResultsError(f"{name}: broken after {size:,} bytes: not what was packed", self.path)

    def _unpacker(self, member: ArchiveMember) -> Callable[[Iterator[bytes]], Iterator[bytes]]:
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


def _unpacked_zstd(
    begun: Callable[[], ZstdDecompressor], error_class: type[Exception], packed: Iterator[bytes]
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


def _zstd(path: Path) -> tuple[Callable[[], ZstdDecompressor], type[Exception]]:
    """Return what unpacks a frame and what it raises, of the standard library or of the package before it."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        message = "packed with zstd, which this Python cannot read: pip install backports.zstd"
        raise ResultsError(message, path) from error
    return zstd.ZstdDecompressor, zstd.ZstdError


def _state(file: BufferedReader) -> tuple[int, int, int]:
    status = os.fstat(file.fileno())
    return status.st_ino, status.st_size, status.st_mtime_ns
