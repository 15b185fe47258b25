"""The codes of a project, which are the kinds of failure that people name: `failures.md`, and edits of it.

A heading of the second level is a code, the first paragraph below it the definition, and each item of its lists an
example. Lines `Formerly: NAME` before the definition are names that it had. All other text is its authors' own, and
an edit leaves it as it is: what stands in a comment, in a fenced block, in a list or in a quote is no code.

Which version of a definition a label is of is told by a digest of its words: how they are wrapped makes no other.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from sampleui.errors import EditRefusedError, ResultsError, results_errors
from sampleui.review.results.run_paths import run_of
from sampleui.text.confined import exists, is_root, is_there, project_root, read_whole, real_path
from sampleui.text.limits import MAX_SETTINGS_BYTES
from sampleui.text.replacing import drafted, folders_held, put_in_place
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import one_spaced

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

FILE_NAME = "failures.md"
NO_DEFINITION = ""
"""The digest of no definition, as labels have it that were given as tags of a verdict."""

_FORMERLY = "Formerly:"
_BULLETS = ("- ", "* ", "+ ")
_LEVEL = 2


class FailureCode(NamedTuple):
    """A kind of failure.

    Attributes:
        name: what it is called.
        text: its definition on one line; empty for none.
        examples: what was quoted for it.
        formerly: names that it had, and those of codes that were merged into it.
    """

    name: str
    text: str = ""
    examples: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The version of its definition."""
        return definition_digest(self.text)


@dataclass(frozen=True)
class Codebook:
    """The codes of a project.

    Attributes:
        path: the file, or where it is to be made.
        codes: the codes, in the order of the file; of two of one name the first.
        is_there: whether the file exists.
        fault: why the file could not be read; empty if it was, or is not there.
        repeated: the lines, from 1, of headings that an earlier one has the name of, which are no codes therefore.
    """

    path: Path
    codes: tuple[FailureCode, ...] = ()
    is_there: bool = False
    fault: str = ""
    repeated: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def _by_name(self) -> Mapping[str, FailureCode]:
        former = {name: code for code in reversed(self.codes) for name in code.formerly}
        return former | {code.name: code for code in self.codes}

    def find(self, name: str) -> FailureCode | None:
        """Return the code of a name, or that had it; None if there is none."""
        return self._by_name.get(name)

    def now(self, name: str) -> str:
        """Return what a code is called now; a name that no code has or had stays."""
        code = self.find(name)
        return name if code is None else code.name

    def digest(self, name: str) -> str:
        """Return the version of the definition of a code; `NO_DEFINITION` where it has none."""
        code = self.find(name)
        return NO_DEFINITION if code is None else code.digest

    @property
    def warnings(self) -> Iterator[tuple[int, str]]:
        """What of the file counts for nothing though it seems to: the line, and why in words."""
        for line, name in self.repeated.items():
            yield line, f"{one_line(name, 80)} is a heading above already, and this one counts for nothing"

    def checked(self) -> Codebook:
        """Return the codes, of a file that could be read.

        Raises:
            ResultsError: if it could not.
        """
        if self.fault:
            raise ResultsError(f"the codes cannot be read: {self.fault}", self.path)
        return self


@lru_cache(maxsize=1_000)
def definition_digest(text: str) -> str:
    """Return the version of a definition: 16 hex digits of its words; empty for no words."""
    import hashlib  # an app that shows no label starts without it

    words = one_spaced(text)
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16] if words else NO_DEFINITION


def codebook_of(folder: Path, decks: Sequence[Path] = (), results: Path | None = None) -> Codebook:
    """Return the codes for a run: of the nearest `failures.md` from a folder up to the root of its project.

    It is looked for from the folders of decks too. Where there is none it is to be made beside the first deck, or
    in the folder; never in that of the run itself, unless this is the root of a project.

    Args:
        folder: the folder of the run's log, which is beside the run.
        decks: the decks that were run.
        results: the run, where it is known.
    """
    for start in (folder, *(deck.parent for deck in decks)):
        top, here = project_root(start), real_path(start)
        for above in (here, *here.parents):
            if is_there(above / FILE_NAME):
                return read_codes(above / FILE_NAME)
            if above == top:
                break
    run = None if results is None else run_of(results)
    beside = folder if run is None or is_root(run) else run.absolute().parent
    return Codebook((decks[0].parent if decks else beside) / FILE_NAME)


def read_codes(path: Path) -> Codebook:
    """Return the codes of a file, none and a fault if it cannot be read."""
    try:
        text = _text_of(path)
    except ResultsError as error:
        return Codebook(path, is_there=True, fault=error.message)
    return _read(path, text, is_there=exists(path))


def codes_in(text: str, level: int = _LEVEL) -> tuple[FailureCode, ...]:
    """Return the codes that a text of Markdown has under headings of a level, the first of each name."""
    return _read(Path(), text, level).codes


@lru_cache(maxsize=8)  # what was written into the log is read anew each time, with its codes
def _read(path: Path, text: str, level: int = _LEVEL, *, is_there: bool = True) -> Codebook:
    lines = _lines_of(text)
    codes: dict[str, FailureCode] = {}
    repeated: dict[int, str] = {}
    for section in _sections(lines, level):
        if section.name in codes:
            repeated[section.start + 1] = section.name
        codes.setdefault(section.name, section.code(lines))
    return Codebook(path, tuple(codes.values()), is_there=is_there, repeated=repeated)


def add_codes(book: Codebook, codes: Iterable[FailureCode]) -> Codebook:
    """Write codes, all or none, at the end of the file, which is made if it is not there, and return the codes.

    Raises:
        EditRefusedError: if there is a code of one of the names, or nothing that reads back can be written.
        ResultsError: if the file cannot be read or written. It is as it was then.
    """
    new = [
        FailureCode(
            check_name(code.name), one_spaced(code.text), tuple(map(one_spaced, code.examples)), code.formerly
        )
        for code in codes
    ]

    def added(lines: list[str], newline: str) -> None:
        for code in new:
            for there in codes_in("".join(lines)):
                if code.name.casefold() in map(str.casefold, names_of([there])):
                    raise EditRefusedError(f"there is a code {one_line(there.name, 80)} already")
            block = [f"## {code.name}", *(f"{_FORMERLY} {name}" for name in code.formerly)]
            block += ["", code.text] if code.text else []
            block += ["", *(f"- “{example}”" for example in code.examples)] if code.examples else []
            _insert(lines, len(lines), [line + newline for line in block], newline)

    return _write(book, added, lambda known: (*known, *new))


def rename_code(book: Codebook, old: str, new: str) -> Codebook:
    """Give a code another name, with the old one in a line under the heading. Raises as `add_codes` does.

    A name that the file does not have, as of a heading that was renamed by hand, becomes a former name of the new
    code where that is there.
    """
    check_name(new)

    def renamed(lines: list[str], newline: str) -> None:
        section, there = _section(lines, old), _section(lines, new)
        if section is not None and there is not None:
            raise EditRefusedError(f"there is a code {one_line(new, 80)} already: merge the two")
        if section is not None:
            heading = lines[section.start]
            lines[section.start] = f"## {new}{heading[len(heading.rstrip()) :] or newline}"
        _insert_names(lines, section or there or _missing(old), (old,), newline)

    def wanted(codes: Sequence[FailureCode]) -> Iterator[FailureCode]:
        named = old if any(code.name == old for code in codes) else new
        for code in codes:
            yield code._replace(name=new, formerly=(*code.formerly, old)) if code.name == named else code

    return _write(book, renamed, wanted)


def merge_codes(book: Codebook, source: str, target: str) -> Codebook:
    """Put a code into another one, to whose end all text below its heading comes. Raises as `add_codes` does."""

    def merged(lines: list[str], newline: str) -> None:
        gone, kept = _section(lines, source) or _missing(source), _section(lines, target) or _missing(target)
        if gone == kept:
            raise EditRefusedError(f"{one_line(source, 80)} cannot be merged into itself")
        taken = [line for line in lines[gone.start + 1 : gone.end] if not line.startswith(_FORMERLY)]
        body = [line if line.endswith("\n") else line + newline for line in _without_blank_ends(taken)]
        names = (source, *gone.code(lines).formerly)
        del lines[gone.start if gone.end < len(lines) else _above_blanks(lines, gone.start) : gone.end]
        kept = _section(lines, target) or _missing(target)  # where it is now
        end = _above_blanks(lines, kept.end)
        has_text = bool(kept.code(lines).text)
        _insert(lines, end if has_text else min(kept.definition_start(lines), end), body, newline)
        _insert_names(lines, kept, names, newline)

    def wanted(codes: Sequence[FailureCode]) -> Iterator[FailureCode]:
        gone = next(code for code in codes if code.name == source)
        for code in codes:
            if code.name == target:
                examples = (*code.examples, *gone.examples) if code.text else (*gone.examples, *code.examples)
                names = (*code.formerly, source, *gone.formerly)
                yield code._replace(text=code.text or gone.text, examples=examples, formerly=names)
            elif code.name != source:
                yield code

    return _write(book, merged, wanted)


def define_code(book: Codebook, name: str, definition: str) -> Codebook:
    """Give a code another definition. Raises as `add_codes` does."""
    words = one_spaced(definition)

    def defined(lines: list[str], newline: str) -> None:
        section = _section(lines, name) or _missing(name)
        start, end = section.definition_start(lines), section.definition_end(lines)
        del lines[start:end]
        _insert(lines, start if end > start else _above_blanks(lines, start), [words + newline], newline)

    return _write(
        book, defined, lambda codes: (code._replace(text=words) if code.name == name else code for code in codes)
    )


def check_name(name: str) -> str:
    """Return the name of a code.

    Raises:
        EditRefusedError: if no heading can have it.
    """
    if not _is_name(name):
        raise EditRefusedError("the name of a code is one line of visible words, with one space between them")
    return name


def names_of(codes: Iterable[FailureCode]) -> Iterator[str]:
    """Yield all names that codes have and had."""
    for code in codes:
        yield from (code.name, *code.formerly)


class _Section(NamedTuple):
    """The lines of a code.

    Attributes:
        name: its name.
        start: the index of its heading.
        end: that of the line after its last one.
        comments: lines that nobody sees.
        blocks: lines of what is neither a paragraph nor a list, and of other headings.
    """

    name: str
    start: int
    end: int
    comments: Set[int]
    blocks: Set[int]

    def definition_start(self, lines: Sequence[str]) -> int:
        """Return the index of the line that the definition begins with, or would."""
        index = self.start + 1
        while index < self.end and (
            not lines[index].strip() or lines[index].startswith(_FORMERLY) or index in self.comments
        ):
            index += 1
        return index

    def definition_end(self, lines: Sequence[str]) -> int:
        """Return the index of the line after the definition."""
        index = self.definition_start(lines)
        while index < self.end and index not in self.comments | self.blocks and _is_prose(lines[index]):
            index += 1
        return index

    def code(self, lines: Sequence[str]) -> FailureCode:
        """Return what they say."""
        start, end = self.definition_start(lines), self.definition_end(lines)
        former = (line for line in lines[self.start + 1 : start] if line.startswith(_FORMERLY))
        names = tuple(name for line in former if (name := line.removeprefix(_FORMERLY).strip()))
        hidden = self.comments | self.blocks
        seen = ("" if index in hidden else lines[index] for index in range(end, self.end))
        return FailureCode(self.name, one_spaced(" ".join(lines[start:end])), tuple(_items(seen)), names)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """Return what tells the blocks of a text; a line of dashes ends a paragraph and makes no heading of it."""
    from markdown_it import MarkdownIt  # a run without codes is shown without it

    return MarkdownIt("commonmark").disable(["lheading", "inline"])


def _lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, by what ends one in Markdown."""
    return [*io.StringIO(text, newline="")]


def _sections(lines: Sequence[str], level: int = _LEVEL) -> Iterator[_Section]:
    """Yield the sections under headings of a level, of which each ends at the next heading that is no deeper."""
    tokens = _markdown().parse("".join(lines).removeprefix("\ufeff"))
    top = [(index, token, range(*token.map)) for index, token in enumerate(tokens) if token.map and not token.level]
    of_text = ("paragraph_open", "bullet_list_open", "ordered_list_open")
    hidden = [(token.content.startswith("<!--"), span) for _, token, span in top if token.type not in of_text]
    comments = {line for is_comment, span in hidden if is_comment for line in span}
    blocks = {line for is_comment, span in hidden if not is_comment for line in span}
    headings = [
        (int(token.tag[1:]), one_spaced(tokens[index + 1].content), span.start)
        for index, token, span in top
        if token.type == "heading_open" and int(token.tag[1:]) <= level
    ]
    for (depth, name, start), (_, _, end) in pairwise([*headings, (0, "", len(lines))]):
        if depth == level and name:
            yield _Section(name, start, end, comments, blocks)


def _section(lines: Sequence[str], name: str) -> _Section | None:
    """Return the section of a code; None if there is none. Raises EditRefusedError if there are several."""
    found = [section for section in _sections(lines) if section.name == name]
    if len(found) > 1:
        where = " and ".join(str(section.start + 1) for section in found)
        raise EditRefusedError(f"{one_line(name, 80)} is the heading of lines {where}: give one another name first")
    return found[0] if found else None


def _is_prose(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith((*_BULLETS, ">", "|"))


def _items(lines: Iterable[str]) -> Iterator[str]:
    """Yield the items of lists, each on one line and without the marks around a quote."""
    item: list[str] = []
    for line in (*lines, ""):
        text = line.strip()
        begins = text.startswith(_BULLETS)
        if item and (begins or not text or not line.startswith((" ", "\t"))):
            yield _unquoted(one_spaced(" ".join(item)))
            item = []
        if begins or item:
            item.append(text[2:] if begins else text)


def _unquoted(text: str) -> str:
    pairs = ("“”", '""')
    return text[1:-1] if len(text) > 1 and text[0] + text[-1] in pairs else text


def _without_blank_ends(lines: Sequence[str]) -> Sequence[str]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else ()


def _above_blanks(lines: Sequence[str], index: int) -> int:
    """Return the index of the first of the blank lines before one."""
    while index and not lines[index - 1].strip():
        index -= 1
    return index


def _insert(lines: list[str], index: int, block: Sequence[str], newline: str) -> None:
    """Put whole lines before an index, with a blank one between them and what is there."""
    if not block:
        return
    if index and not lines[index - 1].endswith("\n"):
        lines[index - 1] += newline
    above = [newline] if index and lines[index - 1].strip() else []
    below = [newline] if index < len(lines) and lines[index].strip() else []
    lines[index:index] = [*above, *block, *below]


def _insert_names(lines: list[str], section: _Section, names: Iterable[str], newline: str) -> None:
    """Put former names behind those that a section has, or else under its heading."""
    above = range(section.start, section.definition_start(lines))
    index = max(index for index in above if index == section.start or lines[index].startswith(_FORMERLY)) + 1
    if not lines[index - 1].endswith("\n"):
        lines[index - 1] += newline
    below = [newline] if index < len(lines) and lines[index].strip() else []
    lines[index:index] = [*(f"{_FORMERLY} {name}{newline}" for name in names), *below]


def _missing(name: str) -> NoReturn:
    raise EditRefusedError(f"there is no code {one_line(name, 80)}")


def _text_of(path: Path) -> str:
    if not is_there(path):
        return ""
    with results_errors(path):
        return read_whole(path, MAX_SETTINGS_BYTES).decode("utf-8")


def _write(
    book: Codebook,
    change: Callable[[list[str], str], None],
    wanted: Callable[[Sequence[FailureCode]], Iterable[FailureCode]],
) -> Codebook:
    """Replace the file by what it is changed to, proved by reading it back, while its folder is held."""
    path = book.path
    try:
        with results_errors(path, "the codes were not written: "), folders_held([path]):
            before = _text_of(path)
            lines = _lines_of(before)
            change(lines, "\r\n" if "\r\n" in before else "\n")
            codes, known = codes_in(after := "".join(lines)), codes_in(before)
            new = {*names_of(codes)}.difference(names_of(known))
            if codes != tuple(wanted(known)) or not all(map(_is_name, new)):
                raise EditRefusedError("as Markdown it would say something else: use plain words, of one line")
            with drafted(path, after.encode("utf-8"), trusted=Path(path.absolute().anchor)) as draft:
                put_in_place(draft)
    except UnicodeEncodeError as error:
        raise EditRefusedError("half of a character cannot be written") from error
    return _read(path, after)


def _is_name(name: str) -> bool:
    return bool(name) and visible(name) == name and name == one_spaced(name)
