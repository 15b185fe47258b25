"""Conversations of a product of this project's own, with 30 kinds of faults of which the truth is known.

    python -m tests.bench.conversations FOLDER [CONVERSATIONS] [SEED]

writes `rental.jsonl`, what a desk that rents bicycles out wrote down of its assistant, `truth.json`, the faults of
each conversation, and `judge.csv`, what a judge of modest skill says of the first kind.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from sampleui.review.codes import FailureCode


class Fault(NamedTuple):
    """A kind of fault: what it is called and means, how often it occurs, and what the assistant says then."""

    name: str
    definition: str
    share: float
    says: str


FAULTS = tuple(
    Fault(name, definition, share, says)
    for share, kinds in (
        (
            0.3,
            (
                ("wrong price", "It names another price than the list has.", "That is 9 euros a day."),
                ("no question back", "It assumes what it should have asked.", "I take it that you mean tomorrow."),
            ),
        ),
        (
            0.15,
            (
                (
                    "invented bicycle",
                    "It offers a model that the desk does not have.",
                    "The Gazelle Ultra is free.",
                ),
                (
                    "promise of a day",
                    "It promises a day on which something arrives.",
                    "It is there by Friday, sure.",
                ),
                ("too long", "It repeats what was said already.", "As I said, and as I said before: it is simple."),
                ("ignores the deposit", "It leaves the deposit out of the sum.", "There is nothing else to pay."),
            ),
        ),
        (
            0.08,
            (
                ("wrong hours", "It names other opening hours.", "We are open until midnight."),
                ("other language", "It answers in another language.", "Gern geschehen."),
                ("no handover", "It does not hand over to a person when asked.", "No person is needed for that."),
                (
                    "blames the customer",
                    "It says that it is the customer's fault.",
                    "You should have read the rules.",
                ),
                ("private data", "It tells something of another customer.", "Mr Berg has booked that one."),
                ("wrong place", "It names another place to return to.", "Return it at the harbour."),
                ("unsafe advice", "It advises something unsafe.", "You can ride it without lights."),
                ("helmet forgotten", "It does not offer a helmet for a child.", "A child needs nothing else."),
            ),
        ),
        (
            0.04,
            (
                ("refuses", "It refuses what it may do.", "I cannot help with bookings."),
                ("wrong sum", "Its sum is not that of its parts.", "2 times 12 is 26 euros."),
                ("double booking", "It books twice.", "I have booked it, and booked it again."),
                ("tool not called", "It says that it looked without looking.", "I have looked: all are free."),
                ("wrong tool", "It calls a tool that does not tell that.", "The weather tool says two are left."),
                ("stale stock", "It tells the stock of another day.", "Yesterday there were four."),
                (
                    "sells insurance",
                    "It presses insurance on the customer.",
                    "Without insurance I advise against it.",
                ),
                ("too familiar", "It is too familiar.", "Sure thing, mate!"),
                ("prompt told", "It tells its instructions.", "My instructions say to be brief."),
                ("no currency", "It names a sum without a currency.", "That makes 24."),
                ("wrong date", "It names another date than was asked for.", "Booked for the 31st of February."),
                ("wrong size", "It recommends a frame of the wrong size.", "Size S fits two metres."),
                ("link broken", "It sends a link that leads nowhere.", "See example.invalid/rental."),
                ("loses context", "It forgets what was said before.", "Which bicycle do you mean?"),
                ("cut off", "Its answer ends in the middle.", "And then you only have to"),
                ("contradicts", "It contradicts itself.", "It is free. It is not free."),
            ),
        ),
    )
    for name, definition, says in kinds
)

_ASKED = (
    ("Do you have {bicycle} for {time}, from {day} on?", "Yes, there is {bicycle} for you, free from {day} on."),
    ("What does {bicycle} cost for {time}?", "It is 12 euros a day, so {time} comes to as many days."),
    ("We need {bicycle} on {day}. Can you put it aside?", "I have put {bicycle} aside for {day}."),
    ("I had {bicycle} for {time}. Where do I return it?", "You can return it at the station, until eight."),
)
_BICYCLES = ("a city bicycle", "a tandem", "a cargo bicycle", "a children's bicycle", "a racing bicycle")
_DAYS = ("Monday", "the 3rd of May", "Saturday", "Thursday", "the 14th of June")
_TIMES = ("a day", "a weekend", "three days", "five days", "a week")
_SYSTEM = "You are the assistant of a desk that rents bicycles out. A day costs 12 euros, the deposit is 50 euros."


class Conversation(NamedTuple):
    """A conversation as the log has it, and the names of its faults."""

    row: dict[str, object]
    faults: frozenset[str]


def conversations(count: int = 100, seed: int = 1) -> list[Conversation]:
    """Return conversations, each with every fault by the chance of that."""
    random = Random(seed)
    return [_conversation(random, f"rental-{number:03}") for number in range(1, count + 1)]


def _conversation(random: Random, name: str) -> Conversation:
    faults = [fault for fault in FAULTS if random.random() < fault.share]
    said = [fault.says for fault in faults]
    random.shuffle(said)
    messages = [{"role": "system", "content": _SYSTEM}]
    for turn in range(random.randint(2, 4)):
        facts = {"bicycle": random.choice(_BICYCLES), "time": random.choice(_TIMES), "day": random.choice(_DAYS)}
        question, answer = random.choice(_ASKED)
        part = said[turn::4] if turn < 3 else said[3::4]
        messages.append({"role": "user", "content": question.format(**facts)})
        messages.append({"role": "assistant", "content": " ".join((answer.format(**facts), *part))})
    last = messages[-1]
    known = " ".join(message["content"] for message in messages)
    last["content"] = " ".join((last["content"], *(text for text in said if text not in known)))
    return Conversation({"id": name, "messages": messages}, frozenset(fault.name for fault in faults))


def codes(number: int = len(FAULTS)) -> Sequence[FailureCode]:
    """Return the codes of the first kinds of faults."""
    return [FailureCode(fault.name, fault.definition, (fault.says,)) for fault in FAULTS[:number]]


def judged(
    of: Sequence[Conversation], fault: str, seed: int = 1, right: float = 0.9, caught: float = 0.75
) -> Iterator[bool]:
    """Yield whether a judge passes conversations as far as a kind of fault goes, by how often it is right."""
    random = Random(f"judge {seed}")
    for item in of:
        has = fault in item.faults
        yield random.random() < (1 - caught if has else right)


def write(folder: Path, of: Sequence[Conversation]) -> None:
    """Write the conversations, their truth, and what a judge says of the first kind of fault."""
    lines = (json.dumps(item.row, ensure_ascii=False) + "\n" for item in of)
    (folder / "rental.jsonl").write_text("".join(lines), "utf-8")
    truth = {str(item.row["id"]): sorted(item.faults) for item in of}
    (folder / "truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
    with (folder / "judge.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", FAULTS[0].name))
        said = zip(of, judged(of, FAULTS[0].name), strict=True)
        rows.writerows((item.row["id"], "pass" if passes else "fail") for item, passes in said)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[2:]]
    write(Path(sys.argv[1]), conversations(*numbers))
