"""Images, sounds and files in messages are known in every spelling, and named where they are shown."""

from __future__ import annotations

import json

import pytest

from sampleui.formats.data import Plain
from sampleui.sample.media import label_of, medium_of, with_files_named
from sampleui.sample.sections import section_of, texts_of
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.report import text_lines
from sampleui.tui.drawing.message_rows import message_rows
from sampleui.tui.drawing.rows import row_text
from tests.quick import within

from .conversations import CONVERSATIONS, PDF, PNG

JPEG = "/9j/4AAQSkZJRgABAQEAYABg"


@pytest.mark.parametrize(
    ("part", "label"),
    [
        ({"type": "image_url", "image_url": {"url": "https://a/b.png"}}, "[image https://a/b.png]"),
        ({"type": "image_url", "image_url": f"data:image/png;base64,{PDF}"}, "[image image/png, 9 bytes]"),
        ({"type": "input_audio", "input_audio": {"data": PDF, "format": "wav"}}, "[audio audio/wav, 9 bytes]"),
        ({"type": "file", "file": {"file_id": "f-1"}}, "[file f-1, kept by its provider]"),
        ({"type": "input_file", "file_id": "f-1", "filename": "a.pdf"}, "[file a.pdf]"),
        ({"type": "image", "source": {"type": "file", "file_id": "f-1"}}, "[image f-1, kept by its provider]"),
        ({"type": "image", "source": {"type": "url", "url": "https://a/b.png"}}, "[image https://a/b.png]"),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": JPEG}},
            "[image image/jpeg, 18 bytes]",
        ),
        ({"type": "image", "image": "https://a/b.png"}, "[image https://a/b.png]"),
        ({"type": "image", "image": "pictures/of/a/house.png"}, "[image pictures/of/a/house.png]"),
        ({"type": "image", "data": PDF, "mimeType": "image/webp"}, "[image image/webp, 9 bytes]"),
        ({"type": "file", "mediaType": "video/mp4", "url": "https://a/b.mp4"}, "[video https://a/b.mp4]"),
        ({"type": "media", "mediaType": "audio/mpeg", "data": PDF}, "[audio audio/mpeg, 9 bytes]"),
        ({"type": "blob", "mime_type": "image/png", "content": PDF}, "[image image/png, 9 bytes]"),
        ({"type": "resource", "resource": {"uri": "file:///a.txt", "text": "x"}}, "[file file:///a.txt]"),
        ({"inline_data": {"mime_type": "audio/ogg", "data": PDF}}, "[audio audio/ogg, 9 bytes]"),
        ({"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://b/a.mp4"}}}}, "[video s3://b/a.mp4]"),
    ],
)
def test_a_file_is_named_by_what_is_known_of_it(part: Plain, label: str) -> None:
    assert label_of(part) == label


@pytest.mark.parametrize(
    "part",
    [
        {"type": "text", "text": "data:image/png;base64,AAAA"},
        {"type": "file", "value": "notes.md"},
        {"type": "source-url", "url": "https://a"},
        {"type": "image"},
        {"type": "image", "source": {}},
        {"type": ["image"], "url": 1},
        {"image": "house.png"},
        {"type": "tool_use", "input": {"data": PDF}},
        "image",
        None,
    ],
)
def test_what_is_no_file_is_none(part: Plain) -> None:
    assert medium_of(part) is None


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_files_are_named_in_traces_views_and_previews(kind: str) -> None:
    messages = CONVERSATIONS[kind]
    trace = "\n".join(text_lines(read_trace({"output_messages": messages}, "."), kind, 200))
    view = "\n".join(texts_of(section_of("messages", messages).blocks))
    for shown in (trace, view):
        assert "[image image/png, " in shown
        assert "application/pdf, 9 bytes]" in shown or "[file gs://bucket/a.pdf]" in shown
        assert PNG not in shown
        assert PDF not in shown


def test_what_a_call_returned_in_itself_stands_below_it_in_a_view() -> None:
    view = [*texts_of(section_of("messages", CONVERSATIONS["ai sdk"]).blocks)]
    assert view[view.index('→ read(path="a.txt")') + 2 :][:3] == ["tool", "c1", "It is a."]


def test_a_message_as_it_is_sent_names_its_files() -> None:
    rows = message_rows([{"role": "user", "content": CONVERSATIONS["openai chat"][0]["content"]}], 80)
    assert "[file a.pdf, application/pdf, 9 bytes]" in "\n".join(map(row_text, rows))
    assert PDF not in "\n".join(map(row_text, rows))


def test_files_of_megabytes_in_any_value_are_named_at_once() -> None:
    url = f"data:image/png;base64,{'A' * 8_000_000}"
    value: Plain = {"said": f"see {url} there", "deep": [[{"type": "image_url", "image_url": {"url": url}}]]}
    with within(2):
        named = with_files_named(value)
    assert named == {
        "said": "see [image image/png, 6,000,000 bytes] there",
        "deep": [["[image image/png, 6,000,000 bytes]"]],
    }
    assert len(json.dumps(named)) < 200
