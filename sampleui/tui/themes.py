"""Themes from TOML files, and the styles that widgets paint with."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import tomli
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.style import Style
from textual.app import App
from textual.color import Color, ColorParseError
from textual.theme import Theme

from sampleui.errors import SettingsError
from sampleui.text.confined import is_folder, listed, named, read_whole
from sampleui.text.limits import MAX_THEME_BYTES

DEFAULT = "sampleui-dark"

_COLORS = frozenset(
    field.name
    for field in dataclasses.fields(Theme)
    if field.type in ("str", "str | None") and field.name != "name"
)
_TEXT = ("muted", "faint", "edge", "cursor", "cursor-idle")
_ANSI_VARIABLES = {
    **dict.fromkeys(("ansi-background", "ansi-foreground"), "ansi_default"),
    **dict.fromkeys(("input-cursor-background", "input-selection-background"), "ansi_white"),
    **dict.fromkeys(("input-cursor-foreground", "input-selection-foreground"), "ansi_black"),
}
"""What Textual's style sheets ask of a theme of the terminal's own colours, and do not work out themselves."""

DEPTHS = ("16", "256")
"""Terminals of so many colours. What they draw is the nearest they have, which can be one for two that differ."""

_DEPTH_OF = {"standard": "16", "windows": "16", "256": "256"}
"""By Rich's name of what a terminal can."""

ROLES = ("system", "user", "assistant", "tool", "other")


def shipped() -> Path:
    """Return the folder of the shipped themes: inside the package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    inside = package / "themes"
    return inside if is_folder(inside) else package.parent / "themes"


def theme_files(*folders: Path) -> Mapping[str, Path]:
    """Return the theme files of the user's own folders by theme name, the file's name; later folders win."""
    return {file.stem: named(file) for folder in folders for file in listed(folder).paths if file.suffix == ".toml"}


def load_theme(file: Path, depth: str = "") -> Theme:
    """Read one theme file.

    Args:
        file: the file.
        depth: the colours of the terminal, "16" or "256", for which the table of that name replaces some; empty for
            a terminal of all colours.

    Raises:
        SettingsError: when it is not TOML, lacks a table, or gives something that is not a colour.
    """
    try:
        data = tomli.loads(read_whole(file, MAX_THEME_BYTES).decode("utf-8"))
        colors, variables = _values(data)
        replaced = {name: _values(_table(data, name)) for name in DEPTHS}
        fewer, other = replaced.get(depth, ({}, {}))
        colors, variables = colors | fewer, variables | other
        is_ansi = bool(data.get("ansi", False))
        chosen = _ANSI_VARIABLES if is_ansi else _selection(colors)
        return Theme(
            name=file.stem,
            primary=colors.pop("primary"),
            dark=bool(data.get("dark", True)),
            ansi=is_ansi,
            variables={**chosen, **variables},
            **colors,  # type: ignore[arg-type]
        )
    except (OSError, ValueError, KeyError, RecursionError) as error:
        raise SettingsError(f"not a theme: {error}", file) from None


def _values(data: Mapping[str, object]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the colours that Textual knows and the variables of our own."""
    colors, text, roles = (_strings(data, name) for name in ("colors", "text", "roles"))
    unknown = [*(colors.keys() - _COLORS), *(text.keys() - set(_TEXT)), *(roles.keys() - set(ROLES))]
    if unknown:
        raise ValueError(f"unknown colour {unknown[0]!r}")
    variables = {f"text-{key}": value for key, value in text.items()}
    return colors, variables | {f"role-{key}": value for key, value in roles.items()}


def _selection(colors: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of a text that is selected: those of the theme that can be read on each other."""
    back = colors.get("background")
    names = ("input-selection-background", "input-selection-foreground")
    return dict(zip(names, (colors["primary"], back), strict=True)) if back else {}


def _table(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise ValueError(f"[{name}] must be a table")
    return table


def _strings(data: Mapping[str, object], table: str) -> dict[str, str]:
    strings = _table(data, table)
    if not all(isinstance(value, str) for value in strings.values()):
        raise ValueError(f"[{table}] must be a table of colours")
    return {key: _color(str(value)) for key, value in strings.items()}


def _color(value: str) -> str:
    try:
        return Color.parse(value).hex
    except ColorParseError as error:
        raise ValueError(str(error)) from None


def variable_defaults(theme: Theme) -> Mapping[str, str]:
    """Return the variables that sampleui's styles use, for themes that do not define them (Textual's own)."""
    front = Color.parse(theme.foreground or ("#e0e0e0" if theme.dark else "#202020"))
    back = Color.parse(theme.background or ("#121212" if theme.dark else "#efefef"))
    accent = Color.parse(theme.accent or theme.primary)
    roles = {
        "system": theme.secondary or theme.primary,
        "user": theme.primary,
        "assistant": theme.success or theme.primary,
        "tool": theme.warning or theme.primary,
        "other": front.hex,
    }
    return {
        "text-muted": back.blend(front, 0.65).hex,
        "text-faint": back.blend(front, 0.35).hex,
        "text-edge": back.blend(front, 0.2).hex,
        "text-cursor": back.blend(accent, 0.3).hex,
        "text-cursor-idle": back.blend(front, 0.1).hex,
        **{f"role-{name}": color for name, color in roles.items()},
    }


def theme_names(app: App[Any]) -> list[str]:
    """Return the names of all themes: those from files first."""
    return [*themes_of(app), *(name for name in app.available_themes if name not in themes_of(app))]


def themes_of(app: App[Any]) -> Mapping[str, Path]:
    """Return the theme files of an app."""
    files: Mapping[str, Path] = getattr(app, "theme_files", {})
    return files


def use_theme(app: App[Any], name: str) -> None:
    """Show an app in a theme, reading its file when it is first used.

    Raises:
        SettingsError: if there is no such theme or its file is not one.
    """
    if name not in app.available_themes:
        files = themes_of(app)
        if name not in files:
            known = ", ".join(theme_names(app))
            raise SettingsError(f"there is no theme {name!r}; the themes are {known}")
        app.register_theme(load_theme(files[name], _DEPTH_OF.get(app.console.color_system or "", "")))
    theme = app.get_theme(name)
    if theme is not None and not variable_defaults(theme).keys() <= theme.variables.keys():
        # Textual would give them values of its own, such as `auto 60%`, that only its style sheets understand.
        variables = {**variable_defaults(theme), **theme.variables}
        app.register_theme(dataclasses.replace(theme, variables=variables))
    app.theme = name
    for screen in app.screen_stack:  # Textual draws again only what has other colours by its style sheets
        for widget in screen.walk_children():
            widget.refresh()


def has_colours(app: App[Any]) -> bool:
    """Tell whether what an app draws as removed and as added, and all other text, is seen to differ."""
    system = app.console.color_system
    if app.no_color or system is None:
        return False
    depth = {"standard": ColorSystem.STANDARD, "windows": ColorSystem.WINDOWS, "256": ColorSystem.EIGHT_BIT}
    names = ("error", "success", "foreground")
    colours_used = (
        _rich_color(app.theme_variables[name]).downgrade(depth.get(system, ColorSystem.TRUECOLOR)) for name in names
    )
    return len({(item.number, item.triplet) for item in colours_used}) == len(names)


class Paint:
    """The styles of the current theme by name: what widgets of the line API draw with.

    Names: `text`, `muted`, `faint`, `edge`, `accent`, `error`, `warning`, `info`, `hint`, `added`, `removed`,
    `title`, `cursor`, `cursor-idle`, `match`, and `role-…` for each role. Each has a sibling `NAME-bold`. What
    Markdown stresses is `emphasis`. Of two texts shown as one, `gone` and `come` are what is in one of them alone,
    in brackets for want of colours (`bracket`), `gone-line` and `come-line` the lines around it, and `NAME-here`
    the difference under the cursor. `#rrggbb#rrggbb` are two colours of a picture, the second behind the first.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._styles = dict(_styles(variables))

    def __getitem__(self, name: str) -> Style:
        """Return a style."""
        return _two_colours(name) if name.startswith("#") else self._styles[name]


@lru_cache(maxsize=4096)
def _two_colours(name: str) -> Style:
    return Style(color=name[:7], bgcolor=name[7:])


@lru_cache(maxsize=16)
def _paint(values: tuple[str, ...]) -> Paint:
    return Paint(dict(zip(_NAMES, values, strict=True)))


_USED = {
    "text": "foreground",
    "muted": "text-muted",
    "faint": "text-faint",
    "edge": "text-edge",
    "accent": "accent",
    "error": "error",
    "warning": "warning",
    "info": "primary",
    "hint": "text-muted",
    "added": "success",
    "removed": "error",
    "title": "foreground",
    "bracket": "text-muted",
    **{f"role-{role}": f"role-{role}" for role in ROLES},
}


_ALONE = {"gone": "error", "come": "success"}
_TINT = 0.18
"""How much of its colour the background of words that differ has."""


def _styles(variables: Mapping[str, str]) -> Iterator[tuple[str, Style]]:
    for name, variable in _USED.items():
        color = _rich_color(variables[variable])
        yield name, Style(color=color)
        yield f"{name}-bold", Style(color=color, bold=True)
    yield "emphasis", Style(color=_rich_color(variables["foreground"]), italic=True)
    for name in ("cursor", "cursor-idle"):
        back = _rich_color(variables[f"text-{name}"])
        # No colour of a terminal is known to let every text on it be read, so there the row is underlined instead.
        yield name, Style(bgcolor=back, underline=(name == "cursor" and back.is_default) or None)
    yield "match", Style(reverse=True)
    for name, variable in _ALONE.items():
        yield from _different(name, variables, variable)


def _different(name: str, variables: Mapping[str, str], variable: str) -> Iterator[tuple[str, Style]]:
    """Yield the styles of what differs. What came is underlined too, for eyes that do not tell red from green."""
    color, here = _rich_color(variables[variable]), _rich_color(variables["text-cursor"])
    tint = Color.parse(variables["background"]).blend(Color.parse(variables[variable]), _TINT).rich_color
    line = Style(color=color)
    words = Style(color=color, bgcolor=tint, underline=name == "come")
    for key, style in ((f"{name}-line", line), (name, words)):
        yield key, style
        yield f"{key}-bold", style + Style(bold=True)
        yield f"{key}-here", style + Style(bgcolor=here, bold=True)


def _rich_color(color: str) -> RichColor:
    return Color.parse(color).rich_color


_NAMES = (*sorted({*_USED.values(), *_ALONE.values(), "text-cursor", "text-cursor-idle", "background"}),)
_wanted = itemgetter(*_NAMES)


def paint_of(variables: Mapping[str, str]) -> Paint:
    """Return the styles for an app's theme variables."""
    return _paint(_wanted(variables))
