"""Fields that are not passed on are found in JSON that is a text, and patterns in limited time."""

from __future__ import annotations

import json

import pytest

from sampleui.cli.main import run
from sampleui.errors import RedactionError
from sampleui.review.reports.redacting import Redaction


def nested(value, depth):
    return value if depth == 0 else json.dumps({"a": [nested(value, depth - 1)]})


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_a_field_is_found_however_deep_in_the_json_of_texts(depth):
    text = nested(json.dumps({"pii": "ada", "n": {"pii": 12, "x": "y"}}), depth)
    told = Redaction(["pii"]).record({"output": text}, [{}])["output"]
    assert "ada" not in told and "12" not in told and "[redacted]" in told and "y" in told


def test_json_without_the_field_stays_as_it_is_written():
    text = '{ "a" :  1.0, "b": [ ] }'
    assert Redaction(["pii"]).record({"output": text}, [{}])["output"] == text


def test_json_that_is_nested_too_deep_to_be_searched_is_replaced_as_a_whole():
    text = "[" * 300 + '{"pii": "ada"}' + "]" * 300
    assert Redaction(["pii"]).record({"output": text}, [{}])["output"] == "[redacted]"


@pytest.mark.long
def test_a_pattern_that_takes_too_long_is_told_with_its_record(tmp_path, capsys):
    (tmp_path / "run.jsonl").write_text(
        "".join(
            json.dumps({"test_id": name, "score": 0.1, "candidate_answer": answer}) + "\n"
            for name, answer in (("quick", "x"), ("slow", "a" * 60 + "!"))
        )
    )
    arguments = [
        "report",
        str(tmp_path / "run.jsonl"),
        "--format",
        "html",
        "--records",
        "all",
        "--redact",
        "(a|aa)+$",
    ]
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert "in the record slow" in captured.err
    assert "(a|aa)+$" in captured.err
    assert captured.out == ""


@pytest.mark.long
def test_a_pattern_has_its_limit_on_any_thread():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor() as pool, pytest.raises(RedactionError):
        pool.submit(Redaction(["(a|aa)+$"]).record, "a" * 60 + "!", [{}]).result(20)
