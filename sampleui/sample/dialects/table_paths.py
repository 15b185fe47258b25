"""What both kinds of guessed tables use: the paths that a table can name, and their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.dialect import value_at
from sampleui.settings.vocabulary import Words, step, steps

_JOINTS = re.compile(r"[\s_'-]")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def words_in(key: str) -> list[str]:
    """Return the words that a key is made of, in small letters: of `modelReply_text` model, reply, text."""
    return [word.lower() for word in _WORD.findall(key)]


def paths_in(tables: Iterable[Table], deepest: int) -> list[str]:
    """Return the paths of keys in some tables with dots between, the short ones first.

    Args:
        tables: samples or rows.
        deepest: how many keys a path may have.
    """
    paths = dict.fromkeys(path for table in tables for path in _paths(table, "", deepest))
    return sorted(paths, key=lambda path: len(steps(path)))


def _paths(table: Table, above: str, deepest: int) -> Iterator[str]:
    for name, value in table.items():
        if named := step(name):
            yield above + named
            if isinstance(value, dict) and deepest > 1:
                yield from _paths(value, f"{above}{named}.", deepest - 1)


def paths_ending_in(paths: Sequence[str], names: Iterable[str]) -> Iterator[str]:
    """Yield the paths that end in one of some names, the first of the names going before the next.

    `expected_output` is also spelled `expectedOutput`, `Expected Output` and `expected-output`.
    """
    ends = [(_JOINTS.sub("", path.rpartition(".")[2]).lower(), path) for path in paths]
    for name in names:
        plain = name.replace("_", "")
        yield from (path for end, path in ends if end == plain)


def values_at(tables: Iterable[Table], path: str) -> list[Plain]:
    """Return what is at a path of each table, null if nothing does."""
    path_steps = steps(path)
    return [value_at(table, path_steps) for table in tables]


def written_table(setting: str, name: str, table: Mapping[str, Words]) -> str:
    """Return a table as the text of a settings file; a table in it is under a header of its own."""
    from sampleui.formats.toml.writing.emit import key, pairs
    from sampleui.formats.toml.writing.habits import Layout

    tables: Table = {}
    head = f"{setting}.{key(name)}"
    parts = {f"[{head}]": tables}
    for what, value in table.items():
        if isinstance(value, Mapping):
            parts |= {f"[{head}.{what}]": {**value}} if value else {}
        else:
            tables[what] = _plain(value)
    return "\n".join(f"{head}\n{pairs(data, Layout())}" for head, data in parts.items())


def _plain(value: str | bool | tuple[str, ...] | tuple[float, float]) -> Plain:
    if not isinstance(value, tuple):
        return value
    return [int(number) if isinstance(number, float) and number.is_integer() else number for number in value]
