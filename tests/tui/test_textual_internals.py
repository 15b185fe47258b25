"""One module depends on how Textual works inside; a new version of Textual can break no other."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from functools import cache
from pathlib import Path

import textual
from textual.app import App
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widget import Widget

import sampleui.tui

ALLOWED = "sampleui.tui.textual_internals"
MODULES = [name for _, name, _ in pkgutil.walk_packages(sampleui.tui.__path__, "sampleui.tui.") if name != ALLOWED]


class _Widget(Widget): ...


class _Screen(Screen): ...


class _App(App): ...


class _Filter(LineFilter): ...


WRITTEN_BY_TEXTUAL = {*vars(_Widget), *vars(_Screen), *vars(_App), *vars(_Filter)}


@cache
def sources_of_classes(module: str) -> dict[str, str]:
    """Return the text of each class of a module, of which `inspect` would read the whole module for each class."""
    source = inspect.getsource(sys.modules[module])
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    lines = source.splitlines()
    return {node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in reversed(classes)}


@cache
def private_names(cls: type) -> frozenset[str]:
    """Return the private names that a class defines, or gives its objects."""
    given = re.findall(r"self\.(_[a-z]\w*)", sources_of_classes(cls.__module__)[cls.__name__])
    return frozenset(name for name in (*vars(cls), *given) if name.startswith("_") and not name.startswith("__"))


@cache
def names_inside_textual() -> frozenset[str]:
    """Return every private name that something in Textual has."""
    sources = (path.read_text("utf-8") for path in Path(textual.__file__).parent.rglob("*.py"))
    return frozenset(name for text in sources for name in re.findall(r"(?:self\.|cls\.|def )(_[a-z]\w*)", text))


def test_no_other_module_uses_what_is_private_to_textual():
    for name in MODULES:
        nodes = [*ast.walk(ast.parse(inspect.getsource(importlib.import_module(name))))]
        imported = [
            f"{node.module}.{alias.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual")
            for alias in node.names
        ]
        assert [each for each in imported if "._" in each] == [], name
        own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        others = names_inside_textual() - own - {"_replace", "_exit"}  # of named tuples, of `os`
        reached = {
            node.attr
            for node in nodes
            if isinstance(node, ast.Attribute)
            and not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"})
            and node.attr in others
        }
        assert reached == set(), name


def test_no_class_shares_a_private_name_with_the_class_of_textual_below_it():
    for name in MODULES:
        for cls in vars(importlib.import_module(name)).values():
            if inspect.isclass(cls) and cls.__module__ == name:
                for base in cls.__mro__[1:]:
                    if base.__module__.startswith("textual"):
                        assert private_names(cls) & private_names(base) - WRITTEN_BY_TEXTUAL == set(), (cls, base)
