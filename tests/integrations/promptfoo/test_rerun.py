"""How tests of promptfoo are named to it: by patterns that fit what a record says, whatever signs are in it."""

from __future__ import annotations

import json
import re

import pytest

from sampleui.integrations.promptfoo.rerun import _prompts, _providers, _table, _test, plan
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.workspace.deck import open_deck


def pattern(found) -> str:
    return f"^(?:{'|'.join(found)})"


@pytest.mark.parametrize(
    ("providers", "named", "fits", "leaves"),
    [
        (["echo", "openai:gpt-4"], "openai:gpt-4", ["openai:gpt-4"], ["echo", "openai:gpt-4o"]),
        (["openai:chat:gpt-4", "echo"], "openai:gpt-4", ["openai:gpt-4", "openai:chat:gpt-4"], ["echo"]),
        ([{"id": "x", "label": "a (b) [c]"}, "echo"], "a (b) [c]", ["a (b) [c]"], ["a b c", "echo"]),
        (["file://p.js", "echo"], "mine", ["mine", "file://p.js"], ["echo", "mine-2"]),
        ([{"openai:gpt-4": {"label": "four"}}, "echo"], "four", ["four"], ["echo", "fourteen"]),
    ],
)
def test_a_provider_is_named_by_what_the_config_and_the_run_call_it(providers, named, fits, leaves):
    found = pattern(_providers(named, {"providers": providers}))
    assert all(re.search(found, text) for text in fits)
    assert not any(re.search(found, text) for text in leaves)


def test_the_only_provider_and_the_only_prompt_need_no_name():
    assert [*_providers("mine", {"providers": ["file://p.js"]})] == []
    assert [*_prompts("old text", {"prompts": ["new text"]})] == []
    assert [*_prompts("a.txt: x", {"prompts": ["file://prompts/*.txt"]})]


@pytest.mark.parametrize(
    ("prompts", "label", "fits", "leaves"),
    [
        (["Q: {{q}}", "R: {{q}}"], "Q: {{q}}", ["Q: {{q}}"], ["R: {{q}}", "Q: {{q}} more"]),
        (
            ["file://a.txt", "file://b.txt"],
            "evals/a.txt: as it was",
            ["a.txt: as it is", "/x/a.txt: as it is"],
            ["b.txt: a", "ba.txt: a"],
        ),
        (
            [{"id": "file://a.txt", "label": "named"}, "file://a.txt"],
            "named: a.txt: x",
            ["named: a.txt"],
            ["a.txt: x"],
        ),
    ],
)
def test_a_prompt_is_named_by_its_label_and_one_in_a_file_by_its_path(prompts, label, fits, leaves):
    found = pattern(_prompts(label, {"prompts": prompts}))
    assert all(re.search(found, text) for text in fits)
    assert not any(re.search(found, text) for text in leaves)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("cfg1.yaml", "./cfg1.yaml"),
        ("cfg[1].yaml", "./cfg[[]1[]].yaml"),
        ("a*?.yaml", "./a[*][?].yaml"),
        ("+(a).yaml", "./+[(]a[)].yaml"),
        ("-c.yaml", "./-c.yaml"),
        ("{a,b}.yaml", None),
        ("in[1]/cfg.yaml", None),
        ("+(in)/cfg.yaml", None),
        ("a\\b.yaml", None),
    ],
)
def test_a_config_that_promptfoo_would_take_for_a_pattern_is_escaped_or_refused(tmp_path, name, given):
    config = {"prompts": ["Q"], "providers": ["echo"], "tests": [{"vars": {"q": 1}}]}
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(json.dumps(config))
    row = {"vars": {"q": 1}, "testCase": {"vars": {"q": 1}}, "provider": {"id": "echo"}, "prompt": {"raw": "Q"}}
    (tmp_path / "run.json").write_text(json.dumps({"results": {"results": [{**row, "success": False}]}}))
    deck, results = open_deck(tmp_path / name), tmp_path / "run.json"
    asked = RerunRequest(open_results(results).indexed().record(0), "key", deck, deck.samples[0])
    (call,) = plan(Request([asked], results, 1, tmp_path / "out", tmp_path))
    if given is None:
        assert isinstance(call, RerunRefused) and str(tmp_path / name) in call.why
    else:
        assert isinstance(call, ProgramCall) and call.arguments[2] == given


def test_rows_of_a_table_are_given_as_a_table():
    assert _table([{"q": 'say "hi"', "__expected": "8"}, {"q": "x\ny"}]) == (
        b'q,__expected\n"say ""hi""",8\n"x\ny",\n'
    )


@pytest.mark.parametrize(
    ("written", "asked", "given"),
    [
        ("{{env.ASKED}} then", "what then", "what then"),
        ("{{env.ASKED}} then", "what else", "{{env.ASKED}} then"),
        ("{{q}}", "what", "{{q}}"),
    ],
    ids=["as it was filled", "changed since", "no variable of the environment"],
)
def test_a_variable_from_the_environment_is_what_it_was_in_the_record(tmp_path, written, asked, given):
    """For a rerun has another environment."""
    config = tmp_path / "promptfooconfig.yaml"
    tests = [{"description": "one", "vars": {"q": written}}]
    config.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
    row = {
        "vars": {"q": asked},
        "testCase": {"description": "one", "vars": {"q": asked}},
        "provider": {"id": "echo"},
        **{"promptIdx": 0, "success": False, "prompt": {"raw": "Q"}},
    }
    (tmp_path / "run.json").write_text(json.dumps({"results": {"results": [row]}}))
    deck, record = open_deck(config), open_results(tmp_path / "run.json").indexed().record(0)
    test = _test(RerunRequest(record, "key", deck, deck.samples[0]))
    assert isinstance(test, dict)
    assert test["vars"] == {"q": given}
