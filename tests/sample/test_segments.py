"""Which segments a dialect has, and how an attachment is spelled in it."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.segments import segment_for, text_segment
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.rules import check

from .build import sample_of


@pytest.mark.parametrize(
    ("dialect", "target", "kind"),
    [
        ("gage", "a/x.png", "image_url"),
        ("gage", "x.mp3", "audio_url"),
        ("gage", "x.mp4", "video_url"),
        ("gage", "x.pdf", "file_url"),
        ("gage", "https://example.com/x.wav?v=1#t", "audio_url"),
        ("gage", "data:image/png;base64,AA", "image_url"),
        ("agentv", "x.png", "file"),
        ("calibrate", "x.png", "file"),
    ],
)
def test_an_attachment_is_spelled_as_the_dialect_has_it(dialect: str, target: str, kind: str) -> None:
    made = segment_for(target, DIALECTS[dialect])
    assert made["type"] == kind
    assert target in str(made)


@pytest.mark.parametrize(
    ("dialect", "segment", "foreign"),
    [
        ("gage", {"type": "file", "value": "x"}, True),
        ("gage", {"type": "image_url", "image_url": {"url": "x"}}, False),
        ("agentv", {"type": "image_url", "image_url": {"url": "x"}}, True),
        ("agentv", {"type": "file", "value": "x"}, False),
    ],
)
def test_segments_of_other_dialects_are_told(dialect: str, segment: Table, foreign: bool) -> None:
    key = "input_messages" if dialect == "agentv" else "messages"
    content: list[Plain] = [text_segment("a", DIALECTS[dialect]), segment]
    found = check(sample_of(dialect, {key: [{"role": "user", "content": content}]}))
    said = [one for one in found if one.rule == "segment-foreign"]
    assert [one.node for one in said] == [(key, 0, "content", 1)] * foreign
