from __future__ import annotations

import pytest

import sampleui

from .forms import FORMS, TOML_INLINE, opened


@pytest.fixture(params=FORMS)
def deck(request, tmp_path):
    return opened(tmp_path, request.param)


@pytest.fixture(params=[*FORMS, "all.deck.md"])
def any_deck(request, tmp_path):
    if request.param in FORMS:
        return opened(tmp_path, request.param)
    (tmp_path / "inline.toml").write_text(TOML_INLINE)
    (tmp_path / "all.deck.md").write_text("# All\n\n![the sums](./inline.toml)\n")
    return sampleui.open_deck(tmp_path / "all.deck.md", dialect="calibrate")
