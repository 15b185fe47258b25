"""A review by keys in a pseudo-terminal: notes, codes, and all records labelled in a pass, counted and killed.

    python -m tests.torture.labelling [--kills N] [--seed S]

A hundred conversations with faults of known truth; keys of a stage are sent in one write. A text that is written
(a note, the name of a code, its sentence) counts as one key, as it would be pasted, every other key as one. With
kills the app is ended at any moment of the pass and opened again: every label that the title had counted must be in
the log. The exit status is 1 when something did not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.verdict import LabelValue
from tests.review.build import drawn_labels

from .program import Program

CODES = ("amount", "broken", "courier", "delay", "excuse", "french")
"""The codes, whose first letters tell them apart."""

_MOST = 500
_SECONDS = 60.0


class Keys:
    """Keys of a stage, and how many there are: a text is one."""

    def __init__(self) -> None:
        self.sent = b""
        self.count = 0

    def press(self, *keys: str) -> None:
        """Press keys, one each."""
        self.sent += "".join(keys).encode()
        self.count += len(keys)

    def write(self, text: str) -> None:
        """Write or paste a text."""
        self.sent += text.encode()
        self.count += 1

    def taken(self) -> bytes:
        """Return what is to be sent now."""
        sent, self.sent = self.sent, b""
        return sent


def truth(seed: int, records: int) -> list[dict[str, LabelValue]]:
    """Return what is so of each record: most have one fault or none, and of few something cannot be said."""
    chance = random.Random(seed)
    labels = []
    for _ in range(records):
        faults = chance.sample(CODES, chance.choices((0, 1, 2), (3, 5, 2))[0])
        unsure = chance.sample(CODES, 1) if chance.random() < 0.05 else []
        labels.append({**dict.fromkeys(faults, LabelValue.YES), **dict.fromkeys(unsure, LabelValue.UNSURE)})
    return labels


def write_run(folder: Path, labels: Sequence[dict[str, LabelValue]]) -> Path:
    """Write the conversations."""
    rows = (
        {
            "id": f"conv-{number:03}",
            "question": f"Where is order {number}?",
            "answer": f"It is on its way: {', '.join(found) or 'all is well'}.",
            "timestamp": "2026-11-01T10:00:00Z",
        }
        for number, found in enumerate(labels)
    )
    path = folder / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def start(path: Path, size: tuple[int, int] = (120, 40)) -> Program:
    """Start the review and wait for it."""
    state = path.parent / "state"
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "XDG_STATE_HOME": str(state),
        "XDG_CONFIG_HOME": str(state),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    command = [sys.executable, "-m", "sampleui", "review", str(path), "--all", "--reviewer", "ada"]
    program = Program(command, path.parent, environment, size)
    assert program.answered(b"Help", 0, _SECONDS) is not None, program.output[-2000:]
    return program


def send(program: Program, keys: bytes, sign: str) -> None:
    """Send keys in one write, and wait for a sign of what they lead to."""
    since = program.mark()
    assert program.write(keys, _SECONDS)
    assert program.answered(sign.encode(), since, _SECONDS) is not None, (sign, program.output[-2000:])


def notes(keys: Keys, program: Program, labels: Sequence[dict[str, LabelValue]]) -> list[str]:
    """Write 30 notes, a record each, and put them under six codes; return the codes that were made."""
    for number in range(30):
        keys.press("c")
        keys.write(f"note {number}")
        keys.press("\r", "]")
    send(program, keys.taken(), "31/")
    keys.press("m")
    made: list[str] = []
    for number in range(30):
        code = CODES[number % len(CODES)]
        keys.press("#")
        if code in made:
            keys.press(code[0], "\r")
            continue
        made.append(code)
        keys.write(code)
        keys.press("\r")
        keys.write(f"The answer has {code}.")
        keys.press("\r")
    send(program, keys.taken(), "every note is settled")
    keys.press("\x1b")
    return made


def turns(found: dict[str, LabelValue], codes: Sequence[str]) -> str:
    """Return the digits that say what is so of a record."""
    times = {LabelValue.YES: 1, LabelValue.UNSURE: 2}
    return "".join(str(codes.index(code) + 1) * times[value] for code, value in found.items())


def label_all(keys: Keys, program: Program, path: Path, labels: Sequence[dict[str, LabelValue]]) -> None:
    """Label all records in one pass over all codes, in the order that its line in the log has."""
    keys.press("L", "*", "\r")
    send(program, keys.taken(), "takes them")
    (drawn,) = open_log(log_path(path)).passes
    for record_id in drawn.records.values():
        keys.press(*turns(labels[int(record_id.removeprefix("conv-"))], drawn.codes), "\r")
    send(program, keys.taken(), "every record of the pass is")


def given(log: Log) -> dict[str, dict[str, LabelValue | None]]:
    """Return the labels of passes that are not *no*, by record and code."""
    labels: dict[str, dict[str, LabelValue | None]] = {}
    for record in log.labelled:
        for item in drawn_labels(log, record, "ada"):
            by_code = labels.setdefault(item.record_id, {})
            if item.label is not LabelValue.NO:
                by_code[str(item.code)] = item.label
    return labels


def review(folder: Path, seed: int, records: int = 100) -> int:
    """Do the whole review, check what is in the log, and return how many keys it took."""
    labels, keys = truth(seed, records), Keys()
    path = write_run(folder, labels)
    program = start(path)
    try:
        notes(keys, program, labels)
        label_all(keys, program, path, labels)
    finally:
        program.end()
    log = open_log(log_path(path))
    assert len(log.standing_notes) == 30 and log.unreadable == 0
    assert given(log) == {f"conv-{number:03}": found for number, found in enumerate(labels)}
    return keys.count


def killed(folder: Path, seed: int, times: int) -> int:
    """Label on while the app is killed again and again; return how many labels were shown as recorded."""
    chance = random.Random(seed)
    path = write_run(folder, truth(seed, 100))
    (folder / "failures.md").write_text("".join(f"## {code}\n\nThe answer has {code}.\n\n" for code in CODES[:3]))
    shown = 0
    for number in range(times):
        program = start(path)
        try:
            send(program, b"L*\r" if number == 0 else b"L\r", "labelled")
            program.write(b"\r" * 8, _SECONDS)
            program.answered(b"\0never", program.mark(), chance.uniform(0.02, 0.5))
            counts = re.findall(rb"\xc2\xb7 (\d+) labelled", program.output)
        finally:
            program.end()
        shown = max([shown, *map(int, counts)])
        log = open_log(log_path(path))
        each = [len(drawn_labels(log, record, "ada")) for record in log.labelled]
        assert log.unreadable == 0 and set(each) <= {3}, "the labels of a record are one write"
        assert len(each) >= shown, (len(each), shown)
        assert len(log.passes) == 1, (number, len(log.passes), shown, len(each))
    return shown


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=10)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        count = review(Path(folder), chosen.seed)
    print(f"30 notes, 6 codes, 100 records labelled for each: {count} keys")
    with tempfile.TemporaryDirectory() as folder:
        shown = killed(Path(folder), chosen.seed, chosen.kills)
    print(f"{chosen.kills} kills, {shown} records shown as labelled, none lost")
    return int(count > _MOST)


if __name__ == "__main__":
    sys.exit(main())
