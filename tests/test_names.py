"""A name says which thing it is, wherever in the source it is met."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent / "sampleui"

TWICE = {"Among": "where a new key goes among others, asked of JSON and of YAML in the same words"}
"""Public types that may stand twice, and why."""


def public_types() -> dict[str, list[str]]:
    """Return the modules of each public class and alias; a class inside a class goes by both names."""
    modules = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name in (*_classes(tree), *_aliases(tree)):
            modules[name].append(path.relative_to(ROOT).as_posix())
    return modules


def _aliases(tree: ast.Module) -> list[str]:
    found = []
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found += [name] if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name) else []
    return found


def _classes(tree: ast.Module | ast.ClassDef, around: str = "") -> list[str]:
    found = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += [around + node.name, *_classes(node, f"{around}{node.name}.")]
    return found


def test_no_two_public_types_share_a_name():
    twice = {name: modules for name, modules in public_types().items() if len(modules) > 1}
    assert twice.keys() == TWICE.keys(), twice
