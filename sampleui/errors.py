"""The error tree of the package.

Each class has a `rule`, the word by which a program tells what went wrong, and `as_data`, what JSON says of it.

SampleUIError
├── DeckError            a deck cannot be opened (path, line, column)
├── FormatError          a text is not in the format it claims (line, column)
├── EditError            an edit of a deck was not made; the deck is unchanged
│   ├── PathError        the data path does not lead to anything the edit can act on
│   └── EditRefusedError the edit cannot be made without touching bytes it must not touch
├── SaveError            a deck was not written; the file on disk is unchanged
│   ├── StaleFileError   the file changed on disk since it was read
│   └── SaveRefusedError the proof before the write failed
├── ArgumentError        a call was given an argument of a kind that it does not take
├── UnknownDialectError a dialect was asked for by a name that is not one
├── ProviderError        a provider was asked for by a name that is not one
├── PromptStyleError     a prompt style was asked for by a name that is not one
├── SettingsError        a settings file cannot be used (path, line, column)
├── StatisticsError      figures were asked for of numbers that cannot be (counts, scores, labels)
└── ResultsError         a results file or a verdict log cannot be read or written (path, line)
    └── OtherFileError   the file is one of another tool that is no results that are read here
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar


class SampleUIError(Exception):
    """The root of every error that the package raises on purpose."""

    rule: ClassVar[str] = "refused"

    def as_data(self) -> dict[str, Any]:
        """Return it as the JSON object that commands print: `rule`, `message`, and the place where one is known."""
        return {"rule": self.rule, "message": str(self)}


class Interrupted(KeyboardInterrupt):
    """The user interrupts a command. A stranger's code that raises `KeyboardInterrupt` is not taken for that."""


class LocatedError(SampleUIError):
    """An error with a place: a file if one is known, 1-based line and column if they are known."""

    def __init__(
        self, message: str, path: Path | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """Return `path:line:column: message` with the parts that are known."""
        location = [str(part) for part in (self.path, self.line, self.column) if part is not None]
        return ": ".join([":".join(location), self.message]) if location else self.message

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON, with the parts of its place that are known: `file`, `line`, `column`."""
        file = None if self.path is None else str(self.path)
        place = {"file": file, "line": self.line, "column": self.column}
        known = {key: value for key, value in place.items() if value is not None}
        return {"rule": self.rule, "message": self.message, **known}


class DeckError(LocatedError):
    """A deck cannot be opened: missing, not a file, not UTF-8, or not in its format."""

    rule = "unreadable"


class FormatError(LocatedError):
    """A text is not in the format it claims. Carries a position in that text and no path."""

    rule = "unreadable"


class EditError(SampleUIError):
    """An edit was not made. The deck it was asked of is unchanged."""


class PathError(EditError):
    """The data path of an edit does not exist, or names something the edit cannot act on."""

    rule = "path"


class EditRefusedError(EditError):
    """The edit cannot be made without damage. The message says why."""

    rule = "edit-refused"


class SaveError(SampleUIError):
    """A deck was not written. The file on disk is as it was."""

    rule = "not-saved"


class StaleFileError(SaveError):
    """The file changed on disk since it was read."""

    rule = "deck-changed"


class SaveRefusedError(SaveError):
    """The proof before the write failed: the text does not read back as the deck's values."""


class ArgumentError(SampleUIError, TypeError):
    """A call was given an argument of a kind that it does not take. Nothing was done."""


class UnknownDialectError(SampleUIError):
    """A dialect was asked for by a name that is not one."""


class ProviderError(SampleUIError):
    """A provider was asked for by a name that is not one."""


class PromptStyleError(SampleUIError):
    """A prompt style was asked for by a name that is not one."""


class SettingsError(LocatedError):
    """A settings file cannot be used."""

    rule = "settings"


class StatisticsError(SampleUIError, ValueError):
    """Statistics were asked of impossible numbers: a score that is not finite, more passes than attempts."""


class RedactionError(SampleUIError):
    """What must be redacted cannot be found in time, so nothing is passed on."""


class ResultsError(LocatedError):
    """A results file cannot be read, or a verdict log cannot be read or written."""

    rule = "results"


class OtherFileError(ResultsError):
    """A file is recognized as another tool's, and has no records that can be read here.

    Attributes:
        traced: whether what was done in it can be read as messages all the same.
    """

    def __init__(self, message: str, path: Path, *, traced: bool = False) -> None:
        super().__init__(message, path)
        self.traced = traced


@contextmanager
def results_errors(path: Path, what: str = "") -> Iterator[None]:
    """Have what is wrong with a file, or its text, told as a `ResultsError` about it, `what` before the words."""
    try:
        yield
    except OSError as error:
        raise ResultsError(f"{what}{error.strerror or error}", path) from error
    except UnicodeDecodeError as error:
        raise ResultsError(f"{what}it is not UTF-8 (byte {error.start:,})", path) from error
    except FormatError as error:
        raise ResultsError(f"{what}{error.message}", path, error.line, error.column) from error
