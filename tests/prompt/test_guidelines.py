from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.prompt.library import DEFAULT_PATTERNS, configured_patterns, is_guideline
from sampleui.prompt.render import render
from sampleui.text.patterns import is_guideline_pattern

from .conftest import Make, Write

ROOT = Path("/project")
DECKS = ROOT / "decks"


@pytest.mark.parametrize(
    ("written", "patterns", "wanted"),
    [
        ("python.instructions.md", DEFAULT_PATTERNS, True),
        ("./python.instructions.md", DEFAULT_PATTERNS, True),
        ("../prompts/python.instructions.md", DEFAULT_PATTERNS, True),
        ("a/b/python.instructions.md", DEFAULT_PATTERNS, True),
        (".github/python.instructions.md", DEFAULT_PATTERNS, True),
        ("a\\b\\python.instructions.md", DEFAULT_PATTERNS, True),
        ("/prompts/python.instructions.md", DEFAULT_PATTERNS, True),
        ("/project/prompts/python.instructions.md", DEFAULT_PATTERNS, True),
        ("python.md", DEFAULT_PATTERNS, False),
        ("python.instructions.md.bak", DEFAULT_PATTERNS, False),
        ("python.instructions.mdx", DEFAULT_PATTERNS, False),
        ("Python.Instructions.md", DEFAULT_PATTERNS, False),
        ("x.md", (), False),
        ("a.md", ("*.md",), True),
        ("a/b.md", ("*.md",), False),
        ("a/SKILL.md", ("**/SKILL.md",), True),
        ("../prompts/x.txt", ("prompts/**",), True),
        ("rules/x.txt", ("decks/rules/*",), True),
        ("rules/x.txt", ("rules/*",), True),
        ("rules/x.txt", ("./rules/*",), True),
        ("x.prompt.md", ("**/*.{prompt,instructions}.md",), True),
        ("x.guide.md", ("**/*.@(guide|rules).md",), True),
        ("x7.md", ("x[0-9].md",), True),
        ("x.md", ("?.md",), True),
        ("drafts/x.instructions.md", ("**/*.instructions.md", "!drafts/**"), False),
        ("x.instructions.md", ("**/*.instructions.md", "!drafts/**"), True),
        ("a.b.c.d.e.md", ("*.*.*.*.*.md",), True),
        ("a.b.c.d.e.f.md", ("*.*.*.*.*.*.md",), False),
        ("x", ("{1..99999999}",), False),
        ("x", ("[",), False),
    ],
)
def test_a_path_is_a_guideline_by_the_patterns(written: str, patterns: tuple[str, ...], wanted: bool) -> None:
    assert is_guideline(written, DECKS, ROOT, patterns) is wanted


segment = st.text(st.sampled_from("ab.-_x "), min_size=1, max_size=4)


@settings(deadline=None)
@given(st.lists(segment, min_size=1, max_size=4), st.sampled_from([".md", "x.md", ".a-b.md", "b"]))
def test_the_quick_answer_is_the_library_s(parts: list[str], suffix: str) -> None:
    written, pattern = "/".join(parts), f"**/*{suffix}"
    none_of_them = "?zzz"  # no usual pattern, so all are matched by the library
    slow = is_guideline(written, DECKS, ROOT, (pattern, none_of_them))
    assert is_guideline(written, DECKS, ROOT, (pattern,)) == slow


@pytest.mark.parametrize(
    "pattern", ["+(a|a?|?a)b", "*(+(a|?))b", "*a" * 9 + "b", "@(a|?)" * 9 + "b", "x" * 300, "**/a/" * 4]
)
def test_patterns_that_could_take_for_ever_match_nothing_and_are_said(
    make: Make, write: Write, pattern: str
) -> None:
    name = "a" * 60
    write({name: "A"})
    case = make({"role": "user", "content": [{"type": "file", "value": name}]})
    rendered = render(case, guideline_patterns=[pattern, "!" + pattern])
    assert [finding.rule for finding in rendered.findings] == ["config-invalid"] * 2
    assert rendered.question == f"=== {name} ===\nA"


def test_odd_patterns_write_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not is_guideline("x", DECKS, ROOT, ("[[[[:a", "[a&&b]||[--]"))


def config(folder: Path, text: str) -> None:
    (folder / ".agentv").mkdir(exist_ok=True)
    (folder / ".agentv" / "config.yaml").write_text(text)


def test_the_nearest_configuration_decides(project: Path) -> None:
    decks = project / "decks"
    assert configured_patterns(decks, project).patterns is None
    config(project, 'guideline_patterns: ["a/*"]')
    assert configured_patterns(decks, project).patterns == ("a/*",)
    config(decks, "guideline_patterns:\n  - b/*\n  - yes\n")
    assert configured_patterns(decks, project).patterns == ("b/*", "yes")
    config(decks, "required_version: 1\n")
    assert configured_patterns(decks, project).patterns is None


def test_a_configuration_above_the_root_is_not_asked(project: Path) -> None:
    config(project, 'guideline_patterns: ["a/*"]')
    decks = project / "decks"
    assert configured_patterns(decks, decks).patterns is None


@pytest.mark.parametrize(
    "text",
    [
        "guideline_patterns: [",
        "guideline_patterns: '*.md'",
        "guideline_patterns: {a: b}",
        "guideline_patterns: [[a]]",
        "[" * 100_000,
        "- " * 100_000,
        "{a: " * 160 + "}" * 160,
        "\x00",
        "a: &a [*a]\nguideline_patterns: [*a]",
    ],
    ids=range(9),
)
def test_a_bad_configuration_is_a_finding(project: Path, make: Make, write: Write, text: str) -> None:
    write({"a.instructions.md": "A", ".agentv/config.yaml": text})
    rendered = render(make({"role": "user", "content": [{"type": "file", "value": "a.instructions.md"}]}))
    assert [finding.rule for finding in rendered.findings] == ["config-invalid"]
    assert rendered.guidelines == "=== a.instructions.md ===\nA"


def test_a_configuration_outside_the_root_is_not_read(tmp_path: Path, project: Path) -> None:
    (tmp_path / "config.yaml").write_text('guideline_patterns: ["secret"]')
    (project / ".agentv").mkdir()
    (project / ".agentv" / "config.yaml").symlink_to(tmp_path / "config.yaml")
    found = configured_patterns(project.resolve(), project.resolve())
    assert found.patterns is None
    assert found.problem
    assert "secret" not in found.problem


def test_settings_win_over_the_configuration(make: Make, write: Write) -> None:
    write({"a.md": "A", "b.md": "B", ".agentv/config.yaml": 'guideline_patterns: ["a.md"]'})
    case = make({"role": "user", "content": [{"type": "file", "value": name} for name in ("a.md", "b.md")]})
    assert render(case).guidelines == "=== a.md ===\nA"
    assert render(case, guideline_patterns=["b.md"]).guidelines == "=== b.md ===\nB"
    assert render(case, guideline_patterns=[]).guidelines == ""


def test_usual_patterns_import_neither_globs_nor_yaml(tmp_path: Path) -> None:
    (tmp_path / "a.instructions.md").write_text("A")
    code = (
        "import sys; from pathlib import Path; from sampleui.prompt.render import render\n"
        "data = {'messages': [{'role': 'user', 'content': [{'type': 'file', 'value': 'a.instructions.md'}]}]}\n"
        f"assert render(data, root=Path({str(tmp_path)!r})).guidelines\n"
        "print({'wcmatch', 'yaml', 'pydantic', 'textual', 'tomlkit'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_pattern_may_have_256_characters_and_no_more() -> None:
    assert is_guideline_pattern("a" * 256) and not is_guideline_pattern("a" * 257)


def test_a_pattern_may_have_so_many_wildcards_and_no_more() -> None:
    assert is_guideline_pattern("*a*b*c*d*")
    assert not is_guideline_pattern("*a*b*c*d*e*")
    assert is_guideline_pattern("**/**/**/a.md")
    assert not is_guideline_pattern("**/**/**/**/a.md")


def test_a_name_may_have_512_characters_and_no_more() -> None:
    assert is_guideline("x" * 509 + ".md", ROOT, ROOT, ["*.md"])
    assert not is_guideline("x" * 510 + ".md", ROOT, ROOT, ["*.md"])


def test_what_lies_above_is_matched_by_its_name_in_the_project_alone() -> None:
    assert is_guideline("../up.md", DECKS, ROOT, ["up.*"])
    assert not is_guideline("../up.md", DECKS, ROOT, ["../*.md"])
