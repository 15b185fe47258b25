"""Themes: every shipped one is whole and can be read; a wrong one is refused by name."""

from __future__ import annotations

import pytest
from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.app import App
from textual.color import Color

from sampleui.errors import SettingsError
from sampleui.settings.options import Settings
from sampleui.tui.themes import (
    DEPTHS,
    ROLES,
    Paint,
    load_theme,
    paint_of,
    shipped,
    theme_files,
    theme_names,
    use_theme,
)

from .driver import drawn_lines, opened

FILES = theme_files(shipped())
BACKS = ("background", "surface", "panel", "text-cursor", "text-cursor-idle")


def variables(name: str, depth: str = "") -> dict[str, str]:
    theme = load_theme(FILES[name], depth)
    return {**App().theme_variables, **theme.to_color_system().generate(), **theme.variables}


def drawn(name: str, depth: str) -> dict[str, RichColor]:
    """Return by name what a terminal draws: what Rich makes of each colour for one of so many."""
    system = {"16": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT}[depth]
    return {
        key: RichColor.parse(value[:7]).downgrade(system)
        for key, value in variables(name, depth).items()
        if value.startswith("#")
    }


def contrast(front: str, back: str) -> float:
    """Return the contrast of two colours, as WCAG 2 defines it."""

    def luminance(color: str) -> float:
        parts = [part / 255 for part in Color.parse(color[:7]).rgb]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    one, other = sorted((luminance(front), luminance(back)), reverse=True)
    return (one + 0.05) / (other + 0.05)


def test_dark_light_and_high_contrast_are_shipped():
    assert {"sampleui-dark", "sampleui-light", "sampleui-contrast"} <= set(FILES)
    assert load_theme(FILES["sampleui-dark"]).dark and not load_theme(FILES["sampleui-light"]).dark


@pytest.mark.parametrize("name", FILES)
def test_every_theme_has_every_role_each_in_its_own_colour(name):
    theme = load_theme(FILES[name])
    roles = [theme.variables[f"role-{role}"] for role in ROLES]
    assert len(set(roles)) == len(ROLES)
    assert {"text-muted", "text-faint", "text-edge", "text-cursor", "text-cursor-idle"} <= set(theme.variables)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("back", ["background", "surface", "text-cursor", "text-cursor-idle"])
def test_every_theme_can_be_read(name, back):
    colors = variables(name)
    least = 7.0 if name == "sampleui-contrast" else 4.5
    fronts = [
        "foreground",
        "text-muted",
        "accent",
        "error",
        "warning",
        "success",
        *(f"role-{one}" for one in ROLES),
    ]
    on_page = back in ("background", "surface")
    found = {front: round(contrast(colors[front], colors[back]), 2) for front in fronts}
    wanted = least if on_page else 3.0
    assert {front: ratio for front, ratio in found.items() if ratio < wanted} == {}
    assert contrast(colors["text-faint"], colors[back]) >= (2.0 if on_page else 1.3)


APART = (
    [f"role-{role}" for role in ROLES],
    ["error", "warning", "success", "foreground"],
    ["error", "warning", "accent", "text-faint"],  # a failure; a stale verdict, a verdict, none yet
    ["background", "text-cursor", "text-cursor-idle"],
    ["text-edge", "accent", "background"],  # the frame of a pane without the focus, and with it
    ["foreground", "text-muted", "accent"],
)
"""What is told from one another, group by group."""


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("depth", DEPTHS)
def test_roles_and_states_are_apart_in_terminals_of_few_colours(name, depth):
    colors = drawn(name, depth)
    for group in APART:
        assert len({colors[one].number for one in group}) == len(group), {one: colors[one].number for one in group}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("back", ["background", "surface", "panel", "text-cursor", "text-cursor-idle"])
def test_terminals_of_few_colours_can_be_read(name, depth, back):
    palette = {"16": STANDARD_PALETTE, "256": EIGHT_BIT_PALETTE}[depth]
    colors = {key: palette[color.number or 0].hex for key, color in drawn(name, depth).items()}
    fronts = ["foreground", "text-muted", "text-faint", "accent", "error", "warning", "success"]
    found = {front: contrast(colors[front], colors[back]) for front in [*fronts, *(f"role-{one}" for one in ROLES)]}
    assert {front: round(ratio, 2) for front, ratio in found.items() if ratio < 1.3} == {}
    assert found["foreground"] >= 4.5 and found["text-muted"] >= 2.5


async def test_the_app_draws_with_the_colours_of_its_terminal(hello, monkeypatch):
    monkeypatch.delenv("COLORTERM")
    for term, color in (("xterm", "#FF55FF"), ("xterm-256color", "#B29DF2")):
        monkeypatch.setenv("TERM", term)
        async with opened(hello) as app:
            assert app.app.theme_variables["role-system"] == color


@pytest.mark.parametrize("name", FILES)
def test_every_style_that_widgets_draw_with_exists(name):
    paint = paint_of(variables(name))
    names = ["text", "muted", "faint", "edge", "accent", "error", "warning", "info", "hint", "added", "removed"]
    for style in (*names, *(f"role-{role}" for role in ROLES)):
        assert paint[style].color is not None
        assert paint[f"{style}-bold"].bold
    assert paint["cursor"].bgcolor is not None and paint["cursor-idle"].bgcolor is not None
    assert isinstance(paint, Paint)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("= nonsense", "not a theme"),
        ("dark = true", "primary"),
        ('[colors]\nprimary = "no colour"', "not a theme"),
        ('[colors]\nprimary = "#fff"\n[roles]\nwizard = "#fff"', "wizard"),
        ('[colors]\nprimary = "#fff"\nprimry = "#fff"', "primry"),
        ("colors = 7", "table"),
        ("[colors]\nprimary = 7", "table"),
        ('16 = 7\n[colors]\nprimary = "#fff"', "table"),
        ('[colors]\nprimary = "#fff"\n[16.roles]\nwizard = "#fff"', "wizard"),
    ],
)
def test_a_file_that_is_no_theme_is_refused_by_its_name(tmp_path, text, why):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=why) as caught:
        load_theme(file)
    assert "mine.toml" in str(caught.value)


async def test_a_theme_of_the_users_own_is_used(hello, home):
    from sampleui.settings.options import user_file

    file = user_file().parent / "themes" / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[colors]\nprimary = "#123456"\nbackground = "#010203"\nforeground = "#fafafa"\n')
    async with opened(hello, settings=Settings(theme="mine")) as app:
        assert app.app.theme == "mine"
        assert app.app.theme_variables["background"].upper() == "#010203"
        assert "What is 2+2?" in "\n".join(drawn_lines(app.app.screen))


async def test_every_theme_of_textual_can_be_used_too(hello):
    async with opened(hello) as app:
        names = theme_names(app.app)
        assert len(names) > 10
        for name in names:
            use_theme(app.app, name)
            await app.rested()
            assert app.app._exception is None, name
            assert app.screen.conversation.query("TurnStack").first().paint["muted"].color is not None, name


async def test_the_picker_tries_a_theme_on_and_escape_takes_it_off(hello):
    async with opened(hello) as app:
        await app.press("T")
        await app.dialog("down")
        assert app.app.theme != "sampleui-dark"
        await app.press("escape")
        await app.until(lambda: app.app.screen is app.screen)
        assert app.app.theme == "sampleui-dark"


async def test_a_picked_theme_stays(hello):
    async with opened(hello) as app:
        await app.press("T")
        await app.dialog(*"light", "enter")
        await app.until(lambda: app.app.screen is app.screen)
        assert "light" in app.app.theme
