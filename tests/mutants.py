"""Single mutations of the rooms that must not be wrong; the tests of the room have to notice each.

    python -m tests.mutants [--rooms formats,deck,…] [--count N] [--seed S] [PATH …]

A mutation turns one comparison, one `and` or `or`, one `not`, one number, one `if` or one bare call into another.
The package is mutated in a copy, never in place. Survivors are printed with their lines; not every one is a fault,
for some mean the same. The last line has the counts.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = {
    "text": ("tests/text", "tests/deck/test_save.py", "tests/tui/test_visible.py"),
    "formats": ("tests/formats", "tests/deck"),
    "deck": ("tests/deck", "tests/text/test_locks.py"),
    "prompt": ("tests/prompt",),
    "review": ("tests/review", "tests/text/test_locks.py"),
    "sample": ("tests/sample",),
}
_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file of the package, a line of it, what was done there, and the text that came of it."""

    path: Path
    line: int
    done: str
    text: str


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the mutations of a node: what each does in words, and what makes it in place."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _OTHER:
            new = _OTHER[type(op)]
            yield f"{type(op).__name__} to {new.__name__}", lambda: setattr(node, "ops", [new()])
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"{type(op).__name__} to {type(other).__name__}", lambda: setattr(node, "op", other)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield "not dropped", lambda: setattr(node, "operand", negated(inner))
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield f"{value} to {value + 1}", lambda: setattr(node, "value", value + 1)
        case ast.If(test=test):
            yield "if made false", lambda: setattr(node, "test", ast.Constant(False))
            yield "if negated", lambda: setattr(node, "test", negated(test))
        case ast.Expr(value=ast.Call()):
            yield "call dropped", lambda: setattr(node, "value", ast.Constant(None))


def negated(test: ast.expr) -> ast.expr:
    """Return the opposite of a condition."""
    return ast.UnaryOp(ast.Not(), test)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    source = path.read_text(encoding="utf-8")
    for at, node in enumerate(ast.walk(ast.parse(source))):
        for number, _ in enumerate(changes(node)):
            tree = ast.parse(source)
            again = next(one for place, one in enumerate(ast.walk(tree)) if place == at)
            done, change = [*changes(again)][number]
            change()
            yield Mutant(path, getattr(node, "lineno", 0), done, ast.unparse(ast.fix_missing_locations(tree)))


def survives(mutant: Mutant, copy: Path, seconds: float) -> bool:
    """Tell whether the tests of a mutant's room pass with it in a copy of the project."""
    place = copy / mutant.path.relative_to(ROOT)
    whole = place.read_text(encoding="utf-8")
    place.write_text(mutant.text, encoding="utf-8")
    room = mutant.path.relative_to(ROOT / "sampleui").parts[0]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *TESTS[room]]
    try:
        done = subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        place.write_text(whole, encoding="utf-8")
    return done.returncode == 0


def main() -> int:
    """Try some mutants, and print those that survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--rooms", default="formats,deck,prompt,review,sample", help="names, with commas between")
    parser.add_argument("--count", type=int, default=210, help="how many to try")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument(
        "--seconds", type=float, default=600, help="after which a mutant is said to hang, and so found"
    )
    parser.add_argument(
        "paths", nargs="*", type=Path, help="files of the package; those of the rooms if none is given"
    )
    given = parser.parse_args()
    folders = [ROOT / "sampleui" / room for room in given.rooms.split(",")]
    paths = [path.resolve() for path in given.paths] or sorted(
        file for one in folders for file in one.rglob("*.py")
    )
    found = [mutant for path in paths for mutant in mutants_of(path)]
    chosen = random.Random(given.seed).sample(found, min(given.count, len(found)))
    alive = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", ".*_cache")
        )
        for mutant in chosen:
            if survives(mutant, copy, given.seconds):
                alive += 1
                print(f"{mutant.path.relative_to(ROOT)}:{mutant.line}: {mutant.done}", flush=True)
    print(f"{len(chosen):,} of {len(found):,} mutants tried, {alive:,} survive")
    return 0


if __name__ == "__main__":
    sys.exit(main())
