"""`sampleui replace`: what is asked for changes and nothing else does."""

from __future__ import annotations

import subprocess

import pytest

from sampleui.workspace.deck import open_deck

TOML = """# Acme's deck
[[samples]] # Acme
id = "a"
messages = [
  { role = "user", content = 'Acme  and acme, Acmeist' }, # Acme
]

[[samples]]
id = "Acme-2"
note.Acme = "Acme"
messages = [{ role = "user", content = "no" }]
"""


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    return path


def test_values_change_and_comments_keys_and_layout_stay(sampleui, deck):
    ran = sampleui("replace", "Acme", "Best", deck)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{deck}: 3 values replaced in 2 samples\n"
    assert deck.read_text() == TOML.replace("'Acme  and acme, Acmeist'", "'Best  and acme, Bestist'").replace(
        '"Acme-2"', '"Best-2"'
    ).replace('= "Acme"', '= "Best"')


@pytest.mark.parametrize(
    ("args", "content"),
    [
        (["acme", "x", "-i"], "x  and x, xist"),
        (["acme", "x", "-i", "--word"], "x  and x, Acmeist"),
        (["--regex", r"(A)cme(ist)?", r"\1\2!"], "A!  and acme, Aist!"),
        (["--", ".", "x"], "Acme  and acme, Acmeist"),
        (["and", r"\1\n"], "Acme  \\1\\n acme, Acmeist"),
        (["Acme", "x", "--sample", "Acme-2"], "Acme  and acme, Acmeist"),
        (["Acme", "x", "--sample", "#1"], "x  and acme, xist"),
    ],
)
def test_a_search_replaces_by_case_word_and_pattern(sampleui, deck, args, content):
    sampleui("replace", *args, deck)
    assert open_deck(deck).samples[0].messages[0]["content"] == content


def test_a_dry_run_prints_a_diff_that_patch_takes(sampleui, deck):
    ran = sampleui("replace", "Acme", "Best", deck, "--dry-run")
    assert (ran.code, ran.err, deck.read_text()) == (0, "", TOML)
    subprocess.run(["git", "-C", deck.parent, "init", "-q"], check=True)
    relative = ran.out.replace(f"{deck.parent}/", "")
    subprocess.run(["git", "apply", "-p0", "-"], input=relative.encode(), cwd=deck.parent, check=True)
    patched = deck.read_text()
    deck.write_text(TOML)
    assert sampleui("replace", "Acme", "Best", deck).code == 0
    assert deck.read_text() == patched != TOML


def test_nothing_found_is_exit_1(sampleui, deck):
    ran = sampleui("replace", "nowhere", "x", deck)
    assert (ran.code, ran.out, ran.err, deck.read_text()) == (1, "", "nothing holds nowhere\n", TOML)


def test_what_cannot_be_replaced_takes_nothing_else_with_it(sampleui, tmp_path):
    refusing = "- id: a\n  messages:\n  - {role: user, content: &x old}\n  - {role: user, content: *x}\n"
    (tmp_path / "a.yaml").write_text(refusing + "- id: c\n  messages:\n  - {role: user, content: old}\n")
    (tmp_path / "b.yaml").write_text("- id: b\n  messages:\n  - {role: user, content: old}\n")
    ran = sampleui("replace", "old", "new", tmp_path)
    assert ran.code == 2
    assert (tmp_path / "a.yaml").read_text() == refusing + "- id: c\n  messages:\n  - {role: user, content: new}\n"
    assert "content: new}" in (tmp_path / "b.yaml").read_text()
    assert f"{tmp_path / 'a.yaml'}:3:" in ran.err
    assert "2 values could not be replaced" in ran.err


def test_a_shared_value_is_replaced_for_all_or_for_one(sampleui, tmp_path):
    deck = tmp_path / "a.yaml"
    text = "x: &p old\nsamples:\n- id: a\n  note: *p\n- id: b\n  note: *p\n"
    deck.write_text(text)
    assert sampleui("replace", "old", "new", deck, "--sample", "a").code == 2 and deck.read_text() == text
    sampleui("replace", "old", "new", deck, "--sample", "a", "--shared", "own")
    assert deck.read_text() == text.replace("*p", "new", 1)
    deck.write_text(text)
    sampleui("replace", "old", "new", deck, "--sample", "a", "--shared", "all")
    assert deck.read_text() == text.replace("old", "new")


@pytest.mark.parametrize("args", [["--regex", "(", "x"], ["--regex", "a", r"\2"], ["", "x"]])
def test_what_is_no_pattern_is_one_line(sampleui, deck, args):
    ran = sampleui("replace", *args, deck)
    assert (ran.code, ran.out, ran.err.count("\n"), deck.read_text()) == (2, "", 1, TOML)


def test_a_pattern_without_end_is_stopped_and_told(sampleui, tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(f'[[samples]]\nid = "a"\nmessages = [{{ role = "user", content = "{"a" * 60}!" }}]\n')
    ran = sampleui("replace", "--regex", "(a+)+$", "x", path)
    assert ran.code == 2
    assert f"{path}:3:" in ran.err
    assert "takes longer than" in ran.err


def test_cases_that_two_suites_share_are_replaced_once(sampleui, tmp_path):
    (tmp_path / "cases.yaml").write_text("- id: x\n  input: old\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("tests: ./cases.yaml\n")
    ran = sampleui("replace", "old", "old old", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "input: old old\n" in (tmp_path / "cases.yaml").read_text()


def test_a_sample_that_no_deck_has_is_said(sampleui, deck):
    ran = sampleui("replace", "Acme", "x", deck, "--sample", "none")
    assert (ran.code, ran.err) == (2, "sampleui: no deck has a sample none\n")


def test_a_sample_that_cannot_be_read_is_not_passed_over(sampleui, tmp_path):
    path = tmp_path / "deck.jsonl"
    text = '{"id": "a", "messages": [{"role": "user", "content": "old"}]}\n{"id": "b", "messages": "old\n'
    path.write_text(text)
    ran = sampleui("replace", "old", "new", path)
    assert (ran.code, path.read_text()) == (2, text.replace("old", "new", 1))
    assert ran.err.startswith(f"{path}:2:")
