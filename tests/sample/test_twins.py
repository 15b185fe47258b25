"""What the app does for a dialect it does for its table: one of the same table under another name is the same."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from sampleui.deck.load import load
from sampleui.integrations.agentv.dialect import AGENTV
from sampleui.integrations.gage.dialect import GAGE
from sampleui.review.samples.expectation import expectation, taking
from sampleui.runs.transcript_to_sample import promote
from sampleui.sample.convert import convert
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.older import todays
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.fields import new_sample
from sampleui.sample.models.schema import schema
from sampleui.sample.parse import integration_of
from sampleui.settings.options import prompt_styles
from sampleui.trace.transcript import Transcript
from sampleui.workspace.deck import Deck, deck_of
from sampleui.workspace.reading import PromptOptions

from .build import EXAMPLES

PACKAGE = Path(__file__).parents[2] / "sampleui"
DECKS = tuple(
    path
    for folder in (EXAMPLES, EXAMPLES.parent / "field")
    for path in sorted(folder.rglob("*.*"))
    if not {"files", "inputs", "refs"} & {*path.parts} and path.is_file()
    if path.name not in ("problems.toml", "bare.yaml")
)
NAMED_IN = {
    "cli/app.py": "a provider of models",
    "prompt/providers.py": "a provider of models",
    "settings/options.py": "a provider of models",
    "tui/author/preview.py": "a provider of models",
}
"""The modules in which the name of a dialect may stand, each with what it means there."""

SAID = Transcript(({"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}), (-1, -1))


def opened(path: Path, dialect: Dialect, prompts: PromptOptions) -> Deck:
    return deck_of(load(path), dialect.name, prompts)


def said(deck: Deck) -> Iterator[object]:
    """Yield everything that is made of a deck by what its dialect is."""
    own = f"--from {deck.dialect} --to {deck.dialect}"
    yield [(one.rule, one.message.replace(own, ""), one.line, one.column) for one in deck.diagnostics]
    for sample in list(deck.samples)[:4]:
        for style in prompt_styles():
            prompts = deck.prompts._replace(style=style)
            made = dataclasses.replace(deck, prompts=prompts).render(sample)
            yield made.chat_prompt, made.question, made.grading_context, made.findings, len(made.others)
        yield expectation(sample), taking(sample, "another answer")
        yield todays(sample.data, deck.kind)
        moved, notes = integration_of(sample).references().detach(sample, Path("/elsewhere"), {}) or (sample, ())
        yield moved.data, notes
        source = DIALECTS["langsmith" if deck.kind.title == "Braintrust" else "braintrust"]
        yield convert(sample.data, source, deck.kind)
        yield convert(sample.data, deck.kind, GAGE if deck.kind.integration != "gage" else AGENTV)
    promoted = promote(SAID, 2, "new", deck)
    yield promoted.diff, promoted.note


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.name)
def test_a_dialect_of_another_name_and_the_same_table_behaves_the_same(path: Path) -> None:
    deck = deck_of(load(path))
    twin = dataclasses.replace(deck.kind, name="mine")
    other = opened(path, twin, deck.prompts._replace(dialects=(twin,)))
    assert [*said(other)] == [*said(deck)]
    assert schema(twin) == schema(deck.kind)
    assert new_sample(twin) == new_sample(deck.kind)


def names_in(path: Path) -> Iterator[str]:
    """Yield the names of dialects that a module speaks of, as texts or as their tables."""
    tables = {name.upper().replace("-", "_") for name in DIALECTS}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and node.value in [*DIALECTS]:
            yield f"{node.value!r}, line {node.lineno}"
        if isinstance(node, ast.ImportFrom):
            yield from (f"{one.name}, line {node.lineno}" for one in node.names if one.name in tables)


@pytest.mark.long
def test_no_module_asks_for_a_dialect_by_its_name() -> None:
    """What differs between dialects stands in their tables; a branch by a name would leave a user's own out."""
    core = (path for path in sorted(PACKAGE.rglob("*.py")) if "integrations" not in path.parts)
    found = {path.relative_to(PACKAGE).as_posix(): [*names_in(path)] for path in core}
    named = {module for module, names in found.items() if names}
    assert named == NAMED_IN.keys(), {module: found[module] for module in named - NAMED_IN.keys()}
