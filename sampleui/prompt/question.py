"""The legacy single string of a conversation, for logs and for providers that take a string."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.prompt.parts import Turn

_FLAT_ROLES = {"system", "user"}


def question(turns: Sequence[Turn], kept: Sequence[Turn]) -> str:
    """Return the kept messages as one text, blank ones left out, a blank line between them.

    Each is headed by its role in brackets if that adds something: when any message, kept or not, has a role
    other than system and user, or when more than one is left and they are not one system message and then one user
    message (multi-turn question formatting, Smart role marker detection).
    """
    bodies = [(turn.role, body) for turn in kept if (body := turn.body.strip())]
    if _flat(turns, [role for role, _ in bodies]):
        return "\n\n".join(body for _, body in bodies)
    return "\n\n".join(f"[{role[:1].upper()}{role[1:]}]:\n{body}" for role, body in bodies)


def _flat(turns: Sequence[Turn], roles: list[str]) -> bool:
    if any(turn.role not in _FLAT_ROLES for turn in turns):
        return False
    return len(roles) <= 1 or roles == ["system", "user"]
