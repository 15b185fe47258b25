"""What `--redact` replaces, in every format of a report."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import quote, unquote

import pytest

from sampleui.review.verdict import Verdict
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


@pytest.mark.parametrize("part", [r"sk-\d+", "topic", "metadata.email"])
def test_every_verdict_is_told_beside_what_is_replaced(tmp_path, part):
    run = write_jsonl(tmp_path / "run.jsonl", [{"test_id": str(verdict), "score": 0} for verdict in Verdict])
    for verdict in Verdict:
        ran("verdict", run, str(verdict), str(verdict), "--reviewer", "ann", folder=tmp_path)
    done = ran("report", run, "--redact", part, folder=tmp_path)
    assert done.code == 0, done.err
    assert all(verdict.route in done.out for verdict in Verdict)


def test_each_part_says_how_many_places_it_replaced_and_that_it_replaced_none(tmp_path):
    run = write_jsonl(tmp_path / "run.jsonl", ROWS)
    done = ran("report", run, "--format", "json", "--redact", "gpt", "--redact", "nowhere", folder=tmp_path)
    assert done.err.splitlines() == ["gpt: 3 places redacted", "nowhere: nothing is redacted by it"]
    data = json.loads(done.out)
    assert data["redacted"] == 3
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


WORD = "Zoë<Ünlü> & 'Co'"


def spellings(word):
    """Return a word as addresses, JSON and HTML spell it."""
    numbers = "".join(f"&#{ord(sign)};" for sign in word)
    hexadecimal = "".join(f"&#x{ord(sign):X};" for sign in word)
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in word)
    return [
        *(word, quote(word), re.sub("%..", lambda match: match[0].lower(), quote(word, safe=""))),
        *(json.dumps(word)[1:-1], escaped, html.escape(word), numbers, hexadecimal),
    ]


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
@pytest.mark.parametrize("part", [re.escape(WORD), "metadata.client"])
def test_a_replaced_word_is_nowhere_in_a_report_in_no_spelling(tmp_path, form, part):
    every = " ".join(f"see {spelling}!" for spelling in spellings(WORD)[:6])
    numbered = " ".join(spellings(WORD)[6:])
    rows = [
        {
            "test_id": f"{WORD} {number}",
            "target": WORD,
            "suite": WORD,
            "score": 0.5,
            "output": f"{every}\n{numbered}",
            "expected_output": f"{every} expected",
            "reasoning": every,
            "hits": [WORD],
            "misses": [f"{WORD}!"],
            "scores": [
                {
                    "name": f"by {WORD}",
                    "score": 0.5,
                    "verdict": "fail",
                    "reasoning": every,
                    "assertions": [{"text": every, "passed": False, "evidence": every}],
                }
            ],
            "error": f"no answer for {WORD}" if number == 2 else None,
            "trace": [
                {"type": "message", "text": every, "metadata": {"role": WORD}},
                {"type": "tool_call", "id": "1", "name": WORD, "input": {WORD: [every], "arguments": every}},
                {"type": "tool_result", "id": "1", "name": WORD, "output": json.dumps({WORD: every})},
            ],
            "tags": [WORD, f"of {WORD}"],
            "metadata": {"client": WORD, "who": f"{WORD} & sons"},
            "eval_file": f"decks/{WORD.replace('/', ' ')}.yaml",
        }
        for number in range(3)
    ]
    run = write_jsonl(tmp_path / f"{WORD}.jsonl", rows)
    ran("verdict", run, rows[0]["test_id"], "ok", "--comment", every, "--reviewer", WORD, folder=tmp_path)
    old = write_jsonl(tmp_path / f"old {WORD}.jsonl", rows)
    asked = ("--by", "metadata.who", "--cluster", "metadata.client", "--baseline", old, "--matrix", "--series")
    listed = () if form == "html" else ("--records", "all", *(() if form == "json" else ("--plots",)))
    done = ran("report", run, *asked, *listed, "--format", form, "--redact", part, folder=tmp_path)
    assert done.code == 0, done.err
    out = done.out
    for _ in range(2):
        for name in ("Ünlü", "Zoë"):
            assert name not in out, out[max(0, out.index(name) - 80) : out.index(name) + 40]
        out = html.unescape(unquote(re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), out)))


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
@pytest.mark.parametrize("part", [r"sk-\w{40}", "key"])
def test_of_a_secret_that_a_cut_goes_through_no_beginning_is_left(tmp_path, form, part):
    secret = f"sk-{'Zq7' * 14}"[:43]
    rows = [
        {"test_id": "a", "score": 0, "error": f"{'late ' * 55}\n with {secret}", "metadata": {"key": secret}},
        {"test_id": "b", "score": 0, "error": f"{'slow ' * 58}{secret} and more", "metadata": {"key": secret}},
    ]
    run = write_jsonl(tmp_path / "run.jsonl", rows)
    done = ran("report", run, "--records", "failed", "--format", form, "--redact", part, folder=tmp_path)
    assert not done.code and "redacted]" in done.out
    assert "sk-" not in done.out and "Zq7" not in done.out


def cut_rows(secret):
    """Return rows of promptfoo whose names are cut where they have a secret: sample, target, prompt, assertions."""
    values = ("some text before the key that is long enough " + secret, ["a" * 36, secret])
    asserted = [{"type": f"contains{'-any' * index}", "value": value} for index, value in enumerate(values)]
    return [
        {
            "testIdx": number,
            "promptIdx": 0,
            "vars": {"q": f"Question number {number} of all, tell me {secret}", "who": f"{'x' * 36}{secret}"},
            "testCase": {"metadata": {"tags": ["t" * 70 + secret], "key": secret}},
            "prompt": {"raw": "p", "label": f"Please answer this long prompt about keys of our customer: {secret}"},
            "provider": {"label": f"a provider with a long name for the account of the customer which is {secret}"},
            "success": False,
            "failureReason": 1,
            "response": {"output": secret},
            "gradingResult": {
                "componentResults": [{"pass": False, "score": 0, "assertion": item} for item in asserted]
            },
        }
        for number in range(3)
    ]


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
@pytest.mark.parametrize("part", [r"sk-\w{51}$", "metadata.key"])
def test_of_a_secret_that_a_name_was_cut_in_no_beginning_is_left(tmp_path, form, part):
    runs = {name: f"sk-{name * 17}" for name in ("Zq7", "Yw8")}
    for name, secret in runs.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"results": {"results": cut_rows(secret)}}))
    listed = () if form == "html" else ("--records", "all")
    asked = ("--baseline", "Yw8.json", "--series", "--matrix", "--by", "tag", "--by", "vars.q", *listed)
    done = ran("report", "Zq7.json", *asked, "--format", form, "--redact", part, folder=tmp_path)
    assert done.code == 0, done.err
    assert "the customer which is [redacted]…" in done.out.replace("\\", "")
    out = done.out.replace("Zq7.json", "").replace("Yw8.json", "")
    for beginning in ("sk-", "Zq7", "Yw8", "7Zq"):
        assert beginning not in out, out[max(0, out.index(beginning) - 80) : out.index(beginning) + 40]


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


@pytest.mark.parametrize("name", ["target", "model"])
def test_who_answered_is_redacted_by_the_name_of_its_column(tmp_path, name):
    pytest.importorskip("duckdb")
    for number in range(2):
        row = {"id": "a", "model": f"gpt-{number}-secret", "score": 1.0, "passed": True}
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(row) + "\n")
    done = ran("report", tmp_path / "*.jsonl", "--format", "json", "--redact", name, folder=tmp_path)
    assert "secret" not in done.out
    assert "nothing is redacted" not in done.err
