"""How the messages of a dialect are spelled: their keys, and what it calls the roles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sampleui.formats.data import Plain, Table


class Spelling(NamedTuple):
    """How one message is spelled.

    Attributes:
        role, content: the keys of who speaks and of what is said.
        roles: for a role as the file names it, what OpenAI calls it; a role that is not named is what it is called.
    """

    role: str = "role"
    content: str = "content"
    roles: Mapping[str, str] = MappingProxyType({})

    @property
    def usual(self) -> bool:
        """Whether a message is spelled as OpenAI spells it."""
        return self.role == "role" and self.content == "content" and not self.roles

    def read(self, message: Table) -> Table:
        """Return a message in OpenAI's spelling; one that is in it already, as it is."""
        if self.usual or (self.role not in message and "role" in message):
            return message
        role = message.get(self.role)
        named = self.roles.get(role, role) if isinstance(role, str) else role
        own = {self.role, self.content, *self.doubled(message)}
        rest = {key: value for key, value in message.items() if key not in own}
        content: Table = {"content": message[self.content]} if self.content in message else {}
        return {"role": named, **content, **rest}

    def doubled(self, message: Table) -> list[str]:
        """Return the keys of OpenAI's that a message has beside those of this spelling, which alone count."""
        pairs = ((self.role, "role"), (self.content, "content"))
        return [usual for own, usual in pairs if own != usual and {own, usual} <= message.keys()]

    def written(self, message: Table) -> Table:
        """Return a message of OpenAI's spelling in this one."""
        if self.usual or "role" not in message:
            return message
        renamed = {"role": self.role, "content": self.content}
        kept = {renamed.get(key, key): value for key, value in message.items()}
        return {**kept, self.role: self.role_named(message["role"])}

    def role_named(self, role: Plain) -> Plain:
        """Return what a role is called here: the first name that stands for it."""
        return next((own for own, meant in self.roles.items() if meant == role), role)


USUAL = Spelling()
