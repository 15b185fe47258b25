"""Records in a report: those that words narrow it to, and each in full in Markdown, whatever it holds."""

from __future__ import annotations

import json
import re

import pytest

from tests.review.build import write_jsonl

HOSTILE = "``` \n````\n<script>alert(1)</script> [x](javascript:y) | # @team \x1b[31m"


@pytest.fixture
def run(tmp_path):
    rows = [
        {
            "test_id": f"a`b {index}",
            "target": "m|x",
            "input": [{"role": "user", "content": "Capital of France?"}],
            "expected_output": "Paris\nis the capital",
            "output": HOSTILE if index else "Lyon\nis the capital",
            "score": 0.25,
            "scores": [{"name": "judge", "score": 0.25, "verdict": "fail", "reasoning": "because " + HOSTILE}],
        }
        for index in range(2)
    ]
    return write_jsonl(tmp_path / "run.jsonl", [*rows, {"test_id": "fine", "target": "m|x", "score": 1.0}])


def outside_fences(text):
    """Return the lines that are no part of a fence, as CommonMark has fences."""
    fence, lines = "", []
    for line in text.splitlines():
        mark = re.match("`{3,}", line)
        if not fence and mark:
            fence = mark[0]
        elif fence and re.fullmatch("`{3,}", line) and len(line) >= len(fence):
            fence = ""
        elif not fence:
            lines.append(line)
    assert not fence
    return lines


def test_failed_records_stand_in_full_below_the_table(sampleui, run):
    sampleui("verdict", run, "#1", "model-wrong", "--comment", "Lyon is not it.\nAsk again.", "--reviewer", "ann")
    text = sampleui("report", run, "--format", "markdown", "--records", "failed").out
    table, *records = text.split("\n### ")
    assert "## Records" in table and len(records) == 2
    assert "- Paris\n+ Lyon\n  is the capital" in records[0]
    assert "because ```" in records[0] and "`judge` 0.25" in records[0]
    assert "Verdict: **model-wrong** by `ann`" in records[0] and "Lyon is not it.\nAsk again." in records[0]
    assert "fine" not in text


def test_texts_of_strangers_stay_inside_of_fences_and_code_spans(sampleui, run):
    text = sampleui("report", run, "--format", "markdown", "--records", "failed").out
    assert "<script>" in text and "\x1b" not in text
    outside = "\n".join(outside_fences(text.partition("\n### ")[2]))
    assert "<script>" not in re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)


def test_tables_of_markdown_call_nobody_and_lead_nowhere(sampleui, tmp_path):
    linked = "@team #12 http://evil.example www.evil.example me@evil.example"
    rows = [{"test_id": f"{linked} {index}", "target": linked, "score": 0.0} for index in range(2)]
    path = write_jsonl(tmp_path / "run.jsonl", rows)
    text = sampleui("report", path, "--format", "markdown", "--records", "all", "--matrix", "--by", "target").out
    outside = "\n".join(outside_fences(re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)))
    assert "evil" in outside
    assert not re.search(r"@\w|#\d|https?://|www\.", outside)


def test_what_is_redacted_is_not_in_the_records_either(sampleui, run):
    text = sampleui("report", run, "--format", "markdown", "--records", "failed", "--redact", "Lyon").out
    assert "Lyon" not in text and "[redacted]" in text


@pytest.fixture
def tagged(tmp_path):
    rows = [
        {
            "test_id": f"s{index}",
            "target": target,
            "score": float(index % 2),
            "tags": ["math" if index < 2 else "code"],
            "output": f"answer {index}",
        }
        for index in range(4)
        for target in ("x", "y")
    ]
    return write_jsonl(tmp_path / "run.jsonl", rows)


@pytest.mark.parametrize(
    ("words", "samples", "targets"),
    [
        ("tag:math", {"s0", "s1"}, ["x", "y"]),
        ("score<0.5 -tag:math", {"s2"}, ["x", "y"]),
        ("target:y outcome:failed", {"s0", "s2"}, ["y"]),
        ("verdict:ok", {"s1"}, ["x", "y"]),
        ("answer 3", {"s3"}, ["x", "y"]),
    ],
)
def test_words_narrow_matrix_and_records_as_they_narrow_the_queue(sampleui, tagged, words, samples, targets):
    sampleui("verdict", tagged, "#3", "ok", "--reviewer", "ann")
    asked = ("--matrix", "--records", "all", "--filter", words)
    data = json.loads(sampleui("report", tagged, *asked, "--format", "json").out)
    assert {row["sample"] for row in data["matrix"]["rows"]} == samples
    assert [column["target"] for column in data["matrix"]["columns"]] == targets
    assert {record["id"].partition("#")[0] for record in data["records"]} == samples
    assert data["filter"] == words and data["run"]["records"] == 8
    told = sampleui("report", tagged, *asked).out
    assert f"with records that are {words}\n" in told and f"\nRecords that are {words}\n" in told


def test_a_matrix_without_any_row_is_printed(sampleui, tagged):
    ran = sampleui("report", tagged, "--matrix", "--filter", "tag:nowhere")
    assert (ran.code, ran.err) == (0, "")
    assert "with records that are tag:nowhere\n" in ran.out


def test_words_that_narrow_nothing_and_fields_that_there_are_not_are_refused(sampleui, tagged):
    assert sampleui("report", tagged, "--filter", "tag:math").code == 2
    ran = sampleui("report", tagged, "--matrix", "--filter", "nothing.here:1")
    assert ran.code == 2 and "no record has nothing.here" in ran.err


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_an_error_that_is_cut_in_lists_stands_whole_beside_its_record(sampleui, tmp_path, form):
    error = "The call failed\n" + "  at a frame\n" * 60 + "the key has expired"
    path = tmp_path / "run.jsonl"
    path.write_text(
        json.dumps({"test_id": "a", "error": error, "input": "hi", "timestamp": "2026-01-01T00:00:00Z"})
    )
    told = sampleui("report", path, "--format", form, "--records", "all").out
    assert "the key has expired" in told


def test_records_in_markdown_are_bounded_and_say_what_is_left_out(sampleui, tmp_path):
    path = tmp_path / "run.jsonl"
    texts = ("`" * 10 + "\n" + "word " * 2_000, "x\n" * 5_000)
    rows = [
        {"test_id": str(number), "score": 0, "output": texts[number % 2], "expected": "no", "target": "m"}
        for number in range(300)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    text = sampleui("report", path, "--format", "markdown", "--records", "failed").out

    assert "more characters" in text
    assert re.search(r"Nor for \d+ more records", text)
    assert len(text) < 500_000
    fences = re.findall(r"^(`{3,})(?:text|diff|json)?$", text, re.MULTILINE)
    assert len(fences) % 2 == 0


def test_what_a_record_failed_stands_before_what_it_passed(sampleui, tmp_path):
    home = tmp_path / "iteration-1" / "eval-1" / "with_skill"
    (home / "outputs").mkdir(parents=True)
    items = [{"text": name, "passed": name == "fine", "evidence": "seen"} for name in ("fine", "wrong")]
    (home / "grading.json").write_text(json.dumps({"expectations": items}))
    (home / "transcript.md").write_text("# Steps")
    (tmp_path / "iteration-1" / "feedback.json").write_text('{"eval-1": "Shorter."}')

    text = sampleui("report", tmp_path / "iteration-1", "--format", "markdown", "--records", "failed").out
    record = text.partition("### ")[2]

    assert record.index("✖ `wrong`") < record.index("✓ `fine`")
    assert "iteration-1/eval-1/with_skill/transcript.md" in record
    assert "Shorter." in record
