"""Test cases of DeepEval run again: the test of pytest that made them, by its node id, once in each call.

A test run names its file, and a test case that the author gave no name is named after its test. One that has a
name of its own was made by the one test of the file, with the name as the id of its parameters, or by nobody knows
which: that is refused. Whatever is called, an answer counts only under the name of its record.

Source: DeepEval 4.3.1, `deepeval test run --help`, `plugins/plugin.py` (`file_or_dir`, `PYTEST_RUN_TEST_NAME`),
`test_case/api.py` (names of test cases), `config/settings.py`; pytest 9.2 on node ids.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import as_table, json_or_text
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Record
from sampleui.review.results import fields
from sampleui.review.results.sources import whole_text
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.program import found_upward, python_in
from sampleui.text.confined import is_file, is_inside, listed, read_whole
from sampleui.text.limits import MAX_OWNER_BYTES

RUN = "run"

_FIXED = {
    "CONFIDENT_API_KEY": "",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "PYTEST_ADDOPTS": "",
}
"""Variables by which nothing is sent, and that a `.env` or the caller could set otherwise."""

_NUMBERED = re.compile(r"(?:conversational_)?test_case_\d+")
"""A name that says no more than the place among the others."""


def key(record: Record) -> str:
    """Return the name of the test case of a record."""
    return record.sample_id


def answers(out: Path) -> Sequence[Path]:
    """Return the test runs that a call wrote."""
    return tuple(path for path in listed(out / RUN).paths if path.suffix == ".json" and is_file(path))


def plan(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield a call for each test case and each time. Raises `ResultsError` where its tests are not known."""
    file = _test_file(request)
    tests = _tests(file[0] / file[1])
    for number, item in enumerate(request.asked, 1):
        node = _node(item, tests)
        if node is None:
            yield RerunRefused((item.key,), f"{file[1]} does not say which of its tests made it; {_OWN}")
            continue
        for time in range(1, request.times + 1):
            yield _call(file, node, item.key, request.out / f"{number}-{time}")


_OWN = "a command of your own in [runners.deepeval] of your settings can say how it is run"


def _test_file(request: Request) -> tuple[Path, str]:
    """Return the folder and the file of the tests of a run. Raises `ResultsError` where that is not known."""
    written = as_table(json_or_text(whole_text(request.results)))
    name = fields.text(as_table(written.get("testRunData") or written).get("testFile"))
    if name is None:
        raise ResultsError(f"it was run by a program that its test run does not name; {_OWN}", request.results)
    name = name.partition("::")[0]
    if name.endswith(".py") and "[" not in name:
        file = Path(name)
        if file.is_absolute() and is_file(file) and is_inside(file, request.project):
            return file.parent, file.name
        folder = found_upward(name, request.results.absolute().parent, request.project)
        if folder is not None and not file.is_absolute():
            return folder, name
    raise ResultsError(f"its tests, {name}, are no file of the project; {_OWN}", request.results)


def _tests(file: Path) -> list[str]:
    """Return the node ids of the tests of a file without those of parameters: `test_a`, `TestAll::test_b`."""
    try:
        statements = python_in(read_whole(file, MAX_OWNER_BYTES))
    except OSError:
        return []
    classes = (node for node in statements if isinstance(node, ast.ClassDef))
    return [
        f"{prefix}{node.name}"
        for prefix, body in (("", statements), *((f"{node.name}::", node.body) for node in classes))
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]


def _node(item: RerunRequest, tests: Sequence[str]) -> str | None:
    """Return the node id of the test that made a test case, None where that is not known."""
    name = item.record.sample_id
    if _NUMBERED.fullmatch(name) or "\0" in name:
        return None
    function, bracket, _ = name.partition("[")
    named = [test for test in tests if test.rpartition("::")[2] == function and (not bracket or name.endswith("]"))]
    if named:
        return f"{named[0].removesuffix(function)}{name}" if len(named) == 1 else None
    if len(tests) != 1:
        return None
    escaped = name.encode("unicode_escape").decode("ascii")  # as pytest writes it into the id of a test
    return f"{tests[0]}[{escaped}]"


def _call(file: tuple[Path, str], node: str, key: str, out: Path) -> ProgramCall:
    folder, name = file
    return ProgramCall(
        program="deepeval",
        arguments=("test", "run", f"./{name}::{node}"),
        folder=folder,
        out=out,
        keys=(key,),
        environment={**_FIXED, "DEEPEVAL_RESULTS_FOLDER": str(out / RUN)},
        named=(folder / name,),
        notes=(
            f"the tests are in {name}",
            "it notes its last run in .deepeval and .pytest_cache of that folder",
        ),
    )


RERUNS = Reruns(plan, answers, key)
