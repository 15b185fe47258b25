"""How a log is recognized: by its name and its first bytes."""

from __future__ import annotations

from pathlib import Path

from sampleui.text.confined import opened

LOG_SUFFIX = ".eval"
MARK = "inspect_log"
"""The key of a row that was read from a log: what the records of the log share."""

_ARCHIVES = (b"PK\3\4", b"PK\5\6")
_HEAD = 1 << 16
_SIGNS = (b'"eval"', b'"dataset"')


def is_log(path: Path) -> bool:
    """Tell whether a file is named or begins as a log does. Nothing is raised."""
    try:
        with opened(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return is_archive(path, head) or may_be_json(head)


def is_archive(path: Path, head: bytes) -> bool:
    """Tell whether a file is to be read as an archive, by its name or its first bytes."""
    return path.suffix.lower() == LOG_SUFFIX or head.startswith(_ARCHIVES)


def may_be_json(head: bytes) -> bool:
    """Tell whether a text begins with an object that names a run and its dataset."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") and all(sign in head for sign in _SIGNS)
