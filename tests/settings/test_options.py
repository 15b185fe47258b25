"""Settings: four layers, the later wins, and every mistake has a place and clear words."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sampleui.errors import SettingsError
from sampleui.settings.options import (
    OF_A_PROJECT,
    Settings,
    load_settings,
    project_file,
    read_settings,
    user_file,
)
from sampleui.settings.project_remarks import remarks
from sampleui.text.diagnostic import Severity


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def project(home: Path) -> Path:
    project = home / "project"
    (project / "decks" / "deep").mkdir(parents=True)
    (project / ".git").mkdir()
    return project


def write_user(text: str) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text)


def test_without_files_all_is_default(project):
    assert load_settings(project) == Settings()
    assert Settings().provider == "openai"
    assert Settings().fail_under == 0.8


def test_the_later_layer_wins_and_says_where_it_came_from(project):
    write_user('theme = "dark"\nprovider = "gemini"\nreviewer = "ann"\nfail_under = 1\n')
    (project / ".sampleui.toml").write_text('provider = "azure"\n')
    settings = load_settings(project / "decks", {"reviewer": "cy", "theme": None})
    assert (settings.theme, settings.provider, settings.reviewer) == ("dark", "azure", "cy")
    assert settings.fail_under == 1.0
    assert settings.origins == {
        "theme": str(user_file()),
        "fail_under": str(user_file()),
        "provider": str(project / ".sampleui.toml"),
        "reviewer": "command line",
    }


NOT_OF_A_PROJECT = {
    "reviewer": 'reviewer = "the-chief"',
    "keys": '[keys]\n"verdict.ok" = "1"',
    "editor": 'editor = "sh -c ..."',
    "commands": '[commands.f5]\ntitle = "Own"\ncommand = ["touch", "x"]',
    "runners": '[runners.mine]\ncommand = ["touch", "{out}"]',
    "rerun_environment": 'rerun_environment = ["HOME"]',
    "keep_reruns": 'keep_reruns = "state"',
    "escape_delay": "escape_delay = 500",
}


@pytest.mark.parametrize("name", NOT_OF_A_PROJECT)
def test_what_is_a_person_s_own_is_left_of_a_project_and_told(project, name):
    text = f"provider = 'azure'\n{NOT_OF_A_PROJECT[name]}\n"
    (project / ".sampleui.toml").write_text(text)
    settings = load_settings(project / "decks")
    assert settings._replace(left=(), origins={}) == Settings(provider="azure")
    assert settings.left == (name,)
    (told,) = remarks(project / "decks")
    assert (told.rule, told.line, told.severity) == ("setting-left", 2, Severity.INFO)
    assert f"{name} can only be set in your own settings, {user_file()}" in told.message
    (project / ".sampleui.toml").unlink()
    write_user(text)
    assert load_settings(project) != Settings(provider="azure", origins=load_settings(project).origins)
    assert load_settings(project).left == ()


def test_a_project_may_set_what_the_docs_list_and_nothing_else():
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text()
    rows = [line.split("|") for line in page.split("| --- | --- | --- | --- | --- |\n")[1].splitlines()]
    listed = {row[1].strip(" `"): row[4].strip() for row in itertools.takewhile(lambda row: len(row) == 7, rows)}
    assert {name for name, project_may in listed.items() if project_may == "yes"} == OF_A_PROJECT
    assert {name for name, project_may in listed.items() if project_may == "no"} == {*NOT_OF_A_PROJECT}
    assert {*listed} | {"left", "origins"} == {*Settings._fields}


def test_the_nearest_project_file_counts(project):
    (project / ".sampleui.toml").write_text('theme = "far"\n')
    (project / "decks" / ".sampleui.toml").write_text('theme = "near"\n')
    assert load_settings(project / "decks" / "deep").theme == "near"
    assert load_settings(project).theme == "far"


def test_nothing_above_the_project_counts(project, home):
    (home / ".sampleui.toml").write_text('theme = "above"\n')
    assert project_file(project / "decks") is None


def test_without_a_project_only_the_deck_s_own_folder_counts(home):
    folder = home / "a" / "b"
    folder.mkdir(parents=True)
    (home / "a" / ".sampleui.toml").write_text('theme = "above"\n')
    assert load_settings(folder).theme is None


def test_a_list_of_patterns(project):
    (project / ".sampleui.toml").write_text('guideline_patterns = ["**/*.rules.md"]\n')
    assert load_settings(project).guideline_patterns == ("**/*.rules.md",)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('theme = "x"\nthem = "y"\n', 2, "there is no setting them; did you mean theme?"),
        ("\n\nqqq = 1\n", 3, "there is no setting qqq; known are theme, "),
        ("# c\nprovider = 3\n", 2, "provider must be a text"),
        ("fail_under = 80\n", 1, "fail_under must be a number from 0 to 1"),
        ("fail_under = true\n", 1, "fail_under must be a number from 0 to 1"),
        ('guideline_patterns = "*.md"\n', 1, "guideline_patterns must be a list of texts"),
        ("theme = \n", 1, ""),
        ("a = 1\na = 2\n", 2, ""),
    ],
)
def test_a_mistake_has_its_line_and_clear_words(project, text, line, message):
    path = project / ".sampleui.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(project)
    assert caught.value.path == path
    assert caught.value.line == line
    assert caught.value.message.startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "line"), [("theme = 'x'\n\n[keys]\nsave = 1\n", 3), ("keys.save = [1]\n", 1)])
def test_a_mistake_in_the_keys_of_the_user_has_its_line(project, text, line):
    write_user(text)
    with pytest.raises(SettingsError, match="keys must be a table of command ids") as caught:
        load_settings(project)
    assert caught.value.line == line


def test_a_project_file_that_leads_out_of_the_project_is_refused(project, home):
    (home / "secret.toml").write_text('theme = "secret"\n')
    (project / ".sampleui.toml").symlink_to(home / "secret.toml")
    with pytest.raises(SettingsError, match="outside"):
        load_settings(project)


def test_the_user_s_file_may_be_a_link(project, home):
    (home / "dotfiles.toml").write_text('theme = "mine"\n')
    user_file().parent.mkdir(parents=True)
    user_file().symlink_to(home / "dotfiles.toml")
    assert load_settings(project).theme == "mine"


@pytest.mark.parametrize("content", [b"theme = '\xff'\n", b"\x00"])
def test_a_file_that_is_no_text_is_refused(project, content):
    (project / ".sampleui.toml").write_bytes(content)
    with pytest.raises(SettingsError):
        load_settings(project)


def test_a_byte_order_mark_is_no_mistake(project):
    path = project / ".sampleui.toml"
    path.write_bytes(b"\xef\xbb\xbftheme = 'x'\r\n")
    assert read_settings(path) == {"theme": "x"}


def test_settings_cannot_be_changed(project):
    write_user('[keys]\nhelp = "f1"\n')
    settings = load_settings(project)
    with pytest.raises(TypeError):
        settings.keys["help"] = ("f2",)
    with pytest.raises(AttributeError):
        settings.theme = "x"


def test_importing_settings_waits_for_nothing():
    slow = ("tomli", "tomllib", "platformdirs", "pydantic")
    code = f"import sys, sampleui.settings.options; print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
