"""A run as a page of HTML: what is on it, and that the texts of strangers are texts there, in a browser too."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.command import ran
from tests.review.build import write_jsonl
from tests.trace.test_tree import research

from .browser import CHROMIUM, browser

HOSTILE = (
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "</style><style>body{display:none}</style>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<svg onload=document.title='owned'><a href=javascript:alert(1)>x</a></svg>",
    '" onmouseover="document.title=\'owned\'" style="position:fixed',
    "' autofocus onfocus='document.title=1",
    "<!-- --!> <![CDATA[ ]]> <?php ?>",
    "<iframe srcdoc='<script>parent.document.title=1</script>'></iframe>",
    "<base href=https://example.invalid/><link rel=stylesheet href=//example.invalid/x.css>",
    "<meta http-equiv=refresh content='0;url=https://example.invalid'>",
    "<form action=https://example.invalid><input name=q></form><details ontoggle=alert(1) open>",
    "javascript:document.title='owned'",
    "&lt;b&gt; &amp;amp; &#60;script&#62;",
    "background:url(https://example.invalid/x.png);} @import '//example.invalid/x.css';",
    "data:text/html,<script>parent.document.title='owned'</script>",
    "a\u202eb\u2066c\u200bd\x00e\x1b[31mf\ud800g\ufeff",
    "x" * 30_000,
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} `",
)


def hostile_run(folder):
    """Write a run with each hostile text in every place that a record has for one."""
    rows = [
        {
            "test_id": f"{text} {number}",
            "target": text[:200],
            "score": 0.1 * (number % 3),
            "output": text,
            "expected": f"{text} expected",
            "reasoning": text,
            "hits": [text],
            "misses": [f"{text}!"],
            "scores": [{"name": text[:100], "type": text[:50], "score": 0, "verdict": "fail", "reasoning": text}],
            "error": text if number % 4 == 0 else None,
            "trace": [
                {"type": "message", "text": text, "metadata": {"role": text}},
                {"type": "tool_call", "id": "1", "name": text, "input": {text: text}},
                {"type": "tool_result", "id": "1", "output": text},
            ],
            "tags": [text],
        }
        for number, text in enumerate(HOSTILE)
    ]
    return write_jsonl(folder / "<b>run&.jsonl", rows)


def page_of(*args, folder) -> str:
    done = ran("report", *args, "--format", "html", folder=folder)
    assert done.code == 0, done.err
    return done.out


def test_the_page_has_figures_matrix_records_scores_traces_and_verdicts(tmp_path):
    rows = [
        {"test_id": "a", "target": "x", "score": 1, "output": "fine"},
        {
            "test_id": "a",
            "target": "y",
            "score": 0.2,
            "output": "The cat sat.",
            "expected_output": "The dog sat.",
            "scores": [{"name": "judge", "score": 0.2, "verdict": "fail", "reasoning": "no dog"}],
            "trace": [{"type": "tool_call", "name": "look", "input": {"q": 1}}],
            "duration_ms": 1200,
        },
    ]
    run = write_jsonl(tmp_path / "run.jsonl", rows)
    ran("verdict", run, "a#2", "model-wrong", "--comment", "seen twice", "--reviewer", "ann", folder=tmp_path)
    page = page_of(run, folder=tmp_path)
    text = html.unescape(re.sub(r"<[^>]+>", " ", page))
    assert "Matrix: 1 sample by 2 columns" in text
    assert '<a href="#r2">✖</a>' in page
    assert "no dog" in text
    assert "model-wrong" in text
    assert "seen twice" in text
    assert "Trace: from trace, 1 event, 1 tool call" in text
    assert 'id="r1"' not in page
    assert 'id="r1"' in page_of(run, "--records", "all", folder=tmp_path)


def test_page_and_markdown_show_a_sub_agent_folded_under_its_call(tmp_path):
    row = {"test_id": "a", "score": 0, "output": "x", "expected_output": "y", "trace": research(1)}
    run = write_jsonl(tmp_path / "run.jsonl", [row])
    page = page_of(run, folder=tmp_path)
    words = "researcher, 4 calls, 1 failed, 250ms: find 1 → it is 1"
    text = html.unescape(re.sub(r"<[^>]+>", " ", page))
    assert words in text and "3 calls went well: search 3" in text and "tool_call search   by researcher" in text
    assert page.count("<details") - page.count("</details>") == 0
    assert page.index("tool_call research") < page.index("researcher, 4 calls") < page.index("tool_call search")
    shown = ran("report", run, "--format", "markdown", "--records", "all", folder=tmp_path).out
    assert words in shown and "tool_call   research" in re.sub(" +", "   ", shown) and "index is down" not in shown


def test_the_page_says_when_the_run_was_made_and_nothing_of_when_its_file_was_written(tmp_path):
    row = {"test_id": "a", "target": "m", "score": 1}
    dated = write_jsonl(tmp_path / "dated.jsonl", [{**row, "timestamp": "2026-03-04T23:30:00-02:00"}])
    named = write_jsonl(tmp_path / "2026-05-06T07-08-09.jsonl", [row])
    other = write_jsonl(tmp_path / "other.jsonl", [row])
    assert "run of 2026-03-05 01:30 UTC" in page_of(dated, folder=tmp_path)
    assert "run of 2026-05-06 07:08 UTC" in page_of(named, folder=tmp_path)
    assert "date of the run not known" in page_of(other, folder=tmp_path)


def test_nothing_on_the_page_is_of_another_place_and_no_attribute_runs(tmp_path):
    page = page_of(hostile_run(tmp_path), folder=tmp_path)
    tags = re.findall(r"<[a-zA-Z/!][^>]*>", re.sub(r"(?s)<(style|script)>.*?</\1>", r"<\1>", page))
    names = {re.match(r"</?!?(\w+)", tag)[1].lower() for tag in tags}
    assert not names & {"img", "iframe", "link", "base", "form", "object", "embed"}
    attributes = {name for tag in tags for name in re.findall(r'\s([\w-]+)(?==")', tag)}
    assert not [
        name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc", "action")
    ]
    assert {link[0] for link in re.findall(r'href="([^"]*)"', page)} == {"#"}
    assert page.count("<script>") == page.count("</script>") == 1
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_a_browser_shows_hostile_texts_as_texts_asks_for_nothing_and_runs_the_page_s_own_script_alone(tmp_path):
    page = page_of(hostile_run(tmp_path), folder=tmp_path)
    injected = (
        "<script>document.title='owned'</script><img src=//127.0.0.1:9/x onerror=\"document.title='owned'\">"
        "<b style=color:red onclick=1><link rel=stylesheet href=//127.0.0.1:9/x.css>"
        "<iframe src=//127.0.0.1:9></iframe>"
    )
    forced = tmp_path / "page.html"
    forced.write_text(page.replace("</main>", f"{injected}</main>"), "utf-8")
    with browser(tmp_path) as shown:
        shown.open(forced)
        assert shown.value("document.title") == "<b>run&.jsonl · report"
        text = shown.value("document.body.textContent")
        for hostile in HOSTILE[:-3]:
            assert hostile in text, hostile
        assert "a⟨202E⟩b⟨2066⟩c⟨200B⟩d␀e␛[31mf⟨D800⟩g⟨FEFF⟩" in text
        assert shown.requests == [forced.as_uri()], "what was put in by force is to be refused by the policy"
        for kind in ("inline script", "inline style", "inline event handler"):
            assert any(kind in said and "Content Security Policy" in said for said in shown.said), kind

        shown.press("/", *"CDATA", "Enter")  # the page's own script
        assert shown.value("document.activeElement.querySelector('h3').innerText").startswith("✖ <!-- --!>")
        assert shown.value("document.getElementById('count').innerText") == f"1 of {len(HOSTILE)} records"
        shown.press("/", "Escape", "j", "j", "k", "j")
        assert shown.value("document.activeElement.id") == "r2"
        assert shown.value("document.getElementById('count').innerText") == ""


def test_several_processes_make_the_same_page_as_one(tmp_path, monkeypatch, two_processors):
    run = hostile_run(tmp_path)
    asked = ("--redact", "expected", "--redact", "reasoning")
    alone = ran("report", run, *asked, "--format", "html", folder=tmp_path)
    monkeypatch.setattr("sampleui.page.page.RECORDS_TOGETHER", 3)
    monkeypatch.setattr("sampleui.page.page.FEW_PARTS", 0)
    spread = ran("report", run, *asked, "--format", "html", folder=tmp_path)
    assert (spread.out, spread.err) == (alone.out, alone.err)
    assert "[redacted]" in spread.out


def test_a_page_says_what_it_has_no_room_for(tmp_path, monkeypatch):
    rows = [{"test_id": f"s{n}", "score": 0, "trace": []} for n in range(30)]
    rows[0]["trace"] = [{"type": "message", "text": "word " * 900}] * 300
    monkeypatch.setattr("sampleui.page.page.MAX_PAGE_BYTES", 40_000)
    page = page_of(write_jsonl(tmp_path / "run.jsonl", rows), folder=tmp_path)
    assert len(page) < 100_000
    assert page.count("Its trace is left out to keep the page small.") == 1
    assert json.dumps("s29")[1:-1] in page


def many_targets(folder):
    names = [f"provider-{number}/model-with-a-long-name-{number}" for number in range(38)]
    rows = [
        {"test_id": f"s{sample}", "target": name, "passed": sample < number % 4, "output": "x"}
        for number, name in enumerate((*names, "نموذج اللغة العربية", "short"))
        for sample in range(4)
    ]
    run = write_jsonl(folder / "run.jsonl", rows)
    page = folder / "page.html"
    page.write_text(ran("report", run, "--format", "html").out, "utf-8")
    return page


def test_of_many_targets_the_worst_come_first_and_all_are_there_in_full(tmp_path):
    text = html.unescape(many_targets(tmp_path).read_text("utf-8"))
    table = text[text.index("<h2>Targets</h2>") :]
    rates = [int(rate) for rate in re.findall(r'<td class="n">(\d+)%</td>', table[: table.index("</table>")])]
    assert rates == sorted(rates) and len(rates) == 40
    assert "Pass rate by target, the worst, 12 of 40" in text
    assert text.count("provider-37/model-with-a-long-name-37<") > 3


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_a_search_leaves_what_it_finds_of_many_targets_and_heads_are_turned_as_one(tmp_path):
    shown = "Array.from(document.querySelectorAll({})).filter((item) => !item.hidden).length"
    heads, rows = shown.format("'.matrix thead th'"), shown.format("'.matrix tbody tr'")
    hidden = "document.querySelector('.matrix').closest('section').hidden"
    more = shown.format("'table.many:first-of-type tbody tr'")
    with browser(tmp_path) as page:
        page.open(many_targets(tmp_path))
        height = "document.querySelector('.matrix thead th:nth-child(39) bdi').getBoundingClientRect().{}"
        assert page.value(height.format("height")) > 3 * page.value(height.format("width")), "Arabic is one line"
        assert (page.value(heads), page.value(rows), page.value(hidden)) == (41, 4, False)
        for words, found in (
            ("provider-33", (2, 4, False)),
            ("s2", (41, 1, False)),
            ("nothing such", (1, 4, True)),
        ):
            page.value(f"document.getElementById('search').value = '{words}'; search()")
            assert (page.value(heads), page.value(rows), page.value(hidden)) == found, words
        page.value("document.getElementById('search').value = 'provider-33'; search()")
        assert page.value(more) == 2, "in the list of targets and in that of comparisons"
