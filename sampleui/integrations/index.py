"""The index of integrations: which there are, and which may know a file.

An integration is a package with an `ENTRY` (`entry.py`), which says what shows a file to be its own, and which
modules it has. These are imported only when something of them is needed, so that no core module depends on one and
none is loaded for a file that is another's. Other packages add theirs by the entry point group
`sampleui.integrations`, behind those that are shipped: the object of each entry point is an entry that can say all
that those here say.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sampleui.errors import SampleUIError
from sampleui.integrations.entry import IndexEntry, LogSigns, RunFolder

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.integrations.integration import Integration
    from sampleui.sample.dialects.dialect import Dialect

NOBODYS = ""
"""The name of the integration that has nothing."""

GROUP = "sampleui.integrations"
"""The group of entry points by which another package adds an integration."""

ROOMS = (
    "calibrate",
    "agentv",
    "gage",
    "promptfoo",
    "chat_data",
    "inspect_ai",
    "pydantic_evals",
    "deepeval",
    "lm_eval",
    "verifiers",
    "langsmith",
    "langfuse",
    "braintrust",
    "skills",
    "harbor",
    "ragas",
    "every_eval_ever",
    "otlp",
    "claude_code",
    "codex",
)
"""The packages beside this module that are integrations, in the order to try them."""

SHIPPED: tuple[IndexEntry, ...] = tuple(
    import_module(f"{__package__}.{name}").ENTRY._replace(module=f"{__package__}.{name}") for name in ROOMS
)
"""The integrations that are shipped."""


@cache
def entries() -> tuple[IndexEntry, ...]:
    """Return the entries of all integrations, those that are shipped first."""
    return (*SHIPPED, *plugins())


@cache
def integration(name: str) -> Integration:
    """Return an integration by its name; a module of it is imported when its part is asked for.

    Raises:
        KeyError: there is none of that name.
    """
    from sampleui.integrations.integration import Integration  # the contract knows the core's types

    if name == NOBODYS:
        return Integration()
    for entry in SHIPPED:
        if entry.name == name:
            return Integration(cache(partial(_constant, entry)))
    entry = {entry.name: entry for entry in plugins()}[name]
    guarding = import_module(f"{__package__}.guarding")  # by its name, since it knows the core's types
    guarded: Integration = guarding.guarded(partial(_constant, entry), entry, partial(_warn_of_fault, name))
    return guarded


def _constant(entry: IndexEntry, name: str) -> Any:
    """Return a constant of an integration; None where its module has none of that name."""
    from sampleui.integrations.integration import PARTS

    module = PARTS[name][0]
    own = module if module in entry.modules else "".join(entry.modules[:1])
    return getattr(import_module(f"{entry.module}.{own}" if own else entry.module), name, None)


def of_dialect(dialect: Dialect) -> Integration:
    """Return the integration that a dialect is of; for one of the user's own, one that has nothing."""
    return integration(dialect.integration or NOBODYS)


def bringing(dialect: str) -> Iterator[Integration]:
    """Yield the integrations that bring a dialect of that name."""
    among = SHIPPED if any(dialect in entry.dialects for entry in SHIPPED) else plugins()
    return (integration(entry.name) for entry in among if dialect in entry.dialects)


@lru_cache
def signed(keys: frozenset[str]) -> tuple[Integration, ...]:
    """Return the integrations that have a sign among some keys."""
    return tuple(integration(entry.name) for entry in entries() if _is_signed(entry.signs, keys))


def dialects() -> Iterator[str]:
    """Yield the names of all dialects, in the order of the integrations."""
    yield from (dialect for entry in SHIPPED for dialect in entry.dialects)
    yield from (dialect.name for entry in plugins() for dialect in integration(entry.name).dialects().dialects)


def readers(row: Collection[str]) -> list[str]:
    """Return the names of the integrations that may read a row with some keys, in the order to try them."""
    return [entry.name for entry in _by_rank() if _is_signed(entry.row_signs, row)]


def holders(document: Collection[str]) -> list[str]:
    """Return the names of the integrations that know where rows are in a document with some keys."""
    return [entry.name for entry in entries() if any(key in document for key in entry.documents)]


@cache
def yaml_results() -> re.Pattern[bytes]:
    """Return how results in YAML begin."""
    return re.compile("|".join(entry.yaml_results for entry in entries() if entry.yaml_results).encode())


@cache
def logs() -> tuple[tuple[str, LogSigns], ...]:
    """Return how logs of runs are recognized, each behind the name of its integration."""
    return tuple((entry.name, entry.log) for entry in entries() if entry.log is not None)


def logs_like(path: Path, start: bytes | None) -> tuple[str, ...]:
    """Return the names of the integrations whose logs are named or begin as a file; none if it cannot be read."""
    if start is None:
        return ()
    return tuple(name for name, log in logs() if log.is_named_or_begins(path, start) or log.may_be_json(start))


@cache
def run_folders() -> tuple[RunFolder, ...]:
    """Return how the folders of runs are recognized."""
    return tuple(folder for entry in entries() for folder in entry.run_folders)


@cache
def run_files() -> re.Pattern[str]:
    """Return how runs are named that are a file each."""
    return re.compile("|".join(name for entry in entries() for name in entry.run_files), re.ASCII)


def taking_verdicts() -> Mapping[str, str]:
    """Return the integrations that take verdicts back, by what their results are called."""
    return {entry.result_dialect or entry.name: entry.name for entry in entries() if entry.takes_verdicts}


def openers() -> Iterator[str]:
    """Yield the names of the integrations whose runs are folders without a list of their records."""
    return (entry.name for entry in entries() if entry.folders or entry.opens_folders)


@cache
def _numbered_folders() -> re.Pattern[str]:
    return re.compile("|".join(entry.folders for entry in entries() if entry.folders), re.ASCII)


def run_number(folder: str) -> int | None:
    """Return the number of a run that is a folder, by the name of that; None for any other name."""
    named = _numbered_folders().fullmatch(folder)
    return None if named is None else next((int(group) for group in named.groups() if group), 0)


def keeper(row: Table) -> str:
    """Return the name of the integration that knows the files that a row names, `NOBODYS` where it names none."""
    if _files().isdisjoint(row):
        return NOBODYS
    return next(entry.name for entry in entries() if not entry.files.isdisjoint(row))


@cache
def _files() -> frozenset[str]:
    return frozenset(key for entry in entries() for key in entry.files)


def summarizers(document: Table) -> Iterator[str]:
    """Yield the names of the integrations of whose summaries a document may be one."""
    return (entry.name for entry in entries() if any(key.endswith(entry.summaries) for key in document))


def transcribers(row: Table) -> Iterator[str]:
    """Yield the names of the integrations of whose transcripts a document, or a line of one, may be."""
    return (entry.name for entry in entries() if not entry.transcripts.isdisjoint(row))


@cache
def containers() -> tuple[str, ...]:
    """Return the keys that samples of some dialect are under, but for the usual ones."""
    return tuple(dict.fromkeys(key for entry in entries() for key in entry.containers))


@cache
def settings_folders() -> tuple[str, ...]:
    """Return the names of the folders in which programs have their settings."""
    return tuple(entry.settings_folder for entry in entries() if entry.settings_folder)


def makers(text: str) -> Iterator[Integration]:
    """Yield the integrations that may make samples of values in a file, by the ends of its text."""
    return (integration(entry.name) for entry in entries() if any(word in text for word in entry.makes))


def styles() -> tuple[str, ...]:
    """Return the styles of prompts that are one program's own."""
    return tuple(entry.style for entry in entries() if entry.style)


def style_of(dialect: Dialect) -> str:
    """Return the style of prompts that the program of a dialect has of its own, "" if it has none."""
    return next((entry.style for entry in entries() if entry.name == dialect.integration), "")


def of_style(style: str) -> Integration:
    """Return the integration that renders in a style which is not this program's own."""
    return integration(next(entry.name for entry in entries() if entry.style == style))


def judges_of_runs() -> Iterator[Integration]:
    """Yield the integrations whose programs judge what was called as they run."""
    return (integration(entry.name) for entry in entries() if entry.judges_runs)


def checker(kind: str) -> Integration:
    """Return the integration that may judge an assertion of a type; one that has nothing if there is none."""
    plain = kind.removeprefix("not-")
    judges = (entry.name for entry in entries() if entry.checks and plain.startswith(entry.checks))
    return integration(next(judges, NOBODYS))


@cache
def plugins() -> tuple[IndexEntry, ...]:
    """Return the entries of other packages. One that cannot be loaded costs a line of warning."""
    if not any(map(_declares, sys.path)):
        return ()
    from importlib.metadata import entry_points

    foreign_code = import_module(f"{__package__}.foreign_code")  # by its name: it stands on texts, they on this
    loaded: dict[str, IndexEntry] = {}
    shipped = {entry.name for entry in SHIPPED}
    for point in entry_points(group=GROUP):
        try:
            found = foreign_code.run(point.load)
        except (foreign_code.ForeignError, SampleUIError) as error:
            _warn(point.name, str(error))
            continue
        if not isinstance(found, IndexEntry):
            _warn(point.name, f"{point.value} is no IndexEntry")
        elif wrong := _wrong_in(found):
            _warn(point.name, f"its entry: {wrong}")
        elif found.name in shipped:
            _warn(point.name, f"an integration {found.name} is shipped")
        else:
            loaded[found.name] = found._replace(module=found.module or point.module)
    return tuple(loaded.values())


def _wrong_in(entry: IndexEntry) -> str:
    """Return, in words, what makes the entry of a package one that cannot be asked; empty if nothing does."""
    for key, usual in IndexEntry._field_defaults.items():
        value = getattr(entry, key)
        if usual is not None and type(value) is not type(usual):
            return f"{key} is a {type(value).__name__}, and not a {type(usual).__name__}"
    try:
        re.compile("|".join((*entry.run_files, entry.folders, entry.yaml_results)))
    except (re.error, TypeError) as error:
        return f"its patterns: {error}"
    return ""


@cache
def _by_rank() -> list[IndexEntry]:
    """Return the entries of those that read rows, the ones behind that read rows of others too."""
    return sorted((entry for entry in entries() if entry.row_signs), key=lambda entry: entry.reads_others)


def _is_signed(signs: tuple[str, ...], keys: Collection[str]) -> bool:
    return any(all(key in keys for key in sign) for sign in _split(signs))


@cache
def _split(signs: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sign.split()) for sign in signs)


def _declares(folder: str) -> bool:
    """Tell whether a package installed in a folder may add an integration; to load them all is slow."""
    with suppress(OSError):
        for package in os.scandir(folder or "."):
            if package.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), Path(package.path, "entry_points.txt").open("rb") as file:
                    if GROUP.encode() in file.read():
                        return True
    return False


def warn_by(tell: Callable[[str], object]) -> None:
    """Have faults of packages told by a function, given one line, and not on standard error."""
    _TELLING[:] = [tell]


def _warn(name: str, reason: str) -> None:
    _TELLING[-1](f"the integration {name} is left out: {' '.join(reason.split())}")


def _warn_of_fault(name: str, reason: str) -> None:
    _TELLING[-1](f"a fault in the integration {name}: {' '.join(reason.split())}")


def _on_standard_error(line: str) -> None:
    sys.stderr.write(f"sampleui: {line}\n")


_TELLING: list[Callable[[str], object]] = [_on_standard_error]
