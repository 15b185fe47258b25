"""A file that is one sample is read and edited as such in every form."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from sampleui import open_deck
from sampleui.errors import EditRefusedError

BARE = {
    "a.toml": '# mine\nid = "a"\nscore = 3 # why\n\n[[messages]]\nrole = "user"\ncontent = "Hi"\n',
    "b.toml": '[[input_messages]]\nrole = "user"\ncontent = "Hi"\n',
    "a.yaml": "# mine\nid: a # why\nmessages:\n  - role: user\n    content: Hi\n",
    "b.yaml": "---\ninput_messages:\n- role: user\n  content: Hi\n",
    "c.yaml": "# mine\n\n--- # begins\nid: a\nmessages:\n- role: user\n  content: Hi\n",
    "d.yaml": "%YAML 1.2\n# mine\n---\nid: a\nmessages: [{role: user, content: Hi}]\n",
    "a.json": '{\n  "id": "a",\n  "messages": [{"role": "user", "content": "Hi"}]\n}\n',
}
READERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".yaml": yaml.safe_load, ".json": json.loads}


@pytest.mark.parametrize("name", BARE)
@pytest.mark.parametrize("variant", ["LF", "CRLF", "BOM", "bare"])
def test_the_file_is_the_sample(tmp_path: Path, name: str, variant: str) -> None:
    text = BARE[name]
    text = {"LF": text, "CRLF": text.replace("\n", "\r\n"), "BOM": "\ufeff" + text, "bare": text[:-1]}[variant]
    path = tmp_path / name
    path.write_bytes(text.encode())
    deck = open_deck(path)
    [sample] = deck.samples
    assert deck.text == text
    assert deck.dialect == ("agentv" if name.startswith("b") else "calibrate")
    assert sample.messages == [{"role": "user", "content": "Hi"}]
    key = sample.messages_path[0]
    edited = deck.set(0, (key, 0, "content"), "Hello\nthere: you").set(0, ("note",), "x: y")
    edited = edited.insert(0, (key, 1), {"role": "assistant", "content": "Yes"}).set(0, ("score",), 1)
    edited.save()
    again = READERS[path.suffix](path.read_bytes().decode("utf-8-sig"))
    assert again[key] == [
        {"role": "user", "content": "Hello\nthere: you"},
        {"role": "assistant", "content": "Yes"},
    ]
    assert (again["note"], again["score"]) == ("x: y", 1)
    assert open_deck(path).samples[0].data == again
    assert ("# mine" in edited.text, "# why" in edited.text) == ("# mine" in text, "# why" in text)


@pytest.mark.parametrize("name", BARE)
def test_it_stays_one_sample(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(BARE[name], encoding="utf-8")
    deck = open_deck(path)
    key = deck.samples[0].messages_path[0]
    for refused in (
        lambda: deck.insert_sample(1, {"id": "b", "messages": []}),
        lambda: deck.delete_sample(0),
        lambda: deck.delete(0, (key,)),
    ):
        with pytest.raises(EditRefusedError, match=r"one sample|could take"):
            refused()


def test_messages_that_are_no_list_make_no_sample(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("messages: none\n")
    assert len(open_deck(tmp_path / "b.yaml").samples) == 0
