"""Single mutations of the rooms that must not be wrong; the tests of the room have to notice each.

    python -m tests.mutants [--rooms formats,deck,…] [--count N] [--seed S] [--map FILE] [PATH …]

A mutation turns one comparison, one `and` or `or`, one `not`, one number, one `if` or one bare call into another.
The package is mutated in a copy, never in place. All tests but most of those of the review and trace screens run
once with coverage first, which tells what tests run a line (`--map FILE` keeps that); a mutant is held against
those, the quickest first: put into a fork of a process that has collected all tests, and if none notices it there,
into its file. One of a line that is run by an import alone is held against the tests that run any line of its file.
Survivors are printed with their lines. Those that mean the same are in `mutants.toml` with the reason, which is
printed beside them. The last line has the counts; the exit status is 1 when a mutant without a reason survives.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import importlib
import json
import os
import py_compile
import random
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

from tests.mutants_live import Patience, Trials, end_after, status_of

ROOT = Path(__file__).parents[1]
KNOWN = Path(__file__).with_suffix(".toml")
TESTS = (
    *("api", "cli", "deck", "folders", "formats", "grading", "guessing", "prompt", "review", "runs", "sample"),
    *("settings", "text", "trace", "test_finding.py"),
    *(
        "tui/test_recorded.py",
        "tui/test_session.py",
        "tui/test_forms.py",
        "tui/test_rows.py",
        "tui/test_visible.py",
        "tui/test_clipboard.py",
        "tui/test_opening.py",
        "tui/test_workspace.py",
        "tui/test_workspace_finding.py",
        "tui/test_prompt_choices.py",
        "tui/test_pane_widths.py",
        "tui/test_guessed_table.py",
        "tui/test_review_fixing.py",
    ),
    *sorted(f"tui/{file.name}" for file in ROOT.glob("tests/tui/test_author_*.py")),
)
WARM = ("hypothesis", "pytest_asyncio", "xdist", "pydantic", "yaml", "tomli", "tomlkit", "click", "textual.app")
"""What most tests import, and no mutant changes."""
FEW = 25
_TO_COLLECT = 120
_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file of the package, the lines of what is mutated there, its first line, and what is done to it."""

    path: Path
    source: str
    lines: range
    code: str
    done: str
    place: tuple[int, int]
    """Which node of the file in the order of `ast.walk`, and which of its mutations."""

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.lines.start}: {self.done}: {self.code}"

    def tree(self) -> ast.Module:
        """Return the tree of the file with the mutation."""
        tree = ast.parse(self.source)
        at, number = self.place
        _, change = [*changes([*ast.walk(tree)][at])][number]
        change()
        return ast.fix_missing_locations(tree)

    def text(self) -> str:
        """Return the text of the file with the mutation."""
        return ast.unparse(self.tree())


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
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            pass  # what is imported for types alone does nothing
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
    rows = source.splitlines()
    tree = ast.parse(source)
    decorators = {
        inner for node in ast.walk(tree) for one in getattr(node, "decorator_list", ()) for inner in ast.walk(one)
    }
    for at, node in enumerate(ast.walk(tree)):
        for number, (done, _) in enumerate(changes(node) if node not in decorators else ()):  # sizes of caches
            part = node.test if isinstance(node, ast.If) else node
            lines = range(part.lineno, (part.end_lineno or part.lineno) + 1)  # type: ignore[attr-defined]
            yield Mutant(path, source, lines, rows[lines.start - 1].strip(), done, (at, number))


def known() -> dict[tuple[str, str, str], str]:
    """Return why mutants mean the same, by file, code and what is done."""
    rows = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("same", [])
    return {(row["file"], row["code"], done): row["why"] for row in rows for done in _each(row["done"])}


def _each(done: str | list[str]) -> list[str]:
    return [done] if isinstance(done, str) else done


class Copy:
    """A copy of the project, in which mutants are tried."""

    def __init__(self, folder: Path, seconds: int) -> None:
        self.folder = folder / "project"
        self.seconds = seconds
        self.tests: dict[str, list[str]] = {}
        """What tests run a line, the quickest first, kept under `FILE:LINE`."""
        left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, self.folder, ignore=left_out)
        # By their texts and not their times: a mutant is made and gone within a second.
        compileall.compile_dir(self.folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)

    def run(self, tests: Sequence[str], watch: Watch | Trials | None = None) -> int:
        """Run tests in a child of this process, where what all need is imported; return the status.

        It is negative when a test did not come to an end.
        """
        child = os.fork()
        if not child:
            status = 70
            try:
                self._enter()
                options = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestWarning")
                if watch is None:
                    end_after(_TO_COLLECT)
                    status = int(pytest.main([*options, *tests], plugins=[Patience(self.seconds)]))
                else:
                    with watch:
                        status = int(pytest.main([*options, *tests], plugins=[watch]))
            finally:
                os._exit(status)
        return status_of(child)

    def _enter(self) -> None:
        os.setsid()
        os.chdir(self.folder)
        os.environ["PYTHONPATH"] = str(self.folder)
        sys.path[:] = [str(self.folder), *(path for path in sys.path if path not in ("", str(ROOT)))]
        for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "sampleui")]:
            del sys.modules[name]
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)

    def mapped(self) -> None:
        """Learn what tests run which lines, and how long each takes."""
        watch = Watch(self.folder)
        if self.run([f"tests/{name}" for name in TESTS], watch) != 0:
            sys.exit("the tests fail as they are")
        self.tests = watch.found()

    def caught(self, mutants: Sequence[Mutant]) -> set[int]:
        """Return the indexes of those that are noticed when they are put into a process that is running."""
        places = [self.folder / mutant.path.relative_to(ROOT) for mutant in mutants]
        trials = Trials(mutants, places, lambda index: self.held(mutants[index]), self.seconds)
        self.run([f"tests/{name}" for name in TESTS], trials)
        return trials.caught

    def held(self, mutant: Mutant) -> list[str]:
        """Return the tests that a mutant is held against, the quickest first."""
        file = mutant.path.relative_to(ROOT)
        held = [self.tests[place] for line in mutant.lines if (place := f"{file}:{line}") in self.tests]
        tests = [*dict.fromkeys(test for one in held for test in one)]
        if held and not tests:  # run as the module is imported
            places = (some for place, some in self.tests.items() if place.startswith(f"{file}:"))
            tests = [*dict.fromkeys(test for some in places for test in some)]
        return tests

    def survives(self, mutant: Mutant) -> bool:
        """Tell whether all tests that come by pass with a mutant in its file."""
        tests, place = self.held(mutant), self.folder / mutant.path.relative_to(ROOT)
        whole = place.read_text(encoding="utf-8")
        place.write_text(mutant.text(), encoding="utf-8")
        try:  # the first few by themselves, for what is slow is to read the files of all
            return all(self.run(some) == 0 for some in (tests[:FEW], tests[FEW:]) if some)
        finally:
            place.write_text(whole, encoding="utf-8")


class Watch:
    """A plugin of pytest that keeps what lines each test runs, and its seconds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder.parent / "data.coverage"
        self.times = folder.parent / "times.json"
        self.seconds = Counter[str]()

    def __enter__(self) -> None:
        """Begin to watch."""
        os.environ["COVERAGE_CORE"] = "ctrace"  # what is newer keeps no contexts
        self.coverage = coverage.Coverage(self.data, source=["sampleui"], config_file=False)
        self.coverage.start()

    def __exit__(self, *_: object) -> None:
        """Write down what was seen."""
        self.coverage.stop()
        self.coverage.save()
        self.times.write_text(json.dumps(self.seconds))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note lines under the name of the test, without its parameters."""
        name, began = item.nodeid.partition("[")[0], time.monotonic()
        self.coverage.switch_context(name)
        try:
            return (yield)
        finally:
            self.coverage.switch_context("")
            self.seconds[name] += time.monotonic() - began

    def found(self) -> dict[str, list[str]]:
        """Return the tests of each line, the quickest first."""
        seconds = json.loads(self.times.read_text())
        found = coverage.CoverageData(str(self.data))
        found.read()
        return {
            f"{Path(file).relative_to(self.folder)}:{line}": sorted(filter(None, tests), key=seconds.__getitem__)
            for file in found.measured_files()
            for line, tests in found.contexts_by_lineno(file).items()
        }


def main() -> int:
    """Try some mutants, and print those that survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "--rooms", default="formats,deck,prompt,review,sample,trace,tui/author", help="names, with commas between"
    )
    parser.add_argument("--count", type=int, default=210, help="how many to try")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--seconds", type=int, default=45, help="of the processor that one test may take")
    parser.add_argument("--map", type=Path, help="a file that keeps what tests run which lines")
    parser.add_argument(
        "paths", nargs="*", type=Path, help="files of the package; those of the rooms if none is given"
    )
    given = parser.parse_args()
    paths = [path.resolve() for path in given.paths] or sorted(
        file for room in given.rooms.split(",") for file in (ROOT / "sampleui" / room).rglob("*.py")
    )
    found = [mutant for path in paths for mutant in mutants_of(path)]
    chosen = random.Random(given.seed).sample(found, min(given.count, len(found)))
    reasons, same, alive = known(), 0, 0
    os.environ["CI"] = "1"  # before hypothesis is imported, which chooses its profile then: without deadlines
    for name in WARM:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), given.seconds)
        if given.map and given.map.exists():
            copy.tests = json.loads(given.map.read_text())
        else:
            copy.mapped()
            if given.map:
                given.map.write_text(json.dumps(copy.tests))
        caught = copy.caught(chosen)
        for at, mutant in enumerate(chosen):
            if at not in caught and copy.survives(mutant):
                why = reasons.get((str(mutant.path.relative_to(ROOT)), mutant.code, mutant.done))
                same, alive = same + (why is not None), alive + (why is None)
                print(f"{mutant}\n    means the same: {why}" if why else mutant, flush=True)
    noticed = len(chosen) - same - alive
    print(
        f"{len(chosen):,} of {len(found):,} mutants: {noticed:,} caught, {same:,} mean the same, {alive:,} survive"
    )
    return int(alive > 0)


if __name__ == "__main__":
    sys.exit(main())
