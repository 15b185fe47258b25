"""The templates of Nunjucks' own tests, filled here and by the nunjucks package.

    python -m tests.torture.nunjucks FOLDER

FOLDER has the tests of Nunjucks (`tests` of its repository); `npm install --prefix tests/torture` adds its package.
Each template comes out *right*, as Nunjucks renders it, or *told*: left as written, and a note says so. One that
differs with no such note is *silent*; one that is filled where Nunjucks refuses it is *wrong*. The exit status is 1
if there are any of the last two.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Table, as_table
from sampleui.integrations.nunjucks import Filling

HERE = Path(__file__).parent


class Template(NamedTuple):
    """A template with its variables and what Nunjucks makes of it: a text, None where it refuses it."""

    text: str
    variables: Table
    value: str | None


def templates(folder: Path) -> Iterator[Template]:
    """Yield the templates of the tests in a folder whose variables JSON can say. Raises OSError without node."""
    command = ["node", str(HERE / "nunjucks.mjs"), str(folder.resolve())]
    lines = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8").stdout.split("\n")
    for line in lines:
        item: Table = json.loads(line) if line else {"left": 0}
        if "left" not in item:
            value = item.get("value")
            yield Template(
                str(item["template"]), as_table(item["variables"]), value if isinstance(value, str) else None
            )


def outcome(template: Template) -> str:
    """Return how a template comes out here: right, told, silent or wrong."""
    filling = Filling(template.variables, {})
    text = filling.text(template.text)
    if text == template.value:
        return "right"
    if any("is left as written" in note for note in filling.notes):
        return "told"
    return "wrong" if template.value is None else "silent"


def main(arguments: Sequence[str] = ()) -> int:
    """Fill all templates, print those that come out silent or wrong, and the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.nunjucks", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of Nunjucks' tests")
    given = parser.parse_args(arguments or sys.argv[1:])
    counts: Counter[str] = Counter()
    for template in templates(given.folder):
        came = outcome(template)
        counts[came] += 1
        if came in ("silent", "wrong"):
            print(came, json.dumps(template, ensure_ascii=False))
    print(f"{counts.total():,} templates:", ", ".join(f"{counts[name]:,} {name}" for name in _OUTCOMES))
    return int(bool(counts["silent"] or counts["wrong"] or not counts))


_OUTCOMES = ("right", "told", "silent", "wrong")

if __name__ == "__main__":
    sys.exit(main())
