"""Texts and values that are not to be passed on, replaced in whatever a report shows."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from html import unescape
from typing import Any, TypeVar
from urllib.parse import unquote

import regex

from sampleui.errors import ArgumentError, RedactionError
from sampleui.formats.data import Plain, Table, deeper, json_or_text, texts_in
from sampleui.review.record import Entry
from sampleui.review.reports.figures import Grouping
from sampleui.review.reports.matrix import Matrix
from sampleui.review.reports.plot_values import Distribution, plots_of
from sampleui.review.reports.report import Report
from sampleui.review.results.fields import MAX_ERROR, cut_error
from sampleui.text.limits import MAX_REDACTED_DEPTH
from sampleui.text.secrets import without_home, without_secrets
from sampleui.text.wording import ELLIPSIS, counted, one_spaced, text_begun_by

REDACTED = "[redacted]"
LOOKS_SECRET = "what looks like a key or a token"

MIN_SECRET = 4
"""Characters of a value from which on it is looked for inside of texts; a shorter one is replaced as a whole."""

_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_OURS = frozenset({"digest", "outcome", "verdict", "kind", "method", "interval_method", "p_method", "measure"})
"""Attributes whose texts are no data: each is one of a few words, or stands for a record."""

_PATTERN_TIMEOUT_S = 1.0
"""How long a pattern may be looked for in one text."""

_T = TypeVar("_T")
_E = TypeVar("_E", bound=Entry)


class Redaction:
    """What is to be replaced, and how often it was.

    Each part is a regular expression for texts. One that may be the name of a field, such as `email` or
    `metadata.email`, also stands for the values of that field: they are replaced there, and wherever else the
    texts of the record have them.

    Args:
        parts: what to replace.
        secrets: whether what looks like a key or a token is replaced too, and the path of the home by `~`.

    Raises:
        ArgumentError: one of them is no regular expression.
    """

    def __init__(self, parts: Sequence[str], *, secrets: bool = False) -> None:
        self._secrets = secrets
        self._patterns = [(part, _compiled(part)) for part in parts]
        self._fields = {tuple(part.split(".")): part for part in parts if _NAME.fullmatch(part)}
        self._all_secrets: dict[str, str] = {}
        self._record = ""
        self._cut_names: dict[str, tuple[str, str]] = {}
        self._times: Counter[str] = Counter(dict.fromkeys(parts, 0))

    def __bool__(self) -> bool:
        """Tell whether there is anything to replace."""
        return self.asked or self._secrets

    @property
    def asked(self) -> bool:
        """Whether somebody said what to replace, so that all of a run is looked through for it."""
        return bool(self._patterns)

    @property
    def times(self) -> Counter[str]:
        """How many places were replaced by each part."""
        return self._times.copy()

    def count(self, times: Counter[str]) -> None:
        """Note places that were replaced elsewhere."""
        self._times.update(times)

    @property
    def total(self) -> int:
        """How many places were replaced."""
        return self._times.total()

    def words(self) -> Iterator[str]:
        """Yield for each part how many places were replaced by it."""
        for part, times in self._times.items():
            yield f"{part}: {counted(times, 'place')} redacted" if times else f"{part}: nothing is redacted by it"
            if part == LOOKS_SECRET:
                yield "--with-secrets leaves such places, and the path of the home, as they are"

    def see_record(self, entry: Entry, tables_of: Callable[[], Sequence[Table]]) -> None:
        """Note the values that fields have in a record, and of what was in its names where these were cut.

        Of a secret that a cut goes through no pattern would find the beginning.
        """
        self._record = entry.id
        names = (entry.sample_id, entry.target or "", *(grade.name for grade in entry.grades))
        cut = [name for name in names if ELLIPSIS in name and name not in self._cut_names]
        if not (cut or self._fields):
            return
        tables = tables_of()
        secrets = self.see(tables)
        texts: dict[str, list[str]] = {}
        for text in map(one_spaced, texts_in([*tables])) if cut else ():
            texts.setdefault(text[:MIN_SECRET], []).append(text)
        for name in cut:
            before = self.times
            heads = name.split(ELLIPSIS)
            whole = ELLIPSIS.join(self._cut_later(head, texts, secrets) for head in heads)
            part = next(iter(self._times - before), "")
            self._times = before
            self._cut_names[name] = (whole, part)

    def _cut_later(self, head: str, texts: Mapping[str, Sequence[str]], secrets: dict[str, str]) -> str:
        """Return what a name had before it was cut, where what is to be replaced is replaced before it is cut.

        Args:
            head: what stands before the cut. It ends with the beginning of some text.
            texts: those of the record by their first characters.
            secrets: values that are to be replaced.
        """
        for start in range(len(head) - MIN_SECRET + 1):
            shown = head[start:]
            for text in texts.get(shown[:MIN_SECRET], ()):
                if text.startswith(shown) and not (replaced := self._text(text, secrets)).startswith(shown):
                    return head[:start] + _cut(replaced, len(shown))
        return head

    def see(self, tables: Iterable[Table]) -> dict[str, str]:
        """Note the values that fields have in a record or its sample, and return them with their fields."""
        secrets: dict[str, str] = {}
        if self._fields:
            for table in tables:
                self._gather(table, (), secrets)
        self._all_secrets |= secrets
        return secrets

    def record(self, value: _T, tables: Iterable[Table]) -> _T:
        """Return what is told of a record without what is to be replaced, by its values and those of its sample."""
        if not self:
            return value
        replaced: _T = self._any(value, (), self.see(tables))
        return replaced

    def whole_error(self, entry: _E, tables_of: Callable[[], Sequence[Table]]) -> _E:
        """Return a record whose error, if it was cut, is redacted as a whole first and then cut again.

        Of a secret that the cut goes through no pattern would find the beginning.
        """
        error, self._record = entry.error, entry.id
        if not self or error is None or len(error) < MAX_ERROR:
            return entry
        tables = tables_of()
        whole = one_spaced(text_begun_by(error, texts_in([*tables]))) or error
        replaced = cut_error(self._text(whole, self.see(tables)))
        return entry if replaced == error else replace(entry, error=replaced)

    def report(self, report: Report) -> Report:
        """Return a report without what is to be replaced, as far as its records were seen."""
        if not self:
            return report
        replaced: Report = self._any(dataclasses.replace(report, matrix=None, plots=()), (), self._all_secrets)
        matrix = None if report.matrix is None else self._matrix(report.matrix)
        spreads = (plot for plot in report.plots if isinstance(plot, Distribution))
        plots = tuple(plots_of(replaced.figures, spreads)) if report.plots else ()
        return dataclasses.replace(
            replaced, matrix=matrix, plots=plots, redacted=self.total if self.asked or self.total else None
        )

    def _matrix(self, matrix: Matrix) -> Matrix:
        """Return a matrix without what is to be replaced, as far as its records were seen."""
        columns, rows = [], []
        for column in matrix.columns:
            head = self._named(column.head, ("target",))
            kept = not self.asked and head == column.head
            columns.append(column if kept else column._replace(head=head, target=""))
        for row in matrix.rows:
            sample = self._named(row.sample, ("id",))
            rows.append(row if not self.asked and sample == row.sample else row._replace(case=(None, None, sample)))
        return Matrix(tuple(columns), tuple(rows))

    def _named(self, text: str, path: tuple[str, ...]) -> str:
        replaced: str = self._any(text, path, self._all_secrets)
        return replaced

    def _any(self, value: Any, path: tuple[str, ...], secrets: dict[str, str]) -> Any:
        if value is None or isinstance(value, Enum | bool):
            return value
        if isinstance(value, str | dict | list) and value and (part := self._field_at(path)) is not None:
            return self._replaced(part)
        if isinstance(value, str):
            return self._text(value, secrets)
        if isinstance(value, dict):
            return {
                self._any(key, (), secrets): self._value(item, (*path, key), secrets) for key, item in value.items()
            }
        if isinstance(value, Grouping):
            return self._grouping(value, secrets)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            attributes = zip(value._fields, value, strict=True)
            return type(value)(*(self._attribute(name, item, path, secrets) for name, item in attributes))
        if isinstance(value, list | tuple):
            return type(value)(self._any(item, path, secrets) for item in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in dataclasses.fields(value)]
            shown = {name: self._attribute(name, getattr(value, name), path, secrets) for name in names}
            return dataclasses.replace(value, **shown)
        return value

    def _value(self, value: Any, path: tuple[str, ...], secrets: dict[str, str]) -> Any:
        """Return the value of a key; of a named field a number is replaced too."""
        if isinstance(value, int | float) and (part := self._field_at(path)) is not None:
            return self._replaced(part)
        return self._any(value, path, secrets)

    def _attribute(self, name: str, value: Any, path: tuple[str, ...], secrets: dict[str, str]) -> Any:
        if name in _OURS:
            return value
        return self._any(value, (*path, {"targets": "target"}.get(name, name)), secrets)

    def _grouping(self, grouping: Grouping, secrets: dict[str, str]) -> Grouping:
        """Return groups without the values of named fields, which stand there without their names."""
        hidden = {field: part for field in grouping.fields if (part := self._field_at(tuple(field.split("."))))}

        def shown(field: str, value: str | None) -> Any:
            if field in hidden and value is not None:
                return self._replaced(hidden[field])
            return self._any(value, (), secrets)

        cells = [tuple(map(shown, grouping.fields, group.values)) for group in grouping.groups]
        return grouping._replace(
            groups=tuple(group._replace(values=cell) for group, cell in zip(grouping.groups, cells, strict=True)),
            coverage=tuple(item._replace(value=shown(item.field, item.value)) for item in grouping.coverage),
            empty=tuple(tuple(map(shown, grouping.fields, values)) for values in grouping.empty),
        )

    def _text(self, text: str, secrets: dict[str, str]) -> str:
        if text in secrets:
            return self._replaced(secrets[text])
        for name, (whole, part) in self._cut_names.items() if ELLIPSIS in text else ():
            if part and name in text:
                self._times[part] += text.count(name)
                text = text.replace(name, whole)
        for secret, part in secrets.items():
            if _is_long(secret) and secret in text:
                self._times[part] += text.count(secret)
                text = text.replace(secret, REDACTED)
        if self._fields and (value := _json_in(text)) is not None:
            text = self._json(text, value, secrets)
        for part, pattern in self._patterns:
            with self._limited(part):
                text, times = pattern.subn(REDACTED, text, timeout=_PATTERN_TIMEOUT_S)
            self._times[part] += times
        if self.asked and _ESCAPE.search(text) is not None:
            text = self._spelled(text, secrets)
        return self._without_secrets(text) if self._secrets else text

    def _without_secrets(self, text: str) -> str:
        """Return a text without what looks like a secret, which needs no looking for: whoever ran it never said."""
        replaced, times = without_secrets(text, REDACTED)
        if times:
            self._times[LOOKS_SECRET] += times
        return without_home(replaced)

    @contextmanager
    def _limited(self, part: str) -> Iterator[None]:
        """Say which record a pattern takes too long for. Raises RedactionError."""
        try:
            yield
        except TimeoutError:
            record = f" in the record {self._record}" if self._record else ""
            message = f"nothing is shown, as {part} is looked for longer than {_PATTERN_TIMEOUT_S:g} s{record}"
            raise RedactionError(message) from None

    def _json(self, text: str, value: Plain, secrets: dict[str, str]) -> str:
        """Return a text that is JSON without the values of named fields, in the JSON of its texts too."""
        if deeper(value, MAX_REDACTED_DEPTH):
            part = next((part for name, part in self._fields.items() if name[-1] in text), None)
            return text if part is None else self._replaced(part)
        replaced = self._any(value, (), secrets)
        return text if replaced == value else json.dumps(replaced, ensure_ascii=False)

    def _spelled(self, text: str, secrets: dict[str, str]) -> str:
        """Return a text without what is to be replaced in the texts that its escapes stand for."""
        patterns = [
            (part, regex.compile(regex.escape(secret))) for secret, part in secrets.items() if _is_long(secret)
        ]
        plain, spans = text, [(offset, offset + 1) for offset in range(len(text))]
        spans_in_text = []
        for _ in range(_LAYERS):
            escapes = [*_ESCAPE.finditer(plain)]
            if not escapes:
                break
            plain, spans = _decoded(plain, spans, escapes)
            for part, pattern in (*patterns, *self._patterns):
                with self._limited(part):
                    found_all = [*pattern.finditer(plain, timeout=_PATTERN_TIMEOUT_S)]
                for found in found_all:
                    start, end = spans[found.start()][0], spans[found.end() - 1][1]
                    if text[start:end] != found[0]:
                        spans_in_text.append((start, end, part))
        kept, done = [], 0
        for start, end, part in sorted(spans_in_text):
            if start >= done:
                kept += [text[done:start], REDACTED]
                self._times[part] += 1
            done = max(done, end)
        return "".join((*kept, text[done:]))

    def _replaced(self, part: str) -> str:
        self._times[part] += 1
        return REDACTED

    def _field_at(self, path: tuple[str, ...]) -> str | None:
        """Return the part that names the field at a path, by its last keys; None if none does."""
        return next((part for name, part in self._fields.items() if path[-len(name) :] == name), None)

    def _gather(self, value: Plain, path: tuple[str, ...], secrets: dict[str, str]) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                self._gather(item, (*path, key), secrets)
        elif isinstance(value, list):
            for item in value:
                self._gather(item, path, secrets)
        elif (
            isinstance(value, str)
            and (inner := _json_in(value)) is not None
            and not deeper(inner, MAX_REDACTED_DEPTH)
        ):
            self._gather_at(value, path, secrets)
            self._gather(inner, path, secrets)
        else:
            self._gather_at(value, path, secrets)

    def _gather_at(self, value: Plain, path: tuple[str, ...], secrets: dict[str, str]) -> None:
        """Note a value if it is in a named field."""
        if value is not None and not isinstance(value, bool):
            ends = (path[:end] for end in range(1, len(path) + 1))
            part = next((part for end in ends if (part := self._field_at(end)) is not None), None)
            if part is not None and str(value).strip():
                secrets.setdefault(str(value), part)


def _json_in(text: str) -> Plain:
    """Return the table or the list that a text is as JSON; None for any other text."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    value = json_or_text(text)
    return value if isinstance(value, dict | list) else None


def _cut(text: str, length: int) -> str:
    """Return the beginning of a text, up to the end of what was replaced where the cut goes through that."""
    start = text.find(REDACTED, max(length - len(REDACTED) + 1, 0), length + len(REDACTED) - 1)
    return text[:length] if start < 0 else text[: start + len(REDACTED)]


def _is_long(secret: str) -> bool:
    return len(secret) >= MIN_SECRET


_ESCAPE = re.compile(
    r"""
    (?P<address>(?:%[0-9A-Fa-f]{2})+) |
    (?P<json>(?:\\u[0-9A-Fa-f]{4})+|\\["\\/bfnrt]) |
    &(?:\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});
    """,
    re.VERBOSE,
)
"""How a text may spell characters: as addresses do, as JSON or as HTML."""

_LAYERS = 3
"""How often what is spelled may be spelled once more, as JSON in JSON is."""


def _decoded(
    text: str, spans: Sequence[tuple[int, int]], escapes: Iterable[re.Match[str]]
) -> tuple[str, list[tuple[int, int]]]:
    """Return what a text with escapes stands for, and the spans of its characters, given those of the text's."""
    parts: list[str] = []
    decoded: list[tuple[int, int]] = []
    done = 0
    for escape in escapes:
        start, end = escape.span()
        meant = _meant(escape)
        parts += (text[done:start], meant)
        decoded += spans[done:start]
        decoded += [(spans[start][0], spans[end - 1][1])] * len(meant)
        done = end
    return "".join((*parts, text[done:])), [*decoded, *spans[done:]]


def _meant(escape: re.Match[str]) -> str:
    if escape["address"]:
        return unquote(escape[0])
    return str(json.loads(f'"{escape[0]}"')) if escape["json"] else unescape(escape[0])


def _compiled(part: str) -> regex.Pattern[str]:
    try:
        pattern = regex.compile(part)
    except regex.error as error:
        raise ArgumentError(f"{part}: {error}") from error
    if pattern.fullmatch("") is not None:
        raise ArgumentError(f"{part}: it matches an empty text")
    return pattern
