"""The files with further samples that a deck's file refers to."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from sampleui.deck.model import Source
from sampleui.formats.document import Document, Part
from sampleui.formats.external_items import NamedFile
from sampleui.formats.registry import BY_SUFFIX, parse_case
from sampleui.text.confined import SCHEME
from sampleui.text.globs import MAGIC, is_inside, matched
from sampleui.text.limits import MAX_FILES_OF_REFERENCE
from sampleui.text.position import Position
from sampleui.values import NamedTuple, pattern

_PROGRAM = pattern(r"\.(?:[cm]?[jt]s|py|rb|go)(?::[\w.]+)?", re.IGNORECASE | re.ASCII)
_SHEET = pattern(r"\.xlsx?(?:#.*)?", re.IGNORECASE)
_ROWS = (".yaml", ".yml")
_FETCHED = pattern(r"(?:https?|huggingface|az|s3|gs)://", re.IGNORECASE)
_PLAIN = ("reference-plain", "AgentV 4 follows a path among tests only behind file://")
_AS_ROWS = ("reference-rows", "promptfoo takes the tables of a YAML file behind path for rows of variables")
_RUNNERS = frozenset({"providers", "targets"})
"""Keys of configs in which a path among tests needs no file://."""

_CASES = ("case.yaml", "case.yml")


class Reference(NamedTuple):
    """A reference to a file.

    Attributes:
        target: its path, relative to the file that refers to it.
        position: where the reference is.
        shares: whether what the referring file says for all its samples holds for those of the target too.
        reading: how the target is read, where that is not as a deck.
        by_program: whether the target is a program, which is not run, or is fetched from elsewhere.
        remark: the rule and the words of what is worth knowing of the reference.
    """

    target: str
    position: Position
    shares: bool = False
    reading: Callable[[str, Path], Document] | None = None
    by_program: bool = False
    remark: tuple[str, str] | None = None


def references_of(source: Source, root: Path, suite: Path) -> Iterator[Reference]:
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
    yield from _parts(source, root, (suite if document.from_suite else source.path).parent)


def _markdown(source: Source) -> Iterator[Reference]:
    from sampleui.formats.markdown import references

    for reference in references(source.document.text):
        if _is_deck(reference.target):
            yield Reference(reference.target, reference.position)


def unreferred(source: Source) -> Iterator[tuple[Position, str]]:
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


def _listed(source: Source, root: Path) -> Iterator[Reference]:
    document = source.document
    suite = document.format == "yaml" and document.container and _RUNNERS.isdisjoint(document.context)
    for named in document.named_files:
        remark = _PLAIN if suite and not named.path.startswith(SCHEME) else None
        for reference in _of(named, source, root):
            yield reference._replace(remark=reference.remark or remark)
            remark = None


def _of(named: NamedFile, source: Source, root: Path) -> Iterator[Reference]:
    """Yield the files that one item of a list of samples names; what the list's file says holds for theirs too."""
    for reference in _tests(named.path, named.position, source.path.parent, root):
        told = reference.remark or (
            _AS_ROWS if named.in_table and reference.target.lower().endswith(_ROWS) else None
        )
        yield reference._replace(shares=True, remark=told)


def _tests(written: str, position: Position, folder: Path, root: Path) -> Iterator[Reference]:
    """Yield the files of a suite that one text among its tests stands for."""
    target = written.removeprefix(SCHEME)
    if (program := _PROGRAM.search(target)) and program.end() == len(target):
        message = f"the tests of {target} are made by a program and not shown"
        yield Reference(target, position, by_program=True, remark=("reference-program", message))
    elif _FETCHED.match(target):
        message = f"the tests of {target} are fetched by a run and not shown"
        yield Reference(target, position, by_program=True, remark=("reference-program", message))
    elif (sheet := _SHEET.search(target)) and sheet.end() == len(target):
        message = f"the tests of {target} are in a spreadsheet and not shown"
        yield Reference(target, position, by_program=True, remark=("reference-program", message))
    elif MAGIC & set(target):
        names = matched(target, folder, root, MAX_FILES_OF_REFERENCE) or [target]
        yield from (Reference(name, position) for name in names)
    elif is_inside(folder / target, root) and (folder / target).is_dir():
        yield from (Reference(name, position, reading=_as_case) for name in _cases(target, folder))
    else:
        yield Reference(target, position)


def _as_case(text: str, path: Path) -> Document:
    return parse_case(text)


def _parts(source: Source, root: Path, folder: Path) -> Iterator[Reference]:
    """Yield the files with entries that samples are made of: each once, with all that names it."""
    references: dict[tuple[object, str], tuple[Reference, list[Part]]] = {}
    for part in source.document.parts():
        for named in _tests(part.path, part.position, folder, root):
            target = os.path.relpath(folder / named.target, source.path.parent)
            reference = named._replace(target=target, shares=True)
            references.setdefault((part.read, target), (reference, []))[1].append(part)
    for reference, parts in references.values():
        yield reference._replace(reading=_reading(parts))


def _reading(parts: Sequence[Part]) -> Callable[[str, Path], Document]:
    return lambda text, path: parts[0].read(text, path, parts)


def _cases(target: str, folder: Path) -> Iterator[str]:
    """Yield the case files of the folders in a folder."""
    for inner in islice(
        sorted(item for item in (folder / target).iterdir() if item.is_dir()), MAX_FILES_OF_REFERENCE
    ):
        name = next((name for name in _CASES if (inner / name).is_file()), None)
        if name is not None:
            yield str(Path(target) / inner.name / name)
