"""Plots in a terminal: the same values as on the page, in lines that fit."""

from __future__ import annotations

import random
import re

import pytest
from rich.cells import cell_len

from sampleui.page.terminal_plots import plot_sections
from sampleui.review.reports.figures import ScoreBin
from sampleui.review.reports.plot_values import Estimated, Rates, RatesOverTime, Reliability, distribution_of
from sampleui.statistics import Interval
from sampleui.statistics.graders import Estimate

GENERATOR = random.Random(1)
RATES = tuple(
    Estimated(name, rate, interval)
    for name, rate, interval in (
        ("provider/a-model-of-a-very-long-name-01", 0.5, Interval(0.25, 0.75)),
        ("provider/a-model-of-a-very-long-name-02", 1.0, None),
        ("模型 [red]x[/red]\x1b[31m", None, None),
    )
)
PLOTS = (
    distribution_of("Scores", "score", [GENERATOR.random() for _ in range(500)], 510),
    distribution_of("Latency", "ms", [GENERATOR.lognormvariate(7, 2) for _ in range(500)], 500),
    distribution_of("Cost", "usd", [0.001] * 9, 9),
    distribution_of("Tokens", "tokens", [10, 200], 3),
    Rates("Pass rate by target", RATES),
    RatesOverTime("Pass rate over time", RATES * 9),
    RatesOverTime("Pass rate over time", RATES[:1]),
    Reliability(
        "Right answers by score of judge",
        (
            ScoreBin(0.0, 0.1, 12_000, 0, Estimate(None, None)),
            ScoreBin(0.5, 0.6, 30, 12, Estimate(0.25, Interval(0.1, 0.5))),
            ScoreBin(0.9, 1.0, 9, 9, Estimate(1.0, Interval(0.7, 1.0))),
        ),
    ),
)


def dots(line: str) -> str:
    return "".join(char for char in line if "\u2800" < char <= "\u28ff")


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_it_may_be_and_none_has_a_control_character(width):
    for title, lines in plot_sections(PLOTS, width):
        assert lines and title
        assert all(cell_len(line) <= width and line.isprintable() for line in lines), (title, width)


def test_a_bar_is_as_high_as_its_bin_has_values():
    spread = distribution_of("Scores", "score", [0.02] * 10 + [0.52] * 5 + [0.98], 20)
    (_, lines), *_ = plot_sections([spread], 80)
    columns = {start: sum(bool(dots(line[start : start + 2])) for line in lines[:6]) for start in (6, 36, 63)}
    assert list(columns.values()) == [6, 3, 1]
    assert lines[0].startswith("  10 ┤") and "median 0.02, 4 without" in lines[-1]


def test_a_rate_stands_where_its_share_is_and_one_that_is_not_known_has_no_dot():
    (_, lines), *_ = plot_sections([Rates("", (Estimated("half", 0.5, None), Estimated("none", None, None)))], 80)
    place = next(index for index, char in enumerate(lines[0]) if dots(char))
    assert place == pytest.approx(lines[2].index("50%") + 1, abs=1)
    assert not dots(lines[1]) and "not known" in lines[1]


def test_the_share_of_right_answers_stands_by_each_bin_of_scores_with_its_counts():
    (_, lines), *_ = plot_sections(PLOTS[-1:], 80)
    told = [" ".join(re.sub("[\u2800-\u28ff]+", " ", line).split()) for line in (lines[0], lines[2])]
    assert told == ["0 to 0.1 0 of 12,000 not known", "0.9 to 1 9 of 9 100% (70 to 100%)"]
    places = [[index for index, char in enumerate(line) if dots(char)] for line in lines[:3]]
    assert max(places[0]) < min(places[2]), "the line of where they should be goes with the score"


def test_few_or_equal_values_are_told_in_words():
    told = dict(plot_sections(PLOTS[2:4], 80))
    assert told == {"Cost of 9 records": ("  $0.001",), "Tokens of 2 records": ("  10 to 200, 1 without",)}
