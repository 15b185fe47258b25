"""A folder of JSON files as a run: which of its files are records, and when it is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.results.file import Results, open_results
from tests.command import ran

ANSWERED = [
    {"asked": f"How do I reset number {number}?", "reply": f"Press reset {number} times, then wait."}
    for number in range(3)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder in a project, with a file for each record."""
    (tmp_path / ".git").mkdir()
    made = tmp_path / "tickets"
    made.mkdir()
    for number, record in enumerate(ANSWERED):
        (made / f"t{number}.json").write_text(json.dumps(record), "utf-8")
    return made


def read(folder: Path) -> Results:
    return open_results(folder, ()).indexed()


def test_each_file_is_a_record_that_is_called_after_it(folder: Path) -> None:
    results = read(folder)
    assert [entry.id for entry in results.entries] == ["t0.json", "t1.json", "t2.json"]
    assert results.record(1).actual == ANSWERED[1]["reply"]


def test_an_id_of_their_own_goes_before_the_names_of_files(folder: Path) -> None:
    for number, record in enumerate(ANSWERED):
        (folder / f"t{number}.json").write_text(json.dumps({"id": f"T-{number}", **record}), "utf-8")
    assert [entry.id for entry in read(folder).entries] == ["T-0", "T-1", "T-2"]


def test_a_list_in_a_file_is_its_records(folder: Path) -> None:
    (folder / "u.json").write_text(json.dumps(ANSWERED), "utf-8")
    assert [entry.line for entry in read(folder).entries] == [1, 2, 3, 4, 4, 4]


def test_a_file_that_is_a_conversation_is_one_record(tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(json.dumps(chat), "utf-8")
    results = read(tmp_path)
    assert [results.record(index).actual for index in range(len(results.entries))] == ["Hello", "Hello"]


def test_what_cannot_be_read_is_told_by_the_name_of_its_file(folder: Path) -> None:
    (folder / "broken.json").write_text("{", "utf-8")
    (folder / "deep.json").write_text("[" * 100_000, "utf-8")
    (folder / "latin.json").write_bytes(b'{"a": "\xe9"}')
    (folder / "number.json").write_text("3", "utf-8")
    results = read(folder)
    assert (len(results.entries), results.skipped) == (3, 4)
    told = [diagnostic.message.split(":")[0] for diagnostic in results.diagnostics]
    assert told == ["broken.json", "deep.json", "latin.json", "number.json"]


def test_links_out_of_the_project_hidden_files_and_others_are_no_records(folder: Path, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.json"
    outside.write_text(json.dumps(ANSWERED[0]), "utf-8")
    (folder / "link.json").symlink_to(outside)
    (folder / "nowhere.json").symlink_to(folder / "absent.json")
    (folder / ".hidden.json").write_text(json.dumps(ANSWERED[0]), "utf-8")
    (folder / "notes.txt").write_text("notes", "utf-8")
    (folder / "deep.json").mkdir()
    assert [entry.id for entry in read(folder).entries] == ["t0.json", "t1.json", "t2.json"]


def test_settings_of_other_programs_make_no_run(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "app", "version": "1.0.0", "private": true}', "utf-8")
    (tmp_path / "tsconfig.json").write_text('{"compilerOptions": {"strict": true}}', "utf-8")
    with pytest.raises(ResultsError, match="holds no results"):
        open_results(tmp_path, ())


def test_a_folder_is_judged_and_reported_and_its_log_is_beside_it(folder: Path) -> None:
    project = folder.parent
    assert ran("verdict", "tickets", "t1.json", "ok", "--reviewer", "ada", folder=project).code == 0
    assert (project / "tickets.reviews.jsonl").is_file()
    assert sorted(path.name for path in folder.iterdir()) == ["t0.json", "t1.json", "t2.json"]
    assert "1 of 3 ungraded records decided" in ran("report", "tickets", folder=project).out


def test_the_folder_that_one_is_in_has_its_log_beside_it_too(folder: Path) -> None:
    assert ran("verdict", ".", "t1.json", "ok", "--reviewer", "ada", folder=folder).code == 0
    assert (folder.parent / "tickets.reviews.jsonl").is_file()


def test_the_guess_of_a_folder_is_kept_and_read_by(folder: Path) -> None:
    project = folder.parent
    assert ran("guess", "tickets", "--as", "results", "--take", folder=project).code == 0
    told = ran("next", "tickets", folder=project)
    assert "t0.json" in told.out and "guessed" not in told.err


@pytest.mark.parametrize(("suffix", "between"), [(".csv", ","), (".tsv", "\t")])
def test_a_table_that_nobody_graded_is_reviewed_where_it_is_said_to_be_results(tmp_path, suffix, between) -> None:
    path = tmp_path / f"log{suffix}"
    rows = [["id", "asked", "reply"], *([str(n), *record.values()] for n, record in enumerate(ANSWERED))]
    path.write_text("".join(between.join(f'"{cell}"' for cell in row) + "\n" for row in rows), "utf-8")
    told = ran("next", path.name, folder=tmp_path)
    assert (told.code, "Press reset 0 times, then wait." in told.out) == (0, True)
    with pytest.raises(ResultsError):  # in a folder of decks it may as well be one
        open_results(path, ())


TALK = [{"role": "user", "content": "Hi?"}, {"role": "assistant", "content": "Ho."}]


@pytest.mark.parametrize("graded", [False, True])
def test_conversations_among_records_are_ungraded_records_of_their_own(tmp_path: Path, graded: bool) -> None:
    records = [
        {"question": f"Q{n}?", "answer": f"So {n}.", **({"passed": n > 0} if graded else {})} for n in (0, 1)
    ]
    for name, held in (("a", records[0]), ("b", TALK), ("c", {"messages": TALK}), ("d", records[1])):
        (tmp_path / f"{name}.json").write_text(json.dumps(held), "utf-8")
    results = read(tmp_path)
    assert [entry.id for entry in results.entries] == ["a.json", "b.json", "c.json", "d.json"]
    assert [results.record(index).actual for index in range(4)] == ["So 0.", "Ho.", "Ho.", "So 1."]
    asked = [results.record(index).asked for index in range(4)]
    assert [[one["content"] for one in messages] for messages in asked] == [["Q0?"], ["Hi?"], ["Hi?"], ["Q1?"]]
    outcomes = [entry.outcome for entry in results.entries]
    assert outcomes == ([False, None, None, True] if graded else [None] * 4)
    assert results.skipped == 0


def test_where_a_folder_has_no_such_files_those_of_the_folders_below_are_its_records(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("2026-03-02/b.json", "2026-03-01/a.json", ".trash/c.json", "node_modules/d.json", "x/y/e.json"):
        file = tmp_path / "calls" / name
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(ANSWERED[0]), "utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "f.json").write_text(json.dumps(ANSWERED[0]), "utf-8")
    (tmp_path / "calls" / "linked").symlink_to(tmp_path / "outside")
    assert [entry.id for entry in read(tmp_path / "calls").entries] == [
        "2026-03-01/a.json",
        "2026-03-02/b.json",
        "x/y/e.json",
    ]


def test_a_folder_of_whole_runs_of_a_tool_is_no_run_of_a_record_a_file(tmp_path: Path) -> None:
    row = {
        "promptIdx": 0,
        "vars": {"q": "?"},
        "prompt": {"raw": "?"},
        "success": True,
        "score": 1,
        "response": {"output": "x"},
    }
    for name in ("r1.json", "r2.json"):
        (tmp_path / name).write_text(json.dumps({"evalId": name, "results": {"results": [row]}}), "utf-8")
    with pytest.raises(ResultsError, match=r"holds results files, r1\.json among them; name one of them"):
        open_results(tmp_path, ())
