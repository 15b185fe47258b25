from __future__ import annotations

import pytest

from sampleui.integrations.agentv.dialect import AGENTV
from sampleui.integrations.calibrate.dialect import CALIBRATE
from sampleui.integrations.gage.dialect import GAGE
from sampleui.sample.dialects.shipped import DIALECTS, Dialect, detect, usual_first
from sampleui.sample.parse import messages_path

from .build import turn

MESSAGES = {"messages": [turn()]}


@pytest.mark.parametrize(
    ("container", "context", "samples", "wanted"),
    [
        (("samples",), {}, [{**MESSAGES, "expected": {"score": 1}}], CALIBRATE),
        (("samples",), {"meta": {}}, [{**MESSAGES, "score": -3, "description": "why"}], CALIBRATE),
        (("samples",), {}, [], CALIBRATE),
        ((), {}, [], CALIBRATE),
        ((), {}, [MESSAGES], CALIBRATE),
        ((), {}, [{**MESSAGES, "expected": "x", "tags": ["a"]}], CALIBRATE),
        (("evalcases",), {}, [], AGENTV),
        (("tests",), {"prompts": ["{{ input }}"]}, [{"vars": {"input": [turn()]}}], AGENTV),
        (("cases",), {}, [{"id": "a", "input": "Hi", "criteria": "is nice"}], AGENTV),
        ((), {}, [{"id": "a", "input": "Hi", "expected_output": "Hello"}], AGENTV),
        ((), {}, [{"id": "a", "input_messages": [turn()], "outcome": "is nice"}], AGENTV),
        ((), {}, [{"schema_version": "v1", "id": "a", **MESSAGES}], GAGE),
        ((), {}, [{"id": "a", **MESSAGES, "references": ["x"]}], GAGE),
        ((), {}, [{"question": "Which?", "choices": ["a", "b"], "answer": 0}], GAGE),
        ((), {}, [{"prompt": "Say hi", "label": "hi"}], CALIBRATE),
        (("samples",), {}, [{"schema_version": "v1", "references": [], "label": "x", "task_type": "agent"}], GAGE),
    ],
)
def test_the_dialect_is_read_from_the_data(
    container: tuple[str, ...], context: dict[str, object], samples: list[dict[str, object]], wanted: Dialect
) -> None:
    assert detect(container, context, samples).dialect is wanted  # type: ignore[arg-type]


def test_a_few_samples_decide_and_the_rest_is_not_read() -> None:
    def endless():  # type: ignore[no-untyped-def]
        while True:
            yield {"schema_version": "v1"}

    assert detect((), {}, endless()).dialect is GAGE


@pytest.mark.parametrize(
    ("form", "usual"), [("toml", CALIBRATE), ("yaml", AGENTV), ("json", GAGE), ("jsonl", GAGE)]
)
def test_dialects_whose_decks_are_usually_in_a_format_come_first(form: str, usual: Dialect) -> None:
    found = usual_first(form)
    assert found[0] is usual
    assert {*found} == {*DIALECTS.values()}


def test_dialects_are_found_by_name() -> None:
    told_by_marks = (
        "promptfoo openai sharegpt inspect pydantic-evals deepeval lm-eval langsmith langfuse braintrust"
        " skills skill-triggers"
    )
    assert [*DIALECTS] == ["calibrate", "agentv", "gage", *told_by_marks.split()]
    assert all(DIALECTS[name].name == name for name in DIALECTS)


@pytest.mark.parametrize(
    ("dialect", "data", "wanted"),
    [
        (CALIBRATE, {}, ("messages",)),
        (AGENTV, {}, ("input_messages",)),
        (AGENTV, {"input_messages": [turn()], "input": "x"}, ("input_messages",)),
        (AGENTV, {"input": "Hi"}, ("input",)),
        (AGENTV, {"vars": {"input": [turn()]}}, ("vars", "input")),
        (AGENTV, {"vars": {"input": "Hi"}}, ("vars", "input")),
        (AGENTV, {"input_messages": None, "vars": {"input": [turn()]}}, ("vars", "input")),
        (AGENTV, {"vars": {"question": "Hi"}}, ("input_messages",)),
        (GAGE, {"question": "Hi"}, ("messages",)),
    ],
)
def test_messages_are_found_where_the_file_has_them(
    dialect: Dialect, data: dict[str, object], wanted: tuple[str, ...]
) -> None:
    assert messages_path(data, dialect) == wanted  # type: ignore[arg-type]
