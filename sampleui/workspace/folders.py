"""The files below a folder that may be decks, in order, which of them are decks, and why the others are left out.

A file is a deck if a dialect finds messages in its samples, or several of its own keys. A file that cannot be read
still counts as a deck if its text looks like one, so that a broken deck among a hundred is an error and not a gap.
The patterns of `.gitignore` files are those of git (gitignore(5)): the last one that matches decides, `!` includes
a file again, and what is below an ignored folder cannot be included again.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sampleui.deck.load import load, load_begun
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError, ResultsError, SettingsError
from sampleui.formats.data import Table
from sampleui.formats.registry import BY_SUFFIX
from sampleui.integrations.index import entries, yaml_results
from sampleui.review.codes import FILE_NAME
from sampleui.review.results.adapter_selection import user_result_dialects
from sampleui.review.results.adapters import adapters_for
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import FLAT, log_suffixes, own_index
from sampleui.sample.dialects.shipped import bears_any, is_shown, keys
from sampleui.text.confined import (
    START,
    is_file,
    is_folder,
    is_link,
    is_there,
    listed,
    project_root,
    read_whole,
    real_path,
    start_of,
    why_outside,
)
from sampleui.text.limits import MAX_DECK_BYTES, MAX_FOLDER_DEPTH, MAX_IGNORE_BYTES, MAX_OWNER_BYTES
from sampleui.text.patterns import PatternError, ignore_pattern, matches_typed
from sampleui.workspace.reading import USUAL, PromptOptions, detected, dialects_for
from sampleui.workspace.samples import other_file_of, readable

RESULT_KEYS = keys(
    """
    score scores candidate_answer execution_status evaluator_results grader_score eval_result predict_result
    model_output success error output
    """
)
NOT_DECKS = keys(
    """
    package.json package-lock.json npm-shrinkwrap.json composer.json pnpm-lock.yaml tsconfig.json jsconfig.json
    pyproject.toml Cargo.toml uv.toml taplo.toml mkdocs.yml mkdocs.yaml docker-compose.yml docker-compose.yaml
    compose.yml compose.yaml
    """
)
"""Files whose names say what they are; no deck is looked for in them."""

UNTOLD = "no samples that a dialect knows"
"""Why a file is not a deck that could be one all the same, or results, by a table of the user's."""

_ROWS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_LOOKED_AT = 40
_TABLE_HEAD = 1 << 13


class DeckCheck(NamedTuple):
    """What a file is.

    Attributes:
        reason: why it is not a deck, "" for one.
        parts: the other files that its samples stand in, symlinks resolved.
        files: the file as it was read to find out, of a long table the first rows; None if it was not.
    """

    reason: str = ""
    parts: tuple[Path, ...] = ()
    files: DeckFiles | None = None


def deck_check(path: Path) -> DeckCheck:
    """Tell whether a file is a deck. Nothing is raised: what is wrong with a deck is found when it is opened."""
    if path.name in NOT_DECKS:
        return DeckCheck("another program's file")
    if path.name == FILE_NAME:
        return DeckCheck("the codes of reviews")
    if path.name.endswith(".reviews.jsonl"):
        return DeckCheck("a log of verdicts")
    if path.name.endswith(".proposals.jsonl"):
        return DeckCheck("proposed edits of a deck")
    if path.suffix.lower() in log_suffixes() or holds_results(path):
        return DeckCheck("results")
    begun = load_begun(path, _TABLE_HEAD)
    if begun is not None and not (_shows(begun) or _is_own(begun)):
        kind = other_file_of(begun)
        return DeckCheck(f"no deck: {kind.what}") if kind is not None else DeckCheck(UNTOLD, files=begun)
    try:
        files = load(path)
    except DeckError as error:
        return DeckCheck() if _looks_like_one(path) else DeckCheck(f"no deck: {error.message}")
    if (other := other_file_of(files)) is not None and not _is_own(files) and not _is_marked(files):
        return DeckCheck(f"no deck: {other.what}")
    if not any(len(source.document) for source in files.sources):
        return DeckCheck("" if files.notes else "no samples")
    if not (_shows(files) or _is_own(files)):
        return DeckCheck(UNTOLD, files=files)
    return DeckCheck(parts=tuple(real_path(source.path) for source in files.sources[1:]), files=files)


def holds_results(path: Path) -> bool:
    """Tell whether a file holds the results of a run, and not samples to run."""
    if not is_folder(path) and path.suffix.lower() not in _ROWS and not _may_be_results_in_yaml(path):
        return False
    with contextlib.suppress(ResultsError, OSError):
        results = open_results(path, ())
        next(results.index(1), None)
        if results.entries and is_result(results.record(0).data):
            return True
    return _by_own_table(path)


def _by_own_table(path: Path) -> bool:
    """Tell whether rows are read by a table of the settings."""
    with contextlib.suppress(ResultsError, SettingsError, OSError):
        adapters = user_result_dialects(path.parent)
        return bool(adapters) and open_results(path, adapters).tool in {table.name for table in adapters}
    return False


def _is_own(files: DeckFiles) -> bool:
    """Tell whether samples are in a dialect of the settings."""
    with contextlib.suppress(SettingsError):
        own_dialects = dialects_for(files.path.parent)
        return bool(own_dialects) and detected(files, PromptOptions(dialects=own_dialects)).dialect in own_dialects
    return False


def _is_marked(files: DeckFiles) -> bool:
    return not detected(files, USUAL).dialect.weighed


def _may_be_results_in_yaml(path: Path) -> bool:
    """Tell whether a file is YAML and begins as the results of a program do that writes them in YAML."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return False
    start = start_of(path)  # of one that cannot be read, whoever reads all of it says why
    return start is not None and yaml_results().match(start) is not None


def is_result(row: Table) -> bool:
    """Tell whether a row has what a run adds to a sample."""
    if any(adapter.claims(row) and adapter.self_evident(row) for adapter in adapters_for(tuple(row))):
        return True  # though it may repeat the sample's input
    if bears_any(row):
        return False
    keys = {key for key in RESULT_KEYS if row.get(key)}
    return bool(keys - {"score"}) or ("score" in keys and "messages" not in row)  # a sample may have one


def _shows(files: DeckFiles) -> bool:
    holder = next(source for source in files.sources if len(source.document))
    if holder.suite is not None:
        return True  # whoever refers to cases has tests, and may say for all of them what they are asked
    document = holder.document
    samples = (readable(document, index) for index in range(len(document)))
    return is_shown(document.container, islice(samples, _LOOKED_AT)) or _is_marked(files)


@cache
def _sign() -> re.Pattern[str]:
    """Return what is found in the text of a deck: a key of its samples, or one that they are under."""
    names = "|".join(dict.fromkeys(sign for entry in entries() for sign in entry.broken_signs))
    return re.compile(rf"(?:^|[\s\[{{,\"'.])(?:{names})[\"']?\s*[:=\]]", re.MULTILINE)


def _looks_like_one(path: Path) -> bool:
    try:
        data = read_whole(path, MAX_DECK_BYTES)
    except OSError:
        return True  # nobody can tell, so somebody must be told
    head = data[:START].replace(b"\0", b"")  # UTF-16 is refused, and looks like a deck all the same
    return _sign().search(head.decode("utf-8", "replace")) is not None


RUN = "the folder of a run"


@dataclass(frozen=True, slots=True)
class LikelyDeck:
    """A file that may be a deck by its name and its place."""

    path: Path


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is not looked into, or a file that is not a deck, and why.

    Attributes:
        path: the file or folder.
        reason: why.
        index: the file that lists the records, where it is the folder of a run.
    """

    path: Path
    reason: str
    index: Path | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A folder or a file that is not read, and why: the system does not let it, or it leads elsewhere."""

    path: Path
    reason: str


def walk(folder: Path) -> Iterator[LikelyDeck | Skipped | Unread]:
    """Yield what lies below a folder: of each folder its files by name, then its folders.

    Links to folders are not followed. Files that no deck has the name of are passed over without a word.
    """
    yield from _walk(folder, Ignoring.above(folder), project_root(folder))


def globbed(pattern: str) -> Iterator[LikelyDeck | Skipped | Unread]:
    """Yield what a glob matches, and what lies below the folders that it matches, in the order of `walk`.

    `**` stands for any number of folders. What `walk` does not look into is not matched.
    """
    pattern = str(Path(pattern))  # without `./`, which no path found below has
    base = Path(
        re.split(r"[*?\[{]", pattern, maxsplit=1)[0].rpartition("/")[0] or ("/" if pattern[0] == "/" else "")
    )
    try:
        for candidate in walk(base):
            inside = candidate.path.relative_to(base).parts
            paths = (base.joinpath(*inside[:count]) for count in range(len(inside), 0, -1))
            if any(matches_typed(path, pattern) for path in paths):
                yield candidate
    except PatternError as error:
        yield Unread(Path(pattern), str(error))


def _walk(folder: Path, above: Ignoring, root: Path, depth: int = 0) -> Iterator[LikelyDeck | Skipped | Unread]:
    index = own_index(folder)
    if index is not None and index.name not in FLAT and holds_results(index):
        yield Skipped(folder, RUN, index)
        return
    ignoring = above.within(folder)
    found = listed(folder)
    if found.refusal is not None:
        yield Unread(folder, found.refusal.reason)
    folders = [path for path in found.paths if is_folder(path)]
    for path in found.paths:
        if path not in folders:
            yield from _file(path, ignoring, root)
    for path in folders:
        reason = "a link to a folder" if is_link(path) else ignoring.reason(path, folder=True)
        if reason is None and depth >= MAX_FOLDER_DEPTH:
            reason = f"more than {MAX_FOLDER_DEPTH} folders deep"
        if reason is None:
            yield from _walk(path, ignoring, root, depth + 1)
        else:
            yield Skipped(path, reason)


def _file(path: Path, ignoring: Ignoring, root: Path) -> Iterator[LikelyDeck | Skipped | Unread]:
    if path.suffix.lower() not in (*BY_SUFFIX, *log_suffixes()):
        return
    if (ignored := ignoring.reason(path, folder=False)) is not None:
        yield Skipped(path, ignored)
    elif reason := why_outside(path, root):
        yield Unread(path, reason)
    elif is_file(path):
        yield LikelyDeck(path)
    elif is_there(path):  # and not deleted since the folder was listed
        yield Unread(path, "no regular file")


GITIGNORE = ".gitignore"
OTHERS_FOLDERS = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
"""Folders that hold what programs put there."""


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """A line of a `.gitignore`.

    Attributes:
        matches: the pattern, for a path relative to the folder of the file.
        ignored: whether what matches is ignored, or taken in again.
        folders: whether folders alone are meant.
    """

    matches: re.Pattern[str]
    ignored: bool
    folders: bool


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The rules that hold in a folder: those of each `.gitignore` from the root of the project down to it."""

    layers: tuple[tuple[Path, tuple[IgnoreRule, ...]], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> Ignoring:
        """Return the rules that hold in a folder for what is in the folders above it."""
        root = project_root(folder)
        here = real_path(folder)
        above = [folder for folder in reversed(here.parents) if folder.is_relative_to(root)]
        ignoring = cls()
        for parent in above:
            ignoring = ignoring.within(parent)
        return ignoring

    def within(self, folder: Path) -> Ignoring:
        """Return the rules that hold in a folder below, its own `.gitignore` included."""
        try:
            text = read_whole(folder / GITIGNORE, MAX_IGNORE_BYTES).decode("utf-8", "replace")
        except OSError:
            return self
        return Ignoring((*self.layers, (real_path(folder), tuple(rules_of(text)))))

    def reason(self, path: Path, *, folder: bool) -> str | None:
        """Return why a file or folder is left out of a folder of decks; None if it is looked at."""
        if path.name.startswith("."):
            return "hidden"
        if folder and path.name in OTHERS_FOLDERS:
            return "a folder of other programs"
        return "ignored by git" if self._ignored(path, folder=folder) else None

    def _ignored(self, path: Path, *, folder: bool) -> bool:
        real = real_path(path.parent) / path.name
        for home, rules in reversed(self.layers):
            if not real.is_relative_to(home):  # a link to elsewhere was put in the place of its folder meanwhile
                continue
            inside = real.relative_to(home).as_posix()
            for rule in reversed(rules):
                if (folder or not rule.folders) and rule.matches.match(inside):
                    return rule.ignored
        return False


def rules_of(text: str) -> Iterator[IgnoreRule]:
    """Yield the rules of a `.gitignore` in order."""
    for line in text.removeprefix("\ufeff").splitlines():
        pattern = line.rstrip(" \t")
        if pattern.endswith("\\"):
            pattern = line[: len(pattern) + 1]
        negated = pattern.startswith("!")
        pattern = pattern.removeprefix("!")
        folders = pattern.endswith("/")
        pattern = pattern.rstrip("/")
        if not pattern or line.startswith("#"):
            continue
        matches = _compiled(pattern)
        if matches is not None:
            yield IgnoreRule(matches, not negated, folders)


@cache
def _compiled(pattern: str) -> re.Pattern[str] | None:
    return ignore_pattern(pattern.lstrip("/")) if "/" in pattern else ignore_pattern(pattern, anywhere=True)


_REFERRING = frozenset({".yaml", ".yml", ".md", ".markdown"})


def may_own(path: Path) -> Iterator[Path]:
    """Yield the files that may refer to a file: in its folder, and in those above it up to the root of the project.

    They name it or its folder, or have a glob. Whether they do refer to it is decided by `deck_check`.
    """
    names = [path.name.encode(), path.parent.name.encode(), b"*"]
    root = project_root(path.parent)
    here = path.parent
    while real_path(here).is_relative_to(root):
        for file in listed(here).paths:
            if file.suffix.lower() in _REFERRING and file.name != path.name and _mentions(file, names):
                yield file
        if real_path(here) == root:
            return
        here = here.parent if here.name not in ("", "..") else here / ".."


def _mentions(path: Path, names: list[bytes]) -> bool:
    try:
        data = read_whole(path, MAX_OWNER_BYTES)
    except OSError:
        return False
    return any(name in data for name in names if name)
