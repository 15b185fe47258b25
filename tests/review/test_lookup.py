"""Which sample of a deck a record answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sampleui.formats.data import Plain, Table
from sampleui.review.record import Entry, join_key
from sampleui.review.samples.lookup import Candidate, Joiner, SampleIndex, suite_of
from sampleui.runs.decks import index_of
from sampleui.sample.model import Sample
from tests.review.build import entry


def index(*rows: tuple[str, Table], dialect: str = "lm-eval", **context: object) -> SampleIndex:
    held = [
        Sample(name, at, data, dialect, ("question",), Path("deck"), context=context)  # type: ignore[arg-type]
        for at, (name, data) in enumerate(rows)
    ]
    return index_of(held)


def asking(sample: str, question: str | None = None, position: int | None = None) -> Entry:
    join_keys = () if question is None else (join_key(("question",), question),)
    return replace(entry(sample=sample), join_keys=join_keys, position=position)


TWO = index(("a", {"question": "x"}), ("b", {"question": "y"}), ("b", {"question": "z"}), ("d", {"question": "y"}))


def test_an_id_of_one_sample_identifies_it_whatever_the_record_repeats() -> None:
    assert TWO.find(asking("a")) == 0
    assert TWO.find(asking("a", "y")) == 0
    assert TWO.find(asking("nobody")) is None


def test_of_samples_that_share_an_id_the_values_decide() -> None:
    assert TWO.find(asking("b", "z")) == 2
    assert TWO.find(asking("b", "none of them")) is None
    assert TWO.find(asking("b")) == 1


def test_a_record_of_another_name_is_found_by_what_it_repeats() -> None:
    assert TWO.find(asking("nobody", "y")) == 1
    assert (TWO.repeats(asking("nobody", "y")), TWO.repeats(asking("a"))) == (True, False)


def test_a_number_for_an_id_comes_last() -> None:
    numbered = index(("#1", {"question": "x"}), ("1", {"question": "y"}), ("#3", {"question": "z"}))
    assert numbered.find(asking("0", None, 0)) == 0
    assert numbered.find(asking("1", None, 1)) == 1
    assert numbered.find(asking("1", "z", 1)) == 2
    assert numbered.find(asking("2", None, 2)) == 2
    assert numbered.find(asking("3", None, 3)) is None
    assert numbered.find(asking("9", None, 1)) is None


def test_a_number_behind_a_name_tells_records_of_one_sample_apart() -> None:
    assert TWO.find(asking("a (2)")) == 0
    assert TWO.find(asking("b (2)")) is None


def test_samples_go_by_their_ids_or_else_by_their_numbers() -> None:
    assert TWO.names == ["a", "b", "#3", "d"]
    assert TWO.ids == ["a", "b", "b", "d"]
    assert [TWO.with_id(name) for name in ("a", "b", "#3", "#2")] == [0, 1, 2, None]


def test_a_test_of_several_variables_is_found_by_each_and_by_all_of_them() -> None:
    data: Table = {"vars": {"question": ["x", "y"], "tone": "kind"}}
    found = index(("t", {"vars": {}}), ("t", data), dialect="promptfoo", defaultTest={"vars": {"by": "me"}})

    def about(**values: object) -> Entry:
        return replace(entry(sample="?"), join_keys=(join_key(("vars",), values),))  # type: ignore[arg-type]

    assert found.find(about(question="y", tone="kind", by="me")) == 1
    assert found.find(about(question=["x", "y"], tone="kind", by="me")) == 1
    assert found.find(about(by="me")) == 0
    assert found.find(about(question="y", tone="kind")) is None


def test_of_decks_with_the_same_samples_the_suite_and_then_the_path_decides() -> None:
    paths = [("one/evals/deck.yaml", "s"), ("two/evals/deck.yaml", "t"), ("two/other.yaml", "t")]
    joiner = Joiner([Candidate(Path(path), TWO, suite) for path, suite in paths])

    def deck(suite: str | None, source: str | None) -> int | None:
        return joiner.deck_of(replace(entry(sample="a"), suite=suite, source=source))

    assert (deck(None, None), deck("t", None), deck("s", "two/evals/deck.yaml")) == (0, 1, 0)
    assert (deck(None, "two/evals/deck.yaml"), deck(None, "run/other.yaml")) == (1, 2)
    assert (deck("t", "x/other.yaml"), deck("nobody", "x.yaml")) == (2, 0)
    assert joiner.deck_of(entry(sample="nobody")) is None


def test_what_the_suite_of_a_deck_is_called() -> None:
    assert suite_of(Path("a/x.eval.yaml"), {}) == "x"
    assert suite_of(Path("a/x.yml"), {"name": " s "}) == "s"
    assert suite_of(Path("a/x.jsonl"), {"name": " "}) == "x"
    assert suite_of(Path("a/x.y.toml"), {"name": 5}) == "x.y"


def test_the_only_turn_of_a_conversation_is_known_by_its_text_too() -> None:
    one: Table = {"input": [{"role": "user", "content": "x"}]}
    two: Table = {"input": [{"role": "user", "content": "y"}, {"role": "user", "content": "z"}]}
    held = [Sample(str(at), at, data, "inspect", ("input",), Path("deck")) for at, data in enumerate((one, two))]
    found = index_of(held)

    def about(value: Plain) -> int | None:
        return found.find(replace(entry(sample="?"), join_keys=(join_key(("input",), value),)))

    assert [about(value) for value in ("x", one["input"], "y", two["input"])] == [0, 0, None, 1]
