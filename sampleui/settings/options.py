"""Settings: defaults, then the user's file, then the project's file, then the command line; the later wins.

The user's file is `config.toml` in the user's configuration folder for `sampleui`. The project's file is the
nearest `.sampleui.toml` from the deck's folder up to the project's root. A project's file comes with a stranger's
deck: it says how its decks and runs are read and shown (`OF_A_PROJECT`), and neither which program is run, nor who
decides, nor by which keys. What else it sets is left, and told (`project_remarks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sampleui.errors import SettingsError
from sampleui.formats.data import is_number
from sampleui.integrations.index import styles
from sampleui.settings.vocabulary import (
    TRUTH,
    Fault,
    UserTable,
    Wanted,
    read_result_tables,
    read_tables,
    unknown_key_message,
    unless,
)
from sampleui.text.confined import Refusal, is_there, named, project_root, read_confined, real_path
from sampleui.text.limits import MAX_SETTINGS_BYTES

if TYPE_CHECKING:  # most settings have no view
    from sampleui.settings.views import Views

PROJECT_FILE = ".sampleui.toml"
OF_A_PROJECT = frozenset(
    {
        *("theme", "plain", "whole_preview", "system_prompt", "guideline_patterns", "provider", "prompt_style"),
        *("fail_under", "scorer", "dialects", "results", "view"),
    }
)
"""The settings that a project's file may have; all others are a person's own."""

FORMER = {"failure_tags": "kinds of failure are codes now, in failures.md (sampleui code add)"}
"""Settings of earlier versions, which are left, with what took their place."""

COMMAND_LINE = "command line"
SAMPLEUI = "sampleui"
"""The prompt style of the specifications: ChatPrompt, question, guidelines."""


KeyBindings: TypeAlias = Mapping[str, tuple[str, ...]]
Dialects: TypeAlias = Mapping[str, UserTable]
Value: TypeAlias = (
    "str | float | tuple[str, ...] | KeyBindings | Dialects | Views | Mapping[str, OwnCommand | OwnRunner]"
)


def prompt_styles() -> tuple[str, ...]:
    """Return this program's own style, and those of the programs of integrations, byte for byte what they send."""
    return (SAMPLEUI, *styles())


FILLED = ("deck", "id", "target", "results", "out", "n")
"""What is filled in between braces in a command or a runner of the user's own."""

_CODE_OPTIONS = frozenset({"-c", "-lc", "-ec", "-ic", "-e", "-E", "--eval", "--command", "-Command"})
"""Options behind which interpreters take a program as text."""

_DEFAULT_TIMEOUT_S = 3600.0
"""Seconds after which a runner is ended that says no other limit."""

_FILLED_IN = ", ".join(f"{{{name}}}" for name in FILLED)
PLACEHOLDER = re.compile(r"\{([a-z]+)\}")


class OwnCommand(NamedTuple):
    """A command of the user's own.

    Attributes:
        title: what it is called.
        arguments: the program and its arguments, in which `FILLED` stand between braces.
        show: whether its output is shown.
    """

    title: str
    arguments: tuple[str, ...]
    show: bool


class OwnRunner(NamedTuple):
    """A program of the user's own that runs samples again.

    Attributes:
        arguments: the program and its arguments, in which `FILLED` stand between braces.
        environment: the variables that are set for it, beside the usual few.
        seconds: after how long it is ended.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    seconds: float


class Settings(NamedTuple):
    """What a user or a project chose.

    Attributes:
        theme: the name of a theme, None for the app's own choice.
        plain: whether the app is drawn for a screen reader.
        whole_preview: whether the preview shows whole messages, those that the conversation beside it has too.
        system_prompt: what stands in if a sample has no system message, None for nothing.
        guideline_patterns: globs of attached files that are guidelines, None for what the settings of a tool in the
            project or the default says.
        provider: whose request the preview and `render --as request` show.
        prompt_style: how samples are rendered, one of `prompt_styles()`.
        fail_under: a score below this, from 0 to 1, is a failure.
        scorer: the scorer that decides what passed, None for the first one, or for what the runner says.
        reviewer: the name written beside a verdict, None for the login name.
        keep_reruns: where the answers of samples that are run again are kept, `beside` the run or in the user's
            `state`.
        rerun_environment: the variables, by name, that programs get which run samples again, beside the usual few.
        commands: commands of the user's own on the record under the cursor, by the keys that run them.
        runners: programs of the user's own that run samples again, by their names.
        editor: the command that edits long texts, None for `$VISUAL` or `$EDITOR`.
        escape_delay: milliseconds after which Escape alone is that key, where a terminal cannot tell it from the
            start of a longer sequence.
        keys: for the id of a command, the keys that run it instead of its default keys.
        dialects: the tables of dialects of the user's own, by their names.
        results: the tables of result dialects of the user's own, by their names.
        view: how records and samples are shown, by the names of their dialects.
        left: the settings of the project's file that are a person's own, and count for nothing there.
        origins: for every setting that is not a default, where it was set: the path of a file, or `command line`.
    """

    theme: str | None = None
    plain: bool = False
    whole_preview: bool = False
    system_prompt: str | None = None
    guideline_patterns: tuple[str, ...] | None = None
    provider: str = "openai"
    prompt_style: str = SAMPLEUI
    fail_under: float = 0.8
    scorer: str | None = None
    reviewer: str | None = None
    keep_reruns: str = "beside"
    rerun_environment: tuple[str, ...] = ()
    commands: Mapping[str, OwnCommand] = MappingProxyType({})
    runners: Mapping[str, OwnRunner] = MappingProxyType({})
    editor: str | None = None
    escape_delay: float = 50.0
    keys: KeyBindings = MappingProxyType({})
    dialects: Dialects = MappingProxyType({})
    results: Dialects = MappingProxyType({})
    view: Views = MappingProxyType({})
    left: tuple[str, ...] = ()
    origins: Mapping[str, str] = MappingProxyType({})

    @property
    def asked_threshold(self) -> float | None:
        """The threshold that was asked for, None for what each runner says."""
        return self.fail_under if "fail_under" in self.origins else None

    @property
    def reviewer_name(self) -> str:
        """The name to write beside a verdict.

        Raises:
            SettingsError: where it is nobody's.
        """
        from getpass import getuser

        from sampleui.settings.reviewers import reviewer_named

        try:
            name = self.reviewer or getuser()
        except (OSError, KeyError):  # a container may run under a number that has no name
            name = "reviewer"
        return reviewer_named(name)

    def under(self, values: Mapping[str, Value], origin: str) -> Settings:
        """Return the settings with a later layer put over them, key by key and table by table."""
        merged: dict[str, object] = dict(values)
        for name in ("keys", "dialects", "results", "view", "runners"):
            if isinstance(table := values.get(name), Mapping):
                merged[name] = MappingProxyType({**getattr(self, name), **table})
        origins = MappingProxyType({**self.origins, **dict.fromkeys(values, origin)})
        return self._replace(**merged, origins=origins)  # type: ignore[arg-type]


def load_settings(folder: Path, overrides: Mapping[str, Value | None] | None = None) -> Settings:
    """Return the settings for decks in a folder.

    Args:
        folder: the folder of the deck, from which the project's file is looked for upwards.
        overrides: values of the command line by the name of the setting; None if an option was not given.

    Raises:
        SettingsError: when a file is not TOML, or has an unknown key or a value of the wrong type.
    """
    settings, own, project = Settings(), user_file(), project_file(folder)
    if is_there(own):
        settings = settings.under(read_settings(own), str(own))
    if project is not None:
        values = read_settings(project)
        allowed = {name: value for name, value in values.items() if name in OF_A_PROJECT}
        left = tuple(name for name in values if name not in OF_A_PROJECT)
        settings = settings.under(allowed, str(project))._replace(left=left)
    options = {name: value for name, value in (overrides or {}).items() if value is not None}
    return settings.under(options, COMMAND_LINE)


def user_file() -> Path:
    """Return where the user's own settings are, whether the file exists or not."""
    from platformdirs import user_config_path

    return named(user_config_path("sampleui") / "config.toml")


def project_file(folder: Path) -> Path | None:
    """Return the nearest `.sampleui.toml` from a folder up to its project's root, None if there is none."""
    folder = real_path(folder)
    root = project_root(folder)
    for candidate in (folder, *folder.parents):
        if is_there(candidate / PROJECT_FILE):
            return candidate / PROJECT_FILE
        if candidate == root:
            break
    return None


def read_settings(path: Path) -> dict[str, Value]:
    """Return what a settings file sets, a project's also what it may not set.

    Raises:
        SettingsError: when the file cannot be read, is not TOML, or has an unknown key or a wrong value.
    """
    return settings_in(settings_text(path), path)


def settings_in(text: str, path: Path) -> dict[str, Value]:
    """Return the settings in the text of a settings file; `path` is where the file is or will be.

    Raises:
        SettingsError: when it is not TOML, or has an unknown key or a wrong value.
    """
    import tomli

    try:
        table = tomli.loads(text.removeprefix("\ufeff"))
    except tomli.TOMLDecodeError as error:
        raise SettingsError(error.msg, path, error.lineno, error.colno) from None
    except (ValueError, RecursionError) as error:  # numbers or nesting without end
        raise SettingsError(f"the settings cannot be read: {error}", path) from None
    values: dict[str, Value] = {}
    for name, raw in table.items():
        if name in FORMER:
            continue
        is_left = path.name == PROJECT_FILE and name in _SETTINGS and name not in OF_A_PROJECT
        value = raw if is_left else _read(name, raw)
        if isinstance(value, Fault):
            raise error_in(text, path, value)
        values[name] = value
    return values


def error_in(text: str, path: Path, fault: Fault) -> SettingsError:
    """Return the error that says what is wrong in the text of a settings file, with its place."""
    from sampleui.settings.edited_text import place_in

    return SettingsError(fault.message, path, *place_in(text, fault.path))


def settings_text(path: Path) -> str:
    """Return the text of a settings file.

    Raises:
        SettingsError: when it cannot be read.
    """
    # A user may keep the settings behind a symlink; what a project names must stay inside the project.
    root = project_root(path.parent) if path.name == PROJECT_FILE else Path(path.absolute().anchor)
    read = read_confined(path.name, (path.parent,), root, MAX_SETTINGS_BYTES)
    if isinstance(read, Refusal):
        raise SettingsError(f"the settings cannot be used: {read.reason}", path)
    try:
        return read.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = read.data.count(b"\n", 0, error.start) + 1
        raise SettingsError("the settings are not UTF-8", path, line) from None


def _read(name: str, raw: Any) -> Value | Fault:
    """Return the value of a setting as it is kept, or what is wrong with it."""
    if name not in _SETTINGS:
        return Fault((name,), f"there is no setting {name}; {unknown_key_message(name, [*_SETTINGS])}")
    if name in _TABLES:
        return _TABLES[name](raw)
    if wanted := _WANTED[name](raw):
        return Fault((name,), f"{name} must be {wanted}")
    if isinstance(raw, list):
        return tuple(raw)
    return float(raw) if is_number(raw) else raw


def _are_texts(raw: object) -> bool:
    return isinstance(raw, list) and all(isinstance(item, str) for item in raw)


def _style(raw: object) -> str:
    styles = prompt_styles()
    return "" if raw in styles else " or ".join(f'"{name}"' for name in styles)


def _keys(raw: object) -> KeyBindings | Fault:
    if not isinstance(raw, dict) or not all(isinstance(keys, str) or _are_texts(keys) for keys in raw.values()):
        wanted = 'a table of command ids with a key or a list of keys each, such as "sample.next" = ["]", "f6"]'
        return Fault(("keys",), f"keys must be {wanted}")
    return MappingProxyType(
        {command: (keys,) if isinstance(keys, str) else tuple(keys) for command, keys in raw.items()}
    )


def _commands(raw: object) -> Mapping[str, OwnCommand] | Fault:
    if not isinstance(raw, dict) or not all(map(_is_command, raw.values())):
        wanted = "a title, a command (a list of texts, the program first) and perhaps show (true or false)"
        message = f"commands must be a table of keys, each with {wanted}; in a command {_FILLED_IN} are filled in"
        return Fault(("commands",), message)
    commands = {
        key: OwnCommand(table["title"], tuple(table["command"]), table.get("show", True))
        for key, table in raw.items()
    }
    return _fills_code("commands", commands) or MappingProxyType(commands)


def _is_command(table: object) -> bool:
    return (
        isinstance(table, dict)
        and {"title", "command"} <= {*table} <= {"title", "command", "show"}
        and isinstance(table["title"], str)
        and table["title"] != ""
        and isinstance(table.get("show", True), bool)
        and _can_be_filled(table["command"])
    )


def _runners(raw: object) -> Mapping[str, OwnRunner] | Fault:
    if not isinstance(raw, dict) or not all(map(_is_runner, raw.values())):
        wanted = "a command (a list of texts, the program first) and perhaps environment (a table of texts) and"
        filled_in = f"in a command {_FILLED_IN} are filled in, and {{out}} has to be"
        message = f"runners must be a table of names, each with {wanted} seconds (a number above 0); {filled_in}"
        return Fault(("runners",), message)
    runners = {
        name: OwnRunner(
            tuple(table["command"]),
            MappingProxyType(table.get("environment", {})),
            float(table.get("seconds", _DEFAULT_TIMEOUT_S)),
        )
        for name, table in raw.items()
    }
    return _fills_code("runners", runners) or MappingProxyType(runners)


def _is_runner(table: object) -> bool:
    if not isinstance(table, dict) or not {"command"} <= {*table} <= {"command", "environment", "seconds"}:
        return False
    variables, seconds = table.get("environment", {}), table.get("seconds", _DEFAULT_TIMEOUT_S)
    return (
        isinstance(variables, dict)
        and _are_texts([*variables.values()])
        and is_number(seconds)
        and seconds > 0
        and _can_be_filled(table["command"])
        and "{out}" in "".join(table["command"])
    )


def _can_be_filled(command: object) -> bool:
    """Tell whether there is a program, which is none of data, and only what is known stands between braces."""
    if not isinstance(command, list) or not command or not _are_texts(command):
        return False
    asked = {name for argument in command for name in PLACEHOLDER.findall(argument)}
    return asked <= {*FILLED} and not PLACEHOLDER.search(command[0])


def _fills_code(setting: str, own: Mapping[str, OwnCommand | OwnRunner]) -> Fault | None:
    """Return what is wrong where data would be filled into the text of a program, such as that of `sh -c`."""
    for name, item in own.items():
        for option, text in pairwise(item.arguments):
            if option in _CODE_OPTIONS and not {*PLACEHOLDER.findall(text)} <= {"out", "n"}:
                wanted = f"such that {setting}.{name} fills no data into the text of a program, behind {option}"
                shell = "give it as an argument of its own after that, which is $1 in a shell"
                other = f"where {option} takes no program, use its long name, such as --config"
                return Fault((setting,), f"{setting} must be {wanted}: {shell}; {other}")
    return None


def _view(raw: object) -> Views | Fault:
    from sampleui.settings.views import read_views

    return read_views(raw)


_WANTED: Mapping[str, Wanted] = {
    **dict.fromkeys(
        ("theme", "system_prompt", "provider", "scorer", "reviewer", "editor"),
        unless("a text", lambda raw: isinstance(raw, str)),
    ),
    **dict.fromkeys(("plain", "whole_preview"), TRUTH),
    **dict.fromkeys(("guideline_patterns", "rerun_environment"), unless("a list of texts", _are_texts)),
    "prompt_style": _style,
    "fail_under": unless("a number from 0 to 1", lambda raw: is_number(raw) and 0 <= raw <= 1),
    "keep_reruns": unless('"beside" or "state"', lambda raw: raw in ("beside", "state")),
    "escape_delay": unless(
        "a number of milliseconds from 1 to 1000", lambda raw: is_number(raw) and 1 <= raw <= 1000
    ),
}
"""What the settings must be that are no tables."""

_TABLES: Mapping[str, Callable[[object], Value | Fault]] = {
    "commands": _commands,
    "runners": _runners,
    "keys": _keys,
    "dialects": read_tables,
    "results": read_result_tables,
    "view": _view,
}
_SETTINGS = (*_WANTED, *_TABLES)
