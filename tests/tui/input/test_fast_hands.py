"""A script of keys has one outcome, however close together they come: on the disk, and on the screen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ..driver import ROOT
from .hands import Hands, keys_of

AUTHOR = [
    "] <enter> text:one <esc> j o text:hello <esc> J K m",
    "n text:You <space> text:are <space> text:kind. <esc> ? <esc> o text:help <esc> O text:Please <esc> u",
    "/ text:zoo <esc> <tab> o text:after <esc> <c-p> <esc> R text:too <enter> D <enter> text:copy <esc> d u <c-r>",
    "<enter> <paste> text:abc <c-t> text:def <esc> u <c-r> [ ] <enter> <end> text:!! <esc> ] <enter> text:? <esc>",
    "+ text:note <enter> text:value <esc> <tab> j j <tab> o <esc> <tab> <tab> <tab> k <tab> D",
    "<space> j j V d u <space> <space> R text:tool <enter> : text:third <enter> . # text:new <enter> G . ' <enter>",
    "<c-f> text:many <enter> n n <enter> o text:in <esc> <c-f> text:turn <enter> r text:reply <enter> <enter>",
    "1 j <space> j <space> J D u 1 <c-c> k <c-v> <enter> 2 <c-c> ] <c-v> <enter> S text:note=b <enter> 3 p 2 j",
]
REVIEW = [
    "n 1 c text:because <enter> u 2 N 3 ? <esc> p 5",
    "/ text:add <enter> 1 <tab> j j <tab> k e j o text:fixed <esc> <c-s> <c-q> n 4",
    "<c-p> text:next <enter> 1 f <esc> 3 x <enter> 2",
    "/ text:haiku <enter> 1 <esc> 2",
    "n <c-l> 1 / text:zz <bs> <bs> text:haiku <enter> c text:why <enter> 4",
    "S text:3 <tab> text:fail <tab> text:outcome <enter> 5 1 / <enter> * 3 u n 4",
    "/ <enter> <space> <space> j V 3 u * <space> 1 <esc> u <space> 5 = c text:why <enter>",
]
WORKSPACE = [
    "<c-o> text:deck.yaml <enter> o text:here <esc> <c-o> text:deck.toml <enter> O text:there <esc> <c-q>",
    "/ text:jsonl <enter> <enter> j j d <c-q> <c-f> text:many <enter> j r text:few <enter> <enter> <esc>",
]
TRACE = [
    "j j j / text:error <enter> n n j <tab> j j ] j t",
    "? <esc> G k <enter> <tab> <tab> / text:zoo <esc> j <c-p> <esc> k ] [",
]


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with decks of twenty turns in three formats, and the results and traces of the examples."""
    folder = tmp_path_factory.mktemp("hands")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / ".git").mkdir()
    turns = [{"role": ("user", "assistant")[at % 2], "content": f"turn {at} of many"} for at in range(20)]
    samples = [{"id": name, "messages": turns, "score": 1} for name in ("first", "second", "third")]
    toml = "".join(
        f"[[samples]]\nid = {s['id']!r}\nmessages = [\n{_inline(turns)}]\nscore = 1\n\n" for s in samples
    )
    (folder / "deck.toml").write_text(toml)
    (folder / "deck.yaml").write_text(_yaml(samples))
    lines = [{"schema_version": "gage.standardized.v1", "references": [], **s} for s in samples]
    (folder / "deck.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def _inline(turns: list[dict[str, str]]) -> str:
    return "".join(f'  {{ role = "{one["role"]}", content = "{one["content"]}" }},\n' for one in turns)


def _yaml(samples: list[dict[str, Any]]) -> str:
    text = "evalcases:\n"
    for sample in samples:
        text += f"  - id: {sample['id']}\n    input_messages:\n"
        text += "".join(f"      - role: {t['role']}\n        content: {t['content']}\n" for t in sample["messages"])
        text += "    expected_outcome: is kind\n"
    return text


def outcome(arguments: list[str], folder: Path, script: str, gap: float | None, tmp_path: Path) -> dict[str, bytes]:
    """Play a script in a copy of a folder, save and leave; return what the files of the folder hold then."""
    copy = tmp_path / f"played-{gap}"
    shutil.copytree(folder, copy, symlinks=True)
    hands = Hands(arguments, copy)
    if gap is None:
        hands.rest(0.5)
    hands.play([*keys_of(script), *keys_of("<esc> <c-s> <c-q>")], gap)
    assert hands.ended() == 0, hands.text()
    files = {str(path.relative_to(copy)): path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    shutil.rmtree(copy)
    return {name: _timeless(data) if name.endswith(".reviews.jsonl") else data for name, data in files.items()}


def _timeless(log: bytes) -> bytes:
    lines = [json.loads(line) for line in log.splitlines()]
    return json.dumps(
        [{k: v for k, v in one.items() if k not in ("time", "id", "undoes", "step")} for one in lines]
    ).encode()


@pytest.mark.parametrize("script", AUTHOR)
def test_writing(script: str, folder: Path, tmp_path: Path) -> None:
    deck = f"deck.{('toml', 'yaml', 'jsonl')[AUTHOR.index(script) % 3]}"
    slow = outcome([deck], folder, script, None, tmp_path)
    assert slow[deck] != (folder / deck).read_bytes(), "the script is to change something"
    assert outcome([deck], folder, script, 0, tmp_path) == slow


@pytest.mark.parametrize("gap", [0.005, 0.03])
def test_writing_with_short_gaps(gap: float, folder: Path, tmp_path: Path) -> None:
    slow = outcome(["deck.toml"], folder, AUTHOR[0], None, tmp_path)
    assert outcome(["deck.toml"], folder, AUTHOR[0], gap, tmp_path) == slow


@pytest.mark.parametrize("script", WORKSPACE)
def test_writing_in_several_decks(script: str, folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder / "examples")
    slow = outcome(["."], folder, script, None, tmp_path)
    changed = [name for name, data in slow.items() if data != (folder / name).read_bytes()]
    assert len(changed) > 1, "the script is to change several decks"
    assert outcome(["."], folder, script, 0, tmp_path) == slow


@pytest.mark.parametrize("script", REVIEW)
def test_reviewing(script: str, folder: Path, tmp_path: Path) -> None:
    results, deck = "examples/results/hello.results.jsonl", "examples/decks/hello.toml"
    slow = outcome(["review", results, "--deck", deck], folder, script, None, tmp_path)
    assert len(slow) > len([path for path in folder.rglob("*") if path.is_file()]), "a verdict is to be recorded"
    assert outcome(["review", results, "--deck", deck], folder, script, 0, tmp_path) == slow


@pytest.mark.parametrize("script", TRACE)
def test_reading_traces(script: str, folder: Path) -> None:
    slow = Hands(["trace", "examples/results/traces.jsonl"], folder)
    slow.rest(0.5)
    slow.play(keys_of(script), None)
    slow.rest(1)
    fast = Hands(["trace", "examples/results/traces.jsonl"], folder)
    fast.play(keys_of(script), 0)
    assert fast.shows(slow.text()), fast.text()
    for hands in (slow, fast):
        hands.play(keys_of("<c-q>"), 0)
        assert hands.ended() == 0
