"""What the project writes and reads, as deeds that are tried while the system fails, and what must hold then."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sampleui import Deck, open_deck
from sampleui.deck.history import UndoStep
from sampleui.deck.journal import Journal, recoverable
from sampleui.deck.load import create, load
from sampleui.deck.model import Change, DeckFiles
from sampleui.deck.save import write_copy
from sampleui.errors import DeckError, ResultsError, SampleUIError, SaveError, SettingsError
from sampleui.formats.data import Table
from sampleui.formats.operations import Set
from sampleui.review.log.store import Log, line_of, open_log
from sampleui.review.results.file import open_results
from sampleui.review.verdict import Decision, Verdict
from sampleui.settings.options import load_settings, user_file
from sampleui.settings.writing import remember
from sampleui.trace.reading.files import records_of
from sampleui.workspace.deck import deck_of

SAMPLE = '# about {0}\n[[samples]]\nid = "{0}"\n\n[[samples.messages]]\nrole = "user"\ncontent = "old" # {0}\n\n'
PLACE = ("messages", 0, "content")
_NUMBERS = itertools.count()


def settle(home: Path) -> None:
    """Keep settings and state in a folder of one's own."""
    os.environ.update(HOME=str(home), XDG_CONFIG_HOME=str(home / "config"), XDG_STATE_HOME=str(home / "state"))


def fresh(home: Path) -> Path:
    """Return a folder that no deed was done in, with settings and state of its own."""
    folder = home / str(next(_NUMBERS))
    folder.mkdir()
    settle(folder)
    return folder


def drafts(folder: Path) -> str:
    """Say which drafts lie about."""
    left = [path.name for path in folder.rglob(".sampleui-*.tmp")]
    return f"left behind: {left}" if left else ""


class Deed:
    """Something that is done in a folder."""

    error: type[SampleUIError] = SampleUIError
    """What it may raise."""

    absent = False
    """Whether the call that failed said that there is no such file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self) -> None:
        """Bring the folder to where the deed begins."""

    def do(self) -> None:
        """Do it, while a call fails."""

    def holds(self, error: BaseException | None) -> Iterator[str]:
        """Yield what does not hold after it was done, or raised an error."""
        yield from ()

    def again(self) -> Iterator[str]:
        """Do it with no fault, after it was tried with one; yield what does not hold."""
        yield from ()

    def killed(self) -> Iterator[str]:
        """Yield what does not hold in the folder of a process that was killed."""
        yield from ()

    def judged(self, error: BaseException | None) -> str:
        """Return all that does not hold, on one line."""
        if error is not None and not isinstance(error, self.error):
            return f"raised {error!r}"
        if error is not None and len(str(error).splitlines()) != 1:
            return f"not one line: {error!r}"
        return "; ".join(said for said in (*self.holds(error), drafts(self.folder), *self.again()) if said)

    def mourned(self) -> str:
        """Return all that does not hold after a kill, on one line."""
        return "; ".join(said for said in (*self.killed(), drafts(self.folder)) if said)


class Save(Deed):
    """A deck of one file is saved."""

    error = SaveError

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "deck.toml"
        self.old: bytes | None = (SAMPLE.format("one") + SAMPLE.format("two")).encode()
        self.new = self.old.replace(b'"old" # one', b'"new" # one')

    def begin(self) -> None:
        if self.old is not None:
            self.path.write_bytes(self.old)
            self.path.chmod(0o640)
        self.deck = self.edited()

    def edited(self) -> Deck:
        return open_deck(self.path).set(0, PLACE, "new")

    def do(self) -> None:
        self.deck.save()

    def held(self) -> bytes | None:
        return self.path.read_bytes() if self.path.exists() else None

    def holds(self, error: BaseException | None) -> Iterator[str]:
        wanted = self.new if error is None else self.old
        if self.held() != wanted:
            yield f"the file holds {self.held()!r} after {error!r}"
        if self.deck.changed != (error is not None):
            yield f"the deck is {'' if self.deck.changed else 'un'}changed after {error!r}"
        if error is not None and "was not saved" not in str(error):
            yield f"the message does not say so: {error}"

    def again(self) -> Iterator[str]:
        self.deck.save()
        if self.held() != self.new or self.deck.changed:
            yield f"trying again left {self.held()!r}"
        if self.old is not None and self.path.stat().st_mode & 0o777 != 0o640:
            yield "the mode is lost"
        yield drafts(self.folder)

    def killed(self) -> Iterator[str]:
        if self.held() not in (self.old, self.new):
            yield f"the file holds {self.held()!r}"
        if self.held() is None:
            self.begin()
            self.deck.save()
        else:
            open_deck(self.path).set(0, PLACE, "later").save()
            if open_deck(self.path).samples[0].messages[0]["content"] != "later":
                yield "the next save is not there"


class SaveNew(Save):
    """A deck is saved that no file is of yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.old = None
        self.new = self.edited().text.encode()

    def edited(self) -> Deck:
        sample: Table = {"id": "one", "messages": [{"role": "user", "content": "new"}]}
        return deck_of(create(self.path)).insert_sample(0, sample)


class SaveLinked(Save):
    """A deck behind a symlink, with another hard link and an attribute, is saved."""

    def begin(self) -> None:
        real = self.folder / "real.toml"
        assert self.old is not None
        real.write_bytes(self.old)
        real.chmod(0o640)
        (self.folder / "hard.toml").hardlink_to(real)
        os.setxattr(real, "user.note", b"mine")
        self.path.symlink_to(real.name)
        self.deck = self.edited()

    def again(self) -> Iterator[str]:
        yield from super().again()
        if not self.path.is_symlink() or (self.folder / "hard.toml").read_bytes() != self.old:
            yield "a link is lost"


class SaveCopy(Save):
    """The text of an edited deck is saved under another name; the deck itself stays as it is."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.copy = folder / "copy.toml"

    def do(self) -> None:
        if not write_copy(self.deck.files.sources[0], self.copy):
            raise AssertionError("there is a copy already")

    def holds(self, error: BaseException | None) -> Iterator[str]:
        if self.held() != self.old or not self.deck.changed:
            yield f"the deck holds {self.held()!r} after {error!r}"
        if self.copied() != (self.new if error is None else None):
            yield f"the copy holds {self.copied()!r} after {error!r}"
        if error is not None and f"{self.copy.name} was not saved" not in str(error):
            yield f"the message does not say so: {error}"

    def copied(self) -> bytes | None:
        return self.copy.read_bytes() if self.copy.exists() else None

    def again(self) -> Iterator[str]:
        write_copy(self.deck.files.sources[0], self.copy)
        if self.copied() != self.new:
            yield f"trying again left {self.copied()!r}"
        yield drafts(self.folder)

    def killed(self) -> Iterator[str]:
        if self.copied() not in (None, self.new):
            yield f"the copy holds {self.copied()!r}"
        yield from super().killed()


class SaveMarkdown(Deed):
    """A Markdown deck is saved, two of whose files changed."""

    error = SaveError

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.paths = [folder / name for name in ("one.toml", "two.toml")]
        self.old = [SAMPLE.format(path.stem).encode() for path in self.paths]
        self.new = [old.replace(b'"old"', b'"new"') for old in self.old]

    def begin(self) -> None:
        (self.folder / "all.deck.md").write_text("![one](one.toml)\n![two](two.toml)\n")
        for path, old in zip(self.paths, self.old, strict=True):
            path.write_bytes(old)
        self.deck = open_deck(self.folder / "all.deck.md").set(0, PLACE, "new").set(1, PLACE, "new")

    def do(self) -> None:
        self.deck.save()

    def whole(self) -> list[bool | None]:
        """Tell of each file whether it is the new one; None for one that is neither."""
        held = [path.read_bytes() for path in self.paths]
        return [{old: False, new: True}.get(one) for one, old, new in zip(held, self.old, self.new, strict=True)]

    def holds(self, error: BaseException | None) -> Iterator[str]:
        found = self.whole()
        if None in found or (error is None) != all(found):
            yield f"new are {found} after {error!r}"
        told = [path.name for path in self.paths if path.name in str(error).partition("saved before that")[2]]
        if error is not None and told != [path.name for path, new in zip(self.paths, found, strict=True) if new]:
            yield f"new are {found}, and told is {error}"

    def again(self) -> Iterator[str]:
        self.deck.save()
        if self.whole() != [True, True] or self.deck.changed:
            yield f"trying again left {self.whole()}"
        yield drafts(self.folder)

    def killed(self) -> Iterator[str]:
        if None in self.whole():
            yield f"a file is neither old nor new: {self.whole()}"
        open_deck(self.folder / "all.deck.md").set(0, PLACE, "later").save()


class Decide(Deed):
    """A decision is recorded in a log that has one."""

    error = ResultsError
    torn = b""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "run.reviews.jsonl"
        self.first = [_decision("first")]
        self.made = _decision("second")

    def begin(self) -> None:
        if self.first or self.torn:
            self.path.write_bytes(b"".join(map(line_of, self.first)) + self.torn)
        self.log = Log(self.path)

    def do(self) -> None:
        self.log.append(self.made)

    def recorded(self) -> set[str]:
        return {one.record for one in open_log(self.path).decisions}

    def expected(self, made: bool) -> set[str]:
        return {one.record for one in self.first} | ({self.made.record} if made else set())

    def names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()} - {"state", "config"}

    def holds(self, error: BaseException | None) -> Iterator[str]:
        before = self.names()
        if error is not None and not self.first and not self.torn and before:
            yield f"left behind: {before}"
        if error is not None and "may or may not" in str(error):
            return
        if self.recorded() != self.expected(error is None):
            yield f"recorded is {self.recorded()} after {error!r}"

    def again(self) -> Iterator[str]:
        self.log.append(_decision("third"))
        if not {*self.expected(False), "third"} <= self.recorded() or open_log(self.path).unreadable:
            yield f"after trying again recorded is {self.recorded()}"
        if not {one.record for one in self.log.decisions} <= self.recorded():
            yield "the log held in memory knows of more"
        if extra := self.names() - {self.path.name, *([f"{self.path.name}.torn"] if self.torn else [])}:
            yield f"left behind: {extra}"

    def killed(self) -> Iterator[str]:
        if not self.expected(False) <= self.recorded() or open_log(self.path).unreadable:
            yield f"recorded is {self.recorded()}"
        open_log(self.path).append(_decision("third"))
        if "third" not in self.recorded():
            yield "the next decision is not recorded"


class DecideFirst(Decide):
    """The first decision makes the log."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.first = []


class DecideTorn(Decide):
    """A decision is recorded behind a line that a killed process left unfinished."""

    torn = b'{"id": "half'


class Undo(Decide):
    """A decision is taken back."""

    def do(self) -> None:
        if not self.log.undo("ann"):
            raise ResultsError("nothing to undo", self.path)  # as is said where the log is missing

    def recorded(self) -> set[str]:
        log = open_log(self.path)
        return {one.record for one in log.decisions if log.current(one.record) is not None}

    def expected(self, made: bool) -> set[str]:
        return set() if made else {"first"}

    def again(self) -> Iterator[str]:
        self.log.undo("ann")
        if self.recorded():
            yield "trying again did not take it back"

    def killed(self) -> Iterator[str]:
        if self.recorded() not in (set(), {"first"}):
            yield "neither taken back nor not"


class Write(Deed):
    """Two steps are written into a journal."""

    texts: tuple[str, ...] = ("new", "newer")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "deck.toml"

    def begin(self) -> None:
        self.path.write_text(SAMPLE.format("one"))
        self.files = load(self.path)
        self.journal = Journal(self.files)

    def edit(self, text: str) -> None:
        step = UndoStep(text, (Change(0, self.files.sources[0].document.edit(0, Set(PLACE, text))),))
        self.journal.record(step)
        self.files = step.apply(self.files)

    def do(self) -> None:
        for text in self.texts:
            self.edit(text)

    def die(self) -> None:
        if self.journal.file is not None:
            self.journal.file.close()

    def found(self) -> str:
        """Return what the next session is offered; words where it is told that there is nothing of use."""
        files = load(self.path)
        recovery = recoverable(files)
        for left in recovery.left[:1]:
            for step in left.steps:
                files = step.apply(files)
        return "; ".join((*recovery.notes, *(one.why for one in recovery.stale))) or _content(files)

    def holds(self, error: BaseException | None) -> Iterator[str]:
        if error is not None:
            yield f"raised {error!r}"

    def again(self) -> Iterator[str]:
        self.edit("last")
        self.die()
        if self.journal.failure is not None or self.found() != "last":
            yield f"found is {self.found()}, told {self.journal.failure}"

    def killed(self) -> Iterator[str]:
        if self.found() not in ("old", *self.texts):
            yield f"found is {self.found()}"


class WriteAndSave(Write):
    """A session's step is written down, saved, and its journal begun anew."""

    texts = ("new",)

    def do(self) -> None:
        super().do()
        self.journal.saving(self.files)
        deck_of(self.files).save()
        self.journal.restart(self.files)

    def holds(self, error: BaseException | None) -> Iterator[str]:
        if (_content(load(self.path)) == "new") != (error is None):
            yield f"on the disk is {_content(load(self.path))} after {error!r}"

    def killed(self) -> Iterator[str]:
        yield from super().killed()
        open_deck(self.path).set(0, PLACE, "later").save()

    def again(self) -> Iterator[str]:
        deck_of(self.files).save()
        self.journal.restart(self.files)
        self.die()
        if self.found() != "new":
            yield f"found is {self.found()}"


class Remember(Deed):
    """A setting is written into the user's file."""

    error = SettingsError
    old: bytes | None = b"# mine\r\ntheme = 'old' # a theme\r\n[keys]\r\n'a.b' = 'x'\r\n"
    new = b"# mine\r\ntheme = 'nord' # a theme\r\n[keys]\r\n'a.b' = 'x'\r\n"

    def begin(self) -> None:
        if self.old is not None:
            user_file().parent.mkdir(parents=True)
            user_file().write_bytes(self.old)

    def do(self) -> None:
        remember("theme", "nord")

    def held(self) -> bytes | None:
        return user_file().read_bytes() if user_file().exists() else None

    def holds(self, error: BaseException | None) -> Iterator[str]:
        if self.held() != (self.new if error is None else self.old):
            yield f"the file holds {self.held()!r} after {error!r}"

    def again(self) -> Iterator[str]:
        remember("theme", "nord")
        if self.held() != self.new:
            yield f"trying again left {self.held()!r}"
        yield drafts(self.folder)

    def killed(self) -> Iterator[str]:
        if self.held() not in (self.old, self.new):
            yield f"the file holds {self.held()!r}"
        remember("theme", "nord")


class RememberFirst(Remember):
    """The first setting makes the user's file."""

    old = None
    new = b'theme = "nord"\n'


class Read(Deed):
    """Decks, results, logs, traces and settings are read, whole or not at all."""

    def begin(self) -> None:
        (self.folder / "deck.toml").write_text("".join(map(SAMPLE.format, "abc")))
        row = '{"eval_id": "%s", "score": 0.1, "trace": [{"type": "message", "text": "x"}]}\n'
        (self.folder / "run.jsonl").write_text("".join(row % name for name in "abc"))
        (self.folder / "run.reviews.jsonl").write_bytes(b"".join(line_of(_decision(name)) for name in "abc"))
        (self.folder / ".sampleui.toml").write_text('scorer = "ann"\n')

    def do(self) -> None:
        self.found: list[int] = []
        for read in self.reads():
            try:
                self.found.append(read())
            except (DeckError, ResultsError, SettingsError):
                self.found.append(3)

    def reads(self) -> Iterator[Callable[[], int]]:
        yield lambda: len(open_deck(self.folder / "deck.toml").samples)
        yield lambda: len(open_results(self.folder / "run.jsonl").indexed())
        yield lambda: len(open_log(self.folder / "run.reviews.jsonl").decisions)
        yield lambda: len([*records_of(self.folder / "run.jsonl")])
        yield lambda: len(load_settings(self.folder).scorer or "")

    def holds(self, error: BaseException | None) -> Iterator[str]:
        optional = {0, 3} if self.absent else {3}  # there may be no log, and no settings
        log, settings = self.found[2], self.found[4]
        if error is not None or not {log, settings} <= optional or [*self.found[:2], self.found[3]] != [3, 3, 3]:
            yield f"read were {self.found}, {error!r}"


def _decision(record: str) -> Decision:
    return Decision(reviewer="ann", record=record, record_id=record, sample=record, verdict=Verdict.OK)


def _content(files: DeckFiles) -> str:
    return str(deck_of(files).samples[0].messages[0]["content"])


DEEDS: Mapping[str, type[Deed]] = {
    deed.__name__: deed
    for deed in (
        *(Save, SaveNew, SaveLinked, SaveCopy, SaveMarkdown),
        *(Decide, DecideFirst, DecideTorn, Undo),
        *(Write, WriteAndSave, Remember, RememberFirst, Read),
    )
}
