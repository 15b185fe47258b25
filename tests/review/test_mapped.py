"""What the rows of results say by their table alone, function by function."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.review.record import Details, join_key
from sampleui.review.results.adapters import parse_row, says_passed
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent


def dialect(**more: object) -> ResultDialect:
    return ResultDialect(name="x", title="X", marks=(), ids=(("id",),), **more)  # type: ignore[arg-type]


def test_values_that_say_whether_something_passed() -> None:
    said = {one: says_passed(one, dialect()) for one in (" Passed ", "wrong", "odd", 2, 0.5)}
    assert said == {" Passed ": True, "wrong": False, "odd": None, 2: None, 0.5: None}
    values: list[Plain] = [1, 0, True, False, 1.0, None, []]
    assert [says_passed(value, dialect()) for value in values] == [
        True, False, True, False, True, None, None,
    ]  # fmt: skip


def test_a_row_without_an_id_is_called_by_its_label_or_its_number() -> None:
    found = dialect(labels=(("asked",),), positions=(("at",),))

    def called(**row: Plain) -> str | None:
        entry = parse_row(found, row).entry
        return None if entry is None else entry.sample_id

    assert called(id="a", asked="q", at=3) == "a"
    assert called(asked=" q\n r ", at=3) == "q r"
    assert called(asked={"a": "x" * 41, "b": None, "c": True}) == f"{'x' * 39}… · true"
    assert called(asked={"a": "x" * 40}) == "x" * 40
    assert called(asked="y" * 81) == f"{'y' * 79}…"
    assert called(at=0) == "#1"
    assert called() is None


def test_scores_are_counted_from_the_worst_to_the_best() -> None:
    found = dialect(outcomes=Outcomes(scores=(("s",),), scale=(5.0, 1.0), thresholds=(("least",),)))

    def scored(**row: Plain) -> tuple[float | None, bool | None]:
        entry = parse_row(found, {"id": "a", **row}).entry
        assert entry is not None
        return entry.score, entry.outcome

    assert (scored(s=5), scored(s=1), scored(s=3), scored(s="x")) == (
        (0, None),
        (1, None),
        (0.5, None),
        (None, None),
    )
    assert (scored(s=3, least=3), scored(s=4, least=3), scored(least=3)) == (
        (0.5, True),
        (0.25, False),
        (None, None),
    )


def test_the_mean_of_the_evaluators_stands_in_for_a_score() -> None:
    graders = (Graders(("checks",), details=(("limit",),)),)
    checks: Plain = [
        {"name": "a", "score": 1},
        {"name": "b", "passed": False, "limit": 3},
        5,
        {"score": 0},
    ]
    row: Table = {"id": "x", "checks": checks, "more": {"f1": 0.5, "note": "fine", "none": None, "list": []}}
    mean = parse_row(dialect(graders=graders, outcomes=Outcomes(mean=True)), row).entry
    assert mean is not None
    assert [(one.name, one.score, one.verdict) for one in mean.grades] == [
        ("a", 1.0, None), ("b", None, "fail"), ("evaluator", 0.0, None),
    ]  # fmt: skip
    assert (mean.score, mean.verdict) == (0.5, "fail")
    plain = parse_row(dialect(graders=(Graders(("more",)),)), row).details()
    assert [(one.name, one.score, one.verdict) for one in plain.evaluators] == [
        ("f1", 0.5, None), ("note", None, None),
    ]  # fmt: skip
    told = parse_row(dialect(graders=graders), row).details()
    assert told.evaluators[1].details == {"limit": 3}
    assert told.misses == ("b",)
    without = parse_row(dialect(graders=graders), row).entry
    assert without is not None
    assert without.score is None


def test_what_a_row_took_and_what_was_asked_and_done() -> None:
    spent = Spent(seconds=(("s",),), milliseconds=(("ms",),))
    paths = {"prompts": (("p",),), "done": (("d",),), "actual": (("a",),), "messages": (("m",),)}

    def read(**row: Plain) -> Details:
        return parse_row(dialect(**paths, spent=spent), row).details()

    def latency(**row: Plain) -> float | None:
        return parse_row(dialect(**paths, spent=spent), row).usage().latency_ms

    assert (latency(s=2), latency(s=2, ms=5), latency()) == (2000.0, 5.0, None)
    user: Table = {"role": "user", "content": "q"}
    assert read(p="q").asked == read(p='[{"role": "user", "content": "q"}]').asked == (user,)
    assert read(p="[q").asked == ({"role": "user", "content": "[q"},)
    assert read(p="[1]").asked == ({"role": "user", "content": "[1]"},)
    assert read(p={"text": "q"}).asked == (user,)
    answer: Table = {"role": "assistant", "content": "a"}
    assert (read(d=[answer]).done, read(d=[user, answer]).done) == ((), (user, answer))
    assert read(d=[{**answer, "tool_calls": [1]}]).done
    assert (read(a=True).actual, read(m=[answer]).actual, read().actual) == ("true", "a", "")


def test_values_stand_for_themselves_however_numbers_are_written() -> None:
    assert join_key(("v",), {"a": [1.0, 2.5]}) == join_key(("v",), {"a": [1, 2.5]})
    assert join_key(("v",), 1) != join_key(("w",), 1)
    assert join_key(("v",), 2.5) != join_key(("v",), 2)
