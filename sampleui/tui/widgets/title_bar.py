"""The first line: what is open, the current place in it, and whether it is valid and saved."""

from __future__ import annotations

from rich.cells import cell_len

from sampleui.text.visible import visible
from sampleui.tui.drawing.rows import Row, fitted, spread
from sampleui.tui.widgets.line_bar import LineBar
from sampleui.values import NamedTuple

_BELOW = " › "
_LEAST_NAME, _LEAST_SUBJECT = 5, 8

NARROWEST = 60
"""Columns below which the app's own name and all but the worst count of problems are left out."""


class Title(NamedTuple):
    """What the bar shows.

    Attributes:
        name: what is open; it gives way first where there is little room.
        subject: what in it is shown; it gives way next.
        facts: what is to be seen of that whatever the room.
        about: what kind of thing it is; left out if there is little room.
        place: the current place in it.
        state: `saved`, `unsaved` or `read-only`.
        problems: a style and a text.
    """

    name: str = ""
    about: str = ""
    place: str = ""
    state: str = "saved"
    problems: tuple[str, str] = ("muted", "")
    subject: str = ""
    facts: str = ""


class TitleBar(LineBar):
    """The title line."""

    title: Title = Title()

    def show(self, title: Title) -> None:
        """Show another title."""
        self.title = title
        self.update()

    def row(self, width: int) -> Row:
        """Return the deck's name and state at the left, what is known of it at the right."""
        title, narrow = self.title, width < NARROWEST
        states = {"unsaved": ("warning-bold", " ● unsaved"), "read-only": ("error-bold", " ⊘ read-only")}
        state = states.get(title.state, ("muted", ""))
        brand = ("accent-bold", " " if narrow else " sampleui  ")
        about = f"{title.about} · {title.place}" if title.about and width >= 100 else title.place
        style, told = title.problems
        problems = (style, told.split(",")[0] if narrow else told)
        right = (("muted", visible(about)), ("text", "  "), problems, ("text", " "))
        # The name gives way, because what is said about it must always be seen.
        whole = visible(title.name + (f" › {title.subject}" if title.subject else "") + title.facts)
        if title.subject and cell_len(whole) > _room(width, brand, state, *right):
            brand = ("accent-bold", " ")
        room = _room(width, brand, state, *right)
        name = ("title-bold", _name_and_place(title, room))
        return spread((brand, name, state), right, width)


def _room(width: int, *parts: tuple[str, str]) -> int:
    return max(width - sum(cell_len(text) for _, text in parts) - 1, 0)


def _name_and_place(title: Title, room: int) -> str:
    """Return the name and the place, cut to the room: the name is shortened first."""
    name, facts = visible(title.name), visible(title.facts)
    if not title.subject:
        return fitted(name + facts, room)
    subject = fitted(visible(title.subject), max(room - cell_len(facts), _LEAST_SUBJECT)) + facts
    left = room - cell_len(subject) - len(_BELOW)
    return fitted(fitted(name, left) + _BELOW + subject if left >= _LEAST_NAME else subject, room)
