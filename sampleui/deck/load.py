"""Read a deck from disk: its file and, for a Markdown deck, the files it references."""

from __future__ import annotations

import codecs
import dataclasses
import errno
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from sampleui.deck.model import DeckFile, DeckFiles, Disk, Stamp
from sampleui.errors import DeckError, FormatError, SettingsError
from sampleui.formats.document import Document
from sampleui.formats.made_samples import IncludedFile, MadeSamples, is_from_suite
from sampleui.formats.registry import (
    BY_NAME,
    BY_SUFFIX,
    LINES,
    TABLES,
    explained,
    form_named,
    parse_begun,
    parse_case,
    parse_document,
    parse_lines,
)
from sampleui.garbage import collector_off
from sampleui.integrations import index
from sampleui.settings.options import load_settings
from sampleui.settings.vocabulary import UserTable, columns_of, unusual_containers
from sampleui.text.confined import (
    SCHEME,
    NotRegularError,
    Refusal,
    RefusalKind,
    is_file,
    is_folder,
    is_inside,
    listed,
    opened,
    project_root,
    read_confined,
    read_whole,
    real_path,
    status_of,
)
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.text.limits import MAX_DECK_BYTES, MAX_FILES_OF_REFERENCE, MAX_INCLUSIONS, MAX_SAMPLES
from sampleui.text.patterns import MAGIC, matched
from sampleui.text.position import Position

_NOT_SHOWN = (
    (re.compile(r"\.(?:[cm]?[jt]s|py|rb|go)(?::[\w.]+)?\Z", re.IGNORECASE | re.ASCII), "made by a program"),
    (re.compile(r"\A(?:https?|huggingface|az|s3|gs)://", re.IGNORECASE), "fetched by a run"),
    (re.compile(r"\.xlsx?(?:#.*)?\Z", re.IGNORECASE | re.DOTALL), "in a spreadsheet"),
)
"""How paths look whose tests are not in a file that can be read here, and where those are."""

_ROWS = (".yaml", ".yml")
_PLAIN = ("reference-plain", "not every program follows a path among tests without file:// before it")
_AS_ROWS = ("reference-rows", "the tables of a YAML file behind path may be taken for rows of variables")
_RUNNERS = frozenset({"providers", "targets"})
"""Keys of configs in which a path among tests needs no file://."""

_CASES = ("case.yaml", "case.yml")


class FileReference(NamedTuple):
    """A reference to a file.

    Attributes:
        target: its path, relative to the file that refers to it.
        position: where the reference is.
        shares: whether what the referring file says for all its samples holds for those of the target too.
        reading: how the target is read, where that is not as a deck.
        as_rows: whether the keys of a table in the target may be variables, as the columns of a CSV file are.
        by_program: whether the target is a program, which is not run, or is fetched from elsewhere.
        remark: the rule and the words of what is worth knowing of the reference.
    """

    target: str
    position: Position
    shares: bool = False
    reading: Callable[[str, Path], Document] | None = None
    as_rows: bool = False
    by_program: bool = False
    remark: tuple[str, str] | None = None


def references_of(source: DeckFile, root: Path, suite: Path) -> Iterator[FileReference]:
    """Yield the references of a file in order: globs and folders as the files they stand for, inside the root.

    Args:
        source: the file.
        root: the folder that files must lie in.
        suite: the file whose shared values hold for it: itself if it stands for itself.
    """
    document = source.document
    if document.format == "markdown":
        yield from _markdown(source)
        return
    yield from _listed(source, root)
    yield from _parts(source, root, (suite if is_from_suite(document) else source.path).parent)


def _markdown(source: DeckFile) -> Iterator[FileReference]:
    from sampleui.formats.markdown import references

    for reference in references(source.document.text):
        if _is_deck(reference.target):
            yield FileReference(reference.target, reference.position)


def unreferred(source: DeckFile) -> Iterator[tuple[Position, str]]:
    """Yield why a Markdown deck without samples has none: its plain links to decks, or that it refers to none."""
    from sampleui.formats.markdown import links, references

    document = source.document
    if document.format != "markdown" or any(_is_deck(reference.target) for reference in references(document.text)):
        return
    plain = [link for link in links(document.text) if _is_deck(link.target)]
    for link in plain:
        yield (
            link.position,
            f"a plain link is not followed: a reference to samples is ![{link.title}]({link.target})",
        )
    if not plain:
        yield Position(1, 1), "it refers to no file of samples: a reference is ![any text](./samples.toml)"


def _is_deck(target: str) -> bool:
    return Path(target).suffix.lower() in BY_SUFFIX


def _listed(source: DeckFile, root: Path) -> Iterator[FileReference]:
    """Yield the files that a list of samples names; what the list's file says holds for theirs too."""
    document = source.document
    suite = document.format == "yaml" and document.container and _RUNNERS.isdisjoint(document.context)
    for named in document.named_files:
        remark = _PLAIN if suite and not named.path.startswith(SCHEME) else None
        for reference in _tests(named.path, named.position, source.path.parent, root):
            as_rows = named.in_table and reference.target.lower().endswith(_ROWS)
            named_remark = reference.remark or (_AS_ROWS if as_rows else remark)
            yield reference._replace(shares=True, remark=named_remark, as_rows=as_rows)
            remark = None


def _tests(written: str, position: Position, folder: Path, root: Path) -> Iterator[FileReference]:
    """Yield the files of a suite that one text among its tests stands for."""
    target = written.removeprefix(SCHEME)
    where = next((words for kind, words in _NOT_SHOWN if kind.search(target)), "")
    if where:
        message = f"the tests of {target} are {where} and not shown"
        yield FileReference(target, position, by_program=True, remark=("reference-program", message))
    elif MAGIC & set(target):
        names = matched(target, folder, root, MAX_FILES_OF_REFERENCE) or [target]
        yield from (FileReference(name, position) for name in names)
    elif is_inside(folder / target, root) and is_folder(folder / target):
        yield from (
            FileReference(name, position, reading=lambda text, _: parse_case(text))
            for name in _cases(target, folder)
        )
    else:
        yield FileReference(target, position)


def _parts(source: DeckFile, root: Path, folder: Path) -> Iterator[FileReference]:
    """Yield the files with entries that samples are made of: each once, with all that names it."""
    references: dict[tuple[object, str], tuple[FileReference, list[IncludedFile]]] = {}
    for part in source.document.parts() if isinstance(source.document, MadeSamples) else ():
        for named in _tests(part.path, part.position, folder, root):
            target = os.path.relpath(folder / named.target, source.path.parent)
            reference = named._replace(target=target, shares=True)
            references.setdefault((part.read, target), (reference, []))[1].append(part)
    for reference, parts in references.values():
        yield reference._replace(reading=_reading(parts))


def _reading(parts: Sequence[IncludedFile]) -> Callable[[str, Path], Document]:
    return lambda text, path: parts[0].read(text, path, parts)


def _cases(target: str, folder: Path) -> Iterator[str]:
    """Yield the case files of the folders in a folder."""
    for inner in islice(
        (item for item in listed(folder / target).paths if is_folder(item)), MAX_FILES_OF_REFERENCE
    ):
        name = next((name for name in _CASES if is_file(inner / name)), None)
        if name is not None:
            yield str(Path(target) / inner.name / name)


_BLOCK = 1 << 16
"""Bytes of a file of lines that are read at once."""

_PROGRAMS = frozenset({".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".py"})
_SPECIAL = "__"
"""How columns are called that hold no variables; where there are any, blanks around a name are no part of it."""

_OF_A_TEST = frozenset({"vars", "assert"})
_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def load(path: Path, tables: Sequence[UserTable] | None = None) -> DeckFiles:
    """Read a deck.

    References are followed, relative to the file that holds them: those of a Markdown deck, through included
    Markdown files, and the files, globs and folders among the tests of a suite. Each file is read once. A
    reference that cannot be followed is a note and not a failure.

    Args:
        path: the file.
        tables: what says where samples are looked for that are under none of the usual keys, and in which columns
            of a CSV file there is JSON; None for the dialects of the settings.

    Raises:
        DeckError: when the deck's own file cannot be read, or is no text; with line and column when it is not UTF-8
            or not in its format, so that its text can be shown.
    """
    with collector_off():
        return _walked(path, _of_lines(path) or _unusual(_of_text(path), tables))


def load_text(data: bytes, path: Path, tables: Sequence[UserTable] | None = None, form: str = "") -> DeckFiles:
    """Read a deck whose text is not in a file, such as standard input. Raises as `load` does.

    Args:
        data: the text, in UTF-8.
        path: what it is called; files that it refers to are looked for as if it were there.
        tables: as of `load`.
        form: the name of its format; empty where the name or the text tells it.
    """
    reading = (lambda text, _: BY_NAME[form].parse(text)) if form else None
    return _walked(path, _unusual(_parsed(path, _decoded(data, path), Stamp(len(data), 0), reading), tables))


def _walked(path: Path, source: DeckFile) -> DeckFiles:
    walk = _Walk(project_root(path.parent))
    walk.enter(source)
    return DeckFiles(path, tuple(walk.sources), tuple(walk.notes))


def _of_text(path: Path) -> DeckFile:
    text, stamp = read_text(path)
    if path.suffix.lower() in _PROGRAMS:
        raise DeckError("a program makes its samples when it is run, and is not run here", path)
    return _parsed(path, text, stamp)


def _of_lines(path: Path) -> DeckFile | None:
    """Read a file of plain JSON Lines; None for any other file, and for one with an error to explain.

    That takes a third of the time, and half of the memory, of cutting the text of the whole file.
    """
    if path.suffix.lower() not in LINES:
        return None
    lines: list[str] = []
    try:
        with opened(path) as file:
            status = os.fstat(file.fileno())
            if status.st_size > MAX_DECK_BYTES:
                return None
            reader = BufferedReader(file.raw, _BLOCK)
            while read := reader.readlines(_BLOCK):
                if len(lines) > MAX_SAMPLES or b"\0" in b"".join(read) or any(map(bytes.isspace, read)):
                    return None
                lines += map(bytes.decode, read)
    except (OSError, ValueError):  # not readable, no path, no UTF-8: reading all of it at once says what is wrong
        return None
    document = parse_lines(lines)
    if document is None:
        return None
    return DeckFile(path, document, Disk(document, Stamp(status.st_size, status.st_mtime_ns), read=True))


def load_begun(path: Path, most: int) -> DeckFiles | None:
    """Read the first rows of a table that is longer than some bytes, to look at; None for any other file."""
    if path.suffix.lower() not in TABLES:
        return None
    try:
        with opened(path) as file:
            head = file.read(most + 1)
        document = parse_begun(head.decode("utf-8", "ignore"), path) if len(head) > most else None
    except (OSError, FormatError):
        return None  # whoever reads all of it says what is wrong
    if document is None or not len(document):
        return None
    return DeckFiles(path, (_unusual(DeckFile(path, document, Disk(document, None)), None),))


def create(path: Path, container: tuple[str, ...] = ("samples",), columns: Collection[str] = ()) -> DeckFiles:
    """Return a deck without samples for a file that does not exist yet; saving it makes the file.

    Args:
        path: the file.
        container: the keys that samples are to be under; none for a list that is the file itself.
        columns: the keys that samples are to have; in a table, those of the user's say which are JSON or numbers.

    Raises:
        DeckError: when the file's name does not say in which format.
    """
    try:
        document = form_named(path).vacant(container)
    except FormatError as error:
        raise DeckError(error.message, path) from error
    if document.columns is not None and columns:
        structured = _with_kinds(document, _own_tables(path.parent), columns)
        document = document if structured is None else structured
    return DeckFiles(path, (DeckFile(path, document, Disk(document, None)),), named=False)


def read_text(path: Path) -> tuple[str, Stamp]:
    """Read a file as strict UTF-8, its BOM and line endings kept, with what shows later that it changed.

    Raises:
        DeckError: when it is missing, a folder, no regular file, not readable, too large, binary or not UTF-8.
    """
    try:
        data = read_whole(path, MAX_DECK_BYTES)
    except OSError as error:
        raise DeckError(_why(error, path), path) from None
    return _decoded(data, path), stamp_of(path, len(data))


def stamp_of(path: Path, size: int) -> Stamp:
    """Return the stamp of a file that has so many bytes."""
    status = status_of(path)
    return Stamp(size, 0 if status is None else status.st_mtime_ns)


def _why(error: OSError, path: Path) -> str:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return "there is no such file"
        case NotRegularError() | IsADirectoryError():
            return "this is a folder and not a deck" if is_folder(path) else "this is not a regular file"
        case OSError(errno=errno.EFBIG):
            return f"the file is larger than {MAX_DECK_BYTES >> 20:,} MiB"
        case _:
            return f"the file cannot be read: {error.strerror or error}"


def _decoded(data: bytes, path: Path) -> str:
    # What is not a text at all has no line to look at, so these two errors have none.
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            raise DeckError(f"the file is {encoding}; decks are UTF-8", path)
    if (nul := data.find(b"\0")) >= 0:
        raise DeckError(f"the file is binary: byte {nul + 1:,} is NUL", path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"the file is not UTF-8: byte 0x{data[error.start]:02x} ({error.reason})"
        raise DeckError(wrong, path, *_line_and_column(data, error.start)) from None


def _line_and_column(data: bytes, offset: int) -> tuple[int, int]:
    line_start = data.rfind(b"\n", 0, offset) + 1
    before = data[line_start:offset].decode("utf-8", "replace")
    return data.count(b"\n", 0, offset) + 1, len(before) + 1


def _parsed(
    path: Path, text: str, stamp: Stamp, reading: Callable[[str, Path], Document] | None = None
) -> DeckFile:
    try:
        document = (reading or parse_document)(text, path)
        _ = document.context  # what is beside the samples is read by itself, and may be too much
    except FormatError as error:
        explanation = explained(error, text, path)
        raise DeckError(explanation.message, path, explanation.line, explanation.column) from error
    return DeckFile(path, document, Disk(document, stamp, read=True))


def _unusual(source: DeckFile, tables: Sequence[UserTable] | None) -> DeckFile:
    """Return a file as a dialect reads it that has samples under its own keys, or JSON in cells as a user's has."""
    document = source.document
    if len(document) and document.columns is None:
        return source
    named = _own_tables(source.path.parent) if tables is None else tables
    columns = document.columns
    if columns is not None and any(name.strip().startswith(_SPECIAL) for name in columns):
        source = _with_trimmed_names(source)
        document, columns = source.document, source.document.columns
    again = _elsewhere(document, named) if columns is None else _with_kinds(document, named, columns)
    return source if again is None else _read_as(source, again)


def _with_trimmed_names(source: DeckFile) -> DeckFile:
    """Return a table of tests with the names of its columns without blanks around them; any other file as it is."""
    columns = source.document.columns or ()
    spaced = any(name != name.strip() for name in columns)
    return _read_as(source, source.document.with_trimmed_names()) if spaced else source


def _read_as(source: DeckFile, document: Document) -> DeckFile:
    """Return a file as another document reads it."""
    return DeckFile(source.path, document, dataclasses.replace(source.disk, saved=document))


def _with_kinds(document: Document, tables: Sequence[UserTable], columns: Collection[str]) -> Document | None:
    kinds = [columns_of(table, columns) for table in tables]
    structured = frozenset(name for item in kinds for name in item.structured)
    numbers = frozenset(name for each in kinds for name in each.numbers)
    return document.with_kinds(structured, numbers) if structured or numbers else None


def _elsewhere(document: Document, tables: Sequence[UserTable]) -> Document | None:
    by_users = (keys for table in tables for keys in unusual_containers(table))
    found = chain(by_users, ((key,) for key in index.containers() if key in document.context))
    return next(
        (read_under for keys in found if (read_under := document.under(document.text, keys)) is not None), None
    )


def _own_tables(folder: Path) -> Sequence[UserTable]:
    try:
        return [*load_settings(folder).dialects.values()]
    except SettingsError:
        return []  # told by whoever reads the deck in a dialect


def _is_one_test(document: Document) -> bool:
    """Tell whether a file that a list of tests names is one test as a whole."""
    return not len(document) and not document.refers and bool(_OF_A_TEST & document.context.keys())


def _as_one(text: str, path: Path) -> Document:
    return BY_NAME[parse_document(text, path).format].whole(text)


class _Walk:
    """A walk through a Markdown deck's references: what was read, what is being read, what was found."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sources: list[DeckFile] = []
        self.notes: list[Diagnostic] = []
        self.seen: set[Path] = set()
        self.open: list[Path] = []

    def enter(self, source: DeckFile) -> None:
        """Take a file in and follow its references, depth first."""
        self.sources.append(source)
        real = real_path(source.path)
        self.seen.add(real)
        self.open.append(real)
        part = source.suite if is_from_suite(source.document) else None
        suite = len(self.sources) - 1 if part is None else part
        for reference in references_of(source, self.root, self.sources[suite].path):
            if reference.remark:
                self.note(source.path, reference.position, *reference.remark, Severity.INFO)
            if reference.by_program:
                continue
            self.follow(source.path, reference, suite if reference.shares else None)
        self.open.pop()

    def follow(self, referrer: Path, reference: FileReference, suite: int | None) -> None:
        """Read what a reference leads to, or note why not."""
        read = read_confined(reference.target, (referrer.parent,), self.root, MAX_DECK_BYTES)
        if isinstance(read, Refusal):
            rule = _RULES.get(read.kind, "reference-invalid")
            self.note(referrer, reference.position, rule, f"the reference is not followed: {read.reason}")
            return
        if read.path in self.open:
            message = f"the reference to {reference.target} leads back to a file that includes this one"
            self.note(referrer, reference.position, "reference-cycle", message)
            return
        if read.path in self.seen:
            if reference.reading is not None:
                message = f"{reference.target} is read for other samples already, and not for these"
                self.note(referrer, reference.position, "samples-elsewhere", message, Severity.INFO)
            return
        if len(self.open) >= MAX_INCLUSIONS:
            message = f"the reference is not followed: it is included through {MAX_INCLUSIONS} files"
            self.note(referrer, reference.position, "reference-invalid", message)
            return
        path = _as_written(referrer.parent / reference.target)
        try:
            text, stamp = _decoded(read.data, path), stamp_of(read.path, len(read.data))
            source = _parsed(path, text, stamp, reference.reading)
            if reference.shares and _is_one_test(source.document):
                source = _parsed(path, text, stamp, _as_one)
            if reference.shares:
                source = _with_trimmed_names(source)
        except DeckError as error:
            self.seen.add(read.path)
            location = f" in line {error.line}" if error.line else ""
            message = f"{reference.target} is not a deck: {error.message}{location}"
            self.note(referrer, reference.position, "reference-invalid", message, Severity.ERROR)
            return
        line, column = reference.position.line, reference.position.column
        empty = f"{reference.target} has no samples"
        warning = Diagnostic("reference-empty", Severity.WARNING, empty, referrer, line, column)
        self.enter(source._replace(suite=suite, unless_samples=warning, as_rows=reference.as_rows))

    def note(
        self, path: Path, position: Position, rule: str, message: str, severity: Severity = Severity.WARNING
    ) -> None:
        """Note a finding at a reference."""
        self.notes.append(Diagnostic(rule, severity, message, path, position.line, position.column))


_RULES = {
    RefusalKind.NOT_FOUND: "reference-missing",
    RefusalKind.OUTSIDE_ROOT: "reference-outside-root",
}


def _as_written(path: Path) -> Path:
    """Return a path without its `..` where that leads to the same file."""
    tidy = Path(os.path.normpath(path))
    return tidy if real_path(tidy) == real_path(path) else path
