"""What the documents name exists: commands, options, files, keys, settings, rules, and code that runs."""

from __future__ import annotations

import importlib
import re
import runpy
import shutil
from collections.abc import Iterable
from pathlib import Path

import click
import pytest

from sampleui import open_deck
from sampleui.cli.commands import COMMANDS
from sampleui.integrations.index import SHIPPED
from sampleui.review.verdict import Verdict
from sampleui.settings.options import Settings, read_settings
from sampleui.text.wording import one_spaced
from sampleui.tui.author.actions import AUTHOR
from sampleui.tui.review.actions import REVIEW
from sampleui.tui.review.notes import NOTES
from sampleui.tui.review.passing.screen import PASS
from sampleui.tui.screens.command_boxes import TWENTY
from sampleui.tui.themes import load_theme
from sampleui.tui.trace.actions import TRACE
from sampleui.tui.workspace.actions import FOUND, WORKSPACE

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r"[^\w\- ]")
NOT_OF_THE_SOURCE = {"split_graphemes", "calibrate/", "agentv/", "gage/"}
"""Names of other libraries, and of folders of the corpus."""

page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())


def blocks(name: str, language: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return [code for found, code in FENCE.findall(text) if found == language]


def options(command: str) -> set[str]:
    entry = COMMANDS[command]
    found = getattr(importlib.import_module(f"sampleui.cli.{entry.module}"), entry.attribute)
    parts = found.commands.values() if isinstance(found, click.Group) else (found,)
    params = [param for part in parts for param in part.params]
    return {"--help", *(name for param in params if isinstance(param, click.Option) for name in param.opts)}


def headings(path: Path) -> set[str]:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {ANCHOR.sub("", title.lower()).replace(" ", "-") for title in titles}


def table(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| `")]


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_modules_folders_and_names_of_the_source_that_are_named_exist(name):
    text = FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    named = set(re.findall(r"`([^`\n]+)`", text)) - NOT_OF_THE_SOURCE
    sources = [path for room in ("sampleui", "tests", "docs") for path in (ROOT / room).rglob("*.py")]
    modules = [f"/{path.relative_to(ROOT).as_posix()}" for path in sources]
    folders = {f"/{path.parent.relative_to(ROOT).as_posix()}/" for path in (*sources, *PAGES)}
    words = {
        word for path in (*sources, ROOT / "pyproject.toml") for word in re.findall(r"\w+", path.read_text("utf-8"))
    }
    assert not [module for module in named if _is_missing(module, r"[a-z\d_/]+\.py", modules)]
    assert not [folder for folder in named if _is_missing(folder, r"[a-z_]+/[a-z_/]*", folders)]
    assert not [word for word in named if re.fullmatch(r"[A-Za-z_]\w*", word) and word not in words]


def _is_missing(name: str, pattern: str, paths: Iterable[str]) -> bool:
    return re.fullmatch(pattern, name) is not None and not any(path.endswith(f"/{name}") for path in paths)


def test_modules_in_the_map_of_rooms_stand_in_their_rooms():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (rooms,) = (body for _, body in FENCE.findall(text) if body.startswith("sampleui/\n"))
    for room, said in re.findall(r"^  (\w+)/ (.*(?:\n {10}.*)*)", rooms, re.MULTILINE):
        below = {path.name for path in (ROOT / "sampleui" / room).rglob("*")}
        assert {*re.findall(r"\w+\.py|\w+(?=/\W)", said)} <= below, room


def test_every_list_of_verdicts_has_all_of_them_in_the_order_of_their_keys():
    verdicts = [*Verdict]
    rows = [(f"`{verdict.key}`", f"`{verdict}`", verdict.meaning, verdict.route) for verdict in verdicts]
    assert [tuple(row) for row in table(ROOT / "docs" / "reviewing.md") if row[1].strip("`") in verdicts] == rows
    of_agents = table(ROOT / "sampleui" / "cli" / "SKILL.md")
    assert [row[0] for row in of_agents if row[0].strip("`") in verdicts] == [
        f"`{verdict}`" for verdict in verdicts
    ]
    said = importlib.import_module("sampleui.cli.verdict").verdict.help
    assert f"VERDICT is {', '.join(verdicts[:-1])} or {verdicts[-1]}." in said
    keys = f"to `{verdicts[-1].key}`"
    assert sum(keys in item.in_review for item in TWENTY) == 1
    running = (ROOT / "docs" / "running-again.md").read_text(encoding="utf-8")
    assert f"`{verdicts[0].key}` {keys}" in one_spaced(running)


def test_the_first_thing_in_the_readme_is_two_commands():
    commands = blocks("README.md", "sh")[:2]
    assert commands == [
        "pip install . && sampleui examples/decks/hello.toml\n",
        "pip install -e '.[dev]' && pytest\n",
    ]
    with_uv = f"With `uv`, the first is `uv tool install . && {commands[0].partition(' && ')[2].strip()}`."
    assert with_uv in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_page_of_keys_is_what_the_registries_say():
    made = runpy.run_path(str(ROOT / "docs" / "make_keys.py"))["page"]()
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == made, "run python docs/make_keys.py"


def test_the_twenty_keys_of_the_readme_are_those_of_the_app_and_of_the_page():
    made = runpy.run_path(str(ROOT / "docs" / "make_keys.py"))
    assert made["readme"]() == (ROOT / "README.md").read_text(encoding="utf-8"), "run python docs/make_keys.py"
    commands = {command.id: command for registry in (AUTHOR, REVIEW, TRACE) for command in registry}
    for item in TWENTY:
        names = item.commands.split()
        assert item.key in commands[names[0]].keys and all(
            item.key in commands[name].keys for name in names if name != "sample.open"
        ), item
        for registry, words in ((AUTHOR, item.in_deck), (REVIEW, item.in_review)):
            here = {command.id for command in registry} - {"record.promote"}
            assert bool(words) == bool(here & {*names}), item


@pytest.mark.parametrize("path", [*(ROOT / "docs" / "integrations").iterdir()], ids=lambda path: path.name)
def test_what_is_supported_is_what_the_integrations_say(path):
    made = runpy.run_path(str(ROOT / "docs" / "make_support.py"))["pages"]()
    assert path.read_text(encoding="utf-8") == made[path.name], "run python docs/make_support.py"


def test_each_integration_has_a_page_of_one_pattern():
    pages = {path.stem: path for path in (ROOT / "docs" / "integrations").glob("*.md") if path.stem != "README"}
    assert pages.keys() == {entry.name for entry in SHIPPED}
    for path in pages.values():
        found = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert found == ["Read", "Written", "Judged", "Not", "Tried"], path.name


@pytest.mark.parametrize(
    ("name", "screens"),
    [
        ("README.md", (AUTHOR, REVIEW, TRACE, WORKSPACE, FOUND)),
        ("docs/authoring.md", (AUTHOR,)),
        ("docs/reviewing.md", (REVIEW, NOTES, PASS, (AUTHOR["deck.save"],))),
        ("docs/traces.md", (TRACE,)),
    ],
)
def test_every_key_that_is_named_is_one_of_the_screen(name, screens):
    named = re.findall(
        r"`((?:(?:ctrl|shift|alt)\+\w+)|[A-Za-z]|Enter|Escape|Tab)`", (ROOT / name).read_text(encoding="utf-8")
    )
    keys = {key for commands in screens for command in commands for key in command.keys}
    assert {key if len(key) == 1 else key.lower() for key in named} <= keys


def test_the_twenty_keys_are_twenty_fit_one_screen_and_act_where_they_are_said_to():
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Twenty keys\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) == 22
    assert max(map(len, lines)) <= 80
    for line in lines[2:]:
        key, *acts = (cell.strip() for cell in line.strip("|").split("|"))
        name = key.strip("`")
        for commands, what in zip((AUTHOR, REVIEW), acts, strict=True):
            bound = {key for command in commands for key in command.keys}
            assert what == "" or (name if len(name) == 1 else name.lower()) in bound, line


def test_every_picture_comes_from_a_shot():
    shots = {shot.name for shot in runpy.run_path(str(ROOT / "docs" / "make_screenshots.py"))["SHOTS"]}
    assert shots == {image.stem for image in (ROOT / "docs" / "images").iterdir()}


@page
def test_links_lead_somewhere(path):
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"https?:", target):
            continue
        name, _, anchor = target.partition("#")
        linked = path.parent / name if name else path
        assert linked.exists(), target
        assert not anchor or anchor in headings(linked), target


@page
def test_every_command_that_is_named_exists_with_its_options(path):
    text = path.read_text(encoding="utf-8")
    code = "\n".join(body for language, body in FENCE.findall(text) if language in ("sh", "console"))
    named = re.findall(r"`sampleui ([^`\n]+)", text) + re.findall(
        r"(?:^\$ |^|&& )sampleui (.+)", code, re.MULTILINE
    )
    for words in named:
        first, *rest = words.split()
        if first in COMMANDS:
            assert {word for word in rest if word.startswith("--")} <= options(first), words
        else:
            assert first.startswith("-") or first.isupper() or Path(first).suffix or first == "COMMAND", words


@page
def test_every_option_that_is_named_exists(path):
    named = set(re.findall(r"`(--[a-z][a-z-]*)", path.read_text(encoding="utf-8")))
    known = {"--dialect", "--theme", "--version"}.union(*map(options, COMMANDS))
    assert named <= known


@page
def test_files_of_the_project_that_are_named_exist(path):
    text = re.sub(r"^(?:diff|---|\+\+\+) .*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    shown = re.findall(r"^\*\*`(.+?)`\*\*", text, re.MULTILINE)  # files that the page itself writes
    for name in re.findall(r"[` ]((?:\w+/)+[\w-]+\.(?:py|toml|yaml|jsonl|md))\b", text):
        if name.removeprefix("riddles/") in shown:
            continue
        assert any((folder / name).exists() for folder in (ROOT, ROOT / "sampleui")), name


def test_the_readme_lists_every_command():
    assert set(COMMANDS) <= set(re.findall(r"`(?:sampleui )?([a-z-]+)[ `]", (ROOT / "README.md").read_text()))


def test_the_settings_shown_can_be_read(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(blocks("docs/settings.md", "toml")[0], encoding="utf-8")
    assert "theme" in read_settings(file)
    file.write_text(blocks("docs/settings.md", "toml")[1], encoding="utf-8")
    assert "commands" in read_settings(file)


def test_the_theme_shown_is_one(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(blocks("docs/settings.md", "toml")[2], encoding="utf-8")
    assert load_theme(file).variables["role-tool"]


def test_every_setting_is_described():
    described = {row[0].strip("`") for row in table(ROOT / "docs" / "settings.md")}
    assert set(Settings.__slots__) - {"origins"} <= described


@pytest.mark.parametrize("code", blocks("docs/python.md", "python"), ids=lambda code: code.split("\n")[2][:30])
def test_the_python_shown_runs(code, tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/python.md", "exec"), {})


def test_findings_in_the_examples_are_as_the_tables_of_rules_say():
    pages = (ROOT / "docs" / "formats.md", *(ROOT / "docs" / "integrations").iterdir())
    told: dict[str, str] = {}
    for rule, severity, message in (row for path in pages for row in table(path) if len(row) == 3):
        told[rule.strip("`")] = f"{told.get(rule.strip('`'), '')} {severity} {message}"
    decks = [path for path in (ROOT / "examples" / "decks").iterdir() if path.is_file()]
    found = {(one.rule, one.severity) for path in decks for one in open_deck(path).diagnostics}
    assert len(found) > 20
    for rule, severity in found:
        assert rule in told, rule
        assert severity in told[rule], (rule, severity)
