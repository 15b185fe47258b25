"""A folder of JSON files as a run: each file is a record, or a list of them.

Such a folder lists its records nowhere, and other files may lie among them, so it is a run only where most of its
records can be read (`open_results` sees to that).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.results.sources import FILE, Malformed, ResultRow, Whole, canonical, row_digest, whole_text
from sampleui.sample.message_shapes import is_chat
from sampleui.text.confined import belongs, listed, size_of
from sampleui.text.limits import MAX_RESULTS_BYTES


def record_files(folder: Path) -> tuple[Path, ...]:
    """Return the JSON files in a folder, by their names; hidden ones and links that lead out are left out."""
    return tuple(
        path
        for path in listed(folder).paths
        if path.suffix.lower() == ".json" and not path.name.startswith(".") and belongs(path)
    )


def read_record_files(folder: Path) -> Whole:
    """Read the records of a folder of JSON files; the line of a record is the number of its file.

    Raises:
        ResultsError: when they are larger together than a file of results may be.
    """
    files = record_files(folder)
    if sum(map(size_of, files)) > MAX_RESULTS_BYTES:
        raise ResultsError(f"its files are larger than {MAX_RESULTS_BYTES:,} bytes", folder)
    rows: list[ResultRow | Malformed] = []
    for number, path in enumerate(files, 1):
        for data in _records_in(path):
            index = len(rows)
            if isinstance(data, str):
                rows.append(Malformed(number, 1, f"{path.name}: {data}", index + 1))
            else:
                named = {**data, FILE: data.get(FILE, path.name)}
                rows.append(ResultRow(index, number, row_digest(canonical(named)), named, index + 1))
    return Whole(rows)


def _records_in(path: Path) -> Iterator[Table | str]:
    """Yield the records of a file, or in words why it has none."""
    try:
        document: Plain = json.loads(whole_text(path))
    except ResultsError as error:
        yield error.message
        return
    except OSError as error:
        yield error.strerror or os.strerror(error.errno or 0)
        return
    except (ValueError, RecursionError) as error:
        yield "nested too deeply" if isinstance(error, RecursionError) else f"not JSON: {error}"
        return
    if is_chat(document):
        document = {"messages": document}
    for item in document if isinstance(document, list) else [document]:
        yield item if isinstance(item, dict) else "not a JSON object"
