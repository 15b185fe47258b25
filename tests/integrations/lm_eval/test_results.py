"""What the results of lm-eval tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

from pathlib import Path

from sampleui.review.record import failed
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import index_of, sibling_runs

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


def test_a_perplexity_is_no_score_of_how_well_a_row_did() -> None:
    likely = opened("likelihood/samples_tdemo_ll*")
    assert [(one.score, failed(one)) for one in likely.entries] == [(0.0, True)] * 3
    assert [one.name for one in likely.entries[0].grades] == ["perplexity", "acc"]
    rolling = opened("likelihood/samples_tdemo_roll*")
    assert [(one.score, failed(one)) for one in rolling.entries] == [(None, False)] * 3


def test_a_choice_is_told_by_its_likelihood() -> None:
    record = opened("samples_demo_mc*").record(1)
    assert (record.actual, record.expected) == ("green", "green")
    assert [(one.name, one.score) for one in record.grades] == [("acc", 1.0), ("acc_norm", 1.0)]


def test_the_likelihoods_of_all_choices_are_told_and_which_of_them_is_meant() -> None:
    results = opened("tasks/samples_demo_mc*")
    record = results.record(0)
    accuracy, by_length = record.evaluators
    assert [(one.text, one.passed) for one in accuracy.assertions] == [
        ("stone", False),
        ("apple", None),
        ("car", None),
        ("pear tree in the garden", None),
    ]
    assert [one.evidence for one in accuracy.assertions[:2]] == [
        "log-likelihood -0.1171, -0.02343 a character; chosen",
        "log-likelihood -0.2205, -0.04409 a character; expected",
    ]
    assert str(accuracy.assertions[3].evidence).endswith("a character; likeliest by its length")
    assert not by_length.assertions
    assert results.record(2).evaluators[0].assertions[2].passed is True


def test_choices_without_their_prompt_are_none_of_the_choices() -> None:
    record = opened("tasks/samples_demo_multi*").record(0)
    assert (record.actual, record.expected) == ("no", "yes")
    assert [one.text for one in record.evaluators[0].assertions] == ["no", "yes"]
    f1 = next(one for one in record.evaluators if one.name == "f1")
    assert (f1.score, f1.reasoning) == (None, "[1, 0]")


def test_prompts_are_the_choices_of_a_task_with_one_continuation() -> None:
    record = opened("tasks/samples_demo_wino*").record(1)
    assert (record.actual, record.score) == ("Ann thanked Eve because Eve", 1.0)
    assert [(one.text, one.passed) for one in record.evaluators[0].assertions] == [
        ("Ann thanked Eve because Ann", None),
        ("Ann thanked Eve because Eve", None),
    ]


def test_what_was_answered_before_a_filter_is_told() -> None:
    results = opened("tasks/samples_demo_gen*")
    assert {one.target for one in results.entries} == {"strict-match", "maj@3"}
    record = results.record(0)
    assert record.actual == "[invalid]"
    (before,) = record.evaluators[0].assertions
    assert (before.text, before.evidence) == ("lol", "before the filter, 3 times")


def test_the_tasks_of_a_folder_are_runs_beside_each_other() -> None:
    folder = WRITTEN / "tasks"
    runs = [one.name.split("_")[2] for one in sibling_runs(folder)]
    assert runs == ["wino", "multi", "mc", "gen"]
    assert index_of(folder).name.startswith("samples_demo_wino")
    assert sibling_runs(next(folder.glob("samples_demo_gen*"))) == sibling_runs(folder)
