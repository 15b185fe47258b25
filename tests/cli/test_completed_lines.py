"""What a completion inserts is one quoted word: the shells themselves complete lines, and run them."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import signal
import string
import time
from pathlib import Path

import pytest

from sampleui.cli.completion import bash_quoted, bash_words

SIGNS = string.punctuation + " \t\n"
ENEMIES = [
    "a1$(touch${IFS}pwned)", "a2`touch pwned`", "a3'; touch pwned; '", 'a4"; touch pwned; "', "a5\ntouch pwned\n",
    "a6&touch pwned", "a7|touch pwned", "a8>pwned", "a9 'é' \"日本\" $HOME ~ * [x] {y,z} !! #", "b1\\", "b2'",
    'b3"',
    "b4'\\''", "b5\\\"'`", "b6$'\\n'", "b7\u00a0\u3000x", "b8\r\n", "b9=~x:y",
]  # fmt: skip
IDS = [*(f"k{number:02}{sign}x{sign}" for number, sign in enumerate(SIGNS)), *ENEMIES]
SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        'eval "$(cat script)"; bind "set enable-bracketed-paste off"',
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -U compinit; compinit -D -u; unset zle_bracketed_paste; source ./script",
    ),
    "fish": (["fish", "--no-config", "-i"], "source script"),
}
STUB = """#!/bin/sh
if [ -n "$_SAMPLEUI_COMPLETE" ]; then
    printf '%s\\0' "COMP_LINE=${COMP_LINE-}" "COMP_WORD=${COMP_WORD-}" "COMP_WORDS=${COMP_WORDS-}" \\
        "COMP_CWORD=${COMP_CWORD-}" "_SAMPLEUI_COMPLETE=$_SAMPLEUI_COMPLETE" END > asked
    cat answer
else
    printf '%s\\0' "$@" END > ran
fi
"""
TIMEOUT_S = 10.0


class Shell:
    """A shell in a terminal, in which `sampleui` asks this process what to complete, and says how it was called."""

    def __init__(self, name: str, folder: Path, complete) -> None:
        self.folder, self._complete = folder, complete
        (folder / "bin").mkdir()
        (folder / "bin" / "sampleui").write_text(STUB)
        (folder / "bin" / "sampleui").chmod(0o755)
        for pipe in ("asked", "answer", "ran"):
            os.mkfifo(folder / pipe)
        command, setup = SHELLS[name]
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            path = f"{folder / 'bin'}:{os.environ['PATH']}"
            os.execvpe(
                command[0],
                command,
                {"PATH": path, "TERM": "xterm", "HOME": str(folder), "LANG": "C.UTF-8", "PS1": "> "},
            )
        self._asked, self._ran = (os.open(folder / pipe, os.O_RDWR | os.O_NONBLOCK) for pipe in ("asked", "ran"))
        assert self.run(f"{setup}; sampleui ready") == ["ready"]

    def run(self, typed: str) -> list[str]:
        """Type a line and Enter, and return the arguments that the command was run with."""
        os.write(self._terminal, typed.encode() + b"\n")
        asked, ran, end = b"", b"", time.monotonic() + TIMEOUT_S
        while not ran.endswith(b"END\0"):
            assert time.monotonic() < end, f"{typed!r} does not end"
            for ready in select.select([self._terminal, self._asked, self._ran], [], [], 1)[0]:
                data = os.read(ready, 65536)
                if ready == self._asked:
                    asked += data
                elif ready == self._ran:
                    ran += data
            if asked.endswith(b"END\0"):
                variables = dict(item.split("=", 1) for item in asked.decode().split("\0")[:-2])
                (self.folder / "answer").write_text(self._complete({k: v for k, v in variables.items() if v}))
                asked = b""
        return ran.decode().split("\0")[:-2]

    def close(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        for descriptor in (self._terminal, self._asked, self._ran):
            os.close(descriptor)


@pytest.fixture
def complete(sampleui, monkeypatch, tmp_path):
    """Return what prints completions for the variables that a shell sets."""
    monkeypatch.chdir(tmp_path)

    def completed(variables):
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            return sampleui().out

    return completed


def lines(name: str) -> dict[str, str]:
    """Return by the id that is to be completed what is typed of it."""
    typed = {identity: identity[: 3 if identity[0] == "k" else 2] for identity in IDS}
    if name == "fish":  # what follows a tab is the description of a completion there
        typed = {identity: begun for identity, begun in typed.items() if "\t" not in identity}
    return typed


@pytest.mark.parametrize("quote", ["", "'", '"', "$'"])
@pytest.mark.parametrize("name", SHELLS)
def test_each_shell_runs_a_completed_line_with_the_one_word_that_the_id_is(
    name, quote, tmp_path, sampleui, complete
):
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name}")
    if quote == "$'" and name != "bash":
        pytest.skip("a quote of bash")
    (tmp_path / "script").write_text(sampleui("completion", name).out)
    rows = ({"id": identity, "messages": [{"role": "user", "content": "x"}]} for identity in IDS)
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    shell = Shell(name, tmp_path, complete)
    try:
        for identity, begun in lines(name).items():
            goes_on = name == "fish" and identity[-1] in "/=@:.,-"  # it leaves the word open there
            ran = shell.run(f"sampleui set d.jsonl --sample {quote}{begun}\t{quote if goes_on else ''}")
            assert ran == ["set", "d.jsonl", "--sample", identity]
    finally:
        shell.close()
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("quote", ["", "'", '"', "$'"])
@pytest.mark.parametrize("identity", IDS)
def test_what_bash_gets_reads_back_as_the_name_and_expands_nothing(identity, quote):
    word = f"{quote}{bash_quoted(identity, quote)}{quote[-1:]}"
    (read,) = bash_words(word)
    assert (read.text, read.quote, read.plain) == (identity, "", True)
