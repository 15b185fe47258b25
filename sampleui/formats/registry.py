"""The formats of decks, and which one a file is in: as its name says, unless its content says otherwise.

A format's module is imported when a file needs it, so that opening one format does not wait for the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import CONTAINERS, Plain, is_sample
from sampleui.integrations import index
from sampleui.text.limits import MAX_EXPLAINED_LENGTH

if TYPE_CHECKING:  # the suffixes are asked for by what opens no deck
    from sampleui.formats.document import Document


class Format(NamedTuple):
    """A format of decks.

    Attributes:
        name: what `Document.format` says.
        suffixes: the ends of file names that announce it, in lower case.
        document: the class of its documents, as `module:name`.
        sample: the class of a file that is one table; empty if there are no such files.
        empty: the text of a new deck that is a list itself, or whose samples need no list.
        empty_under: the text of a new deck with its list under a `{key}`, if the format writes an empty one out.
        mistakes: the module whose `explained` knows what cures the mistakes of authors, if there is one.
    """

    name: str
    suffixes: tuple[str, ...]
    document: str
    sample: str = ""
    empty: str = ""
    empty_under: str = ""
    mistakes: str = ""

    def parse(self, text: str) -> Document:
        """Read a text in this format. Raises FormatError when it is not in it."""
        document = _class(self.document).parse(text)
        if (with_made := _with_made_samples(document)) is not None:
            return with_made
        if self.sample in ("", self.document) or len(document) or not is_sample(document.context):
            return document
        return _class(self.sample).parse(text)

    def whole(self, text: str) -> Document:
        """Read a file as one sample, whatever it holds: this is how values beside its samples are edited.

        Raises:
            FormatError: when the text is not in this format.
        """
        return _class(self.sample).whole(text)

    def vacant(self, container: tuple[str, ...]) -> Document:
        """Return a deck without samples, those to come under some keys; none for a list that is the file itself.

        Raises:
            FormatError: when the format does not look for samples under such keys.
        """
        if (container and container[0] not in CONTAINERS) or len(container) > 1:
            return self._unusual(container)
        text = self.empty_under.format(key=container[0]) if container and self.empty_under else self.empty
        return _class(self.document).parse(text).begun_under(container)

    def _unusual(self, container: tuple[str, ...]) -> Document:
        if self.name == "toml":
            return _class(self.document).parse(self.empty).begun_under(container)
        if self.name == "yaml":
            keys = (json.dumps(key) if re.search(_QUOTED, key) else key for key in container)
            text = "\n".join("  " * depth + f"{key}:" for depth, key in enumerate(keys)) + " []"
        else:
            nested: Plain = []
            for key in reversed(container):
                nested = {key: nested}
            text = json.dumps(nested, indent=2)
        document = _class(self.document).under(f"{text}\n", container)
        if document is None:
            raise FormatError(f"samples under {'.'.join(container)} can only be written in JSON, YAML and TOML")
        return document


def _class(name: str) -> type[Document]:
    module, _, attribute = name.partition(":")
    kind: type[Document] = getattr(import_module(module), attribute)
    return kind


_JSON = "sampleui.formats.json.document:JsonDocument"
_JSON_UNDER = '{{\n  "{key}": []\n}}\n'

FORMATS: tuple[Format, ...] = (
    Format("json", (".json",), _JSON, _JSON, "[]\n", _JSON_UNDER),
    Format("jsonl", (".jsonl", ".ndjson"), "sampleui.formats.json.lines:JsonlDocument"),
    Format(
        "toml",
        (".toml",),
        "sampleui.formats.toml.document:TomlDocument",
        "sampleui.formats.toml.single_sample:TomlSample",
        mistakes="sampleui.formats.toml.mistakes",
    ),
    Format(
        "yaml",
        (".yaml", ".yml"),
        "sampleui.formats.yaml.document:YamlDocument",
        "sampleui.formats.yaml.single_sample:YamlSample",
        "[]\n",
        "{key}: []\n",
        "sampleui.formats.yaml.mistakes",
    ),
    Format("csv", (".csv",), "sampleui.formats.csv:CsvDocument"),
    Format("tsv", (".tsv",), "sampleui.formats.csv:TsvDocument"),
    Format("markdown", (".md", ".markdown"), "sampleui.formats.markdown:MarkdownDocument"),
)
"""In the order they are tried on a file whose name says nothing: the stricter a format, the earlier."""

BY_NAME = {form.name: form for form in FORMATS}
TREES = frozenset(form.name for form in FORMATS if form.sample)
"""The formats whose files can be one table."""
BY_SUFFIX = {suffix: form for form in FORMATS for suffix in form.suffixes}
TABLES = frozenset(suffix for name in ("csv", "tsv") for suffix in BY_NAME[name].suffixes)
"""The ends of file names that announce a table."""
LINES = frozenset(BY_NAME["jsonl"].suffixes)
"""The ends of file names that announce JSON Lines."""


_LINES_SEEN = 5
_QUOTED = r"(?i)[^A-Za-z0-9_ -]|^[^A-Za-z_]|^(?:y|n|yes|no|on|off|true|false|null)$"
"""What a key has, or is, that YAML might read as something else without quotes."""


def parse_document(text: str, path: Path) -> Document:
    """Read a deck's text in the format of its file. The path is looked at, never opened.

    Raises:
        FormatError: when the text is not in that format, with line and column; if the name of the file announces
            none, the error of the format that got furthest.
    """
    named = BY_SUFFIX.get(path.suffix.lower())
    if named is None:
        return _sniffed(text)
    if named.name == "json" and _object_lines(text) > 1:
        return BY_NAME["jsonl"].parse(text)
    if named.name == "jsonl" and not _object_lines(text):
        return _one_value(text) or named.parse(text)
    return named.parse(text)


def parse_lines(lines: Sequence[str]) -> Document | None:
    """Read lines of JSON Lines with their ends, none of which is blank; None where the text is to be parsed."""
    from sampleui.formats.json.lines import JsonlDocument

    return JsonlDocument.of_lines(lines) if _object_lines("".join(lines[:_LINES_SEEN])) else None


def _with_made_samples(document: Document) -> Document | None:
    """Return a file with the samples that are made of other values in it, None if it has none of those."""
    if document.format not in ("yaml", "json"):
        return None
    near = "".join((*document.pieces[:2], document.pieces[-1]))
    with_made = (maker.references().with_made_samples(document) for maker in index.makers(near))
    return next((replaced for replaced in with_made if replaced is not None), None)


def has_room(document: Document) -> bool:
    """Tell whether a file can hold values beside its samples: its root is a table, and not itself a sample."""
    return document.format in TREES and (bool(document.container) or not len(document))


def explained(error: FormatError, text: str, path: Path) -> FormatError:
    """Return the error of a file as an author may understand it, or as it is."""
    form = BY_SUFFIX.get(path.suffix.lower())
    if form is None or not form.mistakes or len(text) > MAX_EXPLAINED_LENGTH:
        return error
    explanation: FormatError = import_module(form.mistakes).explained(text, error)
    return explanation


def parse_begun(text: str, path: Path) -> Document:
    """Read the rows that are whole in the beginning of the text of a table, whose name is one of `TABLES`.

    Raises:
        FormatError: when that is no table.
    """
    from sampleui.formats.csv import CsvDocument, TsvDocument

    return (TsvDocument if BY_SUFFIX[path.suffix.lower()].name == "tsv" else CsvDocument).begun(text)


def form_named(path: Path) -> Format:
    """Return the format that the name of a new file announces.

    Raises:
        FormatError: when it announces none.
    """
    form = BY_SUFFIX.get(path.suffix.lower())
    if form is None:
        raise FormatError(f"the name of a new deck ends in one of {', '.join(BY_SUFFIX)}")
    return form


def parse_case(text: str) -> Document:
    """Read a YAML text that is one sample as a whole. Raises FormatError as `parse_document` does."""
    return _class("sampleui.formats.yaml.single_sample:CaseDocument").parse(text)


def _object_lines(text: str) -> int:
    """Return how many of the first lines are JSON objects; 0 as soon as one of them is something else."""
    from sampleui.formats.json.spans import SPACE, decode, guard_size, skip_blank

    start, seen = skip_blank(text, int(text.startswith("\ufeff"))), 0
    while seen < _LINES_SEEN and text.startswith("{", start):
        end = text.find("\n", start)
        line = text[start : len(text) if end < 0 else end].rstrip(SPACE)
        try:
            guard_size(line)
            if decode(line, 0)[1] < len(line):
                return 0
        except FormatError:
            return 0
        seen, start = seen + 1, skip_blank(text, start + len(line))
    return seen if seen == _LINES_SEEN or start == len(text) else 0


def _one_value(text: str) -> Document | None:
    """Return the deck of a text that is one JSON value as a whole."""
    try:
        return BY_NAME["json"].parse(text)
    except FormatError:
        return None


def _sniffed(text: str) -> Document:
    if _object_lines(text) > 1:
        return BY_NAME["jsonl"].parse(text)
    from sampleui.formats.markdown import MarkdownDocument

    failures: list[FormatError] = []
    without_samples: list[Document] = []
    for form in (BY_NAME[name] for name in ("json", "toml", "yaml", "markdown")):
        try:
            document = form.parse(text)
        except FormatError as error:
            failures.append(error)
            continue
        if len(document) or (isinstance(document, MarkdownDocument) and document.references):
            return document
        # Nearly every text is some YAML and any is Markdown, so without samples that says nothing.
        without_samples += [document] if form.name in {"json", "toml"} else []
    if without_samples:
        return without_samples[0]
    raise max(failures, key=lambda error: (error.line or 0, error.column or 0))
