"""The app and two other processes edit one deck at once: nothing is lost, and whatever is refused is told.

    python -m tests.torture.sharing [ROUNDS] [--seed N] [--every N]

In each round two processes make an edit by a command, with `--expect` and without, while the app, which has the
deck open, is typed into and saves now and then. Every edit bears a mark of its own. After each round the file must
read, by readers of other makers too, and must have every edit that was answered with success, or a later one of the
same field; every comment must be in it once; and what the app has not saved must still be in the app. Where both
have changed one field, the app must have asked before mine took the place of theirs. Every so many rounds the
commands are processes of their own, begun for the one edit; else two processes take one command line after another.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml

from sampleui.deck.history import Focus
from sampleui.formats.data import DataPath, Plain, lookup
from sampleui.workspace.deck import open_deck
from tests.command import ran
from tests.tui.driver import Driver, opened, said

SAMPLES = ("a", "b", "c")
ROUNDS_OF_A_DECK = 40
HOMES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")

_TOML = """\
# keep {0} before
[[samples]]
id = "{0}" # keep {0} id
note = "old" # keep {0} note
count = 0
tags = ["old"] # keep {0} tags
messages = [
  {{ role = "user", content = "old" }}, # keep {0} turn
]

[samples.metadata] # keep {0} metadata
ann-0 = "ann"
bob-0 = "bob" # keep {0} last

"""
_YAML = """\
# keep {0} before
- id: {0}  # keep {0} id
  note: old  # keep {0} note
  count: 0
  tags:
  # keep {0} tags
  - old
  messages:
  - role: user
    content: old  # keep {0} turn
  metadata:  # keep {0} metadata
    ann-0: ann
    bob-0: bob  # keep {0} last
"""


def _json_of(name: str) -> str:
    turn: Plain = {"role": "user", "content": "old"}
    metadata: Plain = {"ann-0": "ann", "bob-0": "bob"}
    return json.dumps(
        {"id": name, "note": "old", "count": 0, "tags": ["old"], "messages": [turn], "metadata": metadata}
    )


def _lines(path: Path) -> Any:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


class Form(NamedTuple):
    """A form of a deck: its text, and how a reader of another maker reads its samples."""

    text: str
    read: Callable[[Path], Any]


FORMS: Mapping[str, Form] = {
    "toml": Form(
        "# keep head\n\n" + "".join(map(_TOML.format, SAMPLES)),
        lambda path: tomllib.loads(path.read_text("utf-8"))["samples"],
    ),
    "yaml": Form(
        "# keep head\n" + "".join(map(_YAML.format, SAMPLES)),
        lambda path: yaml.safe_load(path.read_text("utf-8")),
    ),
    "json": Form(
        "[\n  " + ",\n  ".join(map(_json_of, SAMPLES)) + "\n]\n", lambda path: json.loads(path.read_text("utf-8"))
    ),
    "jsonl": Form("".join(_json_of(name) + "\n" for name in SAMPLES), _lines),
}


@dataclass
class Counts:
    """What was done, and what did not hold."""

    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def told(self) -> str:
        """Return the counts as lines."""
        return "\n".join([*self.faults[:20], *(f"{count:,} {what}" for what, count in sorted(self.done.items()))])


class Worker:
    """A process that runs command lines, one after another."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def begin(cls) -> Worker:
        """Start one."""
        return cls(await _started("tests.torture.sharing", "--worker", stdin=asyncio.subprocess.PIPE))

    async def run(self, arguments: Sequence[str]) -> tuple[int, str]:
        """Run a command line; return its exit code and all that it said."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([*arguments]).encode() + b"\n")
        line = await self._process.stdout.readline()
        try:
            code, words = json.loads(line)
        except ValueError:
            raise RuntimeError(f"a worker ended: {(line + await self._process.stdout.read()).decode()}") from None
        return code, words

    async def end(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


async def _started(module: str, *arguments: str, stdin: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", module, *arguments),
        stdin=stdin,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=1 << 24,
    )


async def process_of_its_own(arguments: Sequence[str]) -> tuple[int, str]:
    """Run a command line as a shell does; return its exit code and all that it said."""
    process = await _started("sampleui", *arguments, stdin=asyncio.subprocess.DEVNULL)
    words, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, words.decode()


def work() -> None:
    """Be a worker: run the command lines that standard input has, and answer each with a line."""
    for line in sys.stdin:
        run = ran(*json.loads(line))
        print(json.dumps([run.code, run.out + run.err]), flush=True)


@dataclass
class Told:
    """What the file must hold, by what was answered with success.

    Attributes:
        values: by sample and path, which of some values must be there.
        tags: by sample, what was put into its list.
        counts: by sample, how often one was added to its number.
        keys: by sample and process, the key that was renamed last.
        added: the samples that were added.
        unsaved: by sample and path, what was typed into the app and is not saved, and the round it was typed in.
        theirs: by sample and path, the last round in which a command set the value.
    """

    values: dict[tuple[str, DataPath], set[str]] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=lambda: {name: ["old"] for name in SAMPLES})
    counts: Counter[str] = field(default_factory=Counter)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    unsaved: dict[tuple[str, DataPath], tuple[str, int]] = field(default_factory=dict)
    theirs: dict[tuple[str, DataPath], int] = field(default_factory=dict)


NOTE: DataPath = ("note",)
TURN: DataPath = ("messages", 0, "content")


class Sharing:
    """One deck that the app and two processes edit."""

    def __init__(self, app: Driver, form: Form, chance: Random, counts: Counts, name: str) -> None:
        self._app, self._form, self._chance, self._counts, self._name = app, form, chance, counts, name
        self._told = Told()
        self._comments = sorted(_comments(form.text))
        self._number = 0
        self._fresh: dict[tuple[str, DataPath], set[str]] = {}

    async def round(self, number: int, run: Sequence[Callable[[Sequence[str]], Any]]) -> None:
        """Make the edits of one round, and look at what came of them."""
        self._number, self._fresh = number, {}
        commands = (self._command(who, command) for who, command in zip(("ann", "bob"), run, strict=True))
        await asyncio.gather(*commands, self._in_the_app())
        self._told.values |= self._fresh
        self._look()

    def _fault(self, what: str) -> None:
        self._counts.faults.append(f"{self._name}, round {self._number}: {what}")

    # The commands

    async def _command(self, who: str, run: Callable[[Sequence[str]], Any]) -> None:
        sample, mark = self._chance.choice(SAMPLES), f"{who}-{self._number}"
        deck = ("--sample", sample, str(self._app.path))
        told = self._told
        expected: tuple[str, ...] = ()
        held: Any = None
        what = self._chance.choice(
            ("set", "set", "set turn", "insert", "move", "rename", "count", "add", "move sample")
        )
        if what == "count" or self._chance.random() < 0.3:
            path = ("--path", "count") if what == "count" else ()
            code, words = await run(("get", *deck, *path, "--format", "json"))
            if code != 0:
                self._fault(f"get: exit {code}: {words}")
                return
            found = json.loads(words)
            expected, held = ("--expect", found["hash"]), found["value"]
        value: tuple[str, DataPath] = (sample, TURN if what == "set turn" else NOTE)
        new = f"{who}-{self._number}"
        arguments: tuple[str, ...]
        match what:
            case "set" | "set turn":
                path_words = "note" if what == "set" else "messages[0].content"
                arguments = ("set", *deck, "--path", path_words, "--value", mark)
            case "insert":
                arguments = ("insert", *deck, "--path", "tags[0]", "--value", mark)
            case "move":
                last = str(self._chance.randrange(3))
                arguments = ("move", *deck, "--path", "tags[0]", "--to", last)
            case "rename":
                old = told.keys.get((sample, who), f"{who}-0")
                arguments = ("rename", *deck, "--path", f"metadata.{old}", "--to", new)
            case "count":
                arguments = ("set", *deck, "--path", "count", "--json", str(held + 1))
            case "add":
                data = json.dumps({"id": mark, "messages": [{"role": "user", "content": mark}]})
                arguments = ("add-sample", str(self._app.path), "--json", data)
            case _:
                place = f"#{self._chance.randint(1, len(SAMPLES))}"
                arguments = ("move-sample", *deck, "--to", place)
        code, words = await run((*arguments, *expected))
        self._counts.done[f"command {what}: {'done' if code < 2 else 'refused'}"] += 1
        if code not in (0, 1):
            self._refused(what, code, words)
            return
        match what:
            case "set" | "set turn":
                self._fresh.setdefault(value, set()).add(mark)
                told.theirs[value] = self._number
            case "insert":
                told.tags[sample].append(mark)
            case "rename":
                told.keys[sample, who] = new
            case "count":
                told.counts[sample] += 1
            case "add":
                told.added.append(mark)

    def _refused(self, what: str, code: int, words: str) -> None:
        """Hold a refusal to its words: it is for what changed meanwhile, or for a place that there is not."""
        known = ("changed on disk since it was read", "it has changed since", "has changed meanwhile")
        allowed = (*known, "tags has") if what == "move" else known
        if code != 2 or "Traceback" in words or not any(part in words for part in allowed):
            self._fault(f"{what}: exit {code}: {words}")

    # The app

    async def _in_the_app(self) -> None:
        app, told = self._app, self._told
        await asyncio.sleep(self._chance.uniform(0, 0.05))
        for _ in range(self._chance.randrange(3)):
            await self._type(*self._chance.choice((("note", NOTE), ("turn", TURN), ("turn", TURN))))
        if self._chance.random() < 0.3:
            await app.until(lambda: not app.screen.file_watch.looking)
            await app.screen.file_watch.look()
            await app.rested()
        if self._chance.random() < 0.5:
            await self._save()
        for (sample, path), (mark, _) in told.unsaved.items():
            if (held := self._in_app(sample, path)) != mark:
                self._fault(f"the app has {held!r} and not the unsaved {mark!r} in {path} of {sample}")

    def _in_app(self, sample: str, path: DataPath) -> Plain:
        samples = self._app.screen.session.deck.samples
        return lookup(next(item.data for item in samples if item.id == sample), path)

    async def _type(self, what: str, path: DataPath) -> None:
        app, sample = self._app, self._chance.choice(SAMPLES)
        mark = f"app-{self._number}-{self._chance.randrange(1_000_000)}"
        app.screen.go(Focus(app.ids.index(sample), path))
        await app.rested()
        await app.press("enter")
        await app.write(mark)
        await asyncio.sleep(self._chance.uniform(0, 0.05))
        await app.press("escape")
        await app.rested()
        if app.screen.typing:
            await app.press("escape")
        self._counts.done[f"typed into the app: {what}"] += 1
        if (held := self._in_app(sample, path)) != mark:
            self._fault(f"typed {mark!r}, and the app has {held!r}: {said(app.screen)}")
            return
        _, since = self._told.unsaved.get((sample, path), ("", self._number))
        self._told.unsaved[sample, path] = (mark, since)

    async def _save(self) -> None:
        app, told = self._app, self._told
        await app.press("ctrl+s")
        asked = 0
        while app.app.screen is not app.screen:
            asked += 1
            if asked > 9 or self._chance.random() < 0.2:
                await app.press("escape")
                self._counts.done["app: asked, and not saved"] += 1
                return
            await app.press("m")
        if app.screen.session.unsaved:
            self._counts.done["app: not saved"] += 1
            self._fault(f"not saved: {said(app.screen)}")
            return
        self._counts.done[f"app: saved, {'asked' if asked else 'not asked'}"] += 1
        for value, (mark, since) in told.unsaved.items():
            if not asked and since < told.theirs.get(value, -1) < self._number:
                self._fault(f"{mark!r} took the place of what a command set in {value}, and nobody asked")
            self._fresh.setdefault(value, set()).add(mark)
        told.unsaved.clear()

    # What came of it

    def _look(self) -> None:
        path, told = self._app.path, self._told
        deck = open_deck(path)
        samples = {item.id: item.data for item in deck.samples}
        by_others = {item["id"]: item for item in self._form.read(path)}
        if json.loads(json.dumps(samples)) != by_others:
            self._fault("another reader reads something else")
        if {*samples} != {*SAMPLES, *told.added} or len(deck.samples) != len(samples):
            self._fault(f"the samples are {[item.id for item in deck.samples]}, and {told.added} were added")
            return
        for (sample, where), marks in told.values.items():
            if (held := lookup(samples[sample], where)) not in marks:
                self._fault(f"{where} of {sample} is {held!r} and none of {sorted(marks)}")
        for sample in SAMPLES:
            data: Any = samples[sample]
            if sorted(data["tags"]) != sorted(told.tags[sample]):
                self._fault(f"the tags of {sample} are {data['tags']} and not {told.tags[sample]}")
            if data["count"] != told.counts[sample]:
                self._fault(f"the count of {sample} is {data['count']} and not {told.counts[sample]}")
            keys = {told.keys.get((sample, who), f"{who}-0"): who for who in ("ann", "bob")}
            if data["metadata"] != keys:
                self._fault(f"the metadata of {sample} are {data['metadata']} and not {keys}")
        if (comments := sorted(_comments(path.read_text("utf-8")))) != self._comments:
            lost, more = Counter(self._comments) - Counter(comments), Counter(comments) - Counter(self._comments)
            self._fault(f"comments are lost: {[*lost]}, or there twice: {[*more]}")


def _comments(text: str) -> list[str]:
    return [line[line.index("# keep") :] for line in text.splitlines() if "# keep" in line]


async def shared(form: str, rounds: range, every: int, seed: str, counts: Counts) -> None:
    """Share one deck for some rounds."""
    chance = Random(f"{seed}/{form}/{rounds.start}")
    workers, before = [await Worker.begin(), await Worker.begin()], len(counts.faults)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"deck.{form}"
            path.write_text(FORMS[form].text, encoding="utf-8")
            async with opened(path, size=chance.choice(((80, 24), (120, 40)))) as app:
                sharing = Sharing(app, FORMS[form], chance, counts, f"{seed} {form} {rounds.start}")
                for number in rounds:
                    own = number % every == every - 1
                    await sharing.round(number, [process_of_its_own if own else worker.run for worker in workers])
                    counts.done["rounds"] += 1
                    if len(counts.faults) > before:
                        break
                app.screen.session.journal.discard()
    finally:
        for worker in workers:
            await worker.end()


def run(rounds: int, seed: str, every: int) -> Counts:
    """Share decks of every form for so many rounds, and return what came of it."""
    counts = Counts()
    forms = [*FORMS]
    for turn, first in enumerate(range(0, rounds, ROUNDS_OF_A_DECK)):
        part = range(first, min(first + ROUNDS_OF_A_DECK, rounds))
        asyncio.run(shared(forms[turn % len(forms)], part, every, seed, counts))
    return counts


def main() -> int:
    """Run as the command line says; 1 if there are faults."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rounds", type=int, nargs="?", default=1_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--worker", action="store_true")
    asked = parser.parse_args()
    if asked.worker:
        work()
        return 0
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(dict.fromkeys(HOMES, home))
        counts = run(asked.rounds, asked.seed, asked.every)
    print(counts.told())
    print(f"{len(counts.faults)} faults")
    return 1 if counts.faults else 0


if __name__ == "__main__":
    sys.exit(main())
