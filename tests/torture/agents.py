"""Two agents and a person work on one deck and one run by commands at once: nothing is lost, and nothing is twice.

    python -m tests.torture.agents [ROUNDS]

In each round an agent edits the deck, says a verdict twice, and proposes an edit; the person edits the deck and
decides. At the end the deck must have the last value that each wrote, the log one line for each thing that was
said, and the proposals one for each that was proposed, each with its state.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

from sampleui.cli.main import run as run_command
from sampleui.review.decided import stated
from sampleui.review.log.store import log_path, open_log
from sampleui.review.verdict import LogAction, ProposalState
from sampleui.workspace.deck import open_deck
from sampleui.workspace.proposed_edits import proposed_edits

WHO = ("agent:one", "agent:two", "ann")
SAMPLES = 5


def made(folder: Path) -> tuple[Path, Path]:
    """Write a deck, and a run of it in which all samples failed."""
    deck, results = folder / "deck.toml", folder / "run.jsonl"
    turn = '{ role = "user", content = "Hi" }'
    deck.write_text(
        "".join(f'[[samples]]\nid = "s{n}" # kept {n}\nmessages = [{turn}]\n\n' for n in range(SAMPLES))
    )
    rows = ({"test_id": f"s{n}", "score": 0, "output": "x"} for n in range(SAMPLES))
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return deck, results


def works(who: str, folder: Path, rounds: int) -> None:
    """Do the rounds of one of them. Exits with the words of a command that did not do what was asked."""
    deck, results = str(folder / "deck.toml"), str(folder / "run.jsonl")
    name = who.removeprefix("agent:")
    said = ("--as", who) if who != name else ("--reviewer", who)
    for number in range(rounds):
        sample = f"s{number % SAMPLES}"
        edit = ("--sample", sample, "--path", name, "--json", str(number))
        line = json.dumps({"record": sample, "verdict": "ok" if number % 2 else "flaky", "comment": f"{number}"})
        commands = [("set", deck, *edit), ("verdict", results, "--lines", "-", *said)]
        if who != name:
            commands += [commands[-1], ("set", deck, *edit[:3], "proposed", *edit[4:], "--propose", *said)]
        for command in commands:
            code, said_of_it = _done(command, line)
            while code and "holds its lock" in said_of_it:  # which says that nothing was recorded: it is said again
                code, said_of_it = _done(command, line)
            if code:
                sys.exit(f"{command}: {code}: {said_of_it}")


def _done(command: tuple[str, ...], line: str) -> tuple[int, str]:
    """Run a command with a line on standard input, and return its exit code and all that it prints."""
    sys.stdin = SimpleNamespace(buffer=io.BytesIO(line.encode()))  # type: ignore[assignment]
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = run_command(command)
    return code, out.getvalue()


def held(folder: Path, rounds: int) -> None:
    """Assert that all that was said is there once, and is what it was."""
    deck, results = open_deck(folder / "deck.toml"), folder / "run.jsonl"
    for sample in deck.samples:
        last = max(number for number in range(rounds) if f"s{number % SAMPLES}" == sample.id)
        assert [sample.data[who.removeprefix("agent:")] for who in WHO] == [last] * 3
    assert all(f"# kept {n}" in (folder / "deck.toml").read_text() for n in range(SAMPLES))
    log = open_log(log_path(results))
    assert log.unreadable == 0
    said = Counter((line.reviewer, line.comment) for line in log.decisions)
    assert said == Counter((who, f"{number}") for who in WHO for number in range(rounds))
    proposals = [*stated(log)]
    assert len(proposals) == 2 * rounds == sum(line.kind is LogAction.PROPOSE for line in log.decisions)
    assert {item.state for item in proposals} <= {ProposalState.WITHDRAWN, ProposalState.PASSED_OVER}
    edits = proposed_edits(folder / "deck.toml")
    assert Counter(item.agent for item in edits) == Counter(dict.fromkeys(WHO[:2], rounds))


def attack(folder: Path, rounds: int) -> None:
    """Let all three work at once, and look at what is left."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        os.environ[name] = str(folder / "home")
    made(folder)
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=works, args=(who, folder, rounds)) for who in WHO]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    held(folder, rounds)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
        attack(Path(name), count)
        print(f"{count:,} rounds of three: nothing lost, nothing twice")
