"""The user's own editor, run on a text while the app steps aside."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from sampleui.errors import EditRefusedError


def edit_outside(app: App[Any], editor: str | None, text: str, name: str) -> str:
    """Run the editor of the settings, else `$VISUAL` or `$EDITOR`, on a text and return what it left.

    Raises:
        EditRefusedError: when the editor did not start or failed, or there is no terminal to hand over.
    """
    command = editor or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="sampleui-") as folder:
        file = Path(folder) / name
        try:
            file.write_text(text, encoding="utf-8", newline="")
            words = shlex.split(command)
        except UnicodeEncodeError:
            raise EditRefusedError("this text holds half of a character, which no file can hold") from None
        except ValueError as error:
            raise EditRefusedError(f"{command!r} is not a command: {error}") from None
        try:
            with app.suspend():
                done = subprocess.run([*words, str(file)], check=False)
        except SuspendNotSupported:
            raise EditRefusedError("there is no terminal that an editor could take over") from None
        except OSError as error:
            raise EditRefusedError(f"the editor {command!r} did not start: {error.strerror}") from None
        if done.returncode:
            raise EditRefusedError(f"the editor {command!r} failed; nothing was changed")
        edited = file.read_bytes().decode("utf-8", "replace")
    return edited.removesuffix("\n") if not text.endswith("\n") else edited
