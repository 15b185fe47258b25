"""What no path leads to in the rows of other tools, function by function."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.deepeval import results as deepeval
from sampleui.integrations.lm_eval import results as lmeval
from sampleui.integrations.promptfoo import results as promptfoo
from sampleui.integrations.pydantic_evals import results as pydantic_evals
from sampleui.integrations.verifiers import results as verifiers
from sampleui.integrations.verifiers.results import flat
from sampleui.review.results.adapters.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.review.results.adapters.join_keys import matter_key
from sampleui.review.results.adapters.parsed import ParsedRecord
from sampleui.review.results.adapters.table_adapter import outcome_of, parse_entry, parse_record
from tests.inside import inside

GRADED: Table = {"componentResults": [{"pass": False}]}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"error": "boom"}, "boom"),
        ({"error": "boom", "success": True}, None),
        ({"error": "not equal", "gradingResult": GRADED}, None),
        ({"error": "not equal", "failureReason": 1}, None),
        ({"error": "boom", "failureReason": 2, "gradingResult": GRADED}, "boom"),
        ({"response": {"error": "late"}}, "late"),
        ({"response": {"error": "late"}, "gradingResult": GRADED}, "late"),
        ({}, None),
    ],
)
def test_an_error_of_promptfoo_is_no_assertion_that_does_not_hold(row: Table, error: str | None) -> None:
    assert promptfoo.prepare(row)[promptfoo.ERROR] == error


def test_what_promptfoo_compares_with_is_equality_first() -> None:
    held: Plain = [
        {"type": "contains", "value": "b"},
        {"type": "llm-rubric", "value": "kind"},
        {"type": "equals", "value": None},
        {"type": "equals", "value": "a"},
    ]
    listed = promptfoo.parse_record({"assert": held})
    assert (listed.expected, listed.wanted) == ("a", ("a", "b"))
    own = promptfoo.parse_record({"testCase": {"assert": held[:1]}, "assert": held})  # type: ignore[index]
    assert (own.expected, own.wanted) == ("b", ("b",))


@pytest.mark.parametrize(
    ("component", "name", "kind"),
    [
        ({"assertion": {"type": "equals", "value": "a  b\nc"}}, "equals a b c", "equals"),
        ({"assertion": {"type": "equals", "value": "x" * 60}}, f"equals {'x' * 60}", "equals"),
        ({"assertion": {"type": "equals", "value": "x" * 61}}, f"equals {'x' * 59}…", "equals"),
        ({"assertion": {"type": "is-json", "value": {"a": 1}}}, 'is-json {"a": 1}', "is-json"),
        ({"assertion": {"type": "is-json"}}, "is-json", "is-json"),
        ({"assertion": {"type": "equals", "value": "a", "metric": "exact"}}, "exact", "equals"),
        ({"metadata": {"assertionSet": {"metric": "all", "type": "assert-set"}}}, "all", "assert-set"),
        ({}, "assertion", "assertion"),
    ],
)
def test_assertions_of_promptfoo_are_named_so_that_they_differ(component: Table, name: str, kind: str) -> None:
    row: Table = {"gradingResult": {"componentResults": [component]}}
    (grader,) = inside(promptfoo.prepare(row), promptfoo.GRADERS)
    assert (grader["name"], grader["type"]) == (name, kind)


def test_variables_of_the_run_are_left_out() -> None:
    given: Table = {"q": 1, "_conversation": [], "__evalId": "x", "sessionId": "s"}
    assert promptfoo.prepare({"vars": given})["vars"] == {"q": 1, "sessionId": "s"}
    assert promptfoo.prepare({"vars": given, "response": {"sessionId": "s"}})["vars"] == {"q": 1}
    assert promptfoo.prepare({"vars": given, "response": {"sessionId": "t"}})["vars"] == {"q": 1, "sessionId": "s"}
    assert promptfoo.prepare({"vars": {"sessionId": None}})["vars"] == {"sessionId": None}
    assert promptfoo.prepare({"vars": "x"})["vars"] == "x"


CALL: Table = {"id": "1", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("response", "done"),
    [
        ({"output": "x"}, None),
        ({"output": [CALL, {"id": "2"}]}, [{"role": "assistant", "content": "", "tool_calls": [CALL]}]),
        ({"output": {"tool_calls": [CALL]}}, [{"role": "assistant", "content": "", "tool_calls": [CALL]}]),
        ({"output": {"content": "x"}}, None),
        (
            {"output": "x", "metadata": {"toolCalls": [{"name": "look", "input": 1, "odd": 2}, {"input": 3}]}},
            [
                {"role": "assistant", "content": "", "tool_calls": [{"tool": "look", "input": 1}]},
                {"role": "assistant", "content": "x"},
            ],
        ),
    ],
)
def test_calls_of_an_answer_of_promptfoo(response: Table, done: Plain) -> None:
    assert promptfoo.prepare({"response": response})[promptfoo.DONE] == done


def test_a_case_of_pydantic_evals_passes_if_all_holds_and_nothing_crashed() -> None:
    def outcome(*held: bool, **more: Plain) -> Plain:
        assertions: Table = {str(at): {"value": one} for at, one in enumerate(held)}
        return pydantic_evals.prepare({"assertions": assertions, **more})[pydantic_evals.OUTCOME]

    assert (outcome(True, True), outcome(True, False), outcome()) == (True, False, None)
    assert outcome(True, evaluator_failures=[{"name": "x"}]) is False


def test_calls_of_deepeval_come_before_the_answer() -> None:
    tool: Table = {"name": "look", "inputParameters": {"q": 1}, "output": "seen"}
    row = deepeval.prepare({"toolsCalled": [tool], "actualOutput": "x", "inputTokenCount": 3, "turns": []})
    assert row[deepeval.TOKENS] == {"input": 3, "output": None}
    first, last = inside(row, deepeval.DONE)
    assert first["tool_calls"] == [{"tool": "look", "input": {"q": 1}, "output": "seen"}]
    assert last == {"role": "assistant", "content": "x"}
    assert deepeval.prepare({"turns": [1]})[deepeval.DONE] == [1]


def choice(target: Plain, responses: Plain, **more: Plain) -> Table:
    return lmeval.prepare({"arguments": [["q", " a"], ["q", " b"]], "resps": responses, "target": target, **more})


@pytest.mark.parametrize(
    ("responses", "answer"),
    [
        ([[[-2.0, "False"]], [[-1.0, "False"]]], "b"),
        ([["-0.5"], ["-1"]], "a"),
        ([0.0, -1.0], "a"),
        ([-1.0, -1.0], "a"),
        ([-3.0, -2.0, -1.0], [-3.0, -2.0, -1.0]),
        (["x", "y"], ["x", "y"]),
        ([], []),
    ],
)
def test_the_likeliest_of_several_is_the_choice(responses: Plain, answer: Plain) -> None:
    assert choice(0, responses)[lmeval.ANSWER] == answer


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (0, "a"),
        ("1", "b"),
        (2, 2),
        ("b", "b"),
        (None, None),
        ("²", "²"),
        ([1], "b"),
        ("[0, 1]", "a\nb"),
        ("[0, 7]", "[0, 7]"),
        ("[", "["),
    ],
)
def test_a_target_names_a_choice_by_its_number(target: Plain, expected: Plain) -> None:
    assert choice(target, [-1.0, -2.0])[lmeval.EXPECTED] == expected


def test_what_is_generated_is_the_answer_and_no_choice() -> None:
    row = lmeval.prepare({"arguments": {"gen": {"arg_0": ['[{"role": "user"}]'], "arg_1": " x"}}, "resps": [["y"]]})
    assert (row[lmeval.PROMPT], row[lmeval.ANSWER], row[lmeval.EXPECTED]) == ('[{"role": "user"}]', "y", None)
    filtered = lmeval.prepare({"arguments": [["q"]], "resps": [["y"]], "filtered_resps": ["z"], "target": "1"})
    assert (filtered[lmeval.PROMPT], filtered[lmeval.ANSWER], filtered[lmeval.EXPECTED]) == ("q", "z", None)
    assert lmeval.prepare({"arguments": ["q"]})[lmeval.PROMPT] == "q"
    assert lmeval.prepare({"arguments": [[]]})[lmeval.PROMPT] is None
    assert lmeval.prepare({})[lmeval.PROMPT] is None
    assert lmeval.prepare({"arguments": [[["a", "b"]]]})[lmeval.PROMPT] == ["a", "b"]


def test_the_score_is_the_first_metric_that_grows_with_quality() -> None:
    row = lmeval.prepare({"word_perplexity": 9.0, "acc": True, "f1": 0.5, "doc_id": 3, "note": "x"})
    assert (row[lmeval.METRICS], row[lmeval.SCORE]) == (["word_perplexity", "acc", "f1"], True)
    named = lmeval.prepare({"metrics": ["em", "f1"], "em": "x", "f1": 0.5, "acc": 1})
    assert (named[lmeval.METRICS], named[lmeval.SCORE]) == (["em", "f1"], 0.5)
    assert lmeval.prepare({"bits_per_byte": 1.0})[lmeval.SCORE] is None


def test_other_numbers_of_a_rollout_are_metrics() -> None:
    row: Table = {
        "reward": 1,
        "id": "a",
        "exact": 1.0,
        "short": True,
        "words": 3,
        "note": "x",
        "metrics": {"words": 3},
    }
    assert verifiers.prepare(row)[verifiers.METRICS] == ["exact", "short"]


def trace(*nodes: Table, **more: Plain) -> Table:
    return flat({"nodes": [*nodes], **more})


def node(content: str, parent: int | None = None, role: str = "user", **more: Plain) -> Table:
    return {"parent": parent, "message": {"role": role, "content": content}, **more}


def test_of_a_graph_of_messages_the_way_to_the_last_one_counts() -> None:
    row = trace(
        node("ask"),
        node("first", 0, "assistant", sampled=True, timestamp=0.5),
        node("second", 0, "assistant", sampled=True),
        node("seen", 1, "tool"),
        node("last", 3, "assistant", sampled=True),
    )
    assert row["prompt"] == [{"role": "user", "content": "ask"}]
    assert [one["content"] for one in row["completion"]] == ["first", "seen", "last"]  # type: ignore[union-attr,index,call-overload]
    assert row["completion"][0]["timestamp"] == "1970-01-01T00:00:00.500+00:00"  # type: ignore[index,call-overload]
    again = trace(node("a"), node("b", 1), node("c", 1))
    assert [one["content"] for one in again["prompt"]] == ["b", "c"]  # type: ignore[union-attr,index,call-overload]
    unsampled = trace(node("a", timestamp=1.0))
    assert (unsampled["prompt"], unsampled["completion"]) == ([{"role": "user", "content": "a"}], [])


def test_without_messages_what_the_task_asks_was_asked() -> None:
    task: Table = {"data": {"prompt": "q", "system_prompt": "s", "idx": 0, "name": "n", "answer": "a"}}
    row = trace(task=task)
    assert row["prompt"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    assert (row["id"], row["example_id"], row["answer"], row["completion"]) == ("n", 0, "a", [])
    assert trace(task={"data": {"prompt": [{"role": "user"}, 5]}})["prompt"] == [{"role": "user"}]


def test_rewards_are_weighed_and_those_of_other_agents_stand_beside() -> None:
    judge: Table = {"agent": {"name": "judge", "trainable": False}, "rewards": {"fair": 0.5}}
    main: Table = {
        "agent": {"model": "m"},
        "rewards": {"exact": {"score": 1, "weight": 2}, "late": None, "short": 0.5},
    }
    row = flat({"traces": [judge, main], "env": {"id": "e"}})
    assert (row["reward"], row["model"], row["task"]) == (2.5, "m", "e")
    assert row["metrics"] == {"judge/fair": 0.5, "exact": 1.0, "late": None, "short": 0.5}
    only = flat({"traces": [judge]})
    assert (only["reward"], only["metrics"]) == (0.5, {"fair": 0.5})
    assert trace(rewards={"late": None})["reward"] is None
    assert flat({"traces": []})["metrics"] == {}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"errors": [{"type": "A", "message": "a"}, {"type": "B", "message": "b"}]}, "B: b"),
        ({"ok": True, "errors": [{"type": "A", "message": "a"}]}, None),
        ({"ok": False}, "the episode did not end well"),
        ({}, None),
    ],
)
def test_why_a_rollout_has_no_whole_answer(row: Table, error: str | None) -> None:
    assert trace(**row)["error"] == error


def test_what_a_rollout_used_and_how_long_it_took() -> None:
    calls: Plain = [
        {"usage": {"prompt_tokens": 3, "cached_input_tokens": 2, "completion_tokens": 1}},
        {"usage": {"prompt_tokens": 1}},
        {},
    ]
    assert trace(calls=calls)["token_usage"] == {"input_tokens": 6, "output_tokens": 1}
    assert trace(calls=[{}])["token_usage"] is None

    def took(start: Plain, end: Plain) -> Plain:
        timing = trace(timing={"generation": {"start": start, "end": end}})["timing"]
        return timing["total"]  # type: ignore[index,call-overload]

    assert (took(0, 2), took(1, 1), took(2, 1), took(None, 1), took(1, None)) == (2.0, 0.0, None, None, None)


# Tables


def dialect(**more: object) -> ResultDialect:
    return ResultDialect(name="x", title="X", marks=(), ids=(("id",),), **more)  # type: ignore[arg-type]


def test_values_that_say_whether_something_passed() -> None:
    said = {one: outcome_of(one, dialect()) for one in (" Passed ", "wrong", "odd", 2, 0.5)}
    assert said == {" Passed ": True, "wrong": False, "odd": None, 2: None, 0.5: None}
    values: list[Plain] = [1, 0, True, False, 1.0, None, []]
    assert [outcome_of(value, dialect()) for value in values] == [
        True, False, True, False, True, None, None,
    ]  # fmt: skip


def test_a_row_without_an_id_is_called_by_its_label_or_its_number() -> None:
    found = dialect(labels=(("asked",),), positions=(("at",),))

    def called(**row: Plain) -> str | None:
        entry = parse_entry(found, row)
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
        entry = parse_entry(found, {"id": "a", **row})
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
    graders = (Graders(("checks",), beside=(("limit",),)),)
    checks: Plain = [
        {"name": "a", "score": 1},
        {"name": "b", "passed": False, "limit": 3},
        5,
        {"score": 0},
    ]
    row: Table = {"id": "x", "checks": checks, "more": {"f1": 0.5, "note": "fine", "none": None, "list": []}}
    mean = parse_entry(dialect(graders=graders, outcomes=Outcomes(mean=True)), row)
    assert mean is not None
    assert [(one.name, one.score, one.verdict) for one in mean.marks] == [
        ("a", 1.0, None), ("b", None, "fail"), ("evaluator", 0.0, None),
    ]  # fmt: skip
    assert (mean.score, mean.verdict) == (0.5, "fail")
    plain = parse_record(dialect(graders=(Graders(("more",)),)), row)
    assert [(one.name, one.score, one.verdict) for one in plain.evaluators] == [
        ("f1", 0.5, None), ("note", None, None),
    ]  # fmt: skip
    told = parse_record(dialect(graders=graders), row)
    assert told.evaluators[1].details == {"limit": 3}
    assert told.misses == ("b",)
    without = parse_entry(dialect(graders=graders), row)
    assert without is not None
    assert without.score is None


def test_what_a_row_took_and_what_was_asked_and_done() -> None:
    spent = Spent(seconds=(("s",),), milliseconds=(("ms",),))
    paths = {"prompts": (("p",),), "done": (("d",),), "actual": (("a",),), "messages": (("m",),)}

    def read(**row: Plain) -> ParsedRecord:
        return parse_record(dialect(**paths, spent=spent), row)

    assert (read(s=2).latency_ms, read(s=2, ms=5).latency_ms, read().latency_ms) == (2000.0, 5.0, None)
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
    assert matter_key(("v",), {"a": [1.0, 2.5]}) == matter_key(("v",), {"a": [1, 2.5]})
    assert matter_key(("v",), 1) != matter_key(("w",), 1)
    assert matter_key(("v",), 2.5) != matter_key(("v",), 2)
