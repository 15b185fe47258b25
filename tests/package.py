"""Builds the wheel and the sdist, and tries each in an environment that has nothing else.

Run as `python -m tests.package`; needs `build`. Exits with 1 where something does not work.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.integrations.riddles_page import written

ROOT = Path(__file__).parents[1]
DECK = ROOT / "examples" / "decks" / "hello.toml"
_READY = b"\x1b[?2004h"
_PATIENCE = 60.0


def main() -> int:
    """Build, install and try; print what was found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT)
        wheel, sdist = next(folder.glob("dist/*.whl")), next(folder.glob("dist/*.tar.gz"))
        for package in (wheel, sdist):
            tried(package, folder / package.suffix.strip("."))
            print(f"{package.name}: installed, checks, renders, opens and leaves")
        tried_with_an_integration(folder / "whl", folder / "riddles")
        print("the integration of docs/integrations.md: installed, keeps its contract")
        shutil.unpack_archive(sdist, folder / "unpacked", filter="data")
        run(folder / "whl" / "bin" / "python", "-m", "compileall", "-q", folder / "unpacked")
    return 0


def tried(package: Path, environment: Path) -> None:
    """Install a package into a new environment, and use it from a folder that is not this one."""
    run(sys.executable, "-m", "venv", environment)
    run(environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", package)
    deck = environment / "hello.toml"
    deck.write_bytes(DECK.read_bytes())
    program = environment / "bin" / "sampleui"
    run(program, "check", deck)
    run(program, "render", deck)
    run(program, "schema", "agentv")
    if (status := opened(program, deck)) != 0:
        raise SystemExit(f"{package.name}: the app ends with {status}")


def tried_with_an_integration(environment: Path, folder: Path) -> None:
    """Install the package that the page on integrations writes beside sampleui, and run its contract test."""
    pip = (environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, written(folder), "pytest")
    run(environment / "bin" / "python", "-m", "pytest", "-q", folder / "tests")
    run(environment / "bin" / "sampleui", "check", folder / "tests" / "written" / "riddles.jsonl")


def opened(program: Path, deck: Path) -> int:
    """Open a deck in a terminal and leave; return the exit code."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(program, [str(program), str(deck)])
    seen, end, left = b"", time.monotonic() + _PATIENCE, False
    while time.monotonic() < end:
        try:
            seen += os.read(terminal, 1 << 16) if select.select([terminal], [], [], 0.1)[0] else b""
        except OSError:
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if _READY in seen and not left:
            left = bool(os.write(terminal, b"\x11"))
    os.kill(pid, 9)
    raise SystemExit(f"{program}: did not end in {_PATIENCE:.0f} seconds")


def run(*command: str | Path) -> None:
    """Run a command and end with what it said if it fails."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, cwd=tempfile.gettempdir()
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
