"""Themes: every shipped one is whole and can be read; a wrong one is refused by name."""

from __future__ import annotations

import pytest
from textual.app import App
from textual.color import Color

from sampleui.errors import SettingsError
from sampleui.settings import Settings
from sampleui.tui.themes import ROLES, Paint, load_theme, paint_of, shipped, theme_files, theme_names, use_theme

from .driver import drawn_lines, opened

FILES = theme_files(shipped())
BACKS = ("background", "surface", "panel", "text-cursor", "text-cursor-idle")


def variables(name: str) -> dict[str, str]:
    theme = load_theme(FILES[name])
    return {**App().theme_variables, **theme.to_color_system().generate(), **theme.variables}


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
    ],
)
def test_a_file_that_is_no_theme_is_refused_by_its_name(tmp_path, text, why):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=why) as caught:
        load_theme(file)
    assert "mine.toml" in str(caught.value)


async def test_a_theme_of_the_users_own_is_used(hello, home):
    from sampleui.settings import user_file

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
            await app.pilot.pause()
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
