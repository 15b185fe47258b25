"""`report --codes`: rates of codes and judges held against labels, in every form."""

from __future__ import annotations

import json
import os
import runpy
import shutil
from pathlib import Path

import jsonschema
import pytest

from sampleui.cli.schema import answer_schema
from sampleui.review.codes import FailureCode, add_codes, codebook_of
from sampleui.review.labels import draw_pass, label_about
from sampleui.review.log.store import log_path, open_log
from sampleui.review.log.verdict_migration import NO_DECKS
from sampleui.review.results.file import open_results
from sampleui.review.sampling import split_labels
from sampleui.review.session import decision_about
from sampleui.review.verdict import LabelValue
from tests.bench.conversations import FAULTS, codes, conversations, write
from tests.cli.schemas import closed

ROOT = Path(__file__).parents[2]
FIRST = FAULTS[0].name
UNKNOWN = NO_DECKS._replace(values=lambda _: "")
"""Samples of which nothing is known, so that no label of them holds for another row."""


def labelled(folder: Path, stop: int = 60, *, split: bool = False) -> Path:
    """Write a run of which a pass over three codes read some records, as they truly are."""
    (folder / ".git").mkdir()
    product = conversations()
    write(folder, product)
    book = codebook_of(folder)
    for code in codes(3):
        book = add_codes(book, [code])
    results = open_results(folder / "rental.jsonl").indexed()
    log, faults = open_log(log_path(results.path)), {item.row["id"]: item.faults for item in product}
    drawn = log.keep_draw(draw_pass(results.counted, [code.name for code in book.codes], "ann", "7"))
    by_digest = {entry.digest: entry for entry in results.counted}
    read = [by_digest[digest] for digest in [*drawn.records][:stop]]
    log.append_all(
        label_about(
            decision_about(results.record(entry.index), None, "ann", UNKNOWN),
            book,
            code.name,
            LabelValue.YES if code.name in faults[entry.id] else LabelValue.NO,
            drawn=drawn,
        )
        for entry in read
        for code in book.codes
    )
    if split:
        first = {entry.digest: FIRST in faults[entry.id] for entry in read}
        log.keep_split(split_labels(first, FIRST, book.digest(FIRST), "ann", "1"))
    return results.path


def asked(sampleui, *args: object) -> dict:
    return json.loads(sampleui("report", *args, "--format", "json").out)["codes"]


def test_every_form_tells_how_many_records_fail_so(sampleui, tmp_path):
    run = labelled(tmp_path)
    found = asked(sampleui, run, "--codes")
    assert [item["code"] for item in found["codes"]] == [fault.name for fault in FAULTS[:3]]
    assert (found["read"], found["codes"][0]["reviewed"]) == (60, 60)
    rate = f"{100 * found['codes'][0]['rate']:.0f}%"
    for form in ("text", "markdown", "html"):
        out = sampleui("report", run, "--codes", "--format", form).out
        assert rate in out
        assert "60 of 100 records read, the last new code was" in out
        assert FAULTS[0].definition in out
    assert asked(sampleui, run) is None
    assert len(asked(sampleui, run, "--code", FIRST)["codes"]) == 1


def test_codes_have_the_names_of_the_schema(sampleui, tmp_path):
    run = labelled(tmp_path, split=True)
    schema = closed(answer_schema("report"))
    for part in ("dev", "test"):
        against = ("--against", tmp_path / "judge.csv", "--part", part)
        data = json.loads(sampleui("report", run, "--codes", *against, "--format", "json").out)
        jsonschema.validate(data, schema)
        assert data["codes"]["codes"][0]["judges"]


@pytest.mark.parametrize(
    ("name", "head", "passes", "fails"),
    [
        (FIRST, "id", "pass", "fail"),
        (FIRST.replace(" ", "_"), "record_id", "0", "1"),
        (FIRST, "trace_id", "no", "yes"),
        ("verdict", "id", "PASS", "FAIL"),
        ("grade", "id", "1", "0"),
        ("score", "id", "0.9", "0.1"),
    ],
)
def test_a_judges_column_is_joined_by_id_whatever_it_is_called(sampleui, tmp_path, name, head, passes, fails):
    run = labelled(tmp_path)
    against = ("--code", FIRST, "--against", tmp_path / "judge.csv")
    wanted = asked(sampleui, run, *against)
    text = (tmp_path / "judge.csv").read_text().splitlines()[1:]
    rows = [line.split(",") for line in text]
    lines = [f"{head},why,{name}", *(f"{key},because,{passes if said == 'pass' else fails}" for key, said in rows)]
    (tmp_path / "judge.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    found = asked(sampleui, run, *against)["codes"][0]["judges"][0]
    judge = wanted["codes"][0]["judges"][0]
    assert found["grader"]["evaluator"] == name
    assert found["grader"]["counts"] == judge["grader"]["counts"]
    assert found["corrected"] == judge["corrected"]


def test_a_judge_is_joined_by_the_ids_of_transcripts_too(sampleui, tmp_path):
    run = labelled(tmp_path)
    rows = [json.loads(line) for line in run.read_text().splitlines()]
    run.write_text("".join(json.dumps({**row, "trace_id": f"t-{row['id']}"}) + "\n" for row in rows))
    said = (tmp_path / "judge.csv").read_text().replace("rental-", "t-rental-")
    (tmp_path / "judge.csv").write_text(said)
    against = ("--code", FIRST, "--against", tmp_path / "judge.csv")
    assert asked(sampleui, run, *against)["codes"][0]["judges"][0]["unlabelled"] == 100


def test_what_cannot_be_joined_is_told(sampleui, tmp_path):
    run = labelled(tmp_path)
    (tmp_path / "other.csv").write_text("id,verdict\nx,pass\n")
    (tmp_path / "two.csv").write_text("id,first,second\nrental-001,pass,fail\n")
    (tmp_path / "none.csv").write_text("id,words\nrental-001,so so\n")
    for against, why in (
        ("nobody", "neither an evaluator nor a file is called nobody"),
        (tmp_path / "other.csv", "no column has ids of the run's records"),
        (tmp_path / "two.csv", "several columns may be a judge's: name one, as in two.csv:first"),
        (tmp_path / "none.csv", "no column holds verdicts, truths or scores from 0 to 1"),
        (f"{tmp_path / 'two.csv'}:third", "the column third does not hold verdicts"),
    ):
        ran = sampleui("report", run, "--codes", "--against", against)
        assert (ran.code, why in ran.err) == (2, True), ran.err
    assert sampleui("report", run, "--codes", "--against", f"{tmp_path / 'two.csv'}:second").code == 0


def test_labels_of_a_pass_over_other_records_are_in_no_rate_and_told(sampleui, tmp_path):
    run = labelled(tmp_path, 40)
    with run.open("a") as file:
        file.write(json.dumps({"id": "later", "messages": [{"role": "user", "content": "x"}]}) + "\n")
    assert "labelled 40 in a pass over other records, or after one passed over" in (
        sampleui("report", run, "--code", FIRST).out
    )
    assert asked(sampleui, run, "--code", FIRST)["codes"][0]["rate"] is None


def test_records_are_grouped_by_the_codes_that_they_fail_by(sampleui, tmp_path):
    run = labelled(tmp_path, 100)
    groups = json.loads(sampleui("report", run, "--by", "code", "--format", "json").out)["groups"]["groups"]
    found = {group["values"]["code"]: group["records"] for group in groups}
    faults = json.loads((tmp_path / "truth.json").read_text()).values()
    names = [fault.name for fault in FAULTS[:3]]
    assert found == {
        **{name: sum(name in of for of in faults) for name in names},
        None: sum(not {*names} & {*of} for of in faults),
    }


def test_the_worked_example_of_error_analysis_says_what_its_report_says(sampleui, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples" / "error-analysis", tmp_path / "rental")
    (tmp_path / "rental" / ".git").mkdir()
    kinds = runpy.run_path(str(ROOT / "docs" / "make_screenshots.py"))["KINDS"]
    book = codebook_of(tmp_path / "rental")
    for name, (definition, _) in kinds.items():
        book = add_codes(book, [FailureCode(name, definition)])
    results = open_results(tmp_path / "rental" / "rental.jsonl").indexed()
    log = open_log(log_path(results.path))
    drawn = log.keep_draw(draw_pass(results.counted, [*kinds], "ada", "1"))
    by_digest = {entry.digest: entry.index for entry in results.counted}
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_: os.terminal_size((120, 40)))
    said = ""
    for start, end in ((0, 40), (40, 60)):
        log.append_all(
            label_about(
                decision_about(record, None, "ada"),
                book,
                name,
                LabelValue("yes" if words in str(record.data) else "no"),
                drawn=drawn,
            )
            for record in (results.record(by_digest[digest]) for digest in [*drawn.records][start:end])
            for name, (_, words) in kinds.items()
        )
        said += sampleui("report", results.path, "--codes", "--against", tmp_path / "rental" / "judge.csv").out
    said += sampleui("labels", results.path, "--code", "wrong price", "--split", "1").out
    text = (ROOT / "docs" / "error-analysis.md").read_text("utf-8")
    told = text[text.index("```text") :].split("```")[1].splitlines()[1:]
    unfolded = " ".join(said.split())
    for line in told:
        assert " ".join(line.split()) in unfolded, line
    for words in ("28 to 58%", "2 to 19%", "at least 17 of 100", "12 train, 24 dev, 24 test"):
        assert words in said
        assert words in text


def test_labels_are_split_once_and_handed_on_with_their_parts(sampleui, tmp_path):
    run, code = labelled(tmp_path), ("--code", FIRST)
    said = sampleui("labels", run, *code, "--split", "7").out
    assert "the labels of 60 records for wrong price are split: 12 train, 24 dev, 24 test" in said
    again = sampleui("labels", run, *code, "--split", "8")
    assert (again.code, "are split already" in again.err) == (2, True)
    sampleui("labels", run, *code, "--to", tmp_path / "set.jsonl")
    cases = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text().splitlines()]
    assert [sum(case["split"] == part for case in cases) for part in ("train", "dev", "test")] == [12, 24, 24]
    assert sampleui("labels", run, "--split", "7").code == 2
    assert sampleui("labels", run).code == 2


def test_the_parts_of_a_validation_set_are_kept_as_its_file_has_them(sampleui, tmp_path):
    run, code = labelled(tmp_path), ("--code", FIRST)
    sampleui("labels", run, *code, "--split", "7", "--to", tmp_path / "set.jsonl")
    log_path(run).unlink()
    given = (*code, "--from", tmp_path / "set.jsonl", "--reviewer", "bob")
    assert (
        "the labels of 60 records for wrong price are split: 12 train, 24 dev, 24 test"
        in sampleui("labels", run, *given).out
    )
    sampleui("labels", run, *code, "--to", tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "set.jsonl").read_bytes()
    assert "split" not in sampleui("labels", run, *given).err, "the same parts once more"
    moved = (tmp_path / "set.jsonl").read_text().replace('"dev"', '"test"')
    (tmp_path / "set.jsonl").write_text(moved)
    assert "are not kept: the labels of wrong price are split already" in sampleui("labels", run, *given).err
    log_path(run).unlink()
    (tmp_path / "set.jsonl").write_text(moved.replace('"test"', '"holdout"'))
    assert "holdout is none of train, dev, test" in sampleui("labels", run, *given).err


def test_a_second_look_at_the_test_part_is_said(sampleui, tmp_path):
    run = labelled(tmp_path, split=True)
    against = ("--code", FIRST, "--against", tmp_path / "judge.csv")
    assert "test part" not in sampleui("report", run, *against).out
    first = sampleui("report", run, *against, "--part", "test").out
    assert "the test part was opened once" in first
    for form in ("text", "markdown", "html"):
        sampleui("report", run, *against, "--part", "test", "--format", form)
    assert "the test part was opened 4 times" in sampleui("report", run, *against).out


def test_a_judge_that_is_read_the_wrong_way_round_is_noticed(sampleui, tmp_path):
    run = labelled(tmp_path)
    text = (tmp_path / "judge.csv").read_text()
    swapped = text.replace("pass", "x").replace("fail", "pass").replace("x", "fail").replace(FIRST, "judge")
    (tmp_path / "judge.csv").write_text(swapped)
    out = sampleui("report", run, "--code", FIRST, "--against", tmp_path / "judge.csv").out
    assert "judge on wrong price: it is right less often than a coin" in out
