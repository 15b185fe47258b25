"""The core names no outside tool: what is known of one is in its integration."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import sampleui
from sampleui.integrations.index import SHIPPED

PACKAGE = Path(sampleui.__file__).parent
TOOLS = {entry.name for entry in SHIPPED if entry.name != "chat_data"}


def test_names_of_the_core_name_no_tool() -> None:
    core = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "integrations"]
    found = {path.relative_to(PACKAGE).as_posix(): tools for path in core if (tools := tools_named(path))}

    assert not found, found


def tools_named(path: Path) -> list[str]:
    """Return the tools that the path, the imports and the identifiers of a module name."""
    words = [*path.relative_to(PACKAGE).with_suffix("").parts, *identifiers(ast.parse(path.read_text("utf-8")))]
    spelled = {word.lower() for word in words} | {
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower() for word in words
    }
    return sorted(tool for tool in TOOLS if any(re.search(rf"(?<![a-z]){tool}s?(?![a-z])", one) for one in spelled))


def identifiers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ImportFrom(module=str(name)):
                yield name
