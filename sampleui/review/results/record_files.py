"""A folder of JSON files as a run: each file is a record, or a list of them.

Such a folder lists its records nowhere, and other files may lie among them, so it is a run only where most of its
records can be read (`open_results` sees to that). Products sort them by day or by customer, so where a folder has
no such file itself, those of the folders below it count.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, deeper
from sampleui.review.results.rerun_files import SUFFIX as RERUNS
from sampleui.review.results.sources import FILE, TOO_DEEP, Malformed, ResultRow, Whole, table_digest, whole_text
from sampleui.sample.message_shapes import as_row
from sampleui.text.confined import belongs, below, listed, size_of
from sampleui.text.limits import MAX_JSON_DEPTH, MAX_RESULTS_BYTES, MAX_RUN_DEPTH, MAX_RUN_FOLDERS


def record_files(folder: Path) -> tuple[Path, ...]:
    """Return the JSON files in a folder, or where it has none in those below, by their names.

    Hidden ones and links that lead out are left out, and so are folders that are hidden, links or of packages.
    """
    return _json_files(listed(folder).paths) or tuple(_files_below(folder))


def _files_below(folder: Path) -> Iterator[Path]:
    for looked, (here, folders, names) in enumerate(below(folder)):
        if looked > MAX_RUN_FOLDERS:
            return
        if here != folder:
            yield from _json_files(here / name for name in sorted(names))
        is_deep = len(here.relative_to(folder).parts) >= MAX_RUN_DEPTH
        folders[:] = [] if is_deep else sorted(filter(_is_looked_into, folders))


def _is_looked_into(name: str) -> bool:
    return not (name.startswith(".") or name == "node_modules" or name.endswith(RERUNS))


def _json_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(
        path for path in paths if path.suffix.lower() == ".json" and not path.name.startswith(".") and belongs(path)
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
        name = path.relative_to(folder).as_posix()
        for data in _records_in(path):
            index = len(rows)
            if isinstance(data, str):
                rows.append(Malformed(number, 1, f"{name}: {data}", index + 1))
            else:
                named = {**data, FILE: data.get(FILE, name)}
                rows.append(ResultRow(index, number, table_digest(named), named, index + 1))
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
    if deeper(document, MAX_JSON_DEPTH):
        yield TOO_DEEP
        return
    document = as_row(document)
    for item in map(as_row, document if isinstance(document, list) else [document]):
        yield item if isinstance(item, dict) else "not a JSON object"
