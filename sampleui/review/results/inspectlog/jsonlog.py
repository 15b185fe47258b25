"""A `.json` log: the whole run as one object, read in one go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.results.adapters import fields
from sampleui.review.results.inspectlog import rows
from sampleui.review.results.inspectlog.header import Header, is_header
from sampleui.review.results.inspectlog.reduced import NO_SAMPLES, reduced
from sampleui.review.results.inspectlog.scoring import scoring_of
from sampleui.review.results.scoring import Scoring
from sampleui.review.results.sources import Malformed, Row, canonical, digest_of, whole_text


def read_json_log(path: Path) -> JsonLog | None:
    """Read a log, None when the file is not a log or has more than one line of JSON.

    Raises:
        ResultsError: when it is larger than 256 MiB, or not UTF-8.
    """
    try:
        found: Plain = json.loads(whole_text(path))
    except (ValueError, RecursionError):
        return None  # whoever reads any JSON says what is wrong with it, and where
    return JsonLog(fields.table(found), path) if is_header(found) else None


class JsonLog:
    """A log that is held in memory.

    Attributes:
        size: how many samples it has.
        notes, chosen, figures: as the header has them.
    """

    whole = True
    container: DataPath = ("samples",)
    known = True

    def __init__(self, log: Table, path: Path) -> None:
        self.path = path
        self._header = Header.of(log)
        listed = log.get("samples")
        self._samples: list[Plain] = listed if isinstance(listed, list) else []
        self.notes, self.chosen = self._header.notes, self._header.chosen
        self.figures = self._header.figures
        if not self._samples and (found := reduced(log.get("reductions"))):
            self._samples = [*found]
            self.notes += (NO_SAMPLES,)
        self.size = len(self._samples)

    @cached_property
    def scoring(self) -> Scoring:
        """What its scorers gave."""
        return scoring_of(self._header.scorers, map(rows.scores_of, fields.tables(self._samples)))

    def scan(self) -> Iterator[Row | Malformed]:
        """Return all records. Their line is the number of the sample in the log."""
        for at, sample in enumerate(self._samples):
            if isinstance(sample, dict):
                yield Row(at, at + 1, digest_of(canonical(sample)), rows.brief(sample, self._header), at + 1)
            else:
                yield Malformed(at + 1, 1, "not a JSON object", at + 1)

    def raw(self, place: int) -> bytes:
        """Return the text of a record."""
        return canonical(fields.table(self._samples[place]))

    def row(self, place: int, digest: str) -> Table:
        """Return a record with its transcript."""
        try:
            return rows.whole(fields.table(self._samples[place]), self._header)
        except RecursionError as error:
            raise ResultsError(f"sample {place + 1}: nested too deeply", self.path) from error
