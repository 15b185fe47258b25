"""A record as it is read: question beside answer, Markdown drawn, what is long or hidden folded until asked for."""

from __future__ import annotations

import json

import pytest

from sampleui.review.results.file import open_results
from sampleui.settings.options import load_settings
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.screens.view_editor import ViewEditor

from .review_driver import reviewing

ROWS = [
    {
        "request_id": f"r{n}",
        "question": f"How do I reset the **router** {n}?",
        "contexts": [{"doc": "a.pdf", "page": 1}, {"doc": "b.md", "page": 2}],
        "answer": "# Reset\n\nHold [red]it[/red] for **ten** seconds.\x1b[2J\n\n- one\n- two",
        "plan": json.dumps({"steps": [*range(40)]}),
        "ts": 1767225600 + n,
    }
    for n in range(6)
]


def written(tmp_path, settings=""):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / ".sampleui.toml").write_text(settings)
    path = tmp_path / "rag.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


async def test_a_record_nobody_graded_shows_its_question_and_its_answer_in_a_small_terminal(tmp_path):
    async with reviewing(written(tmp_path), size=(80, 24)) as app:
        assert "How do I reset the router 0?" in app.drawn
        assert "Hold [red]it[/red] for ten seconds.␛[2J" in app.drawn
        assert "• two" in app.drawn
        assert "ts 2026-01-01 00:00:00 UTC" in app.answer
        assert "│ page" in app.answer


async def test_what_is_long_is_folded_with_its_size_until_it_is_asked_for(tmp_path):
    async with reviewing(written(tmp_path), size=(80, 24)) as app:
        assert "161 characters in all: Z shows them" in app.answer
        assert "39" not in app.answer
        await app.press("Z")
        assert "39" in app.answer
        await app.press("Z")
        assert "39" not in app.answer


async def test_a_view_of_the_settings_shows_its_fields_in_its_order_and_hides_the_others(tmp_path):
    fields = '["ts", { path = "answer", kind = "text", heading = "Reply" }]'
    table = '[results.rag]\nid = "request_id"\nprompt = "question"\nactual = "answer"\n'
    path = written(tmp_path, f"{table}\n[view.rag]\nfields = {fields}\n")
    async with reviewing(path, size=(80, 24), settings=load_settings(tmp_path)) as app:
        assert app.answer.index("ts 2026") < app.answer.index("Reply") < app.answer.index("# Reset")
        assert "a.pdf" not in app.answer
        assert "4 more fields: Z shows all" in app.answer
        await app.press("Z")
        assert "a.pdf" in app.answer


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_question_stands_once_on_the_screen(tmp_path, size):
    async with reviewing(written(tmp_path), size=size) as app:
        assert app.drawn.count("How do I reset") == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_view_is_edited_beside_its_record_kept_in_the_project_and_shown_at_once(tmp_path, size):
    path = written(tmp_path, 'theme = "nord" # mine\n')
    async with reviewing(path, size=size, settings=load_settings(tmp_path)) as app:
        await app.press("V")
        assert "view.rag" in app.drawn
        assert "How do I reset the router 0?" in app.drawn
        await app.press("J", "t", "N")
        await app.type("Asked")
        await app.press("enter", "j", "space")
        editor = app.app.screen
        assert isinstance(editor, ViewEditor)
        told = "\n".join(map(row_text, editor.view.rows))
        assert "How do I reset the **router** 0?" in told
        assert "a.pdf" not in told
        await app.press("ctrl+s")
        await app.back()
        assert "Asked" in app.answer or size[0] > 100, "what another pane shows stands there alone"
        assert "a.pdf" not in app.answer
    settings = load_settings(tmp_path)
    assert (tmp_path / ".sampleui.toml").read_text().startswith('theme = "nord" # mine\n\n[view.rag]\n')
    first, second, third, *_ = settings.view["rag"]
    assert (first.path, first.heading) == ("answer", "Answer")
    assert (second.path, second.kind, second.heading) == ("question", "text", "Asked")
    assert (third.path, third.hidden) == ("contexts", True)
    assert "request_id" not in [field.path for field in settings.view["rag"]]


async def test_a_view_for_now_is_written_nowhere_and_escape_changes_nothing(tmp_path):
    path = written(tmp_path)
    async with reviewing(path, size=(80, 24), settings=load_settings(tmp_path)) as app:
        await app.press("V", "space", "escape")
        await app.back()
        assert "Question" in app.answer
        await app.press("V", "space", "f2")
        await app.back()
        assert "Question" not in app.answer
    assert (tmp_path / ".sampleui.toml").read_text() == ""


async def test_a_view_that_cannot_be_written_is_told_and_stays_open(tmp_path):
    path = written(tmp_path, 'view.rag.fields = ["answer"]\n')
    async with reviewing(path, size=(80, 24), settings=load_settings(tmp_path)) as app:
        await app.press("V", "t")
        (tmp_path / ".sampleui.toml").write_text("view = [")
        await app.press("ctrl+s")
        assert "1:9: Invalid value" in app.drawn
        await app.press("escape")
        await app.back()


def test_results_say_what_reads_a_row(tmp_path):
    results = open_results(written(tmp_path)).indexed()
    adapter = results.read_by(results.record(0).data)
    assert adapter is not None
    assert adapter.name == "rag"


async def test_what_was_done_is_in_the_trace_and_not_once_more_among_the_fields(tmp_path):
    rows = [
        {
            "run": f"r{n}",
            "goal": f"Book for {n}",
            "steps": [{"tool": "book", "args": {"n": n}}],
            "final": "Booked it.",
        }
        for n in range(6)
    ]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    async with reviewing(path, size=(80, 24)) as app:
        assert "Book for 0" in app.answer
        await app.press("Z")
        assert "output_messages" not in app.answer


async def test_a_word_that_was_answered_stands_below_its_heading(tmp_path):
    rows = [{"id": f"r{n}", "question": f"Capital {n}", "model_output": "Paris", "lang": "en"} for n in range(6)]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    async with reviewing(path, size=(80, 24)) as app:
        assert "Question\n  Capital 0\n\nAnswer\n  Paris\n\nlang en" in app.answer


async def test_a_view_that_shows_nothing_is_told_when_its_records_are_opened(tmp_path):
    path = written(tmp_path, '[view.ragg]\nfields = ["answer"]\n')
    async with reviewing(path, settings=load_settings(tmp_path)) as app:
        assert "there is a view of ragg" in app.said
        assert "did you mean rag?" in app.said
    (tmp_path / ".sampleui.toml").write_text('[view.rag]\nfields = ["answer"]\n')
    async with reviewing(path, settings=load_settings(tmp_path)) as app:
        assert "there is a view" not in app.said
