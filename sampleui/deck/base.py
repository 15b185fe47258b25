"""What a deck can be compared with."""

from __future__ import annotations

from enum import StrEnum


class Base(StrEnum):
    """What a deck is compared with, in words."""

    DISK = "the file on disk"
    INDEX = "git's index"
    HEAD = "the last commit"
