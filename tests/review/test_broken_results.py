"""Results that are cut off, wrong or hostile: one line with the place, and nothing that could be read is lost."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.record import failed
from sampleui.review.results import file, sources
from sampleui.review.results.file import open_results
from tests.failing import failing
from tests.review.build import write_jsonl

TOOLS = Path(__file__).parents[1] / "integrations"
WHOLE = (
    "promptfoo/written/out.json",
    "promptfoo/written/out.yaml",
    "pydantic_evals/written/report.json",
    "deepeval/written/test_run_20261122_164831.json",
)
LINES = ("promptfoo/written/out.jsonl", "verifiers/written/results.jsonl", "lm_eval/written/samples_demo_gen*")


def text_of(name: str) -> tuple[str, str]:
    path = next(TOOLS.glob(name))
    return path.name, path.read_text("utf-8")


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_is_cut_off_is_one_line_with_the_place(tmp_path: Path, name: str) -> None:
    called, text = text_of(name)
    path = tmp_path / called
    cut = text[: len(text) * 2 // 3]
    path.write_text(cut + "\n\t- [" if called.endswith("yaml") else cut, "utf-8")
    with pytest.raises(ResultsError) as caught:
        open_results(path).indexed()
    assert caught.value.line is not None
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_is_cut_off_costs_no_other(tmp_path: Path, name: str) -> None:
    called, text = text_of(name)
    path = tmp_path / called
    path.write_text(text[: len(text) - 40], "utf-8")
    results = open_results(path).indexed()
    assert len(results) == text.count("\n") - 1 + (not text.endswith("\n"))
    assert [(one.line, "not JSON" in one.message) for one in results.diagnostics] == [(len(results) + 1, True)]


def rows_of(name: str) -> list[dict[str, object]]:
    called, text = text_of(name)
    if called.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    document = json.loads(text)
    return next(rows for rows in (document.get("cases"), document.get("testCases")) if rows)  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", [*WHOLE[2:], *LINES])
@pytest.mark.parametrize("value", [None, 3, "text", [], {}, [None], {"a": None}, [[[]]], True, -1e308], ids=repr)
def test_any_value_in_any_place_is_read_without_a_fault(tmp_path: Path, name: str, value: object) -> None:
    row = rows_of(name)[0]
    spoilt = [{**row, key: value} for key in row]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in spoilt), "utf-8")
    results = open_results(path).indexed()
    assert len(results) + results.skipped == len(spoilt)
    for entry in results.entries:
        results.record(entry.index)


def test_control_characters_and_markup_are_data(tmp_path: Path) -> None:
    row = rows_of("promptfoo/written/out.jsonl")[0]
    row["testCase"] = {"description": "\x1b[31m[red]\u202ered\n", "vars": {}}
    row["response"] = {"output": "\x1b]0;title\x07"}
    (tmp_path / "out.jsonl").write_text(json.dumps(row), "utf-8")
    results = open_results(tmp_path / "out.jsonl").indexed()
    assert len(results) == 1
    assert results.record(0).actual == "\x1b]0;title\x07"


def test_many_rows_of_one_test_are_as_many_tries(tmp_path: Path) -> None:
    row = rows_of("promptfoo/written/out.jsonl")[0]
    del row["prompt"], row["response"]
    path = tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps({**row, "testIdx": at}) + "\n" for at in range(2_000)), "utf-8")
    results = open_results(path).indexed()
    assert (len(results), len(results.counted), results.entries[-1].attempt) == (2_000, 2_000, 2_000)


def test_an_alias_bomb_and_deep_nesting_end_in_an_error(tmp_path: Path) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    (tmp_path / "bomb.yaml").write_text(f"results:\n  results: []\n{bomb}", "utf-8")
    (tmp_path / "deep.json").write_text('{"results": ' + "[" * 100_000, "utf-8")
    for name in ("bomb.yaml", "deep.json"):
        with pytest.raises(ResultsError) as caught:
            open_results(tmp_path / name)
        assert "\n" not in str(caught.value)


def test_a_row_without_a_known_outcome_does_not_pass_unseen(tmp_path: Path) -> None:
    row = rows_of("pydantic_evals/written/report.json")[0]
    row |= {"assertions": {}, "scores": {"close": {"name": "close", "value": 0.1}}}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), "utf-8")
    assert failed(open_results(tmp_path / "rows.jsonl").indexed().entries[0])


@pytest.mark.parametrize("suffix", [".csv", ".html", ".xml", ".txt"])
def test_what_a_tool_writes_beside_its_results_is_said_to_be_none(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    path.write_text("Description,question,[echo] {{question}},Status\n,one,one,PASS\n", "utf-8")
    with pytest.raises(ResultsError, match=f"results are JSON, JSON Lines.*instead of {suffix}"):
        open_results(path)


def test_what_is_wrong_with_a_file_is_told_in_the_words_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_jsonl(tmp_path / "run.jsonl", [{"test_id": "a", "score": 1}])
    indexed, begun = open_results(path).indexed(), open_results(path)
    worn = failing(errno.EIO, "worn out", "somewhere")
    monkeypatch.setattr(sources, "opened", worn)
    with pytest.raises(ResultsError, match=r"run\.jsonl: worn out$"):
        indexed.record(0)
    with pytest.raises(ResultsError, match=r"run\.jsonl: worn out$"):
        begun.indexed()
    monkeypatch.setattr(file, "result_source", worn)
    with pytest.raises(ResultsError, match=r"run\.jsonl: worn out$"):
        open_results(path)


def test_of_many_rows_that_cannot_be_read_the_first_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "MAX_DIAGNOSTICS", 2)
    results = open_results(
        write_jsonl(tmp_path / "run.jsonl", [{}, {}, {}, {"test_id": "a", "score": 1}])
    ).indexed()
    assert ([one.line for one in results.diagnostics], results.skipped, len(results)) == ([1, 2], 3, 1)
