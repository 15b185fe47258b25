"""The prompt style `agentv-4`, against what the providers of AgentV 4.42.4 got for the same deck.

`agentv4/sent.json` holds, for every call, the prompt file of a command-line provider and the messages of an
OpenAI-compatible server, as they were logged; `{FOLDER}` stands for the deck's folder.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.deck.load import load
from sampleui.errors import PromptStyleError
from sampleui.integrations.javascript import stringify, trim
from sampleui.prompt.providers import calls, request_of
from sampleui.prompt.render import render
from sampleui.sample.variables import parsed
from sampleui.workspace.deck import deck_of
from sampleui.workspace.reading import PromptOptions

FOLDER = Path(__file__).parent / "agentv4"
SENT = json.loads((FOLDER / "sent.json").read_text(encoding="utf-8").replace("{FOLDER}", str(FOLDER)))
CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "field" / "agentv-helpdesk"
STYLE = PromptOptions(style="agentv-4")
ANSWER = "Store credit, minus a 20% restocking fee; cash only for unopened items within 30 days of delivery."


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME_CITY", "Bern")
    monkeypatch.setenv("A_NUMBER", "7.50")
    monkeypatch.delenv("MISSING_ONE", raising=False)


def made(path: Path) -> dict:
    deck = deck_of(load(path), None, STYLE)
    found = [call for sample in deck.samples for call in calls(deck.render(sample, environment=True))]
    return {call.sent[0].id: call for call in found}


RENDERED_IDS = sorted(SENT)


@pytest.mark.parametrize("ident", RENDERED_IDS)
def test_a_command_line_provider_gets_the_question(ident):
    assert made(FOLDER / "odd.eval.yaml")[ident].question == SENT[ident]["prompt"]


@pytest.mark.parametrize("ident", RENDERED_IDS)
def test_an_llm_api_gets_the_messages(ident):
    request = request_of(made(FOLDER / "odd.eval.yaml")[ident], "openai")
    mine = json.loads(json.dumps(request).replace("(the answer to turn 1)", ANSWER))
    mine = json.loads(json.dumps(mine).replace("(the answer to turn 2)", ANSWER))
    assert mine == SENT[ident]["messages"]


def test_a_prompt_of_a_program_is_its_question_alone():
    call = made(FOLDER / "odd.eval.yaml")["files"]
    assert request_of(call, "cli") == [{"role": "user", "content": SENT["files"]["prompt"]}]


def test_an_agent_in_an_editor_is_told_to_read_the_files_first():
    [message] = request_of(made(FOLDER / "odd.eval.yaml")["segments"], "vscode")
    path = FOLDER / "files" / "refunds.md"
    assert message["content"].startswith(f"Read all attachment files:\n* [refunds.md](file://{path}).\n")
    assert message["content"].endswith(
        f'\n\n[[ ## user_query ## ]]\n\nplain item\n\nspaced\n\n<file: path="{path}">'
    )


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")
def test_what_was_really_sent_in_the_corpus():
    rendered: dict[str, list[str]] = {}
    for deck in (*(CORPUS / "evals").glob("*.eval.yaml"), CORPUS / "evals" / "lines.jsonl"):
        for ident, call in made(deck).items():
            rendered.setdefault(ident, []).append(call.question.replace(str(CORPUS), "helpdesk"))
    logged = sorted((CORPUS / "sent").glob("?/*.txt"))
    apart = [
        f"{path.parent.name}/{path.stem}"
        for path in logged
        if path.read_bytes().decode() not in rendered.get(path.stem, [])
    ]
    assert len(logged) > 35
    assert apart == ["b/vars-greeting"], "run b asked for `vars.name`, which the deck has not said since"


def test_a_file_that_is_missing_is_found_and_an_empty_message_told():
    call = made(FOLDER / "odd.eval.yaml")
    assert [finding.rule for finding in call["segments"].findings] == ["file-not-found"]
    dropped = [finding.node for finding in call["white-space"].findings if finding.rule == "message-dropped"]
    assert dropped == [("input", 0)]
    refused = [finding.node for finding in call["tool-first"].findings]
    assert refused == [("input", 2), ("input", 3)]


def test_the_style_is_told_and_an_unknown_one_refused(tmp_path):
    assert made(FOLDER / "odd.eval.yaml")["files"].style == "agentv-4"
    assert render({"messages": []}, root=tmp_path).style == "sampleui"
    with pytest.raises(PromptStyleError, match="sampleui, agentv-4"):
        render({"messages": []}, root=tmp_path, style="agentv-3")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e16, "10000000000000000"),
        (1e21, "1e+21"),
        (1.5e-7, "1.5e-7"),
        (0.000001, "0.000001"),
        (-0.0, "0"),
        (123456789012345678901, "123456789012345680000"),
        (-12.5, "-12.5"),
        (100.0, "100"),
        (float("nan"), "null"),
    ],
)
def test_numbers_are_spelled_as_in_javascript(value, text):
    assert stringify(value) == text


def test_white_space_is_that_of_javascript():
    assert trim("\ufeff\u2028 a\u0085\x1f ") == "a\u0085\x1f"


def test_variables_come_from_the_nearest_env_file_below_those_of_the_process(tmp_path, monkeypatch):
    inner = tmp_path / "evals" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".env").write_text("FAR=root\nNEAR=root\nHOME_CITY=Rome\n")
    (inner.parent / ".env").write_text("NEAR='evals $x'\nMISSING_ONE=\n")
    (tmp_path.parent / ".env").write_text("OUTSIDE=no\n")
    (inner / "d.eval.yaml").write_text(
        "tests:\n  - id: a\n    criteria: c\n    input: ${{ FAR }} ${{NEAR}} ${{ HOME_CITY }} <${{ OUTSIDE }}>\n"
    )
    assert made(inner / "d.eval.yaml")["a"].question == "root evals $x Bern <>"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('export A="b c" # d', "b c"),
        ("A=b # d", "b"),
        ("A=b#d", "b"),
        ("A='b\\nc'", "b\\nc"),
        ('A="b\\nc"', "b\nc"),
        ('A="b\nc"', "b\nc"),
        ("A: b", "b"),
        ('A = `b "c"`', 'b "c"'),
        ("A=", ""),
        ("A=b\r\nA=c", "c"),
    ],
)
def test_env_files_are_read_as_dotenv_reads_them(line, value):
    assert parsed(f"# a comment\n{line}\n") == {"A": value}


def test_a_segment_whose_type_is_no_text_is_sent_in_a_conversation_as_it_is(tmp_path):
    (tmp_path / "d.eval.yaml").write_text(
        "tests:\n  - id: a\n    criteria: c\n    mode: conversation\n    turns: [{input: T}]\n"
        "    input: [{role: user, content: [{type: [file], value: x}]}]\n"
    )
    found = made(tmp_path / "d.eval.yaml")
    assert json.loads(found["a/turn-1"].chat_prompt[1]["content"]) == [{"type": ["file"], "value": "x"}]


def test_images_are_left_out_of_a_prompt_and_stand_inside_a_conversation_as_agentv_writes_them(tmp_path):
    (tmp_path / "dot.PNG").write_bytes(b"\x89PNG")
    (tmp_path / "bin.dat").write_bytes(b"\xffa\r\n")
    content = "[{type: image, value: dot.PNG}, {type: image, value: no.png}, {type: file, value: bin.dat}]"
    (tmp_path / "d.eval.yaml").write_text(
        f"tests:\n  - id: a\n    criteria: c\n    input: [{{role: user, content: {content}}}]\n"
        f"  - id: b\n    criteria: c\n    mode: conversation\n    turns: [{{input: T}}]\n"
        f"    input: [{{role: user, content: {content}}}]\n"
    )
    found = made(tmp_path / "d.eval.yaml")
    assert found["a"].chat_prompt[-1]["content"] == '<file path="bin.dat">\n\ufffda\n</file>'
    assert json.loads(found["b/turn-1"].chat_prompt[1]["content"]) == [
        {"type": "image", "media_type": "image/png", "source": "data:image/png;base64,iVBORw=="},
        {
            "type": "file",
            "value": "bin.dat",
            "path": "bin.dat",
            "text": "\ufffda\n",
            "resolvedPath": str(tmp_path / "bin.dat"),
        },
    ]


def test_a_file_segment_that_names_no_file_is_none_to_look_for(tmp_path):
    path = tmp_path / "deck.yaml"
    names = "[{type: file}, {type: file, value: ''}, {type: file, value: gone.txt}, {type: text, value: hi}]"
    path.write_text(f"tests:\n- id: a\n  criteria: x\n  input:\n  - role: user\n    content: {names}\n")
    found = [(one.rule, one.node) for one in made(path)["a"].findings]
    assert found == [("file-not-found", ("input", 0, "content", 2))]
