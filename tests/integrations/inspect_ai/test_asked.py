"""What a sample asked is known of a summary and of a whole sample alike, so that two logs can be compared."""

from __future__ import annotations

import pytest

from sampleui.integrations.inspect_ai.dialect import MARK
from sampleui.integrations.inspect_ai.records import parse_row

LONG = "a" * 6000
IMAGE = {"type": "image", "image": "data:image/png;base64,AAAA"}


def asked(given):
    return parse_row({MARK: {}, "id": "s", "epoch": 1, "input": given, "target": "t"}).digests().asked


@pytest.mark.parametrize(
    ("whole", "summary"),
    [
        pytest.param(LONG, LONG[:5120] + "...\n(content truncated)", id="a long text"),
        pytest.param(
            [{"id": "x", "role": "user", "content": [{"type": "text", "text": "See"}, IMAGE], "source": "input"}],
            [{"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "text", "text": "(Image)"}]}],
            id="an image",
        ),
    ],
)
def test_a_summary_asks_what_its_sample_asks(whole, summary):
    assert asked(whole) == asked(summary) is not None


def test_two_questions_are_told_apart_and_one_that_is_kept_elsewhere_is_not_known():
    assert asked("one") != asked("two")
    assert asked("attachment://0123") is None
    assert asked(None) is None
