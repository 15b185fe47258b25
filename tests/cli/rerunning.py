"""A project with a run, and a program in its `node_modules/.bin` that answers for the real one as it is told to."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

PROGRAM = """\
#!{python}
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path(__file__).parent
mode, *values = (here / "mode").read_text().split()
(here / "started").write_text(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]))
out = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
tests = json.loads(pathlib.Path(sys.argv[sys.argv.index("-t") + 1]).read_text())
times = int(sys.argv[sys.argv.index("--repeat") + 1])
if mode == "hang":
    subprocess.Popen(["sleep", "300"])
    subprocess.Popen(["sleep", "300"], start_new_session=True)
    print("begun", flush=True)
    time.sleep(300)
if mode == "shout":
    for _ in range(int(values[0])):
        sys.stdout.write("\\x1b[31mred\\x07" + "x" * 1000 + "\\n")
while mode == "wait" and not (here / "go").exists():
    time.sleep(0.02)
mode, *values = (here / "mode").read_text().split()  # what it waited for may be told meanwhile
if mode == "leave":
    subprocess.Popen(["sleep", "300"], start_new_session=True)
answers = {{"fail": ["9"], "mixed": ["8", "9", "8"]}}.get(mode, ["8"])
rows = []
for number in range(times + (mode == "more") - (mode == "fewer")):
    for test in tests:
        answer = test.get("providerOutput", answers[number % len(answers)])
        if mode == "transform":
            answer += "!"
        passed = all(item["value"] == answer for item in test["assert"])
        score = float(passed)
        rows.append({{
            "id": str(len(rows)), "testIdx": len(rows), "promptIdx": 0, "vars": test["vars"], "testCase": test,
            "provider": {{"id": "exec:model", "label": "good"}}, "prompt": {{"raw": "Q", "label": "Q"}},
            "success": passed, "score": score, "failureReason": int(not passed),
            "response": {{"output": answer, "tokenUsage": {{"total": 3, "prompt": 1, "completion": 2}}}},
            "gradingResult": {{"pass": passed, "score": score, "reason": "", "componentResults": []}},
        }})
if mode == "garbage":
    out.write_text('{{"results":')
elif mode == "stranger":
    for row in rows:
        row["testCase"]["metadata"] = {{"sampleuiRerun": "another"}}
    out.write_text(json.dumps({{"results": {{"results": rows}}}}))
elif mode != "nothing":
    out.write_text(json.dumps({{"results": {{"results": rows}}}}))
sys.exit(3)
"""

CONFIG = """\
prompts: [Q]
providers:
  - {{id: exec:model, label: good}}
tests:
  - description: {}
    vars: {{question: 2+2*3?}}
    assert: [{{type: equals, value: "8"}}]
  - description: {}
    vars: {{question: odd}}
    assert: [{{type: equals, value: "8"}}]
"""
ODD = 'odd "id", {} * \n -x'
"""An id that a command line, a list with commas or a pattern could take for something else."""


def row(name: str, question: str, answer: str = "9") -> dict:
    return {
        "id": name,
        "testIdx": 0,
        "promptIdx": 0,
        "vars": {"question": question},
        "testCase": {
            "description": name,
            "vars": {"question": question},
            "assert": [{"type": "equals", "value": "8"}],
        },
        "provider": {"id": "exec:model", "label": "good"},
        "prompt": {"raw": "Q", "label": "Q"},
        "success": answer == "8",
        "score": float(answer == "8"),
        "failureReason": int(answer != "8"),
        "response": {"output": answer},
        "gradingResult": {
            "pass": answer == "8",
            "score": float(answer == "8"),
            "reason": "",
            "componentResults": [],
        },
    }


class Project:
    """A project, and what its program did.

    Attributes:
        root: its folder.
        results: the file of its run, in which `sum` and the odd id failed.
        program: the file of its program.
    """

    def __init__(self, root: Path, results: str = "run.json", names: tuple[str, str] = ("sum", ODD)) -> None:
        self.root = root
        self.results = root / results
        self.program = root / "node_modules" / ".bin" / "promptfoo"
        (root / ".git").mkdir(parents=True)
        self.program.parent.mkdir(parents=True)
        (root / "promptfooconfig.yaml").write_text(CONFIG.format(names[0], json.dumps(names[1])))
        rows = [row(names[0], "2+2*3?"), row(names[1], "odd"), row("right", "right", "8")]
        self.results.write_text(json.dumps({"results": {"results": rows}}))
        self.write_program(PROGRAM.format(python=sys.executable))
        self.mode("pass")

    def attempts(self) -> None:
        """Give the run three attempts at each sample; of `sum` one passed."""
        given = {"sum": ("2+2*3?", "989"), ODD: ("odd", "999")}
        rows = [
            {**row(name, question, answers[number]), "testIdx": place, "repeatIndex": number}
            for number in range(3)
            for place, (name, (question, answers)) in enumerate(given.items())
        ]
        self.results.write_text(json.dumps({"results": {"results": rows}}))

    def write_program(self, text: str) -> None:
        self.program.write_text(text)
        self.program.chmod(0o755)

    def mode(self, words: str) -> None:
        """Say what the program is to do; one that starts meanwhile reads the old words or the new."""
        new = self.program.parent / "mode.new"
        new.write_text(words)
        new.replace(self.program.parent / "mode")

    @property
    def started(self) -> tuple[list[str], dict[str, str], str] | None:
        """The arguments, environment and folder that the program was last started with."""
        path = self.program.parent / "started"
        return tuple(json.loads(path.read_text())) if path.exists() else None  # type: ignore[return-value]


def mark_of_one_in(root: Path, name: str) -> str:
    """Return a variable with its value as a process has it that works in a folder."""
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and (folder / "cwd").readlink() == root:
                for variable in (folder / "environ").read_text("utf-8", "replace").split("\0"):
                    if variable.startswith(f"{name}="):
                        return variable
        except OSError:
            continue
    raise AssertionError(f"nobody in {root} has {name}")


def working_in(root: Path) -> list[int]:
    """Return the processes whose folder is a folder, the dead left out."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and (folder / "cwd").readlink() == root:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def processes_with(words: str) -> list[int]:
    """Return the processes that have a text in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if words.encode() in environment:
                found.append(int(folder.name))
    return found
