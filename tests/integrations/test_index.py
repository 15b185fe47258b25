"""The index of integrations: what is shipped, what is added by packages, and what a broken one costs."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
import tomli

import sampleui.integrations
from sampleui import open_deck
from sampleui.deck.load import load
from sampleui.integrations import index
from sampleui.integrations.entry import TOP, IndexEntry, RunFolder
from sampleui.integrations.integration import PARTS, Checks, Prompts, ReadingResults, Spellings
from sampleui.prompt.library import Library
from sampleui.prompt.render import Rendered, render
from sampleui.review.results.adapters import adapter_by, adapters_for
from sampleui.review.results.dialect import Outcomes, ResultDialect
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import index_of
from sampleui.sample.dialects.dialect import ALL, Dialect, DialectMark, Expected, Turns
from sampleui.sample.dialects.field import fields
from sampleui.sample.dialects.shipped import DIALECTS as SHIPPED_DIALECTS
from sampleui.sample.dialects.shipped import LEAST
from sampleui.sample.model import Sample
from sampleui.settings.options import load_settings
from sampleui.text.diagnostic import Finding, Severity


def solution_short(sample: Sample) -> Iterator[Finding]:
    if len(str(sample.data.get("solution"))) < 2:
        yield Finding("solution-short", Severity.WARNING, "Nobody will believe it", ("solution",))


def shouted(style: str, sample: Sample, library: Library, system_prompt: str | None) -> Rendered:
    plain = render(sample, system_prompt)
    return replace(plain, style=style, question=plain.question.upper())


DIALECTS = Spellings(
    (
        Dialect(
            name="riddles",
            title="Riddles",
            integration="own",
            containers=((), ("riddles",)),
            formats=("jsonl",),
            message_paths=(("riddle",),),
            expected=Expected(paths=(("solution",),)),
            marks=(DialectMark((("riddle",), ("solution",))),),
            rules=("solution-short",),
            turns=Turns(shorthand=True),
            fields=fields("riddle:text solution:text"),
        ),
    )
)
CHECKS = Checks({"solution-short": solution_short})
RESULTS = ReadingResults(
    (
        adapter_by(
            ResultDialect(
                name="riddles",
                title="Riddles",
                marks=(DialectMark((("riddle",), ("guess",))),),
                labels=(("riddle",),),
                actual=(("guess",),),
                outcomes=Outcomes(paths=(("guessed",),)),
            )
        ),
    )
)
PROMPTS = Prompts(render_as=shouted)
ENTRY = IndexEntry(
    "own",
    dialects=("riddles",),
    signs=("riddle solution",),
    containers=("riddles",),
    result_dialect="riddles",
    row_signs=("riddle guess",),
    yaml_results="riddles:",
    run_folders=(RunFolder("riddles.jsonl"),),
    run_files=(r"riddles-\d+\.jsonl",),
    style="shouted",
)
A_TEXT = IndexEntry("own", signs="riddle solution")  # type: ignore[arg-type]
NO_PATTERN = IndexEntry("own", run_files=("((",))
NO_MODULE = IndexEntry("gone", module="no_such_package.riddles", dialects=("gone",), signs=("riddle",))
TAKEN = IndexEntry("gage")


OWN = EntryPoint("own", f"{__name__}:ENTRY", index.GROUP)


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[EntryPoint]]:
    """Entry points of packages that are not installed."""
    added: list[EntryPoint] = []
    package = tmp_path / "own.dist-info"
    package.mkdir()
    (package / "entry_points.txt").write_text(f"[{index.GROUP}]\n")
    monkeypatch.syspath_prepend(tmp_path)
    installed = importlib.metadata.entry_points

    def entry_points(group: str) -> EntryPoints:
        return EntryPoints(added) if group == index.GROUP else installed(group=group)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    forget()
    yield added
    forget()


@pytest.fixture
def told() -> list[str]:
    """What is told of integrations, line by line."""
    lines: list[str] = []
    index.warn_by(lines.append)
    return lines


def forget() -> None:
    """Let what is installed be looked for again."""
    for cached in vars(index).values():
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    adapters_for.cache_clear()


def test_each_room_has_the_modules_that_its_entry_names_and_each_of_these_its_constant() -> None:
    home = Path(sampleui.integrations.__path__[0])
    assert {entry.name for entry in index.SHIPPED} == {path.parent.name for path in home.glob("*/__init__.py")}
    for entry in index.SHIPPED:
        named = {module: (constant, kind) for constant, (module, kind) in PARTS.items()}
        assert {path.stem for path in (home / entry.name).glob("*.py")} & named.keys() == {*entry.modules}, (
            entry.name
        )
        for module in entry.modules:
            constant, kind = named[module]
            assert isinstance(getattr(import_module(f"{entry.module}.{module}"), constant), kind), (
                entry.name,
                module,
            )


def test_an_entry_imports_nothing_slow() -> None:
    """Every start reads all entries; another package's may do the same."""
    home = Path(sampleui.integrations.__path__[0])
    for path in home.glob("*/__init__.py"):
        imports = [line for line in path.read_text("utf-8").splitlines() if line.startswith(("import ", "from "))]
        allowed = (
            "sampleui.integrations.entry",
            "sampleui.sample.dialects.field",
            f"sampleui.integrations.{path.parent.name}.fields",
        )
        assert all(line.split()[1] in allowed for line in imports), path
    for path in home.glob("*/fields.py"):
        imports = [line for line in path.read_text("utf-8").splitlines() if line.startswith(("import ", "from "))]
        assert [line.split()[1] for line in imports] == ["sampleui.sample.dialects.field"], path


def test_import_contracts_name_every_integration() -> None:
    contracts = tomli.loads(Path("pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rooms = {f"sampleui.integrations.{entry.name}" for entry in index.SHIPPED}

    (forbidden,) = (one for one in contracts if one["name"].startswith("The core knows no outside tool"))
    (apart,) = (one for one in contracts if one["name"] == "Integrations do not import each other")
    assert set(forbidden["forbidden_modules"]) == set(apart["modules"]) == rooms


def test_an_integration_of_another_package_is_found(points: list[EntryPoint]) -> None:
    points.append(OWN)

    assert [dialect.name for dialect in index.integration("own").dialects().dialects] == ["riddles"]
    assert index.entries()[-1].name == "own"


def test_a_deck_of_another_package_is_read_and_checked(points: list[EntryPoint], tmp_path: Path) -> None:
    points.append(OWN)
    path = tmp_path / "riddles.jsonl"
    path.write_text('{"riddle": "What is round?", "solution": "O"}\n')

    deck = open_deck(path)

    assert deck.dialect == "riddles"
    assert [finding.rule for finding in deck.diagnostics] == ["solution-short"]
    assert deck.render(deck.samples[0]).chat_prompt == [{"role": "user", "content": "What is round?"}]


def test_a_run_of_another_package_is_read(points: list[EntryPoint], tmp_path: Path) -> None:
    points.append(OWN)
    (tmp_path / "riddles.jsonl").write_text('{"riddle": "What is round?", "guess": "A ball", "guessed": false}\n')

    results = open_results(index_of(tmp_path)).indexed()

    assert results.tool == "riddles"
    assert [(entry.id, entry.outcome) for entry in results.entries] == [("What is round?", False)]


def test_a_style_of_another_package_is_rendered_and_may_be_a_setting(
    points: list[EntryPoint], tmp_path: Path
) -> None:
    points.append(OWN)
    (tmp_path / ".sampleui.toml").write_text('prompt_style = "shouted"\n')
    path = tmp_path / "riddles.jsonl"
    path.write_text('{"riddle": "What is round?", "solution": "O"}\n')

    deck = open_deck(path)

    assert load_settings(tmp_path).prompt_style == "shouted"
    assert render(deck.samples[0], style="shouted").question == "WHAT IS ROUND?"


def test_modules_that_cannot_be_imported_cost_one_line_and_a_deck_is_read_without_them(
    points: list[EntryPoint], told: list[str], tmp_path: Path
) -> None:
    points += [EntryPoint("gone", f"{__name__}:NO_MODULE", index.GROUP), OWN]
    path = tmp_path / "riddles.jsonl"
    path.write_text('{"riddle": "What is round?", "solution": "O"}\n' * 2)

    assert open_deck(path).dialect == "riddles"
    assert [*SHIPPED_DIALECTS.values()][-1].name == "riddles"
    (line,) = told
    assert "a fault in the integration gone: ModuleNotFoundError" in line


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("gone", "no_such_package:X", "ModuleNotFoundError"),
        ("nothing", f"{__name__}:points", "is no IndexEntry"),
        ("gage", f"{__name__}:TAKEN", "an integration gage is shipped"),
        ("text", f"{__name__}:A_TEXT", "its entry: signs is a str, and not a tuple"),
        ("pattern", f"{__name__}:NO_PATTERN", "its patterns: missing )"),
    ],
)
def test_a_broken_plug_in_costs_one_line(
    points: list[EntryPoint], told: list[str], name: str, value: str, reason: str
) -> None:
    points += [EntryPoint(name, value, index.GROUP), OWN]

    assert [entry.name for entry in index.plugins()] == ["own"]
    (line,) = told
    assert name in line
    assert reason in line


def test_every_mark_of_a_row_is_a_sign_by_which_its_reader_is_found() -> None:
    for entry in index.SHIPPED:
        for adapter in index.integration(entry.name).results().adapters:
            for mark in adapter.dialect.marks if adapter.dialect is not None else ():
                assert entry.name in index.readers({str(path[0]) for path in mark.has}), (entry.name, mark.has)


def test_samples_are_found_under_every_key_that_a_dialect_names(points: list[EntryPoint], tmp_path: Path) -> None:
    points.append(OWN)
    for entry in index.entries():
        dialects = index.integration(entry.name).dialects().dialects
        for key in {keys[0] for dialect in dialects for keys in dialect.containers if len(keys) == 1}:
            for name, text in (
                ("deck.yaml", f"{key}:\n- id: a\n  input: Hi\n"),
                ("deck.json", f'{{"{key}": [{{"id": "a", "input": "Hi"}}]}}\n'),
                ("deck.toml", f'[[{key}]]\nid = "a"\ninput = "Hi"\n'),
            ):
                (tmp_path / name).write_text(text)
                assert len(load(tmp_path / name)) == 1, (entry.name, key, name)


def test_every_mark_of_a_dialect_has_a_sign_in_the_index() -> None:
    """Without one the integration would not be imported for a deck that bears the mark."""
    unsigned = [
        (dialect.name, mark)
        for name in (entry.name for entry in index.SHIPPED)
        for dialect in index.integration(name).dialects().dialects
        for mark in dialect.marks
        for container in mark.under or ((),)
        if index.integration(name) not in index.signed(least_keys(mark, container))
    ]
    assert unsigned == []


def least_keys(mark: DialectMark, container: tuple[str, ...]) -> frozenset[str]:
    """Return the keys at hand in the smallest deck that bears a mark."""
    own = {str(path[0]) for path in mark.has}
    nested = {f"{path[0]}.{path[2]}" for path in mark.has if path[1:2] == (ALL,) and len(path) > 2}
    return frozenset(own | nested | mark.texts | mark.beside | {*(container or (TOP,))})


def test_every_key_that_is_weighed_is_a_sign_in_the_index() -> None:
    least = SHIPPED_DIALECTS[LEAST]
    for dialect in (one for one in SHIPPED_DIALECTS.values() if one.weighed and one is not least):
        containers = {key for held in dialect.containers if held not in least.containers for key in held}
        reading = {str(path[0]) for path in dialect.message_paths} - {str(path[0]) for path in least.message_paths}
        own = dialect.signs | dialect.signs_beside | containers | reading
        unsigned = [key for key in own if index.of_dialect(dialect) not in index.signed(frozenset({key}))]
        assert unsigned == [], dialect.name


def test_a_text_in_place_of_messages_is_as_likely_in_the_least_dialect_as_in_any_that_reads_it_there() -> None:
    """Where one that shares its messages knows more keys, those are signs too, or it would not be asked."""
    least = SHIPPED_DIALECTS[LEAST]
    for dialect in (one for one in SHIPPED_DIALECTS.values() if one.weighed and one is not least):
        if {*dialect.message_paths} & {*least.message_paths}:
            more = dialect.known - least.known
            unsigned = [key for key in more if index.of_dialect(dialect) not in index.signed(frozenset({key}))]
            assert unsigned == [], dialect.name


def test_an_unmarked_deck_imports_no_other_integration() -> None:
    at_hand = frozenset({"samples", "meta", "messages", "messages.role", "expected", "id", "tags"})

    assert index.signed(at_hand) == (index.integration("calibrate"),)
