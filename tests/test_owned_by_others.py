"""Nothing of another package is changed: the standard library and Textual are what everyone knows them to be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parent.parent / "sampleui").rglob("*.py"))
FORBIDDEN_CALLS = {"exec", "eval", "compile", "__import__"}
FORBIDDEN_ATTRIBUTES = {("sys", "modules"), ("sys", "meta_path"), ("sys", "path_hooks")}


def changes(source: str) -> list[str]:
    """Return what a module's source changes that it does not own, each with its line."""
    tree = ast.parse(source)
    foreign = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        for alias in _imported(node)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return [f"{line}: {text}" for line, text in sorted(_changes(tree, foreign))]


def _imported(node: ast.AST) -> list[ast.alias]:
    match node:
        case ast.Import(names):
            return [alias for alias in names if not alias.name.startswith("sampleui")]
        case ast.ImportFrom(str(module), names) if not module.startswith("sampleui"):
            return names
    return []


def _changes(tree: ast.Module, foreign: set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in FORBIDDEN_CALLS:
                yield node.lineno, f"{name}()"
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]) if _root(target) in foreign:
                yield node.lineno, ast.unparse(node)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in FORBIDDEN_ATTRIBUTES:
                yield node.lineno, f"{module}.{name}"
            case ast.Attribute() | ast.Subscript():
                is_changed = isinstance(node.ctx, ast.Store | ast.Del)
                if is_changed and _root(node) in foreign and not _is_environment(node):
                    yield node.lineno, ast.unparse(node)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_environment(node: ast.expr) -> bool:
    """Tell whether it is a variable of the process's own environment."""
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ"


def test_no_module_changes_what_another_package_owns():
    found = {str(path): changes(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import re\nre.compile = None",
        "import sys\nsys.modules.pop('ssl')",
        "import sys\nsys.meta_path.insert(0, None)",
        "from textual.dom import DOMNode\nDOMNode.__init_subclass__ = None",
        "import textual.css.tokenizer as tokenizer\ntokenizer.Expect = None",
        "from textual.app import App\nsetattr(App, 'run', None)",
        "from textual.widgets import OptionList\nOptionList.BINDINGS[0] = None",
        "exec('x = 1')",
    ],
)
def test_a_change_of_another_packages_module_or_class_is_found(source):
    assert changes(source)
