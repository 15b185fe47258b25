"""The core names no outside tool: what is known of one is in its integration."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import sampleui
from sampleui.integrations.index import SHIPPED, integration
from sampleui.sample.dialects.dialect import Contents, Conversion, Dialect, Expected, Turns

WORDS = re.compile(
    r"(?i:agentv|promptfoo|gage|deepeval|lm[-_]eval|langsmith|langfuse|braintrust|ragas|pydantic[-_]evals)"
    r"|\bInspect\b|\bcalibrate\b|\bverifiers\b"
)
"""How tools are called in sentences: to inspect, to calibrate and a gauge are words like others."""

SOURCES = re.compile(r"gage-eval\s+standardized\s+sample|calibrate\s+sample\s+format")
"""The documents that a rule may come from."""

PACKAGE = Path(sampleui.__file__).parent
TOOLS = {entry.name for entry in SHIPPED if entry.name != "chat_data"}


def test_names_of_the_core_name_no_tool() -> None:
    core = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "integrations"]
    found = {path.relative_to(PACKAGE).as_posix(): tools for path in core if (tools := tools_named(path))}

    assert not found, found


def test_sentences_of_the_core_name_no_tool() -> None:
    core = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "integrations"]
    found = {
        path.relative_to(PACKAGE).as_posix(): words
        for path in core
        if WORDS.search(path.read_text("utf-8"))  # most are not parted into tokens
        if (words := sorted({word for text in sentences(path) for word in WORDS.findall(SOURCES.sub("", text))}))
    }

    assert not found, found


SHARED_WITH_USERS = {"text_only", "spelling", "plain", "system", "added"}
"""What the tables of users may set as well."""

READ_OF_EVERY_MESSAGE = {"templated", "tables", "media_marks", "call_keys", "earlier"}
"""What one tool alone sets, and would else be asked of its integration for every message."""

CONSTANT = {"today", "types", "numbered", "answer_last", "asking", "open_conversations", "one_kind"}
"""What one tool alone sets, and would else be a hook that returns a constant."""


@pytest.mark.parametrize("kind", [Dialect, Conversion, Contents, Turns, Expected])
def test_what_one_tool_alone_has_is_no_field_of_all_dialects(kind: type) -> None:
    dialects = [dialect for entry in SHIPPED for dialect in integration(entry.name).dialects().dialects]
    parts = [(one.integration, part) for one in dialects for part in parts_of(one) if isinstance(part, kind)]
    names = list(kind.__annotations__)
    usual = {name: Counter(repr(getattr(part, name)) for _, part in parts).most_common(1)[0][0] for name in names}
    tools = {name: {tool for tool, part in parts if repr(getattr(part, name)) != usual[name]} for name in names}

    alone = {name for name, setting in tools.items() if len(setting) == 1}
    assert alone <= SHARED_WITH_USERS | READ_OF_EVERY_MESSAGE | CONSTANT
    assert len(names) <= 30


def parts_of(dialect: Dialect) -> tuple[object, ...]:
    return (
        dialect,
        dialect.conversion,
        dialect.contents,
        dialect.turns,
        dialect.expected,
    )


def sentences(path: Path) -> Iterator[str]:
    """Yield the docstrings, the comments and the texts of a module."""
    source = path.read_text("utf-8")
    if not WORDS.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)):
                yield text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def tools_named(path: Path) -> list[str]:
    """Return the tools that the path, the imports and the identifiers of a module name."""
    parts, source = path.relative_to(PACKAGE).with_suffix("").parts, path.read_text("utf-8")
    letters = "".join((*parts, source)).lower().replace("_", "")
    if not any(tool.replace("_", "") in letters for tool in TOOLS):
        return []
    words = [*parts, *identifiers(ast.parse(source))]
    spelled = {word.lower() for word in words} | {
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower() for word in words
    }
    together = "\n".join(spelled)
    return sorted(tool for tool in TOOLS if re.search(rf"(?<![a-z]){tool}s?(?![a-z])", together))


def identifiers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ImportFrom(module=str(name)):
                yield name
