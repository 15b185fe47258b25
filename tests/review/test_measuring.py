"""The figures of runs, held against the definitions on lists, and against cases that a hand can check."""

from __future__ import annotations

import random
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import StatisticsError
from sampleui.review.log.store import open_log
from sampleui.review.reports.figures import Counts, Figures
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.run_figures import figures_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.sampling import Design, Population, draw_records
from sampleui.review.verdict import Verdict
from sampleui.statistics import Interval
from sampleui.statistics.comparison import Comparison, holm
from sampleui.statistics.means import share_interval
from tests.review.build import decision, write_jsonl
from tests.statistics.lists import Score, average_attempts, compare, mean_summary


def row(sample: str, score: float | None, target: str | None = "m", **more: object) -> dict[str, object]:
    """Return a row that passed if its score is 0.8 or more."""
    return {"test_id": sample, "score": score, "target": target, "output": "x", **more}


def figures(folder: Path, rows: list[dict[str, object]], **asked: object) -> Figures:
    return figures_of(read(folder, rows), Question(**asked))  # type: ignore[arg-type]


def read(folder: Path, rows: list[dict[str, object]], name: str = "run.jsonl") -> Results:
    return open_results(write_jsonl(folder / name, rows))


def test_a_rate_of_single_attempts_has_jeffreys_interval(tmp_path: Path) -> None:
    found = figures(tmp_path, [row(f"s{at}", at % 4 / 3) for at in range(8)]).run
    assert found.counts == Counts(8, 6, 0, 0)
    assert (found.pass_rate.value, found.pass_rate.method) == (0.25, "ends")
    assert found.pass_rate.interval == pytest.approx(share_interval(0.25, 8))
    assert found.mean_score.value == pytest.approx(0.5)


def test_attempts_of_a_sample_are_averaged_before_samples_are(tmp_path: Path) -> None:
    rows = [row("a", score, attempt=at) for at, score in enumerate((1, 1, 1, 0))] + [row("b", 0, attempt=0)]
    found = figures(tmp_path, rows)
    assert found.run.pass_rate.value == pytest.approx((0.75 + 0) / 2)
    assert found.run.counts.passed == 3
    assert found.attempts is not None
    assert [(one.k, one.n, one.left_out) for one in found.attempts.by_k] == [
        (1, 2, 0),
        (2, 1, 1),
        (3, 1, 1),
        (4, 1, 1),
    ]
    assert found.attempts.by_k[1].pass_hat_k == pytest.approx(0.5)
    assert found.attempts.unstable == 1


def test_an_error_is_missing_and_not_a_failure_unless_it_is_asked_to_be_one(tmp_path: Path) -> None:
    rows = [row("a", 1), row("b", 0), row("c", 0, error="late"), row("d", None)]
    missing, failing = figures(tmp_path, rows).run, figures(tmp_path, rows, errors_fail=True).run
    assert (missing.counts.errors, missing.counts.ungraded) == (1, 1)
    assert (missing.pass_rate.value, missing.pass_rate.n, missing.pass_rate.missing) == (0.5, 2, 2)
    assert (failing.pass_rate.value, failing.pass_rate.n) == (pytest.approx(1 / 3), 3)


def test_nothing_is_known_of_a_run_without_records_or_outcomes(tmp_path: Path) -> None:
    assert figures(tmp_path, []).run.pass_rate.value is None
    found = figures(tmp_path, [row("a", None), row("b", None)]).run
    assert (found.pass_rate.value, found.pass_rate.interval, found.mean_score.value) == (None, None, None)


@pytest.mark.parametrize("values", [(12.0, 340.0), (0.2, 0.9)])
def test_what_is_no_score_is_in_no_mean_score(tmp_path: Path, values: tuple[float, float]) -> None:
    rows: list[dict[str, object]] = [
        {
            "id": f"s{at}",
            "scores": [{"name": "right", "score": 1.0}, {"name": "answer_length", "score": value}],
            "output": "x",
        }
        for at, value in enumerate(values)
    ]
    found = figures(tmp_path, rows)
    right, length = found.evaluators
    assert (right.bounded, length.bounded) == (True, False)
    assert found.run.mean_score.value in (None, 1.0)
    assert length.mean.value == pytest.approx(sum(values) / 2)
    assert length.pass_rate.value is None


def test_what_an_evaluator_gave_a_record_twice_is_averaged_and_counts_once(tmp_path: Path) -> None:
    given = {"a": (1.0, 0.0), "b": (1.0, 0.9), "c": (0.5,)}
    rows: list[dict[str, object]] = [
        {"id": sample, "scores": [{"name": "tone", "score": score} for score in scores], "output": "x"}
        for sample, scores in given.items()
    ]
    (tone,) = figures(tmp_path, rows).evaluators
    assert (tone.records, tone.failed) == (3, 2)
    assert tone.mean.value == pytest.approx((0.5 + 0.95 + 0.5) / 3)
    assert tone.pass_rate.value == pytest.approx(1 / 3)
    assert tone.pass_rate.interval == pytest.approx(share_interval(1 / 3, 3))


def test_clusters_widen_the_interval_and_no_sample_is_in_two(tmp_path: Path) -> None:
    rows = [row(f"s{at}", float(at < 20), metadata={"document": f"d{at // 10}"}) for at in range(40)]
    plain, clustered = (figures(tmp_path, rows, cluster=by).run.pass_rate for by in (None, "metadata.document"))
    assert (plain.units, clustered.units) == (40, 4)
    assert plain.interval is not None and clustered.interval is not None
    assert clustered.interval.high - clustered.interval.low > plain.interval.high - plain.interval.low
    with pytest.raises(StatisticsError, match="two clusters"):
        figures(
            tmp_path,
            [row("a", 1, metadata={"document": at}, attempt=at) for at in (1, 2)],
            cluster="metadata.document",
        )


def test_groups_are_crossed_and_a_record_is_in_one_for_each_of_its_tags(tmp_path: Path) -> None:
    rows = [row("a", 1, tags=["x", "y"]), row("b", 0, target="n", tags=["x"]), row("c", 1)]
    found = figures(tmp_path, rows, by=("tag", "target")).groups
    assert found is not None
    assert {group.values: (group.counts.records, group.pass_rate.value, group.small) for group in found.groups} == {
        ("x", "m"): (1, 1.0, True), ("y", "m"): (1, 1.0, True),
        ("x", "n"): (1, 0.0, True), (None, "m"): (1, 1.0, True),
    }  # fmt: skip
    assert [target.values for target in figures(tmp_path, rows).targets] == [("m",), ("n",)]


def test_a_rerun_replaces_what_it_reran(tmp_path: Path) -> None:
    rows = [row("a", 0, attempt=1), row("b", 1), row("a", 1, attempt=1)]
    for found in (figures(tmp_path, rows), figures_of(read(tmp_path, rows).indexed(), Question())):
        assert (found.run.replaced, found.run.counts.records, found.run.pass_rate.value) == (1, 2, 1.0)


def drawn(seed: int, samples: int, targets: int, tries: int) -> list[dict[str, object]]:
    """Return rows with scores of two evaluators, some missing."""
    chance = random.Random(seed)
    rows = []
    for sample in range(samples):
        for target in range(targets):
            for attempt in range(chance.randint(1, tries)):
                score = chance.choice([None, 0.0, 0.5, 1.0, round(chance.random(), 3)])
                marks = [{"name": "tone", "score": round(chance.random(), 2)}] if chance.random() < 0.9 else []
                more = {"scores": marks} if marks else {}
                rows.append(
                    row(f"s{sample:02}é", score, f"t{target}", attempt=attempt, doc=f"d{sample // 3}", **more)
                )
    chance.shuffle(rows)
    return rows


@pytest.mark.parametrize(
    ("samples", "targets", "tries"),
    [(1, 1, 1), (8, 1, 1), (25, 1, 3), (45, 1, 1), (20, 3, 2), (40, 2, 3), (90, 3, 1)],
)
@pytest.mark.parametrize(("cluster", "indexed"), [(None, False), ("doc", True)])
def test_two_runs_compare_as_their_lists_of_scores_do(
    tmp_path: Path, samples: int, targets: int, tries: int, cluster: str | None, indexed: bool
) -> None:
    sides = [drawn(seed, samples, targets, tries) for seed in (1, 2)]
    sides[0] = [one for one in sides[0] if one["test_id"] != "s07é"]
    run, old = (read(tmp_path, rows, f"{name}.jsonl") for rows, name in zip(sides, ("run", "old"), strict=True))
    if indexed:
        run.indexed(), old.indexed()
    found = figures_of(run, Question(cluster=cluster), baseline=old)
    labels = {str(one["test_id"]): one["doc"] for side in sides for one in side} if cluster else None
    passes, tone = (
        [
            [
                Score(str(one["test_id"]), str(one["target"]), of(one))
                for one in side
                if of is not _tone or "scores" in one
            ]
            for side in sides
        ]
        for of in (_passed, _tone)
    )
    assert found.comparison is not None
    assert found.comparison.comparison == alike(compare(passes[1], passes[0], labels=labels))  # type: ignore[arg-type]
    (evaluator,) = found.comparison.evaluators
    assert evaluator.comparison == alike(compare(tone[1], tone[0], labels=labels))  # type: ignore[arg-type]
    assert [evaluator.adjusted_p_value] == holm([evaluator.comparison.p_value])
    scores = [Score(str(one["test_id"]), str(one["target"]), one["score"]) for one in sides[0]]  # type: ignore[arg-type]
    averages = average_attempts(scores)
    clusters = [(labels or {}).get(key.sample) or (key.sample,) for key in averages]
    mean = mean_summary([average.score for average in averages.values()], clusters)
    told = found.run.mean_score
    assert (told.n, told.missing, told.units) == (mean.n, mean.missing, mean.units)
    assert (told.value, told.interval) == (pytest.approx(mean.value), pytest.approx(mean.interval))


def alike(found: Comparison) -> Comparison:
    """Return a comparison that is equal to one whose sums were added up in another order."""
    numbers = ((key, value) for key, value in asdict(found).items() if isinstance(value, float | Interval))
    near: dict[str, Any] = {key: pytest.approx(value, rel=1e-12, abs=1e-12) for key, value in numbers}
    return replace(found, **near)


def _passed(one: dict[str, object]) -> float | None:
    score = _tone(one) if one["score"] is None else one["score"]
    return None if score is None else float(score >= 0.8)  # type: ignore[operator]


def _tone(one: dict[str, object]) -> float | None:
    return one["scores"][0]["score"] if "scores" in one else None  # type: ignore[index]


def test_runs_of_one_target_each_pair_by_sample_and_renamed_samples_by_their_values(tmp_path: Path) -> None:
    run = read(tmp_path, [row("a", 1, "new"), row("b", 0, "new")], "run.jsonl")
    old = read(tmp_path, [row("b", 1, "old"), row("c", 1, "old"), row("a", 1, "old")], "old.jsonl")
    found = figures_of(run, Question(), baseline=old).comparison
    assert found is not None
    told = found.comparison
    assert (told.n_paired, told.n_dropped_baseline, told.better, told.worse, told.same) == (2, 1, 0, 1, 1)


def reviewed(
    folder: Path, verdicts: dict[str, Verdict], rows: list[dict[str, object]], design: Design | None = None
) -> Figures:
    results = read(folder, rows).indexed()
    log = open_log(folder / "run.reviews.jsonl")
    if design is not None:
        log.keep_draw(draw_records(results.counted, design, lambda _: (), "ann"))
    for entry in results.counted:
        if entry.id in verdicts or (design is not None and entry.digest in log.draws[0].records):
            log.append(decision(entry.digest, verdicts.get(entry.id, Verdict.OK)))
    return figures_of(results, Question(), log=log)


ROWS = [row(f"p{at}", 1) for at in range(30)] + [row(f"f{at}", 0) for at in range(6)]
FAILURES = {f"f{at}": Verdict.OK if at < 2 else Verdict.MODEL_WRONG for at in range(6)}


def test_with_failures_alone_reviewed_it_is_said_what_cannot_be(tmp_path: Path) -> None:
    whole = reviewed(tmp_path, FAILURES, ROWS).graders[0]
    assert (whole.true_positive_rate.value, whole.true_negative_rate.value, whole.precision.value) == (
        None,
        None,
        None,
    )
    assert "none of 30 passes was reviewed at random" in whole.reason
    assert whole.negative_predictive_value.value == pytest.approx(4 / 6)


def test_a_random_sample_of_passes_is_weighted_by_its_chances(tmp_path: Path) -> None:
    whole = reviewed(tmp_path, FAILURES, ROWS, Design(10, Population.PASSED)).graders[0]
    assert (whole.reviewed, whole.weighted, whole.by_hand) == (16, True, 0)
    assert whole.true_positive_rate.value == pytest.approx(30 / 32), "each of ten passes stands for three"
    assert whole.agreement.value == pytest.approx(34 / 36)
    assert whole.true_negative_rate.interval is not None and whole.true_negative_rate.interval.low < 0.6
    assert (whole.missing_right, whole.missing_wrong) == (21, 12)


def test_what_was_picked_by_hand_does_not_count(tmp_path: Path) -> None:
    whole = reviewed(tmp_path, {**FAILURES, "p3": Verdict.OK, "p4": Verdict.MODEL_WRONG}, ROWS).graders[0]
    assert (whole.reviewed, whole.by_hand, whole.precision.value) == (6, 2, None)


def test_numbers_that_no_figure_can_be_made_of_are_missing_and_stop_nothing(tmp_path: Path) -> None:
    huge = 10**30
    rows: list[dict[str, object]] = [
        row("a", 1, attempt=huge),
        row("b", 1e308),
        row("c", float("nan")),
        row("d", 1, aggregation={"passed_attempts": huge, "total_attempts": huge}),
        row("e", 0.5, scores=[{"name": "x", "score": 1e200}, {"name": "y\0z", "score": -1e200}]),
        row("\ud800", 1, target="\ud800", tags=["\ud800", "a\0b"]),
    ]
    found = figures(tmp_path, rows, by=("tag",), cluster="tags")
    assert found.run.counts.records == 6
    assert (found.evaluators, found.single_evaluators.evaluators) == ((), 2)
    assert found.attempts is None
