"""The records of a log without samples: what its scorers gave each sample over all epochs."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields

NO_SAMPLES = "the log keeps no samples: scores are all there is"


def reduced(listed: Plain) -> list[Table]:
    """Return a sample for each that scores are kept of: its id, and the first reduction of each scorer."""
    found: dict[str, Table] = {}
    for one in fields.tables(listed):
        scorer = fields.text(one.get("scorer")) or "scorer"
        for score in fields.tables(one.get("samples")):
            named = fields.text(score.get("sample_id"))
            if named is not None:
                scores = fields.table(found.setdefault(named, {"id": named, "scores": {}})["scores"])
                scores.setdefault(scorer, score)
    return [*found.values()]
