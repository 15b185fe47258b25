"""`sampleui render` and `convert` of folders, globs and several files."""

from __future__ import annotations

import json

from sampleui.workspace.deck import open_deck

BROKEN = "[[samples]]\nmessages = [\n"


def deck(ident: str, text: str = "hi") -> str:
    return f'[[samples]]\nid = "{ident}"\nmessages = [{{ role = "user", content = "{text}" }}]\n'


def test_the_decks_of_a_folder_are_rendered_in_order(sampleui, folder):
    root = folder(**{"b.toml": deck("b"), "a/c.toml": deck("c"), "package.json": "{}"})
    ran = sampleui("render", root, "--as", "json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, ran.err) == (0, "")
    assert [(row["deck"], row["id"]) for row in rows] == [
        (str(root / "b.toml"), "b"),
        (str(root / "a/c.toml"), "c"),
    ]
    out = sampleui("render", root, "--as", "question").out
    assert [line for line in out.splitlines() if line.startswith("# ")] == [
        f"# {root / 'b.toml'}: b",
        f"# {root / 'a/c.toml'}: c",
    ]


def test_a_sample_is_looked_for_in_every_deck(sampleui, folder):
    root = folder(**{"a.toml": deck("x", "one"), "b.toml": deck("y"), "c.toml": deck("x", "two")})
    ran = sampleui("render", root, "--sample", "x")
    assert (ran.code, ran.err) == (0, "")
    assert [json.loads(line)[0]["content"] for line in ran.out.splitlines()] == ["one", "two"]
    ran = sampleui("render", root, "--sample", "z")
    assert (ran.code, ran.err) == (2, "sampleui: none of the 3 decks has a sample z\n")


def test_a_deck_that_cannot_be_rendered_stops_no_other(sampleui, folder):
    root = folder(**{"a.toml": BROKEN, "b.toml": '[[samples]]\nid = "b"\nmessages = []\n', "c.toml": deck("c")})
    ran = sampleui("render", root)
    assert ran.code == 2
    assert ran.out.count("\n") == 1
    assert ran.err.startswith(f"{root / 'a.toml'}:")
    assert "b is skipped" in ran.err
    assert sampleui("render", root / "b.toml", root / "c.toml").code == 1


def test_several_processes_render_as_one_does(sampleui, folder):
    root = folder(
        **{f"{at % 3}/{at:02}.toml": BROKEN if at % 7 == 3 else deck(f"s{at}") * (at * 5) for at in range(30)}
    )
    alone = sampleui("render", root, "--as", "json", "--jobs", "1")
    assert sampleui("render", root, "--as", "json", "--jobs", "3") == alone
    assert alone.code == 2


def test_one_file_is_printed_as_ever(sampleui, folder):
    root = folder(**{"a.toml": deck("x")})
    assert "deck" not in json.loads(sampleui("render", root / "a.toml", "--sample", "x", "--as", "json").out)


def test_the_decks_of_a_folder_are_converted_into_a_folder(sampleui, folder, tmp_path):
    root = folder(**{"b.toml": deck("b"), "a/c.toml": deck("c"), "package.json": "{}"})
    target = tmp_path / "out"
    ran = sampleui("convert", root, target, "--format", "jsonl", "--to", "gage")
    assert (ran.code, ran.err) == (0, "")
    assert sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()) == [
        "a/c.jsonl",
        "b.jsonl",
    ]
    assert json.loads((target / "a/c.jsonl").read_text())["id"] == "c"
    assert open_deck(target / "b.jsonl").dialect == "gage"


def test_several_files_are_converted_into_a_folder(sampleui, folder, tmp_path):
    root = folder(**{"a.toml": deck("a"), "b.toml": BROKEN, "c.toml": deck("c")})
    target = tmp_path / "out"
    ran = sampleui("convert", *sorted(root.iterdir()), target, "--format", "yaml")
    assert ran.code == 2
    assert ran.err.startswith(f"{root / 'b.toml'}:")
    assert sorted(path.name for path in target.iterdir()) == ["a.yaml", "c.yaml"]


def test_no_deck_is_written_over_another(sampleui, folder, tmp_path):
    root = folder(**{"a.toml": deck("a"), "a.yaml": "samples:\n- id: b\n  messages: [{role: user, content: hi}]\n"})
    target = tmp_path / "out"
    ran = sampleui("convert", root, target, "--format", "jsonl")
    assert ran.code == 2
    assert ran.err == f"{root / 'a.yaml'}: {target / 'a.jsonl'} is already written from {root / 'a.toml'}\n"
    assert json.loads((target / "a.jsonl").read_text())["id"] == "a"
    ran = sampleui("convert", root / "a.yaml", target, "--format", "jsonl")
    assert (ran.code, "--force replaces it" in ran.err) == (2, True)
    assert json.loads((target / "a.jsonl").read_text())["id"] == "a"


def test_a_folder_can_be_converted_into_itself_again_and_again(sampleui, folder):
    root = folder(**{"a.toml": deck("a")})
    for _ in range(2):
        ran = sampleui("convert", root, root / "out", "--force")
        assert (ran.code, ran.err) == (0, "")
    assert sorted(path.relative_to(root).as_posix() for path in root.rglob("*.toml")) == ["a.toml", "out/a.toml"]


def test_a_markdown_deck_needs_a_format(sampleui, folder, tmp_path):
    root = folder(**{"a.toml": deck("a"), "all.md": "![a](a.toml)\n"})
    ran = sampleui("convert", root, tmp_path / "out")
    assert (ran.code, "--format" in ran.err) == (2, True)
    assert sampleui("convert", root, tmp_path / "out", "--format", "toml").code == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["all.toml"]


def test_several_decks_are_not_written_into_a_file(sampleui, folder, tmp_path):
    root = folder(**{"a.toml": deck("a")})
    (tmp_path / "out.toml").write_text("mine\n")
    ran = sampleui("convert", root, tmp_path / "out.toml", "--force")
    assert (ran.code, ran.err.startswith(f"sampleui: {tmp_path / 'out.toml'} is a file")) == (2, True)
    assert (tmp_path / "out.toml").read_text() == "mine\n"
