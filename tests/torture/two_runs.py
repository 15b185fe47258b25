"""Pairs of runs, really made by promptfoo and Inspect, as the app and all forms of the report tell them.

    python -m tests.torture.two_runs PAIRS [--seed N] [--keep FOLDER]

Between the two runs of a pair the deck changes: samples come and go, ask or expect something else. Samples have
errors, several attempts and several scorers. Whatever the program says of a pair must equal what this module finds
in the files of the tools by itself. PROMPTFOO_FROM names the folder whose `node_modules` has promptfoo,
INSPECT_PYTHON an interpreter that has Inspect; without them `promptfoo` and `inspect` are looked for.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sampleui.review.queue import ReviewOptions
from sampleui.settings.options import Settings
from sampleui.tui.review.session import open_review
from tests.command import ran

HERE = Path(__file__).parent
WORDS = ("alpha", "beta", "gamma", "delta")
LEAST = 1e-9


class Row(NamedTuple):
    """One record as its file has it. `scores` are those of evaluators, by name, None where one has none."""

    key: tuple[str, int]
    outcome: str
    score: float | None
    scores: dict[str, float]
    asked: str
    expected: str


# Plans


def plans(maker: random.Random, form: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the plans of two runs of a deck that changes in between."""
    repeat = maker.choice((1, 1, 1, 2, 3))
    before = [_test(maker, form, number) for number in range(maker.randint(1, 8))]
    after = [_changed(maker, form, test) for test in before if maker.random() < 0.9]
    after += [_test(maker, form, number) for number in range(10, 10 + maker.choice((0, 0, 1, 2)))]
    if maker.random() < 0.2:
        maker.shuffle(after)
    return {"tests": before, "repeat": repeat}, {"tests": after or before, "repeat": repeat}


def _test(maker: random.Random, form: str, number: int) -> dict[str, Any]:
    question, said = f"{maker.choice(WORDS)} {number}", _answers(maker)
    if form == "inspect":
        return {"id": f"s{number}", "q": question, "target": maker.choice(WORDS), "answers": said}
    asserted = [_assertion(maker) for _ in range(maker.randint(1, 3))]
    test: dict[str, Any] = {"description": f"s{number}", "vars": {"q": question}, "assert": asserted}
    more = {"threshold": maker.choice((0.4, 0.7))} if maker.random() < 0.2 else {}
    return {**test, **more, "metadata": {"answers": said}}


def _answers(maker: random.Random) -> list[str]:
    return [
        "! no answer" if maker.random() < 0.15 else " ".join(maker.choices(WORDS, k=maker.randint(1, 3)))
        for _ in range(3)
    ]


def _assertion(maker: random.Random, *, inside: bool = False) -> dict[str, Any]:
    word = maker.choice(WORDS)
    kinds = ("contains", "not-contains", "equals", "starts-with", "length", "length", "set")
    kind = maker.choice(kinds[:-1] if inside else kinds)
    if kind == "length":
        return {
            "type": "javascript",
            "value": "Math.min(1, output.length / 20)",
            "metric": "length",
            "threshold": 0.3,
        }
    if kind == "set":
        members = [_assertion(maker, inside=True) for _ in range(2)]
        return {"type": "assert-set", "assert": members, **({"threshold": 0.5} if maker.random() < 0.5 else {})}
    return {"type": kind, "value": word, **({"weight": 2} if maker.random() < 0.2 else {})}


def _changed(maker: random.Random, form: str, test: dict[str, Any]) -> dict[str, Any]:
    """Return a test as it is in the later run: its answers, or what it asks or expects, may be others."""
    test = json.loads(json.dumps(test))
    if maker.random() < 0.6:
        (test if form == "inspect" else test["metadata"])["answers"] = _answers(maker)
    if maker.random() < 0.2:
        (test if form == "inspect" else test["vars"])["q"] += "!"
    if maker.random() < 0.2 and form == "inspect":
        test["target"] = maker.choice(WORDS)
    elif maker.random() < 0.2 and form != "inspect":
        test["assert"] = maker.choice(
            ([*test["assert"], _assertion(maker)], [_assertion(maker)], test["assert"][::-1])
        )
    return test


# Tools


class Tool(NamedTuple):
    """A tool that makes runs: its name, the suffix of its files, and what runs it on plans."""

    name: str
    suffix: str
    command: tuple[str, ...]
    environment: dict[str, str]


def tools() -> Iterator[Tool]:
    """Yield the tools that are there."""
    named = shutil.which("promptfoo")
    found = os.environ.get("PROMPTFOO_FROM") or (str(Path(named).resolve().parents[4]) if named else "")
    if found and (Path(found) / "node_modules" / "promptfoo").is_dir() and (node := shutil.which("node")):
        quiet = {
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "LOG_LEVEL": "error",
            "PROMPTFOO_FROM": found,
        }
        yield Tool("promptfoo", ".json", (node, str(HERE / "promptfoo_runs.mjs")), quiet)
    inspect = shutil.which("inspect")
    python = os.environ.get("INSPECT_PYTHON") or (str(Path(inspect).parent / "python") if inspect else "")
    if python and Path(python).exists():
        for suffix in (".eval", ".json"):
            yield Tool("inspect", suffix, (python, str(HERE / "inspect_runs.py")), {})


@contextmanager
def running(tool: Tool, folder: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Start a tool that waits for plans, and return what has it make a run."""
    environment = {**os.environ, **tool.environment, "PROMPTFOO_CONFIG_DIR": str(folder / ".promptfoo")}
    with subprocess.Popen(
        tool.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        text=True,
    ) as process:
        told, answers = process.stdin, process.stdout
        assert told is not None
        assert answers is not None

        def make(plan: dict[str, Any]) -> None:
            told.write(json.dumps(plan) + "\n")
            told.flush()
            while line := answers.readline():
                if line.startswith('{"done"'):
                    return
            raise RuntimeError(f"{tool.name} ended")

        yield make
        told.close()


# What the files say, read by nothing of the program


def rows_of(path: Path) -> list[Row]:
    """Return the records of a run."""
    beside = path.parent.with_suffix(".json")
    data = json.loads((beside if beside.exists() else path).read_text(encoding="utf-8"))
    if "samples" in data:
        return [_inspect_row(sample) for sample in data["samples"]]
    seen = Counter[str]()
    return [_promptfoo_row(row, seen) for row in data["results"]["results"]]


def _inspect_row(sample: dict[str, Any]) -> Row:
    given = {"C": 1.0, "I": 0.0}
    scores = {
        name: given.get(score["value"], score["value"]) for name, score in (sample.get("scores") or {}).items()
    }
    failed = bool(sample.get("error"))
    outcome = "error" if failed else "passed" if scores["includes"] == 1 else "failed"
    key = (str(sample["id"]), sample["epoch"])
    score = None if failed else scores["includes"]
    asked, expected = json.dumps(sample["input"]), json.dumps(sample["target"])
    return Row(key, outcome, score, {} if failed else scores, asked, expected)


def _promptfoo_row(row: dict[str, Any], seen: Counter[str]) -> Row:
    case = row["testCase"]
    name = case["description"]
    seen[name] += 1
    failed = row["failureReason"] == 2
    outcome = "error" if failed else "passed" if row["success"] else "failed"
    scores: dict[str, float] = {}
    times = Counter[str]()
    for part in [] if failed else row["gradingResult"]["componentResults"]:
        asked = part.get("assertion") or part["metadata"]["assertionSet"]
        called = asked.get("metric") or f"{asked['type']} {asked.get('value', '')}".strip()
        times[called] += 1
        scores[called if times[called] == 1 else f"{called} #{times[called]}"] = part["score"]
    expected = sorted(json.dumps(item, sort_keys=True) for item in case["assert"])
    given = json.dumps(row["vars"]["q"])
    return Row((name, seen[name]), outcome, None if failed else row["score"], scores, given, json.dumps(expected))


def expected_changes(new: list[Row], old: list[Row]) -> dict[str, Any]:
    """Return how records fare against those of an earlier run, in the words of the JSON report."""
    names = "better worse mixed same not_comparable only_here only_baseline better_changed worse_changed"
    found: dict[str, Any] = dict.fromkeys(names.split(), 0)
    before = {row.key: row for row in old}
    for row in new:
        other = before.pop(row.key, None)
        trend = "only_here" if other is None else _trend(row, other)
        found[trend] += 1
        if other is not None and trend in ("better", "worse"):
            found[f"{trend}_changed"] += (row.asked, row.expected) != (other.asked, other.expected)
    found["only_baseline"] = len(before)
    return found


def _trend(row: Row, other: Row) -> str:
    if "error" in (row.outcome, other.outcome):
        return "not_comparable"
    if row.outcome != other.outcome:
        return "better" if row.outcome == "passed" else "worse"
    both = [(row.scores[name], other.scores[name]) for name in row.scores if name in other.scores]
    delta = sum(now - was for now, was in both) / len(both) if both else 0.0
    if row.scores.keys() == other.scores.keys():
        assert row.score is not None
        assert other.score is not None
        delta = row.score - other.score
    if abs(delta) > LEAST:
        return "better" if delta > 0 else "worse"
    ways = {now > was for now, was in both if abs(now - was) > LEAST}
    return "mixed" if len(ways) > 1 else {True: "better", False: "worse", None: "same"}[next(iter(ways), None)]


# What the program says


def differing(new: Path, old: Path) -> list[str]:
    """Return where the app, the text, the JSON or the page say something else of two runs than their files."""
    rows = rows_of(new)
    wanted = expected_changes(rows, rows_of(old))
    outcomes = Counter(row.outcome for row in rows)
    wrong: list[str] = []

    def must_be(face: str, told: object, right: object) -> None:
        if told != right:
            wrong.append(f"{new}: {face}: {told} instead of {right}")

    report = partial(ran, "report", new, "--baseline", old)
    data = json.loads(report("--format", "json").out)
    told = data["comparison"]["records"]
    must_be("json", {name: told[name] for name in wanted}, wanted)
    three = ("passed", "failed", "error")
    must_be(
        "json, outcomes",
        [data["run"][name] for name in ("passed", "failed", "errors")],
        [outcomes[name] for name in three],
    )
    scores = [row.score for row in rows if row.score is not None]
    mean = data["run"]["mean_score"]
    if len({row.key[0] for row in rows}) == len(rows) and scores:
        must_be("json, mean", round(mean["value"], 9), round(sum(scores) / len(scores), 9))
    text = report().out
    must_be("text", _told_in(text), wanted)
    numbers = [outcomes[name] for name in three]
    must_be("text, outcomes", _outcomes_in(text), numbers)
    page = html.unescape(re.sub(r"<[^>]*>", "\n", report("--format", "html").out))
    must_be("page", _told_in(page), wanted)
    review = open_review(ReviewOptions(results=new, baseline=old, reviewer="ann"), Settings())
    review.take_in()
    review.finish_index(review.comparison())
    counted = Counter(str(item.trend) for item in review.compared.values())
    missing = sum(item.old is not None for item in review.state.missing)
    must_be(
        "app", {name: counted[words] for name, words in _TRENDS.items()}, {name: wanted[name] for name in _TRENDS}
    )
    must_be("app, only in the baseline", missing, wanted["only_baseline"])
    return wrong


_TRENDS = {
    "better": "better",
    "worse": "worse",
    "mixed": "better and worse",
    "same": "same",
    "not_comparable": "not comparable",
    "only_here": "only here",
}


def _told_in(text: str) -> dict[str, int]:
    """Return what the line about records says."""
    line = re.search(r"By record: ([^\n]*?)\.(?:\n|\Z|\s)", text)
    parts = line[1].split("; ") if line else [""]
    told = dict.fromkeys(
        [
            "better",
            "worse",
            "mixed",
            "same",
            "not_comparable",
            "only_here",
            "only_baseline",
            "better_changed",
            "worse_changed",
        ],
        0,
    )
    named = {
        **{words: name for name, words in _TRENDS.items()},
        "the same": "same",
        "only in the baseline": "only_baseline",
    }
    for part in parts[0].split(", "):
        number, _, words = part.partition(" ")
        if words in named:
            told[named[words]] = int(number.replace(",", ""))
    for part in parts[1:]:
        if changed := re.match(r"(\d+) of \d+ (better|worse)", part):
            told[f"{changed[2]}_changed"] = int(changed[1])
    return told


def _outcomes_in(text: str) -> list[int]:
    line = re.search(r"(\d+) passed, (\d+) failed, (\d+) errors?", text)
    return [int(number) for number in line.groups()] if line else []


def compared_pairs(count: int, seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Make pairs of runs with each tool in turn; return how many, and where something else was said of them."""
    done, wrong = Counter[str](), list[str]()
    available = [*tools()]
    for place, tool in enumerate(available):
        maker = random.Random(f"{seed} {tool.name}{tool.suffix}")
        with running(tool, folder) as make:
            for number in range(count * place // len(available), count * (place + 1) // len(available)):
                pair = folder / f"{tool.name}-{number}"
                paths = [pair / side / f"run{tool.suffix}" for side in ("old", "new")]
                for path, plan in zip(paths, plans(maker, tool.name), strict=True):
                    path.parent.mkdir(parents=True)
                    make({**plan, "out": str(path)})
                found = differing(paths[1], paths[0])
                wrong += found
                done[tool.name] += 1
                if not found:
                    shutil.rmtree(pair)
                if done.total() % 50 == 0:
                    print(dict(done), len(wrong), flush=True)
    return done, wrong


def main() -> int:
    """Make as many pairs as asked for and print what was said of them that is not so."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    folder = asked.keep or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    done, wrong = compared_pairs(asked.pairs, asked.seed, folder.absolute())
    print(*wrong, sep="\n")
    print(f"{done.total()} pairs ({dict(done)}): {len(wrong)} statements differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
