"""Whether a file that was not named is a deck, or why it is not.

A file is a deck if a dialect finds messages in its samples, or several of its own keys. A file that cannot be read
still counts as a deck if its text looks like one, so that a broken deck among a hundred is an error and not a gap.
"""

from __future__ import annotations

import contextlib
import re
from functools import cache
from itertools import islice
from pathlib import Path

from sampleui.deck.load import load, load_begun
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError, ResultsError, SettingsError
from sampleui.formats.data import Table
from sampleui.integrations.index import entries, yaml_results
from sampleui.review.results.adapter_selection import own_dialects
from sampleui.review.results.adapters import adapters_for
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import log_suffixes
from sampleui.sample.dialects.shipped import bears_any, is_shown, keys
from sampleui.text.confined import opened, read_whole
from sampleui.text.limits import MAX_DECK_BYTES
from sampleui.values import NamedTuple
from sampleui.workspace.reading import USUAL, PromptOptions, detected, dialects_for
from sampleui.workspace.samples import other_file_of, readable

RESULT_KEYS = keys(
    """
    score scores candidate_answer execution_status evaluator_results grader_score eval_result predict_result
    model_output success error output
    """
)
FOREIGN = keys(
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
_HEAD = 1 << 16
_TABLE_HEAD = 1 << 13


class Told(NamedTuple):
    """What a file is.

    Attributes:
        reason: why it is not a deck, "" for one.
        parts: the other files that its samples stand in, symlinks resolved.
        files: the file as it was read to find out, of a long table the first rows; None if it was not.
    """

    reason: str = ""
    parts: tuple[Path, ...] = ()
    files: DeckFiles | None = None


def told(path: Path) -> Told:
    """Tell whether a file is a deck. Nothing is raised: what is wrong with a deck is found when it is opened."""
    if path.name in FOREIGN:
        return Told("another program's file")
    if path.name.endswith(".reviews.jsonl"):
        return Told("a log of verdicts")
    if path.suffix.lower() in log_suffixes() or holds_results(path):
        return Told("results")
    begun = load_begun(path, _TABLE_HEAD)
    if begun is not None and not (_shows(begun) or _is_own(begun)):
        kind = other_file_of(begun)
        return Told(f"no deck: {kind.what}") if kind is not None else Told(UNTOLD, files=begun)
    try:
        files = load(path)
    except DeckError as error:
        return Told() if _looks_like_one(path) else Told(f"no deck: {error.message}")
    if (other := other_file_of(files)) is not None and not _is_own(files) and not _is_marked(files):
        return Told(f"no deck: {other.what}")
    if not any(len(source.document) for source in files.sources):
        return Told("" if files.notes else "no samples")
    if not (_shows(files) or _is_own(files)):
        return Told(UNTOLD, files=files)
    return Told(parts=tuple(source.path.resolve() for source in files.sources[1:]), files=files)


def holds_results(path: Path) -> bool:
    """Tell whether a file holds the results of a run, and not samples to run."""
    if path.suffix.lower() not in _ROWS and not _may_be_results_in_yaml(path):
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
        own = own_dialects(path.parent)
        return bool(own) and open_results(path, own).tool in {table.name for table in own}
    return False


def _is_own(files: DeckFiles) -> bool:
    """Tell whether samples are in a dialect of the settings."""
    with contextlib.suppress(SettingsError):
        own = dialects_for(files.path.parent)
        return bool(own) and detected(files, PromptOptions(dialects=own)).dialect in own
    return False


def _is_marked(files: DeckFiles) -> bool:
    return not detected(files, USUAL).dialect.weighed


def _may_be_results_in_yaml(path: Path) -> bool:
    """Tell whether a file is YAML and begins as the results of a program do that writes them in YAML."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return False
    with opened(path) as file:
        return yaml_results().match(file.read(_HEAD)) is not None


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
    head = data[:_HEAD].replace(b"\0", b"")  # UTF-16 is refused, and looks like a deck all the same
    return _sign().search(head.decode("utf-8", "replace")) is not None
