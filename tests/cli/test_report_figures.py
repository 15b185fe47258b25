"""`report`: comparisons, demands, groups, widths, and JSON as its schema has it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path

import jsonschema
import pytest
from rich.cells import cell_len

from sampleui.cli.schema import answer_schema

from .schemas import closed

GROUPED = ("--by", "tag", "--by", "metadata.topic", "--cluster", "metadata.topic", "--records", "all", "--matrix")


def lines_of(path: Path, rows: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write(path: Path, outcomes: str) -> Path:
    """Write a run in which samples pass (1), fail (0), ended in an error (!) or have no outcome (?)."""
    rows = []
    for index, outcome in enumerate(outcomes):
        row: dict[str, object] = {"test_id": f"s{index:03}", "target": "m", "output": "x"}
        row |= {"metadata": {"topic": f"t{index % 3}"}, "tags": ["x"] if index % 2 else ["x", "y"]}
        if outcome.isdigit():
            marks = [{"name": f"grader number {number}", "score": int(outcome)} for number in range(3)]
            row |= {"score": int(outcome), "scores": marks}
        rows.append({**row, "error": "late"} if outcome == "!" else row)
    return lines_of(path, rows)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    return write(tmp_path / "new.jsonl", "1" * 60 + "0" * 40), write(tmp_path / "old.jsonl", "1" * 85 + "0" * 15)


@pytest.mark.parametrize("asked", [(), GROUPED])
def test_json_has_the_names_of_its_schema_and_no_others(sampleui, runs, asked):
    new, old = runs
    sampleui("verdict", new, "s070", "ok", "--reviewer", "ann")
    sampleui("verdict", new, "s070", "model-wrong", "--reviewer", "bob")
    schema = closed(answer_schema("report"))
    for run in (new, write(new.with_name("odd.jsonl"), "1?!0?"), write(new.with_name("none.jsonl"), "??")):
        data = json.loads(sampleui("report", run, "--baseline", old, *asked, "--format", "json").out)
        jsonschema.validate(data, schema)
    rows = [{"test_id": "a", "target": "m", "attempt": number, "score": number % 2} for number in range(3)]
    tried = lines_of(new.with_name("tried.jsonl"), rows)
    data = json.loads(sampleui("report", tried, "--format", "json").out)
    jsonschema.validate(data, schema)
    assert data["attempts"]["pass_at_k"] == {"1": pytest.approx(1 / 3), "2": pytest.approx(2 / 3), "3": 1.0}
    assert data["attempts"]["pass_hat_k"]["2"] == 0.0


def test_a_comparison_is_said_in_words_first(sampleui, runs):
    new, old = runs
    lines = sampleui("report", new, "--baseline", old).out.splitlines()
    words = lines[lines.index("Against old.jsonl") + 1]
    assert words == "0 of 100 better, 25 worse: worse by 25 points (16 to 33)."
    same = sampleui("report", new, "--baseline", write(new.with_name("same.jsonl"), "0" + "1" * 60 + "0" * 39)).out
    assert "1 of 100 better, 1 worse: not shown, between −4 and +4 points." in same
    none = sampleui("report", new, "--baseline", write(new.with_name("none.jsonl"), "?")).out
    assert "nothing to compare: no sample of none.jsonl has an outcome that a grader gave" in none


def test_it_is_said_of_how_many_evaluators_samples_are_very_few(sampleui, tmp_path):
    few, enough = ({"test_id": f"s{n}", "score": 1, "scores": [{"name": "tone", "score": 1}]} for n in range(2))
    words = "Intervals are wide where samples are very few, under 5: those of 1 of 1 evaluator."
    assert words in sampleui("report", lines_of(tmp_path / "few.jsonl", [few, enough])).out
    rows = [{**few, "test_id": f"s{n}"} for n in range(5)]
    assert "very few" not in sampleui("report", lines_of(tmp_path / "enough.jsonl", rows)).out


def test_pairs_of_sample_and_target_are_not_called_samples_and_groups_by_target_stand_there_once(
    sampleui, tmp_path
):
    def answered(name: str, passing: int) -> Path:
        numbers = range(10)
        rows = [
            {"test_id": f"s{number}", "target": target, "output": "x", "score": int(number < passing)}
            for target in ("m1", "m2", "m3")
            for number in numbers
        ]
        return lines_of(tmp_path / name, rows)

    lines = sampleui(
        "report", answered("new", 6), "--baseline", answered("old", 8), "--by", "target"
    ).out.splitlines()
    assert "Pass rate 60% (30 to 85%) of 30 pairs of sample and target from 10 samples." in lines
    assert "0 of 30 better, 6 worse: not shown, between −54 and +21 points." in lines
    assert "By target" in lines and "Targets" not in lines


def test_scores_of_an_unknown_scale_are_higher_or_lower_and_never_better(sampleui, tmp_path):
    def scored(name: str, more: int) -> Path:
        rows = ({"test_id": f"s{n}", "target": "m", "output": "x", "score": 9 + n % 4 + more} for n in range(40))
        return lines_of(tmp_path / name, rows)

    ran = sampleui("report", scored("new", 3), "--baseline", scored("old", 0), "--fail-if-worse")
    assert "40 of 40 higher, 0 lower: higher by 3.00 (2.57 to 3.15)." in ran.out.splitlines()
    assert (ran.code, "nobody knows whether more is better" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("outcomes", "demand", "code", "words"),
    [
        ("1111", ("--min-pass-rate", "1"), 0, ""),
        ("1110", ("--min-pass-rate", "0.8"), 1, "the pass rate is 75%, under 80%"),
        ("111?", ("--min-pass-rate", "0.8"), 1, "75% with what is not known counted as not passed"),
        ("111!", ("--min-pass-rate", "0.8"), 1, "75% with what is not known counted as not passed"),
        ("????", ("--min-pass-rate", "0"), 1, "the pass rate is not known"),
        ("!!!!", ("--min-pass-rate", "0"), 1, "the pass rate is not known"),
        ("1111", ("--min-pass-rate", "nan"), 2, "'nan' is not a number from 0 to 1"),
        ("1" * 100, ("--fail-if-worse",), 0, ""),
        ("1" * 60 + "0" * 40, ("--fail-if-worse",), 1, "worse by 25 points"),
        ("?" * 100, ("--fail-if-worse",), 1, "whether the run is worse is not known"),
        ("1" * 100, ("--max-drop", "0.05"), 0, ""),
        ("1" * 80 + "0" * 20, ("--max-drop", "0.05"), 1, "the pass rate may have dropped by 10.0 points, over 5"),
        ("?", ("--max-drop", "0.05"), 1, "by how much the pass rate may have dropped is not known"),
        ("1" * 60 + "!" * 40, ("--fail-if-worse",), 1, "counted as not passed, 0 of 100 better, 25 worse"),
        ("1" * 99 + "!", ("--fail-if-worse",), 0, ""),
        (
            "1" * 60 + "!" * 40,
            ("--max-drop", "0.05"),
            1,
            "33.4 points with what is not known counted as not passed",
        ),
    ],
)
def test_what_is_asked_of_a_run_gives_the_exit_code_and_what_is_not_known_is_no_pass(
    sampleui, tmp_path, runs, outcomes, demand, code, words
):
    baseline = () if demand[0] == "--min-pass-rate" else ("--baseline", runs[1])
    ran = sampleui("report", write(tmp_path / "run.jsonl", outcomes), *baseline, *demand)
    assert (ran.code, words in ran.err) == (code, True), ran.err


def test_where_nobody_knows_what_is_better_nobody_says_that_none_fell(sampleui, tmp_path):
    def scored(name: str, more: int) -> Path:
        rows = ({"test_id": f"s{n}", "target": "m", "output": "x", "score": 9 + n + more} for n in range(5))
        return lines_of(tmp_path / name, rows)

    ran = sampleui("report", scored("new", 3), "--baseline", scored("old", 0), "--fail-if-worse")
    assert (ran.code, "nobody knows whether more is better" in ran.err, "fell" in ran.err) == (1, True, False)


def test_demands_on_a_comparison_need_a_baseline(sampleui, runs):
    assert sampleui("report", runs[0], "--fail-if-worse").code == 2


@pytest.mark.parametrize("width", [20, 40, 80, 120])
def test_a_row_of_a_table_is_one_line_at_any_width_and_lost_columns_are_named(sampleui, runs, monkeypatch, width):
    new, old = runs
    monkeypatch.setenv("COLUMNS", str(width))
    asked = ("--baseline", old, "--by", "metadata.topic", "--records", "failed")
    lines = sampleui("report", new, *asked).out.splitlines()
    rows = [line for line in lines if line.startswith("  ")]
    assert max(map(cell_len, rows)) <= width
    assert any("no room for" in line for line in rows) == (width < 120)


def test_markdown_lists_failed_records_and_groups(sampleui, runs):
    text = sampleui("report", runs[0], "--format", "markdown", "--records", "failed", "--by", "tag").out
    assert "| s060 | m | failed | 0.00 |" in text
    assert text.count("| m | failed |") == 40
    assert "| x | 100 | 60 | 40 | 60% | 50 to 69% |" in text


def test_a_table_of_markdown_stands_alone_so_that_no_words_become_its_row(sampleui, tmp_path):
    rows = [{"test_id": f"s{n}", "target": target, "score": n % 2} for n in range(6) for target in "abc"]
    run = lines_of(tmp_path / "run.jsonl", rows)
    out = sampleui("report", run, "--format", "markdown", "--matrix", "--records", "all", "--by", "target").out
    lines = out.splitlines()
    assert "Each against a, which has the highest pass rate." in lines
    for line, after in itertools.pairwise(lines):
        assert not line or not after or line.startswith("| ") == after.startswith("| "), (line, after)


def test_words_that_no_record_holds_are_told(sampleui, runs):
    assert (
        "Records that are nonesuch\nNone."
        in sampleui("report", runs[0], "--records", "all", "--filter", "nonesuch").out
    )


def test_a_deck_shows_which_values_have_few_samples_and_which_no_records(sampleui, tmp_path):
    run = write(tmp_path / "run.jsonl", "110")
    topics = enumerate(("t0", "t1", "t2", "rare"))
    samples = ({"id": f"s{index:03}", "input": "q", "metadata": {"topic": topic}} for index, topic in topics)
    deck = lines_of(tmp_path / "deck.jsonl", samples)
    data = json.loads(sampleui("report", run, "--deck", deck, "--by", "metadata.topic", "--format", "json").out)
    found = {value["value"]: (value["samples"], value["answered"]) for value in data["groups"]["coverage"]}
    assert found == {"t0": (1, 1), "t1": (1, 1), "t2": (1, 1), "rare": (1, 0)}


def series(folder: Path, runs: Iterable[tuple[str, int, str]]) -> dict[str, Path]:
    """Write runs, each with the month it was made in and how its samples came out."""
    found = {}
    for name, month, outcomes in runs:
        rows = [
            {
                "test_id": f"s{index}",
                "target": "m",
                **({"error": "down"} if outcome == "!" else {"score": int(outcome)}),
                "timestamp": f"2026-0{month}-01T00:00:00Z",
            }
            for index, outcome in enumerate(outcomes)
        ]
        found[name] = lines_of(folder / f"{name}.jsonl", rows)
    return found


def test_runs_of_a_folder_are_in_order_of_their_time_with_the_samples_that_flipped(sampleui, tmp_path):
    runs = series(tmp_path, [("last", 3, "0110"), ("first", 1, "1100"), ("middle", 2, "0100")])
    found = json.loads(sampleui("report", runs["last"], "--series", "--format", "json").out)["series"]
    assert [(run["name"], run["pass_rate"]["value"]) for run in found["runs"]] == [
        ("first.jsonl", 0.5), ("middle.jsonl", 0.25), ("last.jsonl", 0.5),
    ]  # fmt: skip
    assert {flip["sample"]: [(at["run"], at["passes"]) for at in flip["runs"]] for flip in found["flips"]} == {
        "s0": [("middle.jsonl", False)], "s2": [("last.jsonl", True)],
    }  # fmt: skip
    assert (found["flipped"], found["baseline"]) == (2, str(runs["middle"]))


def test_the_newest_earlier_run_of_the_same_samples_and_targets_is_the_baseline(sampleui, tmp_path):
    runs = series(tmp_path, [("old", 1, "11"), ("other", 2, "1"), ("new", 3, "01")])
    rows = [{"test_id": "else", "target": "m", "score": 1, "timestamp": "2026-02-01T00:00:00Z"}]
    lines_of(runs["other"], rows)
    data = json.loads(sampleui("report", runs["new"], "--previous", "--format", "json").out)
    assert (data["comparison"]["baseline"], data["comparison"]["worse"], data["series"]) == ("old.jsonl", 1, None)
    ran = sampleui("report", runs["old"], "--previous")
    assert (ran.code, "no earlier run" in ran.err) == (1, True)


def test_earlier_runs_without_an_outcome_to_compare_with_are_passed_over_with_a_reason(sampleui, tmp_path):
    runs = series(tmp_path, [("old", 1, "11"), ("down", 2, "!!"), ("new", 3, "01"), ("last", 4, "!!")])
    found = json.loads(sampleui("report", runs["new"], "--series", "--format", "json").out)["series"]
    reason = "all of its 2 records are errors"
    assert (found["baseline"], found["passed_over"]) == (
        str(runs["old"]),
        [{"run": "down.jsonl", "reason": reason}],
    )
    ran = sampleui("report", runs["new"], "--previous")
    assert (ran.code, ran.err) == (0, f"down.jsonl is passed over: {reason}\n")
    assert "Against old.jsonl" in ran.out
    ran = sampleui("report", runs["last"], "--previous")
    assert (ran.code, ran.err.count("passed over: all of this run's 2 records are errors")) == (1, 3)


def test_crossed_fields_say_which_combinations_no_record_has(sampleui, tmp_path):
    rows = [
        {"test_id": f"{tag}{topic}", "score": 1, "tags": [tag], "metadata": {"topic": topic}}
        for tag, topic in ("ax", "ay", "bx", "cx")
    ]
    run = lines_of(tmp_path / "run.jsonl", [*rows, {"test_id": "none", "score": 1, "tags": ["a"]}])
    crossed = ("--by", "tag", "--by", "metadata.topic")
    groups = json.loads(sampleui("report", run, *crossed, "--format", "json").out)["groups"]
    assert (groups["n_empty"], [[*cell.values()] for cell in groups["empty"]]) == (2, [["b", "y"], ["c", "y"]])
    out = sampleui("report", run, *crossed).out
    assert "2 combinations without a record\n  tag  metadata.topic\n  b    y\n  c    y\n" in out
    hidden = sampleui("report", run, *crossed, "--format", "json", "--redact", "tag").out
    assert json.loads(hidden)["groups"]["empty"][0] == {"tag": "[redacted]", "metadata.topic": "y"}
    assert json.loads(sampleui("report", run, "--by", "tag", "--format", "json").out)["groups"]["n_empty"] == 0


def test_two_fields_are_crossed_as_a_grid(sampleui, tmp_path):
    cells = [("a", "x", 1), ("a", "x", 0), ("a", "y", 1), ("b", "x", 1), ("b", None, 1)]
    rows = [
        {"test_id": f"{n}", "score": score, "tags": [tag], "metadata": {"topic": topic} if topic else {}}
        for n, (tag, topic, score) in enumerate(cells)
    ]
    run, crossed = lines_of(tmp_path / "run.jsonl", rows), ("--by", "tag", "--by", "metadata.topic")
    groups = json.loads(sampleui("report", run, *crossed, "--format", "json").out)["groups"]
    grid, listed = groups["grid"], groups["groups"]
    found = {
        (row, column): place if place is None else listed[place]["records"]
        for row, places in zip(grid["rows"], grid["cells"], strict=True)
        for column, place in zip(grid["columns"], places, strict=True)
    }
    assert found == {
        ("a", "x"): 2,
        ("a", "y"): 1,
        ("a", None): None,
        ("b", "x"): 1,
        ("b", "y"): None,
        ("b", None): 1,
    }
    lines = sampleui("report", run, *crossed).out.splitlines()
    start = lines.index("tag by metadata.topic")
    assert [line.split() for line in lines[start + 2 : start + 4]] == [
        ["a", "50%", "(2)", "100%", "(1)", "·"],
        ["b", "100%", "(1)", "·", "100%", "(1)"],
    ]
    assert "| a | 50% (2) | 100% (1) | · |" in sampleui("report", run, *crossed, "--format", "markdown").out
    assert "50% (2)" in sampleui("report", run, *crossed, "--format", "html").out
    for fields in (("--by", "tag"), (*crossed, "--by", "target")):
        shown = json.loads(sampleui("report", run, *fields, "--format", "json").out)["groups"]
        assert shown["grid"] is None


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_whole_number_is_one_group_however_it_is_spelled(sampleui, tmp_path, engine):
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    levels = [1, 1.0, "1", 2.0, 2, [1.0, 3], 2.5, True, "1.0", None]
    rows = [{"test_id": f"s{n}", "score": 1, "metadata": {"level": level}} for n, level in enumerate(levels)]
    run = lines_of(tmp_path / "run.jsonl", rows)
    asked = ("--by", "metadata.level", "--format", "json")
    ran = sampleui("report", run if engine == "sqlite" else tmp_path / "*.jsonl", *asked)
    groups = json.loads(ran.out)["groups"]["groups"]
    found = {group["values"]["metadata.level"]: group["records"] for group in groups}
    assert found == {"1": 4, "2": 2, "3": 1, "2.5": 1, "true": 1, "1.0": 1, None: 1}


def test_a_glob_is_one_run_and_what_is_not_there_is_said(sampleui, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    for part in (0, 1):
        rows = [{"test_id": f"s{part}{index}", "passed": index > part, "target": "m"} for index in range(4)]
        path = lines_of(tmp_path / f"{part}.jsonl", rows)
        duckdb.sql(f"COPY (FROM read_json_auto('{path}')) TO '{path.with_suffix('.parquet')}'")
    ran = sampleui("report", tmp_path / "*.parquet", "--format", "json")
    run = json.loads(ran.out)["run"]
    assert (run["records"], run["passed"], run["pass_rate"]["value"]) == (8, 5, 0.625)
    assert sampleui("report", tmp_path / "none.parquet").code == 2
    assert sampleui("report", tmp_path / "*.parquet", "--records", "all").code == 2
    ran = sampleui("report", lines_of(tmp_path / "o.jsonl", [{"a": 1}]).with_name("o*.jsonl"))
    assert (ran.code, "no column has the samples' names" in ran.err) == (2, True)


def matrix_of(out: str) -> list[str]:
    lines = out.splitlines()
    return lines[next(place for place, line in enumerate(lines) if line.startswith("Matrix")) + 2 :]


def test_a_matrix_has_runs_as_columns_and_says_what_is_not_known(sampleui, tmp_path):
    new, old = write(tmp_path / "new.jsonl", "10!?1"), write(tmp_path / "old.jsonl", "1111")
    head, *rows = matrix_of(sampleui("report", new, "--baseline", old, "--matrix").out)
    assert head.split() == ["sample", "new.jsonl", "old.jsonl"]
    cells = [["s001", "✖", "✓"], ["s000", "✓", "✓"], ["s002", "!", "✓"], ["s003", "–", "✓"], ["s004", "✓", "·"]]
    assert [row.split() for row in rows] == cells
    head, *rows = matrix_of(sampleui("report", new, "--series", "--matrix", "--sort", "name").out)
    assert [row.split() for row in rows] == sorted(cells)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_matrix_loses_columns_and_says_which_rather_than_wrap(sampleui, tmp_path, monkeypatch, width):
    rows = [
        {"test_id": f"a-long-name-of-sample-{sample}", "target": f"provider/model-{target:02}", "score": 1}
        for sample in range(4)
        for target in range(20)
    ]
    monkeypatch.setenv("COLUMNS", str(width))
    lines = matrix_of(sampleui("report", lines_of(tmp_path / "run.jsonl", rows), "--matrix").out)
    assert all(cell_len(line) <= width for line in lines)
    shown = lines[1].count("✓")
    missing = " ".join(lines[5:])
    assert shown == 20 or shown + missing.count("provider/model-") == 20


@pytest.mark.parametrize("width", [60, 80])
def test_plots_show_scores_cost_and_runs_over_time_without_wrapping(sampleui, tmp_path, monkeypatch, width):
    for run, late in (("old", 2), ("new", 5)):
        rows = [
            {"test_id": f"s{at}", "target": f"m{at % 2}", "score": at % late / late, "duration_ms": 10 * at}
            for at in range(30)
        ]
        lines_of(tmp_path / f"{run}.jsonl", rows)
    monkeypatch.setenv("COLUMNS", str(width))
    out = sampleui("report", tmp_path / "new.jsonl", "--plots", "--series").out
    lines = out.splitlines()
    titles = ("Scores of 30 records", "Latency of 30 records", "Pass rate by target", "Pass rate over time")
    assert all(title in lines for title in titles)
    assert all(cell_len(line) <= width for line in lines[lines.index("Scores of 30 records") :])
    marked = sampleui("report", tmp_path / "new.jsonl", "--plots", "--format", "markdown").out
    assert "## Scores of 30 records\n\n```\n" in marked
    assert (
        "--redact does not go"
        in sampleui("report", tmp_path / "new.jsonl", "--redact", "x", "--format", "score-edits").err
    )
    assert "--plots goes with" in sampleui("report", tmp_path / "new.jsonl", "--plots", "--format", "json").err


def test_reviews_that_nobody_looked_at_are_not_said_to_be_none(sampleui, tmp_path):
    pytest.importorskip("duckdb")
    run = write(tmp_path / "run.jsonl", "1101").with_name("r*.jsonl")
    for form in ("text", "markdown"):
        out = sampleui("report", run, "--format", form).out
        assert "Review: not looked at" in out and "earlier ones are not looked at" in out
        assert "decided" not in out and "No verdicts" not in out
    data = json.loads(sampleui("report", run, "--format", "json").out)
    jsonschema.validate(data, closed(answer_schema("report")))
    assert data["run"]["failed"] == 1 and data["review"] is None


def test_a_field_that_no_record_has_is_named_and_one_that_is_named_twice_groups_once(sampleui, runs):
    ran = sampleui(
        "report", runs[0], "--cluster", "metadata.nothing", "--by", "tag", "--by", "tag", "--by", "topic"
    )
    assert "nothing is clustered, for no record has metadata.nothing" in ran.err
    assert "nothing is grouped by topic, for no record has it" in ran.err and "by tag, for" not in ran.err
    assert "By tag, topic" in ran.out.splitlines()
