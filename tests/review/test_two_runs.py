"""Two runs beside each other: what is said of them is so, and the same everywhere."""

from __future__ import annotations

import html
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.cli.main import run
from sampleui.review.baseline import Trend, compare, record_comparison_words, what_changed
from sampleui.review.queue import ReviewOptions
from sampleui.review.results.file import open_results
from sampleui.settings.options import Settings
from sampleui.tui.review.session import open_review
from tests.command import ran


def row(name, passes, *, asserts=("a",), error=None, question="q", number=0):
    contains = [{"type": "contains", "value": value} for value in asserts]
    graded = [{"pass": passes, "score": float(passes), "assertion": assertion} for assertion in contains]
    return {
        "testIdx": number,
        "promptIdx": 0,
        "provider": {"id": "echo"},
        "prompt": {"raw": "{{q}}", "label": "{{q}}"},
        "vars": {"q": question},
        "testCase": {
            "description": name,
            "vars": {"q": question},
            "assert": contains,
        },
        "success": bool(passes) and error is None,
        "score": 0 if error else float(passes),
        "failureReason": 2 if error else 0 if passes else 1,
        **({"error": error} if error else {"response": {"output": "x"}}),
        "gradingResult": None if error else {"pass": passes, "score": float(passes), "componentResults": graded},
    }


def written(path, rows):
    document = {"evalId": path.stem, "results": {"version": 3, "results": rows, "prompts": [], "stats": {}}}
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def compared(tmp_path):
    """Return two runs compared, as the queue does, and what the report says of them."""

    def both(old, new, *options):
        paths = [written(tmp_path / f"{name}.json", rows) for name, rows in (("old", old), ("new", new))]
        runs = [open_results(path).indexed() for path in paths]
        return compare(runs[1].counted, runs[0].counted), paths

    return both


def test_an_error_in_either_run_is_no_score_and_not_comparable(compared):
    (found,), _ = compared([row("a", False, error="boom")], [row("a", True)])
    assert (found.trend, found.delta, found.reason) == (Trend.UNKNOWN, None, "an error in the baseline")
    (found,), _ = compared([row("a", True)], [row("a", False, error="boom")])
    assert (found.trend, found.reason) == (Trend.UNKNOWN, "an error here")


def test_errors_are_counted_apart_and_have_no_mean(tmp_path, capsys):
    path = written(tmp_path / "run.json", [row("a", False, error="x"), row("b", False, error="y", number=1)])
    assert run(["report", str(path)]) == 0
    assert "2 records: 0 passed, 0 failed, 2 errors; mean score not known." in capsys.readouterr().out


def test_a_record_that_failed_and_passes_now_is_better_though_its_assertion_is_another_one(compared):
    (found,), _ = compared([row("a", False, asserts=("x",))], [row("a", True, asserts=("y",))])
    assert (found.trend, found.changed) == (Trend.BETTER, "expects something else now")


@pytest.mark.parametrize(
    ("changes", "changed"),
    [
        ({}, ""),
        ({"asserts": ("b",)}, "expects something else now"),
        ({"question": "other"}, "asks something else now"),
        ({"question": "other", "asserts": ("b",)}, "asks and expects something else now"),
    ],
)
def test_what_changed_of_the_sample_is_said_beside_the_difference(compared, changes, changed):
    (found,), _ = compared([row("a", True)], [row("a", False, **changes)])
    assert (found.trend, found.changed) == (Trend.WORSE, changed)


def test_changed_samples_alone_do_not_fail_unless_they_are_asked_for(compared, capsys):
    names = [f"s{number}" for number in range(12)]
    old = [row(name, True, number=number, question=name) for number, name in enumerate(names)]
    new = [row(name, False, asserts=("b",), number=number, question=name) for number, name in enumerate(names)]
    _, (before, after) = compared(old, new)
    arguments = ["report", str(after), "--baseline", str(before), "--fail-if-worse"]
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert "12 of 12 worse expect something else now" in captured.err
    assert "12 of 12 worse expect something else now." in captured.out
    assert run([*arguments, "--changed-too"]) == 1
    _, (before, after) = compared(
        old, [row(name, False, number=number, question=name) for number, name in enumerate(names)]
    )
    assert run(["report", str(after), "--baseline", str(before), "--fail-if-worse"]) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question": "other"}, "asks"),
        ({"asserts": ("b",)}, "expects"),
        ({"question": "other", "asserts": ("b",)}, "asks or expects"),
    ],
)
def test_the_count_of_changed_samples_says_what_changed(compared, capsys, changes, said):
    found, (before, after) = compared([row("a", True)], [row("a", False, **changes)])
    assert what_changed(found) == said
    assert run(["report", str(after), "--baseline", str(before)]) == 0
    assert f"1 of 1 worse {said} something else now." in capsys.readouterr().out


attempt = st.tuples(st.booleans(), st.booleans())
rows = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.sampled_from([("a",), ("b",), ("a", "b")]),
        st.booleans(),
        st.lists(attempt, min_size=1, max_size=2),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda item: item[0],
)


def made(items):
    """Return rows of samples, each as often as it has attempts: whether it passed, and whether it was an error."""
    return [
        row(
            sample,
            passes,
            asserts=asserts,
            error="e" if error else None,
            number=number,
            question=f"{sample}{'!' * reworded}",
        )
        for number, (sample, asserts, reworded, attempts) in enumerate(items)
        for passes, error in attempts
    ]


def share(attempts):
    """Return the share of attempts that passed, of those that are no errors; None without any."""
    known = [passes for passes, error in attempts if not error]
    return sum(known) / len(known) if known else None


@settings(deadline=None)
@given(rows, rows)
def test_the_app_and_all_forms_of_the_report_count_the_same_samples(tmp_path_factory, old, new):
    folder = tmp_path_factory.mktemp("runs")
    paths = [written(folder / f"{name}.json", made(items)) for name, items in (("old", old), ("new", new))]
    before, now = ({sample: item for sample, *item in items} for items in (old, new))
    wanted, changed = Counter(), Counter()
    for sample in {**now, **before}:
        if sample not in before or sample not in now:
            wanted["only here" if sample in now else "only in the baseline"] += 1
            continue
        was, became = share(before[sample][-1]), share(now[sample][-1])
        trend = (
            "not comparable"
            if None in (was, became)
            else "same"
            if was == became
            else "better"
            if became > was
            else "worse"
        )
        wanted[trend] += 1
        changed[trend] += before[sample][:2] != now[sample][:2]
    told = json.loads(ran("report", paths[1], "--baseline", paths[0], "--format", "json").out)["comparison"]
    assert {name: told[name] for name in ("better", "worse", "same")} == {
        name: wanted[name] for name in ("better", "worse", "same")
    }
    assert told["missing"]["samples"] == wanted["only in the baseline"]
    assert (told["records"]["better_changed"], told["records"]["worse_changed"]) == (
        changed["better"],
        changed["worse"],
    )
    review = open_review(ReviewOptions(results=paths[1], reviewer="ann", baseline=paths[0]), Settings())
    review.take_in()
    compared = review.comparison()
    review.finish_index(compared)
    counted = Counter()
    for part in record_comparison_words(compared).split(";")[0].split(", "):
        times, trend = part.strip().split(" ", 1)
        counted[trend.split(" (")[0].removeprefix("the ")] += int(times)
    assert counted == wanted
    words = f"{wanted['better']} of {told['n_paired']} better, {wanted['worse']} worse"
    if told["n_paired"]:
        assert words in ran("report", paths[1], "--baseline", paths[0]).out
        assert words in html.unescape(ran("report", paths[1], "--baseline", paths[0], "--format", "html").out)
