"""The table of contents of a zip archive, which may come from anyone and be of any size.

`zipfile` would take several times as long to list 100,000 members, has no zstd before Python 3.14, and fails on
members of several zstd frames. Layout: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16.
"""

from __future__ import annotations

import os
import struct
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError

MOST_CONTENTS = 512 << 20
"""Bytes of the longest table of contents that is read."""

_END = struct.Struct("<4s4H2LH")
_END64_AT = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
ENTRY_SIZE = _ENTRY.size
"""Bytes of an entry before its name."""
SIGN = b"PK\1\2"
"""How an entry begins."""
_MOST_COMMENT = 1 << 16
_FULL = 0xFFFFFFFF
_UTF8 = 1 << 11
_ENCRYPTED = 1


class Member(NamedTuple):
    """A member of an archive.

    Attributes:
        method: how it is packed: 0 stored, 8 deflate, 93 zstd.
        crc: CRC-32 of what is in it.
        packed: its bytes in the archive.
        size: the bytes of what is in it, as the table of contents has it.
        at: where its local header begins.
        encrypted: whether it is.
    """

    name: str
    method: int
    crc: int
    packed: int
    size: int
    at: int
    encrypted: bool


def table_of(file: BufferedReader, path: Path) -> tuple[bytes, int, int]:
    """Return the table of contents of an archive, where it stands, and how many entries it says it has.

    Raises:
        ResultsError: when the file is not a whole zip archive, with the byte at which it is not.
    """
    file_size = os.fstat(file.fileno()).st_size
    count, length, start = _end(file, path, file_size)
    if start + length > file_size or length > MOST_CONTENTS:
        raise ResultsError(f"the table of contents of the archive cannot be at byte {start:,}", path)
    file.seek(start)
    table = file.read(length)
    if not table and count:
        raise ResultsError(f"the table of contents of the archive is missing at byte {start:,}", path)
    return table, start, count


def data_of(file: BufferedReader, member: Member, path: Path) -> int:
    """Return where the packed bytes of a member begin.

    Raises:
        ResultsError: when its local header is not there.
    """
    file.seek(member.at)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(b"PK\3\4"):
        raise ResultsError(f"{member.name}: no member of the archive at byte {member.at:,}", path)
    name, extra = _LOCAL.unpack(head)[-2:]
    return member.at + _LOCAL.size + int(name) + int(extra)


def _end(file: BufferedReader, path: Path, file_size: int) -> tuple[int, int, int]:
    """Return how many members there are, and the length and the place of the table of contents."""
    back = min(file_size, _END.size + _MOST_COMMENT)
    file.seek(file_size - back)
    tail = file.read(back)
    at = tail.rfind(b"PK\5\6")
    file.seek(0)
    if not file.read(4).startswith((b"PK\3\4", b"PK\5\6")):
        raise ResultsError("not a log: neither an archive nor JSON", path)
    if at < 0 or len(tail) - at < _END.size:
        raise ResultsError(f"cut off: the archive has no table of contents before byte {file_size:,}", path)
    _, _, _, _, count, length, start, _ = _END.unpack_from(tail, at)
    before = at - _END64_AT.size
    if before >= 0 and tail.startswith(b"PK\6\7", before):
        place = _END64_AT.unpack_from(tail, before)[2]
        if place + _END64.size > file_size:
            raise ResultsError(f"the table of contents of the archive cannot be at byte {place:,}", path)
        file.seek(place)
        head = file.read(_END64.size)
        if not head.startswith(b"PK\6\6"):
            raise ResultsError(f"the table of contents of the archive is missing at byte {place:,}", path)
        count, length, start = _END64.unpack(head)[-3:]
    return count, length, start


def entry_at(table: bytes, at: int) -> tuple[Member, int]:
    """Return the member of an entry that begins at a place of the table, and where the next one begins."""
    _, _, _, flags, method, _, _, crc, packed, size, name, extra, comment, _, _, _, place = _ENTRY.unpack_from(
        table, at
    )
    named = at + ENTRY_SIZE
    raw = table[named : named + name]
    if _FULL in (packed, size, place):
        more = table[named + name : named + name + extra]
        packed, size, place = _widened(more, packed, size, place)
    called = raw.decode("utf-8" if flags & _UTF8 else "cp437", "replace")
    member = Member(called, method, crc, packed, size, place, bool(flags & _ENCRYPTED))
    return member, named + name + extra + comment


def _widened(extra: bytes, packed: int, size: int, place: int) -> tuple[int, int, int]:
    """Return sizes and the place of a member as its zip64 field has those that 32 bits do not hold."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            wide = iter(struct.unpack_from(f"<{min(length, len(extra) - at - 4) // 8}Q", extra, at + 4))
            size = next(wide, size) if size == _FULL else size
            packed = next(wide, packed) if packed == _FULL else packed
            place = next(wide, place) if place == _FULL else place
            break
        at += 4 + length
    return packed, size, place
