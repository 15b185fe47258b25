"""The tags of a sample, added and removed where its dialect, or its deck, keeps them."""

from __future__ import annotations

from collections.abc import Iterable

from sampleui.formats.data import DataPath, Table
from sampleui.sample.dialects.shipped import Dialect
from sampleui.sample.parse import value_at


def tag_path(dialect: Dialect, data: Table, near: Iterable[Table]) -> DataPath:
    """Return where a sample's tags go: where it has some, or else where others do, or else as the dialect says.

    A table of tags, such as `data_tag`, takes no plain tag and is passed over.
    """
    for table in (data, *near):
        for path in dialect.tag_paths:
            if isinstance(value_at(table, path), str | list):
                return path
    known = (path for path in dialect.tag_paths if path[0] in dialect.known)
    return next(known, dialect.tag_paths[0])
