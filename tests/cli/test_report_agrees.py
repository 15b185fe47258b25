"""What is said of two runs is the same in every form and contradicts itself nowhere: a program reads it.

python -m tests.cli.test_report_agrees 1000
"""

from __future__ import annotations

import html
import json
import random
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sampleui.page.run_report import ReportOptions, build_report, reviewed_run
from sampleui.page.text import comparison_text
from sampleui.review.reports.redacting import Redaction
from sampleui.review.results.file import open_results
from sampleui.settings.options import Settings
from tests.command import ran

from .test_report_figures import lines_of

COUNTS = re.compile(r"(\d+) of (\d+) better, (\d+) worse: (.+?)\.(?= |$)", re.MULTILINE)
NOT_SHOWN = re.compile(r"not shown, between (\S+) and (\S+) points?(?:, p (?:= )?(\S+))?$")
SHOWN = re.compile(r"(better|worse) by (\S+) points? \((\S+) to (\S+)\)$")
MISSING = re.compile(r"(\d+) (?:samples?|pairs? of sample and target) of the baseline missing in this run")
NO_ZERO_SIGN = re.compile(r"(?<![\w.,–-])[-−+]0(?:\.0+)?(?![\d.])")

Rows = list[dict[str, Any]]
Shares = Mapping[tuple[str, str], float | None]


def drawn(chance: random.Random, samples: Sequence[str], targets: Sequence[str], ease: float) -> Rows:
    """Return a run: of some samples, some targets, some several times, some errors, some that nobody graded."""
    rows: Rows = []
    for sample in samples:
        for target in targets:
            for attempt in range(chance.choice([1, 1, 1, 2, 3])):
                score = int(chance.random() < ease)
                row: dict[str, Any] = {
                    "test_id": sample,
                    "target": target,
                    "attempt": attempt,
                    "output": f"{attempt}",
                }
                kind = chance.random()
                if kind < 0.08:
                    row |= {"error": "late"}
                elif kind > 0.08 + 0.08:
                    row |= {"passed": bool(score), "score": score}
                    row["scores"] = [{"name": "judge", "score": round(chance.random(), 2), "verdict": "pass"}]
                rows.append(row)
                if chance.random() < 0.05:
                    rows.append(row)
    return rows


def pair_of_runs(seed: int) -> tuple[Rows, Rows]:
    chance = random.Random(seed)
    names = [f"s{number}" for number in range(chance.choice([1, 3, 5, 6, 8, 20, 45]))]
    targets = ["m", "n"][: chance.choice([1, 1, 2])]
    kept = [name for name in names if chance.random() > chance.choice([0, 0, 0.2])]
    new = [*kept, *(f"new{number}" for number in range(chance.choice([0, 0, 2])))]
    eases = chance.choice([(0.5, 0.5), (0.9, 0.3), (0.2, 0.9), (1.0, 0.9), (1.0, 0.0), (0.7, 0.7)])
    return drawn(chance, names, targets, eases[0]), drawn(chance, new or names, targets, eases[1])


def shares(rows: Rows) -> Shares:
    """Return the share of attempts that passed of each sample and target; the last row of an attempt counts."""
    latest = {(row["test_id"], row["target"], row["attempt"]): row for row in rows}
    found: dict[tuple[str, str], list[bool]] = {}
    for (sample, target, _), row in latest.items():
        found.setdefault((sample, target), []).extend([row["passed"]] if "passed" in row else [])
    return {key: sum(known) / len(known) if known else None for key, known in found.items()}


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace("<", "").rstrip("."))


def read_sentence(said: str, told: Mapping[str, Any]) -> None:
    """Hold a sentence against the figures that JSON has, and against itself."""
    shown, interval, p_value = told["shown"], told["interval"], told["p_value"]
    if found := NOT_SHOWN.match(said):
        low, high = map(number, found.groups()[:2])
        assert shown == "not shown" and low <= high, said
        assert low <= 0 <= high or number(found[3]) >= 0.05, said
        assert (low <= 0 <= high) == (interval[0] <= 0 <= interval[1]), said
    elif found := SHOWN.match(said):
        difference, low, high = map(number, found.groups()[1:])
        assert shown == found[1] and 0 < low <= difference <= high and p_value < 0.05, said
        assert (told["mean_difference"] > 0) == (shown == "better"), said
    else:
        assert said == "no difference seen" or "cannot show whether that is more than chance" in said, said


def check(seed: int, folder: Path) -> None:
    """Compare two random runs in all forms, and read what is said.

    Raises:
        AssertionError: it is not so, or not the same everywhere.
    """
    old, new = pair_of_runs(seed)
    paths = [lines_of(folder / f"{name}{seed}.jsonl", rows) for name, rows in (("new", new), ("old", old))]
    before, now = shares(old), shares(new)
    both = {key: (before[key], now[key]) for key in before.keys() & now.keys()}
    known = {key: (was, is_now) for key, (was, is_now) in both.items() if was is not None and is_now is not None}
    worse = {key for key, (was, is_now) in known.items() if is_now < was - 1e-9}
    better = {key for key, (was, is_now) in known.items() if is_now > was + 1e-9}
    missing = before.keys() - now.keys()
    several = len({target for _, target in (*before, *now)}) > 1
    command = ("report", paths[0], "--baseline", paths[1])
    told = json.loads(ran(*command, "--format", "json").out)["comparison"]
    assert [told[name] for name in ("n_paired", "better", "worse")] == [len(known), len(better), len(worse)]
    assert told["missing"]["samples"] == len(missing)
    names = {f"{sample} · {target}" if several else sample for sample, target in worse}
    assert names.issuperset(told["records"]["named_worse"]) and (
        len(names) > 20 or len(names) == len(told["records"]["named_worse"])
    )
    results = open_results(paths[0])
    options = ReportOptions(baseline=paths[1])
    run = reviewed_run(results, Settings(), options, redacts=False)
    contents = build_report(run, options, Redaction(()))
    assert contents is not None
    forms = {
        "text": ran(*command).out,
        "markdown": ran(*command, "--format", "markdown").out.replace("\\", ""),
        "page": html.unescape(
            re.sub("<[^>]+>", "\n", ran(*command, "--format", "html").out.partition("<main>")[2])
        ),
        "app": "\n".join(
            line for title, lines in comparison_text(contents.report, 400) for line in (title, *lines)
        ),
    }
    for form, text in forms.items():
        assert "detectable" not in text and "could show (" not in text, form
        assert not (zero := NO_ZERO_SIGN.search(text)), (form, zero)
        if known:
            for found in COUNTS.finditer(text):
                assert [*map(int, found.groups()[:3])] == [len(better), len(known), len(worse)], (form, found[0])
                read_sentence(found[4], told)
            assert COUNTS.search(text), form
        else:
            assert "nothing to compare" in text, form
        assert {int(found[1]) for found in MISSING.finditer(text)} == ({len(missing)} if missing else set()), form
        rows = [line.split() for line in text.splitlines() if line.split()[:1] == ["judge"]]
        for row in rows if form in ("text", "app") else ():
            if (series := next(iter(told["evaluators"]), None)) and series["shown"] is not None and "shown" in text:
                assert series["shown"].split()[-1] in row[:4] or row[1] != "not", (form, row)
    judge_code(ran(*command, "--fail-if-worse"), told, len(worse), sure=not missing and None not in now.values())


def judge_code(ended: Any, told: Mapping[str, Any], worse: int, *, sure: bool) -> None:
    few = 2.0 ** (1 - told["units"]) >= 0.05
    unknown_attempts = told["at_worst"] is not None
    if told["shown"] == "worse" or told["shown"] is None or (few and worse):
        assert ended.code == 1 and ended.err, ended.err
    elif sure and not unknown_attempts:
        assert ended.code == 0, ended.err
        assert ("cannot show that a run is worse" in ended.err) == few, ended.err
    elif ended.code == 1:
        assert "not known" in ended.err, ended.err


@pytest.mark.parametrize("seed", range(12))
def test_two_runs_are_told_of_alike_in_every_form_and_without_contradiction(tmp_path, seed):
    check(seed, tmp_path)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        for seed in range(int(sys.argv[1])):
            try:
                check(seed, Path(name))
            except AssertionError as error:
                print(seed, str(error)[:300])
    print("done")
