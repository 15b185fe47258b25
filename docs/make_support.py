"""Write what is supported from the integrations themselves: `python docs/make_support.py`.

The table is `docs/integrations/README.md`. Below the last heading of each page beside it is what was tried, which
comes from the tables of truth by which the integrations are tested.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli

from sampleui.integrations.index import SHIPPED, IndexEntry, integration
from sampleui.integrations.integration import Integration

PAGES = Path(__file__).with_name("integrations")
TRUTHS = PAGES.parents[1] / "tests" / "integrations"
LAST = "## Tried\n"

_INTRO = """\
# What is supported

An integration is all that is known of one outside tool or format of data. Each has a page of what is read, written,
judged and not. This table is generated from the integrations by `python docs/make_support.py`; a package of your
own can [add one](../integrations.md).

Every deck opens, is checked, rendered, edited in its place and converted from and to every other dialect, with a
report of what that loses. Results open, and their records are found in the decks that they ran. "Judged" tells
whether answers are judged anew by the tool's own rules, and "calls" the same of calls of tools. "Own prompts" tells
whether prompts are rendered as the tool sends them, and "older" whether older records are brought up to date.

| integration | dialects | usual formats | results | judged | calls | own prompts | older | tried |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def pages() -> dict[str, str]:
    """Return the pages by name."""
    table = _INTRO + "".join(_row(entry) for entry in SHIPPED)
    return {"README.md": table, **{f"{entry.name}.md": _with_tried(entry) for entry in SHIPPED}}


def _row(entry: IndexEntry) -> str:
    own = integration(entry.name)
    dialects = own.dialects()
    cells = (
        f"[{_title(entry)}]({entry.name}.md)",
        ", ".join(f"`{dialect.name}`" for dialect in dialects),
        ", ".join(dict.fromkeys(form for dialect in dialects for form in dialect.formats)),
        _results(entry, own),
        *(_has(own, hook) for hook in ("grading", "trajectories", "prompts", "updates")),
        ", ".join(_truth(entry)["versions"]),
    )
    return f"| {' | '.join(cells)} |\n"


def _results(entry: IndexEntry, own: Integration) -> str:
    kinds = ["rows"] if own.results().adapters else []
    kinds += ["logs"] if entry.log is not None else []
    kinds += ["folders"] if entry.run_folders else []
    kinds += ["transcripts"] if entry.transcripts else []
    return ", ".join(kinds) or "none"


def _has(own: Integration, hook: str) -> str:
    return "yes" if getattr(type(own), hook) is not getattr(Integration, hook) else "no"


def _title(entry: IndexEntry) -> str:
    return _page(entry).partition("\n")[0].removeprefix("# ")


def _page(entry: IndexEntry) -> str:
    return (PAGES / f"{entry.name}.md").read_text(encoding="utf-8")


def _truth(entry: IndexEntry) -> dict[str, Any]:
    return tomli.loads((TRUTHS / entry.name / "truth.toml").read_text(encoding="utf-8"))


def _with_tried(entry: IndexEntry) -> str:
    truth = _truth(entry)
    counted = [
        f"{len(truth[kind])} {kind}{'s' * (len(truth[kind]) > 1)}" for kind in ("deck", "run") if kind in truth
    ]
    tried = f"With {_listed(truth['versions'])}; tested with {' and '.join(counted)}"
    return f"{_page(entry).partition(LAST)[0]}{LAST}\n{tried}.\n"


def _counted(word: str, count: int) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


if __name__ == "__main__":
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")
