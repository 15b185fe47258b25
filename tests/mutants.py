"""Single mutations of the rooms that must not be wrong; the tests of the room have to notice each.

    python -m tests.mutants [--rooms formats,deck,…] [--count N] [--seed S] [--map FILE] [PATH …]

A mutation turns one comparison, one `and` or `or`, one `not`, one number, one `if` or one bare call into another.
The package is mutated in a copy, never in place. All tests but those of the screens are run once with coverage
first, which tells what tests run a line; a mutant is held against those, the quickest first (`--map FILE` keeps
that). One of a line that is run by an import alone is held against the tests that run any line of its file.
Survivors are printed with their lines. Those that mean the same are in `mutants.toml`, with the reason, which is
printed beside them. The last line has the counts; the exit status is 1 when a mutant without a reason survives.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
KNOWN = Path(__file__).with_suffix(".toml")
TESTS = (
    *("api", "cli", "deck", "folders", "formats", "grading", "prompt", "review", "sample", "text", "trace"),
    *("test_archive.py", "test_field_runs.py", "test_settings.py", "test_user_dialects.py"),
)
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

    def text(self) -> str:
        """Return the text of the file with the mutation."""
        tree = ast.parse(self.source)
        at, number = self.place
        _, change = [*changes([*ast.walk(tree)][at])][number]
        change()
        return ast.unparse(ast.fix_missing_locations(tree))


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
    rows = source.splitlines()
    for at, node in enumerate(ast.walk(ast.parse(source))):
        for number, (done, _) in enumerate(changes(node)):
            part = node.test if isinstance(node, ast.If) else node
            lines = range(part.lineno, (part.end_lineno or part.lineno) + 1)  # type: ignore[attr-defined]
            yield Mutant(path, source, lines, rows[lines.start - 1].strip(), done, (at, number))


def known() -> dict[tuple[str, str, str], str]:
    """Return why mutants mean the same, by file, code and what is done."""
    rows = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("same", [])
    return {(row["file"], row["code"], row["done"]): row["why"] for row in rows}


class Copy:
    """A copy of the project, in which mutants are tried."""

    def __init__(self, folder: Path, seconds: int) -> None:
        self.folder = folder / "project"
        self.seconds = seconds
        self.tests: dict[str, list[str]] = {}
        """What tests run a line, kept under `FILE:LINE`."""
        left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, self.folder, ignore=left_out)

    def run(self, arguments: Sequence[str], seconds: int) -> int:
        """Run a module of Python in the copy; return its status, negative when its time was over.

        The time is that of the processor, for on a busy machine nothing else tells a loop from a long wait.
        """
        command = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', str(seconds), sys.executable, "-m", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "CI": "1"}
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                return process.wait(seconds * 20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return -9

    def mapped(self) -> None:
        """Learn what tests run which lines, the quickest first."""
        import coverage

        data, times = self.folder.parent / "data.coverage", self.folder.parent / "times.xml"
        settings = self.folder.parent / "coverage.ini"
        settings.write_text(f"[run]\ndynamic_context = test_function\nsource = sampleui\ndata_file = {data}\n")
        pytest = ("pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"--junitxml={times}")
        tests = (f"tests/{name}" for name in TESTS)
        if self.run(("coverage", "run", f"--rcfile={settings}", "-m", *pytest, *tests), 3600) != 0:
            sys.exit("the tests fail as they are")
        seconds = Counter[str]()
        for case in ET.parse(times).iter("testcase"):
            test = f"{case.get('classname')}.{str(case.get('name')).partition('[')[0]}"
            seconds[test] += float(case.get("time") or 0)
        found = coverage.CoverageData(str(data))
        found.read()
        self.tests = {
            f"{Path(file).relative_to(self.folder)}:{line}": sorted(
                (test for test in tests if test in seconds), key=lambda test: seconds[test]
            )
            for file in found.measured_files()
            for line, tests in found.contexts_by_lineno(file).items()
        }

    def named(self, test: str) -> str:
        """Return the name that pytest gives to a test, from its dotted one."""
        parts = test.split(".")
        files = (self.folder.joinpath(*parts[:at]).with_suffix(".py") for at in range(len(parts)))
        at = next(at for at, file in enumerate(files) if at and file.is_file())
        return "::".join(["/".join(parts[:at]) + ".py", *parts[at:]])

    def survives(self, mutant: Mutant) -> bool:
        """Tell whether all tests that come by pass with a mutant."""
        file = mutant.path.relative_to(ROOT)
        held = [self.tests[place] for line in mutant.lines if (place := f"{file}:{line}") in self.tests]
        tests = dict.fromkeys(test for one in held for test in one)
        if held and not tests:  # run as the module is imported
            tests = dict.fromkeys(
                test for place, some in self.tests.items() if place.startswith(f"{file}:") for test in some
            )
        if not tests:
            return True
        place = self.folder / file
        whole = place.read_text(encoding="utf-8")
        place.write_text(mutant.text(), encoding="utf-8")
        try:
            chosen = map(self.named, tests)
            options = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:rerunfailures")
            return self.run(("pytest", *options, *chosen), self.seconds) == 0
        finally:
            place.write_text(whole, encoding="utf-8")


def main() -> int:
    """Try some mutants, and print those that survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--rooms", default="formats,deck,prompt,review,sample", help="names, with commas between")
    parser.add_argument("--count", type=int, default=210, help="how many to try")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--seconds", type=int, default=90, help="of the processor, after which a mutant hangs")
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
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), given.seconds)
        if given.map and given.map.exists():
            copy.tests = json.loads(given.map.read_text())
        else:
            copy.mapped()
            if given.map:
                given.map.write_text(json.dumps(copy.tests))
        for mutant in chosen:
            if copy.survives(mutant):
                why = reasons.get((str(mutant.path.relative_to(ROOT)), mutant.code, mutant.done))
                same, alive = same + (why is not None), alive + (why is None)
                print(f"{mutant}\n    means the same: {why}" if why else mutant, flush=True)
    caught = len(chosen) - same - alive
    print(
        f"{len(chosen):,} of {len(found):,} mutants: {caught:,} caught, {same:,} mean the same, {alive:,} survive"
    )
    return int(alive > 0)


if __name__ == "__main__":
    sys.exit(main())
