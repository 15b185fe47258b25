"""Archives of logs: every way a member is packed, and those that are broken, cut off or made to harm."""

from __future__ import annotations

import errno
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.integrations.inspect_ai import archive as listing
from sampleui.integrations.inspect_ai import archive as unpacking
from sampleui.integrations.inspect_ai import events as texts
from sampleui.integrations.inspect_ai import log as rows
from sampleui.integrations.inspect_ai.archive import Archive
from sampleui.integrations.inspect_ai.json_items import ListError, items_of
from sampleui.review.record import passed
from sampleui.review.results.file import Results, open_results
from tests.failing import failing
from tests.inside import inside
from tests.integrations.inspect_ai.zipped import DEFLATE, STORED, ZSTD, Zipped, archive

HEADER: Table = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t", "model": "m", "dataset": {"name": "d", "location": "d.jsonl"}},
}
KINDS = Path(__file__).parent / "logs" / "2026-11-22T16-21-13_kinds.eval"


@pytest.fixture(autouse=True, params=["read at once", "read on"])
def _long(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each table of contents as a short one, and as one so long that it is read while records are shown."""
    if request.param == "read on":
        monkeypatch.setattr(listing, "READ_AT_ONCE", 0)


def packed(value: Plain) -> bytes:
    return json.dumps(value).encode()


def sample(name: str = "a", value: Plain = "I", **more: Plain) -> Table:
    return {"id": name, "epoch": 1, "input": "?", "target": "!", "scores": {"match": {"value": value}}, **more}


def log(tmp_path: Path, *members: Zipped, summaries: Plain = None) -> Results:
    listed = [] if summaries is None else [Zipped("summaries.json", packed(summaries))]
    path = archive(tmp_path / "x.eval", [Zipped("header.json", packed(HEADER)), *members, *listed])
    return open_results(path).indexed()


@pytest.mark.parametrize(("method", "frames"), [(STORED, 1), (DEFLATE, 1), (ZSTD, 1), (ZSTD, 5)])
def test_a_member_is_unpacked_however_it_is_packed(tmp_path: Path, method: int, frames: int) -> None:
    data = packed(sample(output={"completion": "so " * 900_000}))
    found = log(tmp_path, Zipped("samples/a_epoch_1.json", data, method, frames), summaries=[sample()])
    assert found.record(0).actual == "so " * 900_000


def test_of_members_with_one_name_the_last_counts(tmp_path: Path) -> None:
    twice = [
        Zipped("samples/a_epoch_1.json", packed(sample(output={"completion": said}))) for said in ("no", "yes")
    ]
    found = log(tmp_path, *twice, summaries=[sample()])
    assert [found.record(one.index).actual for one in found.counted] == ["yes"]


def test_the_first_record_waits_for_no_more_than_its_own_place_in_a_long_table(tmp_path: Path) -> None:
    names = [f"s{at}" for at in range(5_000)]
    members = [Zipped(f"samples/{name}_epoch_1.json", packed(sample(name))) for name in names]
    listed = Zipped("summaries.json", packed([sample(name) for name in names]))
    path = archive(tmp_path / "x.eval", [*members, listed, Zipped("header.json", packed(HEADER))])
    results = open_results(path)
    begun = results.index()
    next(begun)
    assert not results.complete
    assert (results.record(0).id, results.record(0).expected) == ("s0", "!")
    contents = Archive(path).members
    assert "samples/s10_epoch_1.json" in contents
    assert not contents.whole
    assert "samples/none_epoch_1.json" not in contents
    assert contents.whole
    assert [one.id for one in results.indexed().entries] == names


def test_the_summaries_are_read_once_and_the_last_may_show_what_the_scores_of_all_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"s{number}" for number in range(600)]
    scores = [1] * 599 + [7]
    summaries: list[Plain] = [sample(name, score) for name, score in zip(names, scores, strict=True)]
    path = archive(
        tmp_path / "x.eval",
        [Zipped("header.json", packed(HEADER)), Zipped("summaries.json", packed(summaries))],
    )
    opened: list[str] = []
    pieces = Archive.pieces

    def counted(self: Archive, name: str) -> Any:
        opened.append(name)
        return pieces(self, name)

    monkeypatch.setattr(Archive, "pieces", counted)
    results = open_results(path)
    next(results.index())
    assert {passed(entry) for entry in results.entries} == {True}
    assert results.decider == "match"
    assert {passed(entry) for entry in results.indexed().entries} == {None}
    assert opened.count("summaries.json") == 1


def test_of_summaries_of_one_sample_the_last_counts(tmp_path: Path) -> None:
    found = log(
        tmp_path, Zipped("samples/a_epoch_1.json", packed(sample())), summaries=[sample(), sample(value="C")]
    )
    assert [entry.verdict for entry in found.counted] == ["pass"]


def test_samples_that_no_summary_tells_of_are_read_themselves(tmp_path: Path) -> None:
    members = [Zipped(f"samples/{name}_epoch_1.json", packed(sample(name))) for name in ("a", "b/c", "d")]
    assert [entry.id for entry in log(tmp_path, *members, summaries=[sample("d")]).entries] == ["d", "a", "b/c"]
    assert [entry.id for entry in log(tmp_path, *members).entries] == ["a", "b/c", "d"]


def test_a_summary_without_its_sample_is_a_record_all_the_same(tmp_path: Path) -> None:
    found = log(tmp_path, summaries=[sample("gone")])
    assert (found.record(0).id, found.record(0).expected) == ("gone", "!")


def test_attachments_stand_in_their_places_but_none_that_would_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "MAX_ATTACHED_TEXT", 25)
    told: Plain = {"completion": "attachment://k"}
    listed: list[Plain] = [{"role": "user", "content": f"attachment://{key}"} for key in "kkkx"]
    data = packed(sample(output=told, messages=listed, attachments={"k": "ten signs."}))
    found = log(tmp_path, Zipped("samples/a_epoch_1.json", data), summaries=[sample()]).record(0).data
    said = [one["text"] for one in inside(found, "trace") if isinstance(one, dict)]
    assert sorted([*said, str(found["text"])]).count("ten signs.") == 2
    assert "attachment://x" in said


@pytest.mark.parametrize("length", [0, 1, 3, 200, 30_000, -1])
def test_a_log_that_is_cut_off_is_one_line(tmp_path: Path, length: int) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(KINDS.read_bytes()[:length])
    with pytest.raises(ResultsError, match=r"cut off|not a log") as caught:
        open_results(path)
    assert "\n" not in str(caught.value)


def test_any_byte_that_is_lost_costs_a_record_or_is_told(tmp_path: Path) -> None:
    whole = KINDS.read_bytes()
    path = tmp_path / "x.eval"
    for at in range(0, len(whole), 601):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            found = open_results(path).indexed()
            for entry in found.entries:
                found.record(entry.index)
        except ResultsError as error:
            assert str(path) in str(error)
            assert "\n" not in str(error)


def test_a_summary_that_is_cut_off_leaves_the_samples(tmp_path: Path) -> None:
    members = [Zipped(f"samples/{name}_epoch_1.json", packed(sample(name))) for name in "ab"]
    broken = Zipped("summaries.json", packed([sample("a"), sample("b")])[:-20])
    found = log(tmp_path, *members, broken)
    assert [entry.id for entry in found.entries] == ["a", "b"]
    (note,) = found.diagnostics
    assert note.message.startswith("summaries.json: not JSON at item 2: ")


@pytest.mark.parametrize(
    ("member", "said"),
    [
        (Zipped("samples/a_epoch_1.json", b'{"id":\n 1,2}'), r"samples/a_epoch_1.json:2:4: not JSON"),
        (Zipped("samples/a_epoch_1.json", b"[]"), "not a JSON object"),
        (Zipped("samples/a_epoch_1.json", b"\xff"), "cannot be read"),
        (Zipped("samples/a_epoch_1.json", b"[" * 100_000), "cannot be read"),
        (Zipped("samples/a_epoch_1.json", packed(sample()), method=12), "method 12"),
        (Zipped("samples/a_epoch_1.json", packed(sample()), crc=1), "not what was packed"),
        (Zipped("samples/a_epoch_1.json", packed(sample()), flags=1), "encrypted"),
        (
            Zipped("samples/a_epoch_1.json", packed(sample("b" * 500_000)), ZSTD, size=40),
            "holds more than the 40 bytes",
        ),
        (Zipped("samples/a_epoch_1.json", packed(sample()), DEFLATE, size=1 << 31), "no more than"),
    ],
)
def test_a_broken_member_is_one_line_with_its_name(tmp_path: Path, member: Zipped, said: str) -> None:
    found = log(tmp_path, member, summaries=[sample()])
    with pytest.raises(ResultsError, match=said) as caught:
        found.record(0)
    assert "\n" not in str(caught.value)
    alone = log(tmp_path, member)
    assert not alone.entries
    assert len(alone.diagnostics) == 1


def test_a_member_that_unpacks_to_more_than_it_says_is_left_when_it_does(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.eval", [Zipped("bomb", b"0" * (64 << 20), ZSTD, size=3 << 20)])
    taken = 0
    with pytest.raises(ResultsError, match="holds more"):
        for piece in Archive(path).pieces("bomb"):
            taken += len(piece)
            assert len(piece) <= 1 << 20
    assert taken <= 3 << 20


def test_places_outside_of_the_file_are_told(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.eval", [Zipped("header.json", packed(HEADER))], shift=1 << 30)
    with pytest.raises(ResultsError, match=r"header.json: no member of the archive at byte 1,073,741,824"):
        open_results(path)


def test_an_archive_without_a_header_is_no_log(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.eval", [Zipped("word/document.xml", b"<w/>")])
    with pytest.raises(ResultsError, match=r"not an Inspect log: the archive has no header.json"):
        open_results(path)


def test_a_log_that_changed_is_to_be_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    shutil.copy(KINDS, path)
    found = open_results(path).indexed()
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ResultsError, match="open it again"):
        found.record(0)


def test_zstd_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compression" if sys.version_info >= (3, 14) else "backports.zstd", None)
    monkeypatch.delattr("backports.zstd", raising=False)
    with pytest.raises(ResultsError, match=r"pip install backports.zstd"):
        open_results(KINDS)


def test_a_list_is_read_in_pieces_of_any_size() -> None:
    items: list[Plain] = [{"a": "é" * 50, "b": [1, {"c": "]"}]}, {}, {"d": None}]
    for text in (json.dumps(items, ensure_ascii=False), json.dumps(items, indent=2), "[]", " [ ] "):
        data = text.encode()
        for size in (1, 7, 1000):
            pieces = (data[at : at + size] for at in range(0, len(data), size))
            assert [*items_of(pieces)] == json.loads(text)


@pytest.mark.parametrize("text", ["", "{}", "[{}", "[{},", '[{"a": "', "[{} {}]", "[1e999999" + "9" * 5000])
def test_a_list_that_is_none_is_told(text: str) -> None:
    with pytest.raises(ListError):
        list(items_of([text.encode()]))


def test_a_long_member_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MAX_ARCHIVE_MEMBER", 10)
    path = archive(tmp_path / "x.eval", [Zipped("long", b"0" * 11)])
    with pytest.raises(ResultsError, match=r"long: 11 bytes; no more than 10 are read"):
        Archive(path).read("long", 10)


def test_a_summary_whose_sample_is_not_kept_is_shown_as_it_is(tmp_path: Path) -> None:
    kept = Zipped("samples/a_epoch_1.json", packed(sample("a", output={"completion": "yes"})))
    found = log(tmp_path, kept, summaries=[sample("gone"), sample("a")])
    assert [(one.id, found.record(one.index).actual) for one in found.entries] == [("gone", ""), ("a", "yes")]


def test_what_is_kept_in_pieces_is_found_in_them(tmp_path: Path) -> None:
    shell = sample("a", message_refs=[[0, 1]])
    pieces = [
        Zipped("samples/a_epoch_1/sample.json", packed(shell)),
        Zipped("samples/a_epoch_1/messages/0.json", packed([{"role": "user", "content": "needle"}])),
    ]
    found = log(tmp_path, *pieces, summaries=[sample("a")])
    assert [*found.search("needle")] == [(0,)]
    assert found.record(0).asked == () or "needle" in str(found.record(0).data["input_messages"])
    before = found.entries[0].digest
    pieces[1] = Zipped("samples/a_epoch_1/messages/0.json", packed([{"role": "user", "content": "other"}]))
    assert log(tmp_path, *pieces, summaries=[sample("a")]).entries[0].digest != before


def test_of_a_log_without_samples_the_reductions_are_the_records(tmp_path: Path) -> None:
    listed: Plain = [{"scorer": "match", "samples": [{"sample_id": "a", "value": 0.5}]}]
    found = log(tmp_path, Zipped("reductions.json", packed(listed)))
    assert [(one.id, one.score) for one in found.entries] == [("a", 0.5)]
    assert found.ended == "the log keeps no samples: scores are all there is"
    kept = Zipped("samples/a_epoch_1.json", packed(sample("a")))
    assert [one.score for one in log(tmp_path, Zipped("reductions.json", packed(listed)), kept).entries] == [0.0]
    broken = log(tmp_path, Zipped("reductions.json", b"{"))
    assert [(one.line, one.column) for one in broken.diagnostics if one.rule == "result-row"] == [(1, 1)]


def test_summaries_that_are_no_list_are_told_of_at_the_first_line(tmp_path: Path) -> None:
    found = log(tmp_path, Zipped("summaries.json", b"5"), Zipped("samples/a_epoch_1.json", packed(sample("a"))))
    assert [(one.line, one.column) for one in found.diagnostics] == [(1, 1)]
    assert [one.id for one in found.entries] == ["a"]


def test_a_sample_that_comes_once_more_is_the_last_of_its_name(tmp_path: Path) -> None:
    said = {one: Zipped("samples/a_epoch_1.json", packed(sample("a", output={"completion": one}))) for one in "xy"}
    other = Zipped("samples/b_epoch_1.json", packed(sample("b")))
    told: Plain = [sample("a"), sample("b")]
    twice = log(tmp_path, said["x"], other, said["y"], summaries=told)
    once = log(tmp_path, other, said["y"], summaries=told)
    assert {one.id: one.digest for one in twice.counted} == {one.id: one.digest for one in once.counted}


def test_a_record_nested_too_deeply_is_told_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(*_: object) -> Table:
        raise RecursionError

    members = [Zipped(f"samples/{name}_epoch_1.json", packed(sample(name))) for name in "ab"]
    found = log(tmp_path, *members, summaries=[sample("a"), sample("b")])
    monkeypatch.setattr(rows, "whole", deep)
    with pytest.raises(ResultsError, match="sample 2: nested too deeply"):
        found.record(1)


def test_the_end_of_a_large_archive_is_found(tmp_path: Path) -> None:
    results = log(tmp_path, Zipped("samples/a_epoch_1.json", packed(sample(more="x" * 100_000))), summaries=[])
    assert [one.id for one in results.entries] == ["a"]


def test_members_are_told_as_those_of_any_mapping(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.eval", [Zipped(f"samples/{at}_epoch_1.json", b"{}") for at in range(3)])
    assert len(Archive(path).members) == 3
    with pytest.raises(KeyError, match="samples/9"):
        Archive(path).members["samples/9_epoch_1.json"]


def test_what_is_wrong_with_an_archive_is_told_in_the_words_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = log(tmp_path, Zipped("samples/a_epoch_1.json", packed(sample())), summaries=[sample()])
    monkeypatch.setattr(unpacking, "opened", failing(errno.EIO, "worn out", "somewhere"))
    with pytest.raises(ResultsError, match=r"x\.eval: worn out$"):
        results.record(0)


def test_what_an_archive_unpacks_to_is_bounded_in_sum_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MAX_ARCHIVE_SUM", 3_000_000)
    monkeypatch.setattr(unpacking, "MAX_ARCHIVE_RATIO", 0)
    large = " " * 1_000_000
    names = [f"s{number}" for number in range(5)]
    members = [
        Zipped(f"samples/{name}_epoch_1.json", packed(sample(name, output={"completion": large})), DEFLATE)
        for name in names
    ]
    found = log(tmp_path, *members, summaries=[sample(name) for name in names])
    read = 0
    for entry in found.counted:
        try:
            read += len(found.record(entry.index).actual or "")
        except ResultsError as error:
            assert "no more than 3,000,000 bytes in sum are unpacked of this archive" in str(error)
    assert read == 2_000_000
    assert found.record(0).actual == large, "what was read once is read again"
