"""A name says which thing it is, wherever in the source it is met."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent / "sampleui"

TWICE: dict[str, str] = {}
"""Public classes that may stand twice, and why."""


def public_classes() -> dict[str, list[str]]:
    """Return the modules of each public class; a class inside a class goes by both names."""
    modules = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for name in _classes(ast.parse(path.read_text(encoding="utf-8"))):
            modules[name].append(path.relative_to(ROOT).as_posix())
    return modules


def _classes(tree: ast.Module | ast.ClassDef, around: str = "") -> list[str]:
    found = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += [around + node.name, *_classes(node, f"{around}{node.name}.")]
    return found


def test_no_two_public_classes_share_a_name():
    twice = {name: modules for name, modules in public_classes().items() if len(modules) > 1}
    assert twice.keys() == TWICE.keys(), twice
