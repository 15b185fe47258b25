"""Codes and labels by command: added, renamed, merged, proposed, written for others and read from them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from sampleui.errors import EditRefusedError, ResultsError
from sampleui.review.handing_back import decided_in
from sampleui.review.labels import take_code, take_codes_of, taken_by_code
from sampleui.review.log.store import log_path, open_log
from sampleui.review.results.file import open_results
from sampleui.review.verdict import Decision, LabelValue, LogAction, Verdict

FAILURES = """\
# What goes wrong

Read by all of us.

## wrong date

The date is not
that of the order.

* "on May 3"

## tone

Rude, or curt.
"""


@pytest.fixture
def run(folder) -> Path:
    rows = [
        {
            "id": f"order-{index}",
            "input": f"When is order {index}?",
            "output": f"It comes on May {index}.",
            "score": 0,
        }
        for index in range(6)
    ]
    root = folder(**{".git/HEAD": "", "runs/run.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    (root / "failures.md").write_text(FAILURES)
    return root / "runs" / "run.jsonl"


def lines(path: Path, *rows: dict[str, object], name: str = "lines.jsonl") -> Path:
    file = path.parent / name
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def labelled(sampleui, run: Path, who: str = "ann", **labels: str) -> None:
    said: list[dict[str, object]] = [
        {"id": f"order-{key[1:]}", "code": "wrong date", "label": value} for key, value in labels.items()
    ]
    done = sampleui("label", run, lines(run, *said), "--reviewer", who)
    assert done.code == 0, done.err


def test_a_code_is_added_renamed_and_merged_and_nothing_else_changes(sampleui, run):
    path = run.parents[1] / "failures.md"
    assert sampleui("code", "add", run, "price", "Not what it costs.", "--example", "for $3").code == 0
    assert path.read_text() == FAILURES + "\n## price\n\nNot what it costs.\n\n- “for $3”\n"
    assert sampleui("code", "rename", run, "tone", "manners").code == 0
    assert "## manners\nFormerly: tone\n\nRude, or curt.\n" in path.read_text()
    assert sampleui("code", "merge", run, "price", "wrong date").code == 0
    merged = FAILURES.replace("## wrong date\n", "## wrong date\nFormerly: price\n")
    merged = merged.replace('* "on May 3"\n', '* "on May 3"\n\nNot what it costs.\n\n- “for $3”\n')
    assert path.read_text() == merged.replace("## tone\n", "## manners\nFormerly: tone\n")
    assert sampleui("code", "add", run, "Tone", "Again.").code == 2
    assert sampleui("check", path).code == 0
    assert "codes of reviews" in sampleui("check", path).out
    assert not (run.parent / "failures.md").exists()


@pytest.mark.parametrize("name", ["two\nlines", "closed ##", "", " blank", "bell\a"])
def test_a_name_that_is_no_heading_is_refused_and_the_file_stays(sampleui, run, name):
    assert sampleui("code", "add", run, name, "Something.").code == 2
    assert (run.parents[1] / "failures.md").read_text() == FAILURES


def test_the_codes_are_made_beside_the_run_and_never_in_its_folder(sampleui, run):
    (run.parents[1] / "failures.md").unlink()
    assert sampleui("code", "add", run, "price", "Not what it costs.").code == 0
    assert (run.parent / "failures.md").exists()


def test_labels_of_people_count_by_the_definition_as_it_is(sampleui, run):
    labelled(sampleui, run, o0="yes", o1="no", o2="cannot say")
    labelled(sampleui, run, "bob", o0="yes")
    (found, tone) = json.loads(sampleui("code", "list", run, "--format", "json").out)["codes"]
    assert (found["name"], found["yes"], found["no"], found["cannot_say"]) == ("wrong date", 1, 1, 1)
    assert (tone["name"], tone["yes"]) == ("tone", 0)
    path = run.parents[1] / "failures.md"
    path.write_text(FAILURES.replace("not\nthat of", "not that\nof"))
    assert json.loads(sampleui("code", "list", run, "--format", "json").out)["codes"][0]["yes"] == 1, "wrapped"
    path.write_text(FAILURES.replace("that of the order", "that of the invoice"))
    (found, _) = json.loads(sampleui("code", "list", run, "--format", "json").out)["codes"]
    assert (found["yes"], found["other_definition"]) == (0, 3)
    assert (
        json.loads(
            sampleui("labels", run, "--to", run.parent / "x.jsonl", "--code", "wrong date", "--format", "json").out
        )["records"]
        == 0
    )


def test_a_report_counts_records_by_code_though_nobody_decided_about_them(sampleui, run):
    labelled(sampleui, run, o0="yes", o1="no", o3="yes")
    review = json.loads(sampleui("report", run, "--format", "json").out)["review"]
    assert (review["reviewed"], review["codes"]) == (0, {"wrong date": 2})
    assert "Kinds of failure" in sampleui("report", run).out


def test_one_wrong_line_records_nothing_and_each_is_named(sampleui, run):
    said = lines(
        run,
        {"id": "order-0", "code": "wrong date", "label": "yes"},
        {"id": "order-9", "code": "wrong date", "label": "yes"},
        {"id": "order-1", "code": "wrong day", "label": "yes"},
        {"id": "order-2", "code": "tone", "label": "yes", "quote": "on June 2"},
    )
    done = sampleui("label", run, said, "--as", "agent:bot")
    assert done.code == 2
    for words in (
        "line 2: no record order-9",
        "line 3: no code is called wrong day",
        "line 4: order-2 does not say",
    ):
        assert words in done.err
    assert not log_path(run).exists()


def test_a_quote_is_found_however_its_blanks_are_folded(sampleui, run):
    said = lines(run, {"id": "order-2", "code": "tone", "label": "yes", "quote": "comes\n on  May 2"})
    assert sampleui("label", run, said, "--as", "agent:bot").code == 0
    (proposed,) = open_log(log_path(run)).decisions
    assert proposed.place is not None
    assert (proposed.place.part, proposed.place.quote, proposed.place.start) == ("answer", "comes on May 2", 3)


def test_a_script_of_commands_proposes_codes_and_labels_that_count_when_they_are_taken(sampleui, run):
    names = [f"kind {number}" for number in range(4)]
    for name in names:
        assert sampleui("code", "add", run, name, f"It is {name}.", "--as", "agent:bot").code == 0
    assert (run.parents[1] / "failures.md").read_text() == FAILURES, "a proposal writes no codes"
    rows = [
        {"id": f"order-{index % 6}", "code": names[index // 6], "label": "yes", "quote": f"May {index % 6}"}
        for index in range(24)
    ]
    assert sampleui("label", run, lines(run, *rows), "--as", "agent:bot").code == 0
    again = sampleui("label", run, lines(run, *rows), "--as", "agent:bot")
    assert again.code == 0
    before = json.loads(sampleui("code", "list", run, "--format", "json").out)
    assert [item["name"] for item in before["proposed"]] == names
    assert {row["yes"] for row in before["codes"]} == {0}

    log = open_log(log_path(run))
    mine = [item for item in log.decisions if item.code == "kind 0" and item.label is not None][:6]
    take_codes_of(log, mine, "ann")
    log.append_all([taken(item) for item in mine[:4]])
    after = json.loads(sampleui("code", "list", run, "--format", "json").out)
    assert [(row["name"], row["yes"]) for row in after["codes"]][-1] == ("kind 0", 4)
    assert [item["name"] for item in after["proposed"]] == names[1:]
    assert "## kind 0\n\nIt is kind 0.\n" in (run.parents[1] / "failures.md").read_text()
    assert taken_by_code(open_log(log_path(run)))["agent:bot", "kind 0"].taken == 4


def taken(proposal: Decision) -> Decision:
    import dataclasses

    from sampleui.review.verdict import new_id, now

    return dataclasses.replace(
        proposal,
        id=new_id(),
        time=now(),
        kind=LogAction.LABEL,
        reviewer="ann",
        proposal=proposal.id,
        proposed_by=proposal.reviewer,
        step=None,
    )


def test_a_proposed_name_or_merge_says_what_it_stands_in_place_of(sampleui, run):
    sampleui("code", "add", run, "late", "It is late.")
    sampleui("code", "rename", run, "tone", "manners", "--as", "agent:bot")
    sampleui("code", "merge", run, "late", "wrong date", "--as", "agent:bot")
    sampleui("code", "merge", run, "tone", "wrong date", "--as", "agent:bot")
    sampleui("code", "add", run, "wrong date", "It is no date.", "--as", "agent:bot")
    listed, stated = sampleui("code", "list", run).out, sampleui("proposals", run).out
    proposed = (
        "the code wrong date in place of late",
        "the code wrong date in place of tone",
        "wrong date: It is no",
    )
    assert all(words in listed and words in stated for words in proposed)
    assert ("in place of tone:" in listed + stated, "manners" in listed) == (False, False), (
        "a definition is none of what is proposed, and the later proposal about a code is the one that stands"
    )
    rows = json.loads(sampleui("proposals", run, "--format", "json").out)["proposals"]
    assert [(row.get("formerly"), row["state"]) for row in rows] == [
        ("tone", "withdrawn"),
        ("late", "open"),
        ("tone", "open"),
        (None, "open"),
    ]


def test_what_somebody_answered_meanwhile_is_neither_taken_nor_refused_again(sampleui, run):
    sampleui("code", "rename", run, "tone", "manners", "--as", "agent:bot")
    row = {"id": "order-1", "code": "tone", "label": "yes"}
    assert sampleui("label", run, lines(run, row), "--as", "agent:bot").code == 0
    log, other = open_log(log_path(run)), open_log(log_path(run))
    (code,), (label,) = log.open_proposals(""), [item for item in log.decisions if item.label is not None]
    log.append(taken(label))
    take_code(log, code, "ann")
    before = log.path.read_bytes(), (run.parents[1] / "failures.md").read_bytes()
    for proposal, why in ((label, "ann took on"), (code, "ann took on")):
        with pytest.raises(ResultsError, match=why):
            other.append(replace(taken(proposal), kind=LogAction.REFUSE, label=None, code=None, verdict=None))
    with pytest.raises(EditRefusedError, match="waits for no answer any more"):
        take_code(other, code, "ann")
    assert (log.path.read_bytes(), (run.parents[1] / "failures.md").read_bytes()) == before


@pytest.mark.parametrize(
    "command", [("report",), ("code", "list"), ("labels",), ("label",), ("verdict",), ("check",)]
)
def test_a_heading_that_is_there_twice_is_told_with_its_line(sampleui, run, command):
    path = run.parents[1] / "failures.md"
    path.write_text(FAILURES + "\n<!--\n## wrong date\n-->\n```\n## wrong date\n```\n\n## tone\n\nLoud.\n")
    more = {
        "report": ("--codes",),
        "labels": ("--to", run.parent / "set.jsonl", "--code", "tone"),
        "label": (lines(run, {"id": "order-1", "code": "tone", "label": "yes"}), "--reviewer", "ann"),
        "verdict": ("order-2", "model-wrong", "--code", "tone"),
    }
    done = sampleui(*command, path if command == ("check",) else run, *more.get(command[0], ()))
    assert f"failures.md:{len(path.read_text().splitlines()) - 2}" in done.out + done.err
    assert (done.out + done.err).count("counts for nothing") == 1


def test_a_program_renames_and_merges_codes_when_a_person_takes_that(sampleui, run):
    path = run.parents[1] / "failures.md"
    assert sampleui("code", "rename", run, "tone", "manners", "--as", "agent:bot").code == 0
    assert path.read_text() == FAILURES
    log = open_log(log_path(run))
    take_code(log, log.open_proposals("")[0], "ann")
    assert "## manners\nFormerly: tone\n" in path.read_text()
    assert sampleui("code", "merge", run, "manners", "wrong date", "--as", "agent:bot").code == 0
    log.refresh()
    take_code(log, log.open_proposals("")[0], "ann")
    assert [code.name for code in log.codebook.codes] == ["wrong date"]
    assert {*log.codebook.codes[0].formerly} == {"manners", "tone"}


@pytest.mark.parametrize("name", ["set.jsonl", "set.json", "set.csv", "set.tsv", "set.yaml", "annotations.jsonl"])
def test_labels_that_are_written_are_read_again(sampleui, run, name):
    labelled(sampleui, run, o0="yes", o1="no", o2="cannot say")
    file = run.parent / name
    done = sampleui("labels", run, "--to", file, "--code", "wrong date")
    assert done.code == (0 if name == "annotations.jsonl" else 1), "a label cannot say is left out and told"
    assert name == "annotations.jsonl" or "order-2: cannot say" in done.err
    assert sampleui("labels", run, "--to", file, "--code", "wrong date").code == done.code, (
        "labels may be written anew"
    )
    ran = sampleui("labels", run, "--from", file, "--code", "wrong date", "--reviewer", "cy")
    assert ran.code == 0, ran.err
    log = open_log(log_path(run))
    assert [(item.record_id, item.label) for item in log.standing_labels if item.reviewer == "cy"] == [
        ("order-0", LabelValue.YES),
        ("order-1", LabelValue.NO),
    ]
    size = log.path.stat().st_size
    assert (
        "2 were said before"
        in sampleui("labels", run, "--from", file, "--code", "wrong date", "--reviewer", "cy").out
    )
    assert log.path.stat().st_size == size


def test_several_codes_are_a_column_each(sampleui, run):
    labelled(sampleui, run, o0="yes", o1="no", o2="cannot say")
    assert (
        sampleui(
            "label", run, lines(run, {"id": "order-1", "code": "tone", "label": "yes"}), "--reviewer", "ann"
        ).code
        == 0
    )
    file = run.parent / "wide.csv"
    assert sampleui("labels", run, "--to", file).code == 0
    assert [*csv.reader(io.StringIO(file.read_text()))] == [
        ["id", "wrong date", "tone"],
        ["order-0", "1", ""],
        ["order-1", "0", "1"],
    ]
    assert sampleui("labels", run, "--to", run.parent / "wide.jsonl").code == 2


def test_what_is_no_file_of_labels_is_not_written_over(sampleui, run):
    labelled(sampleui, run, o0="yes")
    before = run.read_bytes()
    assert sampleui("labels", run, "--to", run, "--code", "wrong date").code == 2
    assert run.read_bytes() == before


@pytest.mark.parametrize(
    ("ids", "name", "why"),
    [
        (["a,b"], "x.jsonl", "several ids"),
        (["[1]"], "x.yaml", "several ids"),
        (["007", "b"], "x.csv", "other values"),
        (["NA"], "x.csv", "other values"),
        (["1e3"], "x.csv", "other values"),
    ],
)
def test_an_id_that_others_would_misread_is_refused(sampleui, run, ids, name, why):
    run.write_text("".join(json.dumps({"id": item, "output": "x", "score": 0}) + "\n" for item in ids))
    said = [{"id": f"#{number}", "code": "tone", "label": "yes"} for number, _ in enumerate(ids, 1)]
    assert sampleui("label", run, lines(run, *said), "--reviewer", "ann").code == 0
    done = sampleui("labels", run, "--to", run.parent / name, "--code", "tone")
    assert (done.code, why in done.err, (run.parent / name).exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("name", "text", "options", "found", "told"),
    [
        ("x.csv", "id,target\norder-0,true\norder-1,False\n", ["--code", "tone"], {"tone": [1, 0]}, ""),
        ("x.csv", "id,target_tone,target_price\norder-0,1,0\n", [], {"tone": [1], "price": [0]}, "no definition"),
        (
            "x.json",
            '[{"split": "dev", "cases": [{"id": "order-3", "target": true}]}]',
            ["--code", "tone"],
            {"tone": [1]},
            "",
        ),
        ("x.jsonl", '{"id": "order-0", "labels": {"tone": true}}\n', [], {"tone": [1]}, ""),
        (
            "x.jsonl",
            '{"id": "order-0", "target": {"tone": true}, "split": "dev"}\n',
            [],
            {"tone": [1]},
            "all records are in one",
        ),
        (
            "x.csv",
            "nr,human_label,why\norder-0,PASS,x\norder-1,FAIL,y\n",
            ["--code", "tone"],
            {"tone": [0, 1]},
            "fail is read as yes",
        ),
        (
            "x.csv",
            "trace_id,annotation,tone,wrong date\norder-0,rude,1,0\n",
            [],
            {"tone": [1], "wrong date": [0]},
            "the ids",
        ),
        (
            "x.csv",
            "trace_id,a,b\norder-0,1,0\norder-1,0,0\n",
            ["--column", "b", "--code", "tone"],
            {"tone": [0, 0]},
            "",
        ),
    ],
)
def test_tables_of_others_are_read_and_what_was_guessed_is_told(sampleui, run, name, text, options, found, told):
    (run.parent / name).write_text(text)
    ran = sampleui("labels", run, "--from", run.parent / name, "--reviewer", "cy", *options)
    assert ran.code == 0, ran.err
    labels: dict[str, list[int]] = {}
    for item in open_log(log_path(run)).standing_labels:
        labels.setdefault(str(item.code), []).append(int(item.label is LabelValue.YES))
    assert labels == found
    assert told.split("the ids")[0] in ran.err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("id,target\norder-0,perhaps\n", "line 2: perhaps is no label"),
        ("id,target\n,true\norder-0,true\n", "line 2: there is no id"),
        ("id,target\nnobody,true\n", "line 2: no record nobody"),
        ("id,target\n", "no rows"),
        ("name,flag\nx,1\n", "no column has ids"),
        ('id,target\n"order-0,order-1",true\n', "no record order-0,order-1"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(sampleui, run, text, why):
    (run.parent / "x.csv").write_text(text)
    ran = sampleui("labels", run, "--from", run.parent / "x.csv", "--reviewer", "cy", "--code", "tone")
    assert (ran.code, why in ran.err) == (2, True), ran.err
    assert not log_path(run).exists()


def test_a_broken_line_is_named_and_nothing_is_recorded(sampleui, run):
    file = run.parent / "broken.jsonl"
    file.write_text('{"id": "order-0", "code": "tone", "label": "yes"}\n{broken\n')
    ran = sampleui("label", run, file, "--as", "agent:bot")
    assert (ran.code, f"{file}:2:2: " in ran.err, log_path(run).exists()) == (2, True, False)


def test_annotations_of_others_are_labels_notes_and_verdicts(sampleui, run):
    rows = [
        {"trace_id": "order-0", "status": "fail", "notes": "rude", "failure_modes": {"tone": 1, "wrong date": 0}},
        {"trace_id": "order-1", "status": "pass", "notes": "", "failure_modes": []},
        {"trace_id": "order-2", "status": "defer", "notes": "hm", "failure_modes": ["tone"]},
    ]
    file = lines(run, *rows, name="annotations.jsonl")
    assert sampleui("labels", run, "--from", file, "--reviewer", "cy").code == 0
    log = open_log(log_path(run))
    assert {item.verdict for item in log.standing} == {Verdict.MODEL_WRONG, Verdict.OK, Verdict.SKIP}
    assert sorted(item.comment for item in log.standing_notes) == ["hm", "rude"]
    assert len(log.standing_labels) == 3
    again = run.parent / "again.annotations.jsonl"
    assert sampleui("labels", run, "--to", again).code == 0
    written = [json.loads(line) for line in again.read_text().splitlines()]
    assert [(row["trace_id"], row["status"], row["notes"]) for row in written] == [
        (row["trace_id"], row["status"], row["notes"]) for row in rows
    ]
    assert written[0]["failure_modes"] == {"wrong date": 0, "tone": 1}


def test_a_column_is_of_the_code_that_its_heading_means_and_keeps_its_parts(sampleui, run):
    file = run.parent / "x.csv"
    file.write_text("Trace-ID,Wrong_Date,TONE,Split\norder-0,1,0,\norder-1,0,1,\n")
    assert sampleui("labels", run, "--from", file, "--reviewer", "cy").code == 0
    rows = json.loads(sampleui("code", "list", run, "--format", "json").out)["codes"]
    assert [(row["name"], row["yes"], row["no"]) for row in rows] == [("wrong date", 1, 1), ("tone", 1, 1)]
    file.write_text("id,label_tone,label_late,split\norder-0,1,1,dev\norder-1,0,,test\n")
    ran = sampleui("labels", run, "--from", file, "--reviewer", "cy")
    assert "the labels of 2 records for tone are split: 0 train, 1 dev, 1 test" in ran.out
    assert "the parts of late are not kept: all records are in one" in ran.err


@pytest.mark.parametrize(
    ("text", "added", "left_out"),
    [
        ("# T\n\n## 1. Rude\n\n_Description:_ It is rude.\n\n## Counts\n\n| 1 |\n", ["Rude"], "Counts"),
        ("# Taxonomy\n\n1. **Rude** - It is rude.\n", [], "no heading with a definition"),
    ],
)
def test_what_is_no_code_of_a_taxonomy_is_told(sampleui, run, text, added, left_out):
    (run.parent / "taxonomy.md").write_text(text)
    ran = sampleui("code", "add", run, run.parent / "taxonomy.md")
    names = [code.name for code in open_log(log_path(run)).codebook.codes]
    assert (names, left_out in ran.err) == (["wrong date", "tone", *added], True)


def test_a_taxonomy_of_others_is_read_as_codes(sampleui, run):
    taxonomy = run.parent / "taxonomy_v2.md"
    taxonomy.write_text(
        "# Failure Mode Taxonomy: Shop\n\nGenerated from 12 traces.\n\n## 1. Invented stock\n\n"
        '**Definition:** It sells what is not there.\n\n**Examples:**\n- "3 left"\n\n'
        "## 2. No refund\n\n**Definition:** It refuses one that is due.\n"
    )
    assert sampleui("code", "add", run, taxonomy).code == 0
    codes = json.loads(sampleui("code", "list", run, "--format", "json").out)["codes"]
    assert [(code["name"], code["definition"], code["examples"]) for code in codes[-2:]] == [
        ("Invented stock", "It sells what is not there.", ["3 left"]),
        ("No refund", "It refuses one that is due.", []),
    ]


def test_labels_hold_for_the_same_answer_in_a_later_run(sampleui, run):
    labelled(sampleui, run, o0="yes", o1="no")
    later = run.with_name("run-2.jsonl")
    rows = [json.loads(line) for line in run.read_text().splitlines()]
    rows[1]["output"] = "Tomorrow."
    later.write_text("".join(json.dumps({**row, "cost": 1}) + "\n" for row in rows))
    (found, _) = json.loads(sampleui("code", "list", later, "--format", "json").out)["codes"]
    assert (found["yes"], found["no"]) == (1, 0)
    asked = ("report", later, "--records", "all", "--filter", 'code:"wrong date"', "--format", "json")
    assert [record["id"] for record in json.loads(sampleui(*asked).out)["records"]] == ["order-0"]


def test_codes_are_handed_back_with_the_verdict_and_given_anew_when_there_are_more(sampleui, run):
    run.write_text(
        "".join(json.dumps({"id": f"order-{index}", "output": "x", "score": 0}) + "\n" for index in range(2))
    )
    assert sampleui("verdict", run, "order-0", "model-wrong", "--comment", "no", "--code", "tone").code == 0
    results = open_results(run).indexed()
    log = open_log(log_path(run))
    (first,) = decided_in(results, log)
    assert first.words == "no (tone)"
    assert sampleui("verdict", run, "order-0", "model-wrong", "--code", "wrong date").code == 0
    log.refresh()
    (then,) = decided_in(results, log)
    assert then.words == "no (tone, wrong date)"
    assert {"no", "no (tone)", "no (tone, wrong date)"} <= {*then.all_words}, (
        "what was handed back before gives way"
    )


def test_the_codes_of_a_taxonomy_are_added_all_or_none(sampleui, run):
    taxonomy = run.parent / "taxonomy.md"
    taxonomy.write_text("## slow\n\nIt takes a minute.\n\n## tone\n\nRude.\n")
    done = sampleui("code", "add", run, taxonomy)
    assert (done.code, (run.parents[1] / "failures.md").read_text()) == (2, FAILURES)
    assert "there is a code tone already" in done.err
    taxonomy.write_text("## slow\n\nIt takes a minute.\n\n## late\n\nIt comes late.\n")
    assert sampleui("code", "add", run, taxonomy).code == 0
    assert (run.parents[1] / "failures.md").read_text() == f"{FAILURES}\n{taxonomy.read_text()}"
    assert "none.md: it cannot be read" in sampleui("code", "add", run, "none.md").err


@pytest.mark.parametrize("name", ["", "two\nlines", "a \x1b[31mred", "blank at the end "])
def test_a_name_that_no_heading_can_have_is_neither_added_nor_proposed(sampleui, run, name):
    for line in (
        ("add", run, name, "It is odd."),
        ("add", run, name, "It is odd.", "--as", "agent:bot"),
        ("rename", run, "tone", name),
        ("rename", run, "tone", name, "--as", "agent:bot"),
    ):
        done = sampleui("code", *line)
        assert done.code == 2 and "the name of a code is one line of visible words" in done.err
    assert (run.parents[1] / "failures.md").read_text() == FAILURES
    assert not open_log(log_path(run)).decisions


def test_a_line_that_says_no_label_is_none_of_yes(sampleui, run):
    said = lines(run, {"id": "order-0", "code": "tone", "label": "no"}, {"id": "order-1", "code": "tone"})
    done = sampleui("label", run, said, "--reviewer", "ann")
    assert (done.code, "line 2: there is no label: yes, no or cannot say" in done.err) == (2, True)
    assert not open_log(log_path(run)).decisions


@pytest.mark.parametrize("command", ["report", "code list", "next"])
def test_lines_of_the_log_that_cannot_be_read_are_told(sampleui, run, command):
    labelled(sampleui, run, o0="yes")
    assert "cannot be read" not in sampleui(*command.split(), run).err
    with log_path(run).open("a") as log:
        log.write('{"id": "0123456789abcdef", "kind": "label", "co\n{"kind": "label", "label": "perhaps"}\n')
    assert "run.reviews.jsonl: 2 lines that cannot be read" in sampleui(*command.split(), run).err
