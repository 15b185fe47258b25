"""Sequences of a terminal, cut at any byte and held back between, with keys typed among them.

    python -m tests.torture.split_keys [--sequences N] [--in-terminal N] [--seed S]

What is read must be what was typed, in its order: no sequence becomes keys, however it is cut. Without Kitty's
protocol an ESC that was cut off may be the key, and then the rest of its sequence is lost. The clock is a number
that the reader is given; `--in-terminal` sequences go through a pseudo-terminal to a review, and the verdicts on
the disk must be the digits that were typed. The exit status is 1 when there was a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from textual.events import Key
from textual.message import Message

from sampleui.review.verdict import Verdict
from sampleui.tui.input.reader import ESCAPE_DELAY_S, SILENCE_S, EscapedKey, KeyReader

from .program import Program

MAX_GAP_S = 0.2
"""The longest time for which a line holds bytes back."""

_KITTY_ANSWER, _NO_KITTY = b"\x1b[?25u", b"\x1b[?0u"

REPORTS = (
    "\x1b[?{n};4c", "\x1b[>0;{n};0c", "\x1b[{n};{n}R", "\x1b[0n", "\x1b[?997;1n", "\x1b[?2027;2$y", "\x1b[12;2$y",
    "\x1b[48;30;100;600;1000t", "\x1b[8;{n};{n}t", "\x1b[4;{n};{n}t", "\x1b[I", "\x1b[O",
    "\x1b[{n};{n};{n}M", "\x1b[M !{x}",
    "\x1b[M{x}12", "\x1b[57441;2u", "\x1b[97;1:3u", "\x1b[?1;2;{n}S", "\x1b[2;1;1;112;112;1;0x",
    "\x1b]{n};rgb:{n}{n}/1234/5678\x07", "\x1b]4;{n};rgb:1/2/3\x1b\\", "\x1b]52;c;MTIz{n}\x07",
    "\x1b]l{n} 1 2\x1b\\", "\x1b]L3 {n}\x07",
    "\x1bP>|term({n})\x1b\\", "\x1bP1$r{n}m\x1b\\", "\x1bP1+r544e={n}\x1b\\", "\x1bP!|{n}\x1b\\",
    "\x1b_Gi={n};OK\x1b\\", "\x1b_1 2 3\x1b\\", "\x1b^1 2\n3 A\x1b\\", "\x1bX4 5 {n}\x1b\\",
)  # fmt: skip
"""What a terminal may answer or tell, none of which is a key."""

PRESSED = (
    "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[Z", "\x1b[1;5C", "\x1b[1;2D", "\x1b[3~", "\x1b[5~", "\x1b[15~",
    "\x1b[24;5~", "\x1b[3$", "\x1b[7^", "\x1b[a", "\x1bOA", "\x1bOF", "\x1bOP", "\x1b[[A",
    "\x1b[27;6;13~", "\x1b[13;2u",    "\x1b[97:65;2u", "\x1b[0;;28450:23383u",
)  # fmt: skip
"""Keys that have a sequence."""

POINTED = ("\x1b[<35;{n};5M", "\x1b[<64;{n};9M", "\x1b[<65;{n};9M", "\x1b[<51;1;{n}M")
PASTED = (
    "\x1b[200~1 2 3\x1b[201~",
    "\x1b[200~\x1b[{n}u\x1b\x1b]{n}\r\n5\x1b[201~",
    "\x1b[200~\x1b[201~",
    "\x1b[200~é4\x1b[201~",
)
TYPED = "12345jk][OPX^_uxA é\r\t\x13\x1b"


class Sent(NamedTuple):
    """Bytes that belong together, and whether a person typed them as a key that has no sequence."""

    data: bytes
    is_typed: bool


class Piece(NamedTuple):
    """Bytes that come together after some seconds."""

    gap: float
    data: bytes


def sequence(chance: random.Random) -> bytes:
    """Return a sequence of any kind."""
    template = chance.choice(chance.choice((REPORTS, REPORTS, PRESSED, POINTED, PASTED)))
    return filled(template, chance)


def filled(template: str, chance: random.Random) -> bytes:
    """Return a sequence with numbers of its own."""
    return template.format(n=chance.randint(1, 255), x=chance.choice("\xff\x80 ")).encode(
        "latin-1" if "{x}" in template else "utf-8"
    )


def in_kittys(character: str) -> bytes:
    """Return a key as Kitty's protocol has it."""
    code = ord(character)
    if character in "\r\t\x1b":
        return f"\x1b[{code}u".encode()
    if code < 32:
        return f"\x1b[{code + 96};5u".encode()
    return f"\x1b[{ord(character.lower())};{1 + character.isupper()};{code}u".encode()


def sent(chance: random.Random, count: int, kitty: bool, typed: str = TYPED) -> Iterator[Sent]:
    """Yield so many sequences, with keys between them."""
    for _ in range(count):
        answer = _KITTY_ANSWER if kitty else _NO_KITTY
        yield Sent(sequence(chance) if chance.random() < 0.98 else answer, is_typed=False)
        for _ in range(chance.choice((0, 0, 1, 2))):
            character = chance.choice(typed)
            yield Sent(in_kittys(character) if kitty else character.encode(), is_typed=True)


def cut(chance: random.Random, data: bytes) -> Iterator[Piece]:
    """Cut bytes anywhere, or everywhere, or nowhere."""
    places = range(1, len(data))
    count = chance.choice((0, 1, 1, 2, 3, len(places) if len(places) < 12 else 4))
    edges = [0, *sorted(chance.sample(places, min(count, len(places)))), len(data)]
    for start, end in pairwise(edges):
        gap = chance.choice((0.0, chance.uniform(0, MAX_GAP_S), chance.uniform(0, MAX_GAP_S), MAX_GAP_S))
        yield Piece(gap, data[start:end])


def names(message: Message) -> list[str]:
    """Return what a message is called: a key by its name."""
    if isinstance(message, EscapedKey):
        return [key.key for key in message.apart()]
    return [message.key if isinstance(message, Key) else type(message).__name__]


class Line:
    """A reader at the end of a line, and the clock that it reads by."""

    def __init__(self, kitty: bool) -> None:
        self.reader, self.clock = KeyReader(), 0.0
        if kitty:
            self.read(Piece(0, _KITTY_ANSWER))

    def read(self, piece: Piece) -> list[str]:
        """Return what is read by the time when a piece has come, and of it."""
        self.clock += piece.gap
        messages: list[Message] = []
        while self.reader.due is not None and self.reader.due < self.clock:
            messages += self.reader.flush(self.reader.due)
        messages += self.reader.feed(piece.data, self.clock)
        return [name for message in messages for name in names(message)]


def whole(data: bytes, kitty: bool) -> list[str]:
    """Return what is read of bytes that come at once, and after which nothing comes."""
    line = Line(kitty)
    return [*line.read(Piece(0, data)), *line.read(Piece(2 * SILENCE_S, b""))]


class Played(NamedTuple):
    """What was sent and what was read of it, as names, and how many of the sent may be lost."""

    sent: list[str]
    read: list[str]
    uncertain: int


def play(count: int, seed: int, kitty: bool) -> Played:
    """Send so many sequences, cut and held back, with keys between them."""
    chance, line = random.Random(seed), Line(kitty)
    wanted: list[str] = []
    read: list[str] = []
    uncertain = 0
    since_escape = SILENCE_S
    for item in sent(chance, count, kitty):
        pieces = list(cut(chance, item.data))
        if item.is_typed and since_escape < ESCAPE_DELAY_S and item.data in b"[O]PX^_":
            pieces = [Piece(MAX_GAP_S, item.data)]  # sooner, they are a sequence
        named = whole(item.data, kitty)
        is_cut_off = len(pieces) > 1 and pieces[0].data == b"\x1b" and pieces[1].gap >= ESCAPE_DELAY_S
        uncertain += len(named) if is_cut_off or (item.is_typed and since_escape < SILENCE_S) else 0
        wanted += named
        for piece in pieces:
            since_escape += piece.gap
            read += line.read(piece)
        if item.data == b"\x1b":
            since_escape = 0.0
    read += line.read(Piece(2 * SILENCE_S, b""))
    return Played(wanted, read, uncertain)


def faults(count: int, seed: int, kitty: bool) -> list[str]:
    """Return what goes wrong with so many sequences: what is read that was not sent, and what is lost."""
    played = play(count, seed, kitty)
    if kitty:
        return [] if played.read == played.sent else [_difference(played)]
    left = iter([name for name in played.sent if name != "escape"])
    read = [name for name in played.read if name != "escape"]
    for number, name in enumerate(read):
        if name not in left:  # which takes it, and what is before it, out of what is left
            return [f"seed {seed}: {name} was not sent, after {read[max(number - 9, 0) : number]}"]
    lost = sum(name != "escape" for name in played.sent) - len(read)
    return [f"seed {seed}: {lost} are lost, of {played.uncertain} that may"] if lost > played.uncertain else []


def _difference(played: Played) -> str:
    place = next(
        (
            number
            for number, (name, wanted) in enumerate(zip(played.read, played.sent, strict=False))
            if name != wanted
        ),
        min(len(played.read), len(played.sent)),
    )
    around = slice(max(place - 5, 0), place + 5)
    return f"{played.read[around]} is read, and not {played.sent[around]}"


# In a terminal

_PATIENCE = 60.0
_VERDICTS = "12345"
_DIGITS_AND_MOVES = "12345jjkk"


def review(folder: Path, count: int, seed: int, kitty: bool) -> list[str]:
    """Return what goes wrong with so many sequences in a review: verdicts other than the digits typed."""
    run = folder / "run.jsonl"
    rows = [{"id": f"r-{number}", "output": "x", "score": 0.0} for number in range(20)]
    run.write_text("".join(json.dumps(row) + "\n" for row in rows))
    home = str(folder / "home")
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "HOME": home,
        "XDG_STATE_HOME": home,
        "XDG_CONFIG_HOME": home,
    }
    chance = random.Random(seed)
    program = Program(
        [sys.executable, "-m", "sampleui", "review", run.name, "--all"], folder, environment, (100, 30)
    )
    wanted: list[str] = []
    try:
        assert program.answered(b"Help", 0, _PATIENCE) is not None, program.output
        if kitty:
            program.write(_KITTY_ANSWER, _PATIENCE)
        for item in sent(chance, count, kitty, _DIGITS_AND_MOVES):
            wanted += [name for name in whole(item.data, kitty) if name in _VERDICTS]
            for piece in cut(chance, item.data):
                time.sleep(piece.gap)
                program.write(piece.data, _PATIENCE)
        time.sleep(2 * SILENCE_S)
        program.write(b"\x1b[113;5u" if kitty else b"\x11", _PATIENCE)
        end = time.monotonic() + _PATIENCE
        while program.runs() and time.monotonic() < end:
            program.answered(b"never", 0, 0.1)
        told = [] if program.status == 0 else [f"the review ended with {program.status}"]
    finally:
        program.end()
    log = folder / "run.reviews.jsonl"
    lines = log.read_text().splitlines() if log.exists() else []
    given = [json.loads(line)["verdict"] for line in lines]
    words = [list(Verdict)[int(digit) - 1] for digit in wanted]
    return told if given == words else [*told, f"{given} is recorded, and not {words}"]


def main() -> int:
    """Run the program and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sequences", type=int, default=20_000)
    parser.add_argument("--in-terminal", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    told: list[str] = []
    for kitty in (False, True):
        told += faults(chosen.sequences, chosen.seed, kitty)
        with tempfile.TemporaryDirectory(prefix="split-") as name:
            told += review(Path(name), chosen.in_terminal // 2, chosen.seed, kitty)
    print(*told, sep="\n")
    print(f"{chosen.sequences:,} sequences twice, {chosen.in_terminal:,} in a terminal, {len(told)} faults")
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
