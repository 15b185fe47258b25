"""Archives made by hand, so that every field of theirs can be wrong."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backports import zstd

STORED, DEFLATE, ZSTD = 0, 8, 93


@dataclass(frozen=True)
class Zipped:
    """A member: what is in it, how it is packed, and what the table of contents says of it where that is not so."""

    name: str
    data: bytes
    method: int = STORED
    frames: int = 1
    size: int | None = None
    crc: int | None = None
    flags: int = 0

    @property
    def packed(self) -> bytes:
        if self.method == DEFLATE:
            deflating = zlib.compressobj(9, zlib.DEFLATED, -15)
            return deflating.compress(self.data) + deflating.flush()
        if self.method == ZSTD:
            step = -(-len(self.data) // self.frames) or 1
            pieces = range(0, max(len(self.data), 1), step)
            return b"".join(zstd.compress(self.data[at : at + step]) for at in pieces)
        return self.data


def archive(path: Path, members: Sequence[Zipped], *, shift: int = 0) -> Path:
    """Write an archive. `shift` moves the places that the table of contents names."""
    body, table = b"", b""
    for one in members:
        name, packed = one.name.encode(), one.packed
        crc = zlib.crc32(one.data) if one.crc is None else one.crc
        size = len(one.data) if one.size is None else one.size
        facts = struct.pack("<5H3L2H", 20, one.flags, one.method, 0, 0, crc, len(packed), size, len(name), 0)
        table += (
            b"PK\1\2" + struct.pack("<H", 20) + facts + struct.pack("<3H2L", 0, 0, 0, 0, len(body) + shift) + name
        )
        body += b"PK\3\4" + facts + name + packed
    end = struct.pack("<4H2LH", 0, 0, len(members), len(members), len(table), len(body), 0)
    path.write_bytes(body + table + b"PK\5\6" + end)
    return path
