"""The matrix of a run in the app: samples by targets and runs, narrowed, sorted, and opened from a cell."""

from __future__ import annotations

import pytest

from .review_driver import reviewing, write_results


def row(sample, target, score=1.0, **more):
    return {"timestamp": "2026-01-02T03:04:05Z", "test_id": sample, "target": target, "score": score, **more}


RUN = [
    row("steady", "alpha"),
    row("steady", "beta"),
    row("split", "alpha", output="[red] apples"),
    row("split", "beta", 0.0),
    row("shaky", "alpha", 0.0, attempt=1),
    row("shaky", "alpha", attempt=2),
    row("shaky", "alpha", attempt=3),
    row("broken", "beta", None, error="timeout"),
]


@pytest.fixture
def results(tmp_path):
    return write_results(tmp_path / "run.jsonl", RUN)


def lines(app):
    return [line.strip(" │") for line in app.drawn.split("\n")]


def line(app, sample):
    return next(line for line in lines(app) if line.lstrip("› ").startswith(sample))


def samples(app):
    names = [line.lstrip("› ").split(" ")[0] for line in lines(app)]
    return list(dict.fromkeys(name for name in names if name in ("steady", "split", "shaky", "broken")))


async def test_a_cell_of_the_matrix_leads_to_its_record_and_one_comes_back_to_the_cell(results):
    async with reviewing(results) as app:
        await app.press("R", "M")
        assert "4 samples × 2 targets" in app.drawn
        assert samples(app)[0] == "split"
        assert "✓" in line(app, "steady") and "2/3" in line(app, "shaky")
        assert "!" in line(app, "broken") and "·" in line(app, "broken")
        await app.press("l", "enter")
        await app.back()
        assert app.at == "split#2" and app.screen.review.item.entry.target == "beta"
        assert [app.screen.review.queue.items[at].entry.target for at in app.screen.review.queue.visible] == [
            "beta",
            "alpha",
        ]
        await app.press("M")
        assert "[✖]" in line(app, "split") and "4 samples × 2 targets" in app.drawn


async def test_a_cell_where_nothing_was_run_says_so_and_leads_nowhere(results):
    async with reviewing(results) as app:
        await app.press("M", "end", "enter")
        assert "not run" in app.drawn
        assert "was not run" in app.drawn and "Matrix" in app.drawn


async def test_samples_are_sorted_and_filtered_by_the_words_of_the_queue(results):
    async with reviewing(results) as app:
        await app.press("M", "o")
        assert "by instability" in app.drawn and samples(app)[0] == "shaky"
        await app.press("o")
        assert samples(app) == ["broken", "shaky", "split", "steady"]
        await app.press("slash")
        await app.type("outcome:failed")
        await app.press("enter")
        assert "2 of 4 samples" in app.drawn and samples(app) == ["shaky", "split"], "an error is no failure"
        await app.press("slash", "ctrl+u")
        await app.type("APPLES")
        await app.press("enter")
        assert samples(app) == ["split"] and "✖" in line(app, "split")
        await app.press("slash", "escape", "f")
        await app.type("target: beta")
        await app.press("enter")
        assert "1 target" in app.drawn and "alpha" not in app.drawn


@pytest.mark.parametrize("size", [(30, 12), (60, 20), (80, 24)])
async def test_columns_go_and_are_named_while_samples_and_heads_stay(tmp_path, size):
    rows = [row(f"sample-{sample:03}", f"model-{target:02}") for sample in range(40) for target in range(20)]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows), size=size) as app:
        await app.press("M", "end", *"l" * 19)
        assert "of 20" in app.drawn
        assert "sample-039" in app.drawn and "19" in lines(app)[1]
        assert all(len(line) <= size[0] for line in app.drawn.split("\n"))


async def test_a_baseline_and_the_other_runs_of_a_folder_are_columns(tmp_path):
    old = write_results(tmp_path / "a.jsonl", [row("steady", "m"), row("split", "m")])
    new = write_results(tmp_path / "b.jsonl", [row("steady", "m"), row("split", "m", 0.0)])
    async with reviewing(new, baseline=old) as app:
        await app.press("M", "f")
        await app.type("all records")
        await app.press("enter")
        assert "2 samples × 2 runs" in app.drawn and "b" in lines(app)[1]
        await app.press("l", "enter")
        await app.back()
        assert app.screen.review.results.path.name == "a.jsonl" and app.at == "split"


async def test_the_other_runs_of_a_folder_come_and_go_and_a_cell_opens_its_run(tmp_path):
    for name, score in (("a", 1.0), ("b", 0.0), ("c", 1.0)):
        write_results(tmp_path / f"{name}.jsonl", [row("steady", "m"), row("split", "m", score)])
    (tmp_path / "none.jsonl").write_text("{]")
    async with reviewing(tmp_path / "b.jsonl") as app:
        await app.press("M")
        assert "2 samples × 1 target" in app.drawn
        await app.press("O")
        assert "2 samples × 3 runs" in app.drawn and samples(app)[0] == "split"
        await app.press("l", "enter")
        await app.back()
        assert app.screen.review.results.path.name != "b.jsonl" and app.at == "split"


async def test_texts_of_a_run_are_shown_as_text(tmp_path):
    rows = [row("[bold]x[/bold]\x1b[31m", "m\x1b]0;title\x07"), row("[bold]x[/bold]\x1b[31m", "n")]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows)) as app:
        await app.press("M")
        assert "[bold]x[/bold]␛[31m" in app.drawn and "\x1b" not in app.drawn


@pytest.mark.parametrize("keys", [("H",), ("R", "H")])
async def test_plots_are_drawn_in_a_box_that_fits_any_width(tmp_path, keys):
    rows = [row(f"s{sample}", ("[red]m", "n")[sample % 2], sample / 20) for sample in range(20)]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows), size=(80, 24)) as app:
        await app.press(*keys)
        assert "Scores of 20 records" in app.drawn and "median 0.47" in app.drawn
        await app.press("end")
        assert "[red]m" in app.drawn
        await app.press("escape")
        assert app.app.screen is app.screen


async def test_names_of_columns_that_do_not_fit_stand_in_a_line_for_each_part_in_which_they_differ(tmp_path):
    targets = [f"{model} · {prompt}" for model in ("small", "large") for prompt in ("What is it?", "Add both: now")]
    run = write_results(tmp_path / "new.jsonl", [row("a", target) for target in targets])
    old = write_results(tmp_path / "old.jsonl", [row("a", target, 0.0) for target in targets])
    async with reviewing(run, baseline=old, size=(100, 24)) as app:
        await app.press("M")
        assert "1 sample × 8 columns" in app.drawn
        heads = [line.split() for line in lines(app)[1:4]]
        assert heads[:2] == [["new…"] * 4 + ["old…"] * 4, ["small", "small", "large", "large"] * 2]
        assert [word for word in heads[2] if word in ("What", "Add")] == ["What", "Add"] * 4
    async with reviewing(run, size=(120, 24)) as app:
        await app.press("M")
        assert "small · What is it?" in lines(app)[1]
