"""Whatever a file holds, reading and checking its samples ends in values and findings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.formats.data import Plain, Table, lookup
from sampleui.sample.dialects.shipped import DIALECTS, detect
from sampleui.sample.parse import conversation, expected, tags, title, turns
from sampleui.sample.rules import check
from tests.quick import within

from .build import EXAMPLES, sample_of
from .test_convert import ANYTHING, PLAIN

MESSAGE = st.fixed_dictionaries({}, optional={"role": PLAIN, "content": PLAIN, "tool_calls": PLAIN, "name": PLAIN})
SEGMENT = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "file", "image_url", "txt", "file_url"]) | PLAIN},
    optional={"text": PLAIN, "value": PLAIN, "image_url": PLAIN},
)
MESSAGES = st.lists(
    MESSAGE | st.fixed_dictionaries({"role": st.text(), "content": st.lists(SEGMENT | PLAIN)}) | PLAIN, max_size=3
)
SAMPLES = st.builds(
    lambda data, key, messages: {**data, key: messages},
    ANYTHING,
    st.sampled_from(
        ["messages", "input_messages", "input", "golden_trajectories", "few_shot_examples", "references"]
    ),
    MESSAGES | PLAIN,
)


@settings(deadline=None)
@given(SAMPLES, st.sampled_from([*DIALECTS]))
def test_findings_point_at_what_the_file_has(data: Table, dialect: str) -> None:
    for finding in check(sample_of(dialect, data)):
        lookup(data, finding.node)
        assert finding.message


@settings(deadline=None)
@given(SAMPLES, st.sampled_from([*DIALECTS]))
def test_reading_never_fails(data: Table, dialect: str) -> None:
    sample = sample_of(dialect, data)
    indexes = [message.index for message in turns(sample)]
    assert indexes == sorted(indexes)
    assert all(index < len(conversation(sample)) for index in indexes)
    assert "\n" not in title(sample)
    expected(sample)
    assert all(isinstance(tag, str) for tag in tags(sample))


@settings(deadline=None)
@given(st.lists(SAMPLES, max_size=3))
def test_every_deck_has_a_dialect(samples: list[Table]) -> None:
    assert detect(("samples",), {}, samples).dialect.name in DIALECTS


@pytest.mark.parametrize("dialect", ["calibrate", "gage"])
def test_a_check_costs_well_under_a_millisecond(dialect: str) -> None:
    rows: list[dict[str, Plain]] = [
        json.loads(line) for line in (EXAMPLES / "gage.jsonl").read_text("utf-8").splitlines()
    ]
    samples = [sample_of(dialect, row) for row in rows]
    with within(5 * len(samples) * 0.001):
        for _ in range(5):
            for sample in samples:
                check(sample)
