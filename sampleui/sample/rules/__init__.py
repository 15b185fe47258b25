"""Rules: what each dialect says about a sample, and what a deck lacks, as findings with the path of their value.

A rule is a generator over one sample, called by its name, which a dialect switches on by naming it. The rules of
several integrations are here, those of one are beside its dialect.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath

from sampleui.formats.data import DataPath, Table
from sampleui.formats.document import Document
from sampleui.formats.registry import BY_NAME, BY_SUFFIX, TREES
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.shipped import DIALECTS, Dialect
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of
from sampleui.sample.rules import every_dialect
from sampleui.sample.rules.every_dialect import Rule, id_missing, segment_invalid, unknown_beside
from sampleui.sample.rules.models import model_errors, model_errors_beside
from sampleui.text.diagnostic import Diagnostic, Finding, Severity, placed_finding
from sampleui.text.position import Position, key_offset, position_at

__all__ = ["RULES", "Ids", "Rule", "as_read", "check", "duplicates", "is_error_at", "of_file", "placed_beside"]

RULES: Mapping[str, Rule] = {
    "id-missing": id_missing,
    "segment-invalid": segment_invalid,
    "legacy-record": every_dialect.legacy_record,
    "inputs-beside": every_dialect.inputs_beside,
}
"""The rules of several integrations, which a dialect switches on by naming them."""


def check(sample: Sample) -> tuple[Finding, ...]:
    """Return what the rules of its dialect say of a sample, in the order of the rules, then what its shape says."""
    dialect = dialect_of(sample)
    known = {**RULES, **of_dialect(dialect).checks().rules} if dialect.rules else RULES
    rules = (known[name] for name in dialect.rules if name in known)
    findings = tuple(finding for rule in (*every_dialect.RULES, *rules) for finding in rule(sample))
    found = (*findings, *model_errors(sample, findings))
    return tuple(as_read(finding, dialect, sample.context) for finding in found)


def as_read(finding: Finding, dialect: Dialect, context: Table, *, of_file: bool = False) -> Finding:
    """Return a finding as what it is to the program of a dialect, which may read what breaks a rule.

    Args:
        finding: the finding.
        dialect: the dialect of its file.
        context: the values beside the samples of the file.
        of_file: whether it is about these values, and not about a sample.
    """
    return of_dialect(dialect).checks().as_read(finding, context, of_file)


def is_error_at(findings: Iterable[Finding], node: DataPath) -> bool:
    """Tell whether one of some findings is an error about a value, or about one in it or around it."""
    errors = (finding.node for finding in findings if finding.severity is Severity.ERROR and finding.node)
    return any(node[: len(error)] == error[: len(node)] for error in errors)


_NAMED = 3


def of_file(document: Document, dialect: Dialect, path: Path) -> Iterator[tuple[Finding, Position]]:
    """Yield the findings about a file of a deck, with their places in it."""
    own = [*of_dialect(dialect).checks().of_file(document, path)]
    is_told = any(finding.rule in ("samples-missing", "samples-elsewhere") for finding in own)
    if not len(document) and document.context and not (document.refers or is_told or _begun(document)):
        yield _nothing_found(document), Position(1, 1)
    slips = unknown_beside(document.context, dialect) if len(document) or document.refers else ()
    for finding in (*own, *slips, *model_errors_beside(dialect, document.context)):
        offset = _beside_offset(document, finding.node) if finding.node else 0
        yield as_read(finding, dialect, document.context, of_file=True), position_at(document.text, offset)


def placed_beside(finding: Finding, document: Document, path: Path) -> Diagnostic:
    """Return a finding about what a file holds beside its samples, with its place."""
    return placed_finding(finding, path, position_at(document.text, _beside_offset(document, finding.node)))


def _nothing_found(document: Document) -> Finding:
    """Say of a file that holds something, but samples nowhere, that they may be under a misspelt key."""
    if named := _named_files(document.context):
        more = ", …" if len(named) > _NAMED else ""
        message = f"No samples were found; it names files that may have some: {', '.join(named[:_NAMED])}{more}"
        return Finding("samples-missing", Severity.ERROR, message)
    message = f"No samples were found; they are expected in a list under {', '.join(_containers())}"
    return Finding("samples-missing", Severity.ERROR, message)


@cache
def _containers() -> tuple[str, ...]:
    """Return the keys that the samples of any dialect are under."""
    return tuple(
        dict.fromkeys(key for dialect in DIALECTS.values() for container in dialect.containers for key in container)
    )


def _named_files(context: Table) -> list[str]:
    """Return the files that a table of data sets names, as LLaMA-Factory has it (`data/dataset_info.json`)."""
    sets = [value for value in context.values() if isinstance(value, dict)]
    if len(sets) < len(context):
        return []
    names = (data_set.get("file_name", data_set.get("path")) for data_set in sets)
    return [name for name in names if isinstance(name, str) and PurePath(name).suffix.lower() in BY_SUFFIX]


def _begun(document: Document) -> bool:
    """Tell whether a file has a key for samples, with none behind it yet. A TOML file may do without the key."""
    if any(document.context.get(key, ...) in ([], {}, None) for key in _containers()):
        return True
    if not document.container or document.container[0] in document.context:
        return False
    return document.format != "toml" or key_offset(document.text, document.container[0]) is not None


def _beside_offset(document: Document, path: DataPath) -> int:
    """Return where a value beside the samples is in a file, or the key that it is under: before them, or after."""
    if len(path) > 1 and document.format in TREES:
        whole = BY_NAME[document.format].whole(document.text)
        return sum(map(len, whole.pieces[: whole.piece_of(0)])) + whole.span(0, path).start
    head, tail, key = document.pieces[0], document.pieces[-1], str(path[0])
    before, after = key_offset(head, key), key_offset(tail, key)
    if before is not None:
        return before
    return 0 if after is None else len(document.text) - len(tail) + after


class Ids:
    """The ids of a deck's samples, taken one by one in any order, and what is to be said of those that two have."""

    def __init__(self) -> None:
        self._names: dict[int, str | None] = {}
        self._first: dict[str, int] = {}
        self._shared: dict[str, list[int]] = {}
        self._findings: Mapping[int, Finding] | None = None

    def __contains__(self, index: int) -> bool:
        """Tell whether the id of a sample was taken."""
        return index in self._names

    def put(self, index: int, name: str | None) -> None:
        """Take the id of a sample, in place of the one that it had.

        Args:
            index: the sample's index in the deck.
            name: its id. None, and the `#N` that stands for a missing id, never count.
        """
        counted = None if name == f"#{index + 1}" else name
        before = self._names.get(index)
        self._names[index] = counted
        if counted == before:
            return
        if before is not None:
            self._leave(before, index)
        if counted is not None and (first := self._first.setdefault(counted, index)) != index:
            holders = self._shared.setdefault(counted, [first])
            insort(holders, index)
            self._hold(counted, holders)

    def findings(self) -> Mapping[int, Finding]:
        """Return a `duplicate-id` finding for the index of every sample whose id an earlier one has."""
        if self._findings is None:
            message = 'The id "{}" is already that of sample {}'
            self._findings = {
                index: Finding("duplicate-id", Severity.ERROR, message.format(name, first + 1), ("id",))
                for name, (first, *rest) in self._shared.items()
                for index in rest
            }
        return self._findings

    def _leave(self, name: str, index: int) -> None:
        if name not in self._shared:
            del self._first[name]
        else:
            self._hold(name, [other for other in self._shared[name] if other != index])

    def _hold(self, name: str, holders: list[int]) -> None:
        self._findings = None
        self._first[name] = holders[0]
        if len(holders) > 1:
            self._shared[name] = holders
        else:
            del self._shared[name]


def duplicates(ids: Iterable[str | None]) -> tuple[tuple[int, Finding], ...]:
    """Return a `duplicate-id` finding, with the index of its sample, for every id that an earlier sample has.

    Args:
        ids: the ids of a deck's samples in order, as `Ids.put` takes them.
    """
    taken = Ids()
    for index, name in enumerate(ids):
        taken.put(index, name)
    return tuple(sorted(taken.findings().items()))
