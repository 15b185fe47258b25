"""What `--redact` replaces, in every format of a report."""

from __future__ import annotations

import json

import pytest

from tests.command import ran
from tests.review.build import write_jsonl

MAIL = "bob@example.org"
KEY = "sk-1234567890"

ROWS = [
    {
        "test_id": f"sample of {MAIL}",
        "target": "gpt",
        "score": 0.1,
        "output": f"Dear {MAIL}, your key is {KEY}.",
        "expected_output": f"Dear {MAIL}.",
        "scores": [{"name": "judge", "score": 0.1, "verdict": "fail", "reasoning": f"tells {KEY}"}],
        "metadata": {"email": MAIL, "age": 4711, "topic": "keys"},
        "trace": [{"type": "tool_call", "name": "mail", "input": {"email": MAIL, "to": ["x", KEY]}}],
        "tags": [MAIL],
        "error": f"sent to {MAIL} with {KEY}",
    },
    {"test_id": "b", "target": "claude", "score": 0, "output": "x", "metadata": {"email": "amy", "topic": "keys"}},
]


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_patterns_and_values_of_fields_are_replaced_wherever_a_report_has_them(tmp_path, form):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    ran("verdict", run, "b", "ok", "--comment", f"amy, ask {KEY}", "--reviewer", "ann", folder=tmp_path)
    asked = ("--records", "failed", "--by", "metadata.email", "--format", form)
    done = ran("report", run, *asked, "--redact", r"sk-\d+", "--redact", "metadata.email", folder=tmp_path)
    assert done.code == 0, done.err
    for secret in (MAIL, KEY, "sk-", "example.org"):
        assert secret not in done.out
    assert "[redacted]" in done.out.replace("\\[redacted\\]", "[redacted]")
    assert "nothing is redacted" not in done.err
    assert done.err.count("redacted") == 2


def test_each_part_says_how_many_places_it_replaced_and_that_it_replaced_none(tmp_path):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    done = ran("report", run, "--format", "json", "--redact", "gpt", "--redact", "nowhere", folder=tmp_path)
    assert done.err.splitlines() == ["gpt: 2 places redacted", "nowhere: nothing is redacted by it"]
    data = json.loads(done.out)
    assert data["redacted"] == 2
    assert data["run"]["targets"] == ["[redacted]", "claude"]
    assert json.loads(ran("report", run, "--format", "json", folder=tmp_path).out)["redacted"] is None


def test_a_field_of_a_name_alone_is_meant_at_any_depth_and_numbers_are_values_too(tmp_path):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    done = ran("report", run, "--by", "metadata.age", "--redact", "age", folder=tmp_path)
    assert "4711" not in done.out
    page = ran("report", run, "--format", "html", "--redact", "email", folder=tmp_path).out
    assert MAIL not in page
    assert "[redacted]" in page


def test_plots_and_matrix_in_the_terminal_have_no_values_of_fields_either(tmp_path):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    asked = ("--plots", "--matrix", "--by", "metadata.email", "--redact", "metadata.email")
    done = ran("report", run, *asked, "--redact", "target", folder=tmp_path)
    assert done.code == 0, done.err
    for secret in (MAIL, "gpt", "claude", "amy"):
        assert secret not in done.out


def test_words_of_the_report_itself_stay(tmp_path):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    for form in ("text", "markdown", "json", "html"):
        done = ran("report", run, "--records", "all", "--format", form, "--redact", "[a-z]+", folder=tmp_path)
        assert done.code == 0, done.err
        assert "failed" in done.out


@pytest.mark.parametrize("pattern", ["(", "a*"])
def test_what_is_no_pattern_or_matches_nothing_is_refused(tmp_path, pattern):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    done = ran("report", run, "--redact", pattern, folder=tmp_path)
    assert done.code == 2
    assert done.err.startswith(f"sampleui: {pattern}: ")
