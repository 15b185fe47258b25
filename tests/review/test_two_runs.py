"""Two runs beside each other: what is said of them is so, and the same everywhere."""

from __future__ import annotations

import html
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.cli.main import run
from sampleui.review.baseline import Trend, changes_of, changes_words, compare
from sampleui.review.queue import ReviewOptions
from sampleui.review.results.file import open_results
from sampleui.settings.options import Settings
from sampleui.tui.review.open_review import open_review
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
    assert "By record: 12 worse; 12 of 12 worse expect something else now." in captured.out
    assert run([*arguments, "--changed-too"]) == 1
    _, (before, after) = compared(
        old, [row(name, False, number=number, question=name) for number, name in enumerate(names)]
    )
    assert run(["report", str(after), "--baseline", str(before), "--fail-if-worse"]) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question": "other"}, "asks something else now"),
        ({"asserts": ("b",)}, "expects something else now"),
        ({"question": "other", "asserts": ("b",)}, "asks or expects something else now"),
    ],
)
def test_the_count_of_changed_samples_says_what_changed(compared, changes, said):
    found, _ = compared([row("a", True)], [row("a", False, **changes)])
    assert changes_words(changes_of(found)) == f"1 worse; 1 of 1 worse {said}"


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


@settings(deadline=None)
@given(rows, rows)
def test_the_app_and_all_forms_of_the_report_never_disagree(tmp_path_factory, old, new):
    folder = tmp_path_factory.mktemp("runs")
    paths = [written(folder / f"{name}.json", made(items)) for name, items in (("old", old), ("new", new))]
    wanted = Counter()
    before = {sample: item for sample, *item in old}
    for sample, asserts, reworded, attempts in new:
        was_asserts, was_reworded, was = before.get(sample, ((), False, []))
        changed = (was_asserts, was_reworded) != (asserts, reworded)
        for (passes, error), (passed, failed) in zip(attempts, was, strict=False):
            trend = "not_comparable" if error or failed else ("same", "better", "worse")[passes - passed]
            wanted[trend] += 1
            wanted[f"{trend}_changed"] += changed
        wanted["only_here"] += max(len(attempts) - len(was), 0)
    now = {sample: len(attempts) for sample, *_, attempts in new}
    wanted["only_baseline"] = sum(max(len(item[-1]) - now.get(sample, 0), 0) for sample, item in before.items())
    told = json.loads(ran("report", paths[1], "--baseline", paths[0], "--format", "json").out)
    records = told["comparison"]["records"]
    names = ("better", "worse", "same", "mixed", "not_comparable", "only_here", "only_baseline")
    assert {name: records[name] for name in (*names, "better_changed", "worse_changed")} == {
        name: wanted[name] for name in (*names, "better_changed", "worse_changed")
    }
    review = open_review(ReviewOptions(results=paths[1], reviewer="ann", baseline=paths[0]), Settings())
    review.take_in()
    compared = review.comparison()
    review.finish_index(compared)
    changes = changes_of(compared)
    assert json.loads(json.dumps(changes._asdict())) == records
    words = f"By record: {changes_words(changes)}."
    assert words in ran("report", paths[1], "--baseline", paths[0]).out
    assert words in html.unescape(ran("report", paths[1], "--baseline", paths[0], "--format", "html").out)
    assert len(review.compared) == sum(now.values())
    assert sum(item.old is not None for item in review.missing) == wanted["only_baseline"]
