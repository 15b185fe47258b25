"""Records as they are read, on the page and in Markdown: by a view or their looks, safe, redacted as drawn."""

from __future__ import annotations

import json
import re

import pytest

from tests.command import ran
from tests.review.build import write_jsonl

from .test_page import HOSTILE

ROWS = [
    {
        "request_id": f"r{n}",
        "question": f"How do I reset the **router** {n}?",
        "contexts": [{"doc": "a.pdf", "page": 1}, {"doc": "b.md", "page": 2}],
        "answer": "# Reset\n\nAsk bob\\_lee@example.org or s3**cret**9.\n\n- one\n- [two](https://away.example/x)\n"
        "\n![seen](https://away.example/p.png)\n\n<b onclick=x>no</b>",
        "plan": '{"key": "s\\u0033cret9", "steps": [1, 2]}',
        "ts": 1767225600 + n,
    }
    for n in range(6)
]
TABLE = '[results.log]\nid = "request_id"\nprompt = "question"\nactual = "answer"\n'
VIEW = '[view.log]\nfields = [{ path = "ts", heading = "When" }, { path = "plan", hidden = true }, "answer"]\n'

OWN = re.compile(
    "a|article|b|bdi|blockquote|code|div|del|details|em|footer|h[2-5]|hr|li|main|ol|output|p|s|section|small|span"
    "|strong|summary|svg|rect|table|tbody|td|th|thead|title|tr|ul"
)
"""The elements that the page is made of."""


def reported(tmp_path, form, *more, rows=ROWS, settings=TABLE):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / ".sampleui.toml").write_text(settings)
    done = ran(
        "report",
        write_jsonl(tmp_path / "log.jsonl", rows),
        "--format",
        form,
        "--records",
        "all",
        *more,
        folder=tmp_path,
    )
    assert done.code == 0, done.err
    return done.out


def test_the_page_draws_markdown_and_leads_nowhere(tmp_path):
    page = reported(tmp_path, "html")
    record = page[page.index('id="r1"') :]
    assert '<h4>Question</h4><p class="prose">How do I reset the <strong>router</strong> 0?</p>' in record
    assert "<h5>Reset</h5>" in record
    assert '<th scope="col">doc</th>' in record
    assert "&lt;b onclick=x&gt;no&lt;/b&gt;" in record
    assert "2026-01-01 00:00:00 UTC" in record
    assert not re.search(r"<(?:a|img)[^>]*away", page)


def test_a_view_says_what_the_page_and_markdown_show(tmp_path):
    page = reported(tmp_path, "html", settings=TABLE + VIEW)
    record = page[page.index('id="r1"') :]
    assert record.index("<small>When</small>") < record.index("<summary>plan · ")
    assert "a.pdf" not in page
    markdown = reported(tmp_path, "markdown", settings=TABLE + VIEW)
    assert "`When`: `2026-01-01 00:00:00 UTC`" in markdown
    assert '```json\n{\n  "key": "s\\u0033cret9",' in markdown
    assert "a.pdf" not in markdown


def test_a_table_has_a_line_a_row_in_markdown_unless_a_cell_would_be_cut(tmp_path):
    markdown = reported(tmp_path, "markdown")
    assert "```text\ndoc | page\na.pdf | 1\nb.md | 2\n```" in markdown
    rows = [{**ROWS[0], "contexts": [{"doc": "a" * 5_000, "page": 1}, {"doc": "b", "page": 2}]}]
    assert "a" * 3_000 in reported(tmp_path, "markdown", rows=rows)


@pytest.mark.parametrize("form", ["html", "markdown"])
@pytest.mark.parametrize("settings", [TABLE, TABLE + VIEW])
def test_what_a_text_says_once_it_is_drawn_is_redacted_too(tmp_path, form, settings):
    asked = ("--redact", "s3cret9", "--redact", "bob_lee@example.org", "--redact", "ts")
    text = reported(tmp_path, form, *asked, settings=settings)
    drawn = re.sub(r"</?(?:strong|em|code|s)>", "", text)
    assert "bob_lee@" not in drawn
    assert "2026-01-01" not in drawn
    assert "1767225600" not in drawn
    assert "s3cret9" not in drawn
    assert "redacted" in drawn


def test_texts_of_strangers_stay_texts_however_they_are_drawn(tmp_path):
    kinds = ("markdown", "text", "chat", "email", "table", "json", "code", "diff", "badge")
    fields = ", ".join(f'{{ path = "f{n}", kind = "{kind}" }}' for n, kind in enumerate(kinds))
    shapes = [
        lambda text: text,
        lambda text: f"# {text}\n\n- {text}\n\n|{text}|b|\n|-|-|\n|{text}|c|\n\n**{text}**",
    ]
    rows = [
        {"request_id": f"{n}{m}", "question": text, "answer": shape(text)}
        | {f"f{index}": shape(text) for index in range(len(kinds))}
        | {"f2": [{"role": text, "content": shape(text)}], "f3": {"subject": text, "body": text, text: text}}
        | {"f4": [{text: text}]}
        for n, text in enumerate(HOSTILE)
        for m, shape in enumerate(shapes)
    ]
    page = reported(tmp_path, "html", rows=rows, settings=f"{TABLE}[view.log]\nfields = [{fields}]\n")
    body = page[page.index("<main") : page.rindex("<script")]
    tags = re.findall(r"<([a-zA-Z!?/][\w-]*)([^>]*)>", body)
    assert not {name for name, _ in tags if not OWN.fullmatch(name.lstrip("/"))}
    assert not [more for _, more in tags if re.search(r"\son\w+=|javascript:|src=|style=", more)]
    assert json.dumps(page)


def test_what_is_compared_is_compared_beside_a_view(tmp_path):
    rows = [{**row, "want": f"Reset {n}"} for n, row in enumerate(ROWS)]
    settings = f'{TABLE}expected = "want"\n{VIEW}'
    page = reported(tmp_path, "html", rows=rows, settings=settings)
    assert "<small>When</small>" in page
    assert "<h4>Expected</h4>" in page
    assert "Reset 0" in reported(tmp_path, "markdown", rows=rows, settings=settings)
