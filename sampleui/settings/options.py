"""Settings: defaults, then the user's file, then the project's file, then the command line; the later wins.

The user's file is `config.toml` in the user's configuration folder for `sampleui`. The project's file is the
nearest `.sampleui.toml` from the deck's folder up to the project's root. A project's file comes with a stranger's
deck: it says how its decks and runs are read and shown (`OF_A_PROJECT`), and neither which program is run, nor who
decides, nor by which keys. What else it sets is left, and told (`project_remarks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sampleui.errors import SettingsError
from sampleui.formats.data import is_number
from sampleui.integrations.index import styles
from sampleui.settings.vocabulary import (
    Fault,
    RowTable,
    UserTable,
    read_result_tables,
    read_tables,
    table_key_offset,
    unknown_key_message,
)
from sampleui.text.confined import Refusal, is_there, named, project_root, read_confined, real_path
from sampleui.text.limits import MAX_SETTINGS_BYTES
from sampleui.text.position import key_offset, position_at

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
RowTables: TypeAlias = Mapping[str, RowTable]
Value: TypeAlias = (
    "str | float | tuple[str, ...] | KeyBindings | Dialects | RowTables | Views"
    " | Mapping[str, OwnCommand | OwnRunner]"
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
    results: RowTables = MappingProxyType({})
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
        tables: Mapping[str, Mapping[str, object]] = {
            "keys": self.keys,
            "dialects": self.dialects,
            "results": self.results,
            "view": self.view,
            "runners": self.runners,
        }
        for name, present in tables.items():
            if isinstance(table := values.get(name), Mapping):
                merged[name] = MappingProxyType({**present, **table})
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
        if (reader := _READERS.get(name)) is None:
            raise SettingsError(
                f"there is no setting {name}; {unknown_key_message(name, [*_READERS])}",
                path,
                *line_and_column(text, name),
            )
        value = raw if path.name == PROJECT_FILE and name not in OF_A_PROJECT else reader(raw)
        if isinstance(value, Fault):
            raise SettingsError(value.message, path, *_place_in(text, value))
        if isinstance(value, _Wrong):
            raise SettingsError(f"{name} must be {value.wanted}", path, *line_and_column(text, name))
        values[name] = value
    return values


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


def line_and_column(text: str, name: str) -> tuple[int, int] | tuple[None, None]:
    """Return where a setting is in the text of a file; None twice where it is not found."""
    offset = key_offset(text, name)
    if offset is None:
        return (None, None)
    position = position_at(text, offset)
    return position.line, position.column


def _place_in(text: str, fault: Fault) -> tuple[int, int] | tuple[None, None]:
    offset = table_key_offset(text, fault.keys, fault.setting)
    if fault.item is not None:
        from sampleui.settings.edited_text import field_offset

        offset = field_offset(text, fault.keys[0], fault.item) or offset
    if offset is None:
        return line_and_column(text, fault.setting)
    position = position_at(text, offset)
    return position.line, position.column


class _Wrong(NamedTuple):
    wanted: str


def _text(raw: object) -> str | _Wrong:
    return raw if isinstance(raw, str) else _Wrong("a text")


def _style(raw: object) -> str | _Wrong:
    if isinstance(raw, str) and raw in prompt_styles():
        return raw
    return _Wrong(" or ".join(f'"{name}"' for name in prompt_styles()))


def _place_of_reruns(raw: object) -> str | _Wrong:
    return raw if raw in ("beside", "state") and isinstance(raw, str) else _Wrong('"beside" or "state"')


def _texts(raw: object) -> tuple[str, ...] | _Wrong:
    if isinstance(raw, list) and all(isinstance(item, str) for item in raw):
        return tuple(raw)
    return _Wrong("a list of texts")


def _truth(raw: object) -> bool | _Wrong:
    return raw if isinstance(raw, bool) else _Wrong("true or false")


def _share(raw: object) -> float | _Wrong:
    if is_number(raw) and 0 <= raw <= 1:
        return float(raw)
    return _Wrong("a number from 0 to 1")


def _milliseconds(raw: object) -> float | _Wrong:
    if is_number(raw) and 1 <= raw <= 1000:
        return float(raw)
    return _Wrong("a number of milliseconds from 1 to 1000")


def _keys(raw: object) -> KeyBindings | _Wrong:
    wrong = _Wrong('a table of command ids with a key or a list of keys each, such as "sample.next" = ["]", "f6"]')
    if not isinstance(raw, dict):
        return wrong
    bound: dict[str, tuple[str, ...]] = {}
    for command, keys in raw.items():
        listed = _texts([keys] if isinstance(keys, str) else keys)
        if isinstance(listed, _Wrong):
            return wrong
        bound[command] = listed
    return MappingProxyType(bound)


def _commands(raw: object) -> Mapping[str, OwnCommand] | _Wrong:
    wrong = _Wrong(
        "a table of keys, each with a title, a command (a list of texts, the program first) and perhaps show (true "
        f"or false); in a command {', '.join(f'{{{name}}}' for name in FILLED)} are filled in"
    )
    if not isinstance(raw, dict):
        return wrong
    commands: dict[str, OwnCommand] = {}
    for key, table in raw.items():
        if not isinstance(table, dict) or not {"title", "command"} <= {*table} <= {"title", "command", "show"}:
            return wrong
        title, arguments, show = table["title"], _texts(table["command"]), table.get("show", True)
        if not isinstance(title, str) or not title or not isinstance(show, bool):
            return wrong
        if isinstance(arguments, _Wrong) or not _can_be_filled(arguments):
            return wrong
        if (fault := _filled_into_code(arguments, f"commands.{key}")) is not None:
            return fault
        commands[key] = OwnCommand(title, arguments, show)
    return MappingProxyType(commands)


def _runners(raw: object) -> Mapping[str, OwnRunner] | _Wrong:
    filled_in = ", ".join(f"{{{name}}}" for name in FILLED)
    wrong = _Wrong(
        "a table of names, each with a command (a list of texts, the program first) and perhaps environment (a "
        f"table of texts) and seconds (a number above 0); in a command {filled_in} are filled in, and {{out}} has "
        "to be"
    )
    if not isinstance(raw, dict):
        return wrong
    runners: dict[str, OwnRunner] = {}
    for name, table in raw.items():
        if not isinstance(table, dict) or not {"command"} <= {*table} <= {"command", "environment", "seconds"}:
            return wrong
        arguments, seconds = _texts(table["command"]), table.get("seconds", _DEFAULT_TIMEOUT_S)
        variables = table.get("environment", {})
        if isinstance(arguments, _Wrong) or not _can_be_filled(arguments) or "{out}" not in "".join(arguments):
            return wrong
        if not is_number(seconds) or not seconds > 0 or not isinstance(variables, dict):
            return wrong
        if not all(isinstance(value, str) for value in variables.values()):
            return wrong
        if (fault := _filled_into_code(arguments, f"runners.{name}")) is not None:
            return fault
        runners[name] = OwnRunner(arguments, MappingProxyType(variables), float(seconds))
    return MappingProxyType(runners)


def _can_be_filled(arguments: Sequence[str]) -> bool:
    """Tell whether there is a program, which is none of data, and only what is known stands between braces."""
    asked = {name for argument in arguments for name in PLACEHOLDER.findall(argument)}
    return bool(arguments) and asked <= {*FILLED} and not PLACEHOLDER.search(arguments[0])


def _filled_into_code(arguments: Sequence[str], name: str) -> _Wrong | None:
    """Return what is wrong where data would be filled into the text of a program, such as that of `sh -c`."""
    for option, text in pairwise(arguments):
        if option in _CODE_OPTIONS and not {*PLACEHOLDER.findall(text)} <= {"out", "n"}:
            wanted = f"such that {name} fills no data into the text of a program, behind {option}"
            shell = "give it as an argument of its own after that, which is $1 in a shell"
            return _Wrong(
                f"{wanted}: {shell}; where {option} takes no program, use its long name, such as --config"
            )
    return None


def _view(raw: object) -> Views | Fault:
    from sampleui.settings.views import read_views

    return read_views(raw)


_READERS: Mapping[str, Callable[[object], Value | _Wrong | Fault]] = {
    "theme": _text,
    "plain": _truth,
    "whole_preview": _truth,
    "system_prompt": _text,
    "guideline_patterns": _texts,
    "provider": _text,
    "prompt_style": _style,
    "fail_under": _share,
    "scorer": _text,
    "reviewer": _text,
    "keep_reruns": _place_of_reruns,
    "rerun_environment": _texts,
    "commands": _commands,
    "runners": _runners,
    "editor": _text,
    "escape_delay": _milliseconds,
    "keys": _keys,
    "dialects": read_tables,
    "results": read_result_tables,
    "view": _view,
}
