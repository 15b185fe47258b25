"""A script of keys has one outcome, however close together they come: on the disk, and on the screen."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from ..driver import ROOT
from .hands import Hands, keys_of, play_here

AUTHOR = [
    "] <enter> text:one <esc> j o text:hello <esc> J K m",
    "n text:You <space> text:are <space> text:kind. <esc> ? <esc> o text:help <esc> k O text:Please <esc> u",
    "/ text:zoo <esc> o text:after <esc> <c-p> <esc> R text:too <enter> D <enter> text:copy <esc> d u <c-r>",
    "<enter> <paste> text:abc <c-t> text:def <esc> u <c-r> [ ] <enter> <end> text:!! <esc> ] <enter> text:? <esc>",
    "+ text:note <enter> text:value <esc> <tab> j j <tab> o <esc> <tab> <tab> <tab> k <tab> D",
    "<space> j j V d u <space> <space> R text:tool <enter> : text:third <enter> . # text:new <enter> G . ' <enter>",
    "<c-f> text:many <enter> n n <enter> o text:in <esc> <c-f> text:turn <enter> r text:reply <enter> <enter>",
    "1 j <space> j <space> J D u 1 <c-c> k <c-v> <enter> 2 <c-c> ] <c-v> <enter> S text:note=b <enter> 3 p 2 j",
]
REVIEWS = [
    "n 1 c text:because <enter> u 2 N 3 ? <esc> p 5",
    "/ text:add <enter> 1 <tab> j j <tab> k e j o text:fixed <esc> <c-s> <c-q> n 4",
    "<c-p> text:next <enter> 1 f <esc> 3 x <enter> 2",
    "/ text:haiku <enter> 1 <esc> 2",
    "n <c-l> 1 / text:zz <bs> <bs> text:haiku <enter> c text:why <enter> 4",
    "S text:3 <tab> text:fail <tab> text:outcome <enter> 5 1 / <enter> * 3 u n 4",
    "/ <enter> <space> <space> j V 3 u * <space> 1 <esc> u <space> 5 = c text:why <enter> 4",
]
WORKSPACE = [
    "<c-o> text:deck.yaml <enter> o text:here <esc> <c-o> text:deck.toml <enter> O text:there <esc> <c-q>",
    "/ text:jsonl <enter> <enter> j j d <c-q> <c-f> text:many <enter> j r text:few <enter> <enter> <esc>",
]
TRACES = [
    "j j j / text:error <enter> ; ; j <tab> j j ] j t",
    "? <esc> G k <enter> <tab> <tab> / text:zoo <esc> j <c-p> <esc> k ] [",
]

IN_A_TERMINAL = [AUTHOR[2], WORKSPACE[0], REVIEWS[1], TRACES[0]]
"""Scripts that are typed to the program in a process of its own; all others to the app in this one."""

REVIEW = ["review", "examples/results/hello.results.jsonl", "--deck", "examples/decks/hello.toml"]
TRACE = ["trace", "examples/results/traces.jsonl"]

Files: TypeAlias = dict[str, bytes]


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


@dataclass(frozen=True)
class Played:
    """Plays scripts in copies of a folder."""

    folder: Path
    tmp_path: Path
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, arguments: list[str], script: str, gap: float | None, *, terminal: bool = False) -> Files:
        """Play a script, save and leave; return what the files of the folder hold then."""
        copy = self.tmp_path / f"played-{gap}-{terminal}"
        shutil.copytree(self.folder, copy, symlinks=True)
        keys = [*keys_of(script), *keys_of("<esc> <c-s> <c-q>")]
        if terminal:
            hands = Hands(arguments, copy)
            hands.play(keys, gap)
            assert hands.ended() == 0, hands.text()
        else:
            assert play_here(arguments, copy, keys, gap, self.monkeypatch) == "", "the app is to be left"
        files = {str(path.relative_to(copy)): path.read_bytes() for path in copy.rglob("*") if path.is_file()}
        shutil.rmtree(copy)
        return {name: _timeless(data) if name.endswith(".reviews.jsonl") else data for name, data in files.items()}

    def changed(self, files: Files) -> list[str]:
        """Return the names of the files that are new or other than in the folder."""
        old = {str(path.relative_to(self.folder)): path for path in self.folder.rglob("*") if path.is_file()}
        return [name for name, data in files.items() if name not in old or data != old[name].read_bytes()]


@pytest.fixture
def played(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Played:
    return Played(folder, tmp_path, monkeypatch)


def _timeless(log: bytes) -> bytes:
    lines = [json.loads(line) for line in log.splitlines()]
    return json.dumps(
        [{k: v for k, v in one.items() if k not in ("time", "id", "undoes", "step")} for one in lines]
    ).encode()


def deck_of(script: str) -> list[str]:
    return [f"deck.{('toml', 'yaml', 'jsonl')[AUTHOR.index(script) % 3]}"]


@pytest.mark.parametrize("script", AUTHOR)
def test_keys_written_at_once_make_the_deck_that_slow_ones_make(script: str, played: Played) -> None:
    slow = played(deck_of(script), script, None)
    assert played.changed(slow) == deck_of(script)
    assert played(deck_of(script), script, 0, terminal=script in IN_A_TERMINAL) == slow


def test_writing_with_short_gaps_in_a_terminal(played: Played) -> None:
    slow = played(["deck.toml"], AUTHOR[0], None)
    for gap in (0.005, 0.03):
        assert played(["deck.toml"], AUTHOR[0], gap, terminal=True) == slow, gap


@pytest.mark.parametrize("script", WORKSPACE)
def test_writing_in_several_decks(script: str, folder: Path, played: Played) -> None:
    shutil.rmtree(folder / "examples")
    slow = played(["."], script, None)
    assert len(played.changed(slow)) > 1
    assert played(["."], script, 0, terminal=script in IN_A_TERMINAL) == slow


@pytest.mark.parametrize("script", REVIEWS)
def test_keys_written_at_once_record_the_verdicts_that_slow_ones_record(script: str, played: Played) -> None:
    slow = played(REVIEW, script, None)
    assert played.changed(slow), "a verdict is to be recorded"
    if script in IN_A_TERMINAL:  # all is typed before the first frame, and the deck is looked for after it
        assert played(REVIEW[:2], script, 0, terminal=True) == slow
    else:
        assert played(REVIEW, script, 0) == slow


def without_counts(screen: str) -> str:
    """Return a trace screen without what its list says of records: that is filled in while nothing else is done."""
    return "\n".join(re.sub(r"^│( |›| ›).*?││", r"│\1││", line) for line in screen.split("\n"))


@pytest.mark.parametrize("script", TRACES)
def test_keys_written_at_once_show_of_a_trace_what_slow_ones_show(
    script: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = without_counts(play_here(TRACE, folder, keys_of(script), None, monkeypatch))
    assert slow
    if script in IN_A_TERMINAL:
        fast = Hands(TRACE, folder)
        fast.play(keys_of(script), 0)
        assert fast.shows(slow, without_counts), fast.text()
        fast.play(keys_of("<c-q>"), 0)
        assert fast.ended() == 0
    else:
        assert without_counts(play_here(TRACE, folder, keys_of(script), 0, monkeypatch)) == slow
