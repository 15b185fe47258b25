"""Chromium without a window, told what to do over two pipes by the protocol of its own tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_DUPFD, fcntl
from pathlib import Path
from threading import Timer
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
_MOST = 60
"""Seconds after which the browser is ended."""


class Browser:
    """A browser that shows a page.

    Attributes:
        requests: the addresses that were asked for.
        said: what was written to its console, such as what the page's policy refused.
    """

    def __init__(self, asks: int, answers: int) -> None:
        self.requests: list[str] = []
        self.said: list[str] = []
        self._asks, self._answers = asks, answers
        self._rest, self._waiting = b"", deque[dict[str, Any]]()
        self._session: dict[str, str] = {}
        self._number = 0

    def open(self, path: Path) -> None:
        """Open a page and wait until it is loaded."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Network", "Page", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Page.navigate", url=path.as_uri())
        next(told for told in self._told() if told.get("method") == "Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript."""
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def press(self, *keys: str) -> None:
        """Press keys, each a letter or the name of another key."""
        for key in keys:
            text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
            self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Have something done, and return what came of it."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": parameters, **self._session}
        os.write(self._asks, json.dumps(asked).encode() + b"\0")
        answer = next(told for told in self._told() if told.get("id") == self._number)
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _told(self) -> Iterator[dict[str, Any]]:
        while True:
            while self._waiting:
                told = self._waiting.popleft()
                given = told.get("params", {})
                match told.get("method"):
                    case "Network.requestWillBeSent":
                        self.requests.append(given["request"]["url"])
                    case "Log.entryAdded":
                        self.said.append(given["entry"]["text"])
                yield told
            some = os.read(self._answers, 1 << 16)
            assert some, "the browser ended"
            *whole, self._rest = (self._rest + some).split(b"\0")
            self._waiting.extend(map(json.loads, whole))


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Start a browser that keeps what it writes in a folder."""
    assert CHROMIUM is not None
    (their_asks, asks), (answers, their_answers) = os.pipe(), os.pipe()
    ours = [fcntl(pipe, F_DUPFD, 10) for pipe in (their_asks, their_answers)]  # out of the way of 3 and 4

    def numbered() -> None:
        for pipe, number in zip(ours, (3, 4), strict=True):  # where it looks for them
            os.dup2(pipe, number)

    process = subprocess.Popen(
        [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder / 'profile'}"],
        pass_fds=(3, 4),
        preexec_fn=numbered,  # noqa: PLW1509 - it calls nothing but dup2
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    )
    for pipe in (their_asks, their_answers, *ours):
        os.close(pipe)
    late = Timer(_MOST, process.kill)
    late.start()
    try:
        yield Browser(asks, answers)
    finally:
        late.cancel()
        process.kill()
        process.wait()
        os.close(asks)
        os.close(answers)
