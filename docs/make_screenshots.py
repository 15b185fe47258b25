"""The pictures of the README and of these pages, taken from the running app: `make screenshots`.

With names as arguments, only those are taken. Every picture is a shot: a screen, its size and the keys that lead to
what it shows. Home and state folders are empty ones, so the pictures do not depend on who takes them.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from textual.screen import Screen
from textual.widgets import TextArea

from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
_SETTLED = 0.4


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture.

    Attributes:
        name: its file's name without `.svg`.
        open: returns what makes the first screen.
        keys: what is pressed before it is taken; an item `text:…` is typed letter by letter,
            and `wait:N` waits for N seconds.
        size: columns and lines.
        theme: the theme it is taken in, None for the default.
    """

    name: str
    open: Callable[[Settings], Callable[[], Screen[int]]]
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (120, 36)
    theme: str | None = None


def deck(name: str) -> Callable[[Settings], Callable[[], Screen[int]]]:
    """Return what opens an example deck in the author screen."""

    def opened(settings: Settings) -> Callable[[], Screen[int]]:
        from sampleui.tui.opening import first_screen

        return first_screen(Path("examples/decks") / name, settings, None)

    return opened


def trace(settings: Settings) -> Callable[[], Screen[int]]:
    """Open the example traces beside their deck."""
    from sampleui.runs.records import open_run
    from sampleui.tui.trace.screen import TraceScreen
    from sampleui.workspace.deck import open_deck

    run = open_run(Path("examples/results/traces.jsonl"), open_deck("examples/decks/agents.yaml"))
    return lambda: TraceScreen(run, settings)


def review(settings: Settings) -> Callable[[], Screen[int]]:
    """Open the example results beside their deck."""
    from sampleui.review.queue import ReviewOptions
    from sampleui.tui.review.first_screen import review_screen

    results, held = Path("examples/results/hello.results.jsonl"), Path("examples/decks/hello.toml")
    return review_screen(ReviewOptions(results=results, reviewer="ada", decks=(held,)), settings)


def sub_agents(settings: Settings) -> Callable[[], Screen[int]]:
    """Open a trace of an agent that had others search and read for it."""
    from sampleui.runs.records import open_run
    from sampleui.tui.trace.screen import TraceScreen

    folder = Path(tempfile.mkdtemp(prefix="agents-"))
    (folder / ".git").mkdir()
    path = folder / "research.jsonl"
    path.write_text(json.dumps({"id": "visitors-of-the-louvre", "score": 0, "trace": [*_research()]}) + "\n")
    return lambda: TraceScreen(open_run(path), settings)


def _research() -> Iterator[dict[str, object]]:
    """Yield the events of an agent, of two researchers that it called, and of the readers that these called."""
    clock = count(0, 700)

    def event(kind: str, **more: object) -> dict[str, object]:
        minutes, milliseconds = divmod(next(clock), 60_000)
        moment = f"2026-03-02T09:{minutes:02d}:{milliseconds / 1000:06.3f}Z"
        return {"type": kind, "timestamp": moment, **more}

    def said(role: str, text: str, **more: object) -> dict[str, object]:
        return event("message", text=text, metadata={"role": role}, **more)

    yield said("user", "How many people visited the Louvre in the year in which the pyramid was opened?")
    for name, task, answer in (
        ("r1", "Find the year in which the pyramid of the Louvre was opened", "The pyramid was opened in 1989."),
        ("r2", "Find how many people visited the Louvre in 1989", "I could not read the figures of 1989."),
    ):
        yield event("tool_call", id=name, name="researcher", input={"task": task}, output=answer, duration_ms=9_800)
        about = {"parent": name, "agent": "researcher"}
        yield said("user", task, **about)
        for query in ("louvre pyramid", "louvre pyramid opening", "louvre visitors by year"):
            yield event(
                "tool_call", name="search", input={"query": query}, output="3 hits", duration_ms=410, **about
            )
        reader = {"parent": f"{name}-read", "agent": "reader"}
        page = {"page": "louvre.fr/history" if name == "r1" else "louvre.fr/figures/1989"}
        yield event("tool_call", id=f"{name}-read", name="reader", input=page, duration_ms=3_100, **about)
        failed = {"is_error": True, "output": "404: there is no such page"} if name == "r2" else {"output": "12 kB"}
        yield event("tool_call", name="fetch", input=page, duration_ms=900, **failed, **reader)
        read = "The page is not there." if name == "r2" else "It opened in March 1989."
        yield said("assistant", read, **reader)
        yield said("assistant", answer, **about)
    yield said("assistant", "About three million people: the pyramid was opened in 1989.")


MODEL = """module.exports = class {
  id() { return "model" }
  async callApi(prompt, context) {
    if (!prompt.includes("France")) return { output: "Which country do you mean?" }
    const output = context?.repeatIndex === 1 ? "Paris, I think." : "Paris"
    return { output, tokenUsage: { prompt: 9, completion: 2 } }
  }
}
"""
CONFIG = """prompts: ["{{question}}"]
providers: [{id: "file://model.js", label: model}]
tests:
  - description: capital
    vars: {question: What is the capital?}
    assert: [{type: equals, value: Paris}]
  - description: river
    vars: {question: Which river flows through it?}
    assert: [{type: contains, value: Seine}]
"""


def run_with_a_fix(settings: Settings) -> Callable[[], Screen[int]]:
    """Open a run of promptfoo after a fix of its deck; left out where promptfoo is not there."""
    from sampleui.review.queue import ReviewOptions
    from sampleui.tui.review.first_screen import review_screen

    project = Path(tempfile.mkdtemp(prefix="geography-"))
    (project / ".git").mkdir()
    (project / "model.js").write_text(MODEL)
    deck = project / "promptfooconfig.yaml"
    deck.write_text(CONFIG)
    command = "promptfoo eval -c promptfooconfig.yaml --no-cache --no-write --no-table -o run.json"
    subprocess.run(command.split(), cwd=project, capture_output=True, check=False)
    deck.write_text(CONFIG.replace("the capital?", "the capital of France?"))
    return review_screen(ReviewOptions(project / "run.json", "ada"), settings)


KINDS = {
    "wrong price": ("It names another price than the list has.", "9 euros"),
    "invented bicycle": ("It offers a model that the desk does not have.", "Gazelle"),
    "promise of a day": ("It promises a day on which something arrives.", "Friday, sure"),
    "no question back": ("It assumes what it should have asked.", "I take it"),
}
"""Codes of the example of error analysis, with their definitions and words that tell which records fail so."""
NOTES = {
    "rental-001": ("says 9 euros, the list has 12", "That is 9 euros a day."),
    "rental-003": ("which tomorrow? it did not ask", "I take it that you mean tomorrow."),
    "rental-006": ("there is no such model here", "The Gazelle Ultra is free."),
}


def error_analysis(*, labelled: int = 0) -> Callable[[Settings], Callable[[], Screen[int]]]:
    """Return what opens the example of error analysis, with codes, notes, and labels of the first of a pass."""

    def opened(settings: Settings) -> Callable[[], Screen[int]]:
        from sampleui.review.codes import FailureCode, add_codes, codebook_of
        from sampleui.review.labels import draw_pass, label_about
        from sampleui.review.log.store import log_path, open_log
        from sampleui.review.queue import ReviewOptions
        from sampleui.review.results.file import open_results
        from sampleui.review.session import decision_about, found_entry
        from sampleui.review.verdict import LabelValue, LogAction
        from sampleui.runs.labelling import quoted_place
        from sampleui.tui.review.first_screen import review_screen

        project = Path(tempfile.mkdtemp(prefix="rental-"))
        shutil.copytree("examples/error-analysis", project, dirs_exist_ok=True)
        (project / ".git").mkdir()
        book = add_codes(
            codebook_of(project), [FailureCode(name, definition) for name, (definition, _) in KINDS.items()]
        )
        run = open_results(project / "rental.jsonl").indexed()
        log = open_log(log_path(run.path))
        for name, (comment, quote) in NOTES.items():
            record = run.record(found_entry(run, name).index)
            note = decision_about(record, None, "ada", comment=comment)
            log.append(replace(note, kind=LogAction.NOTE, place=quoted_place(record, quote, run)))
        if labelled:
            drawn = log.keep_draw(draw_pass(run.counted, [*KINDS], "ada", "1"))
            by_digest = {entry.digest: entry.index for entry in run.counted}
            records = [run.record(by_digest[digest]) for digest in [*drawn.records][:labelled]]
            log.append_all(
                label_about(
                    decision_about(record, None, "ada"),
                    book,
                    name,
                    LabelValue.YES if words in str(record.data) else LabelValue.NO,
                    drawn=drawn,
                )
                for record in records
                for name, (_, words) in KINDS.items()
            )
        return review_screen(ReviewOptions(results=run.path, reviewer="ada"), settings)

    return opened


SHOTS = (
    Shot("author", deck("hello.toml"), ("]", "j", "j", "j", "enter", "ctrl+end", "text: Is that right?")),
    Shot("review", review, ("]", "]", "]")),
    Shot("trace", trace, ("!",)),
    Shot("trace-tree", sub_agents, ("!",), size=(120, 34)),
    Shot("trace-tree-80", sub_agents, ("!", "h", "-", "-"), size=(80, 24)),
    Shot("author-80", deck("hello.toml"), ("]", "j"), size=(80, 24), theme="sampleui-light"),
    Shot("author-200", deck("agentv.yaml"), ("]", "]"), size=(200, 48)),
    Shot("review-80", review, ("]", "]", "]"), size=(80, 24), theme="sampleui-deuteranopia"),
    Shot("rerun", run_with_a_fix, ("ctrl+r", "backspace", "3", "enter", "y", "wait:10"), size=(110, 30)),
    Shot("notes", error_analysis(), ("m",), size=(110, 26)),
    Shot("pass", error_analysis(), ("L", "*", "enter", "wait:1"), size=(110, 30)),
    Shot("codes", error_analysis(labelled=40), ("R", "wait:2", "space"), size=(110, 34)),
    Shot("commands", deck("hello.toml"), ("?", "text:tool"), size=(120, 30), theme="sampleui-dusk"),
)


async def take(shot: Shot) -> None:
    """Write one picture."""
    settings = Settings(theme=shot.theme)
    app = SampleUI(shot.open(settings), settings)
    async with app.run_test(size=shot.size) as pilot:
        await pilot.pause(_SETTLED)
        for key in shot.keys:
            if key.startswith("wait:"):
                await pilot.pause(float(key.removeprefix("wait:")))
            else:
                await pilot.press(*(key.removeprefix("text:") if key.startswith("text:") else [key]))
                await pilot.pause(_SETTLED)
        await pilot.pause(_SETTLED)
        for editor in app.screen.query(TextArea):
            editor.cursor_blink = False
        svg = app.export_screenshot()
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / f"{shot.name}.svg").write_text(svg + "\n", encoding="utf-8")


def main(names: list[str]) -> None:
    """Take the pictures of these names, or all."""
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {f"XDG_{kind}_HOME": home for kind in ("CONFIG", "STATE", "DATA")}
        os.environ["COLORTERM"] = "truecolor"  # the theme as it is, whatever terminal this runs in
        for shot in SHOTS:
            if shot.open is run_with_a_fix and shutil.which("promptfoo") is None:
                continue
            if not names or shot.name in names:
                asyncio.run(take(shot))


if __name__ == "__main__":
    main(sys.argv[1:])
