"""What a reference answer's label may stand for among the media of its sample."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.gage.labels import stands_for


def a_sample(url: str) -> Table:
    content: list[Plain] = [{"type": "image_url", "image_url": {"url": url}}]
    return {
        "messages": [{"role": "user", "content": content}],
        "references": [{"answer": [{"type": "text", "text": "Paris"}]}],
    }


@pytest.mark.parametrize("url", ["", ".", "..", "/", "./", "a/..", "\\", ".png"])
def test_a_label_is_compared_with_a_path_that_has_no_name_too(url: str) -> None:
    assert not stands_for("B", a_sample(url))


def test_a_label_is_a_file_with_its_suffix_or_without() -> None:
    names = ("cat", "cat.png", "images/cat", "images/cat.png", "dog")
    assert [stands_for(name, a_sample("images/cat.png")) for name in names] == [True] * 4 + [False]
