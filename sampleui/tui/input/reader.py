"""What a terminal sends, read as keys: the same keys, however quickly they follow each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from textual import events
from textual.message import Message

from sampleui.text.limits import MAX_SEQUENCE
from sampleui.tui.textual_internals import decoder

_ESCAPE = "\x1b"
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"

_DECODED = re.compile(
    r"""\x1b(?:
        \[ (?: [A-DFHPQSZ]                                  # cursor keys and the first function keys
             | \d{1,6} (?: ;\d{0,3} (?: ;[\d:]{0,40} )? )? [u~ABCDEFHPQRS]
             | < \d{1,9} ; -?\d{1,9} ; -?\d{1,9} [mM]       # mouse
             | \? \d{1,9} ; \d \$y                          # whether the terminal has a mode
             | 48 (?: ;\d{1,9} (?: :\d{0,9} )* ){4} t       # its size
           )
        | O [A-DFHP-S] (?! [ -~] )
    )""",
    re.VERBOSE,
)
"""Sequences that Textual knows. Cursor keys as `O A` come in a mode that is never set, so that before a printable
character an `O` was typed."""

_MODIFIER = re.compile(r"\x1b\[(?:5735[89]|57360|5744[1-9]|5745[0-4])(?:;[\d:;]*)?u")
"""Shift, Ctrl, Alt, Super and their like alone, and the keys that lock, in kitty's protocol: no key yet."""

_CONSOLE = re.compile(r"\x1b\[\[[A-E]")
"""The first function keys of the Linux console, and of nothing else: elsewhere `[` was typed twice."""

_REPORT = re.compile(
    r"\x1b(?:\[[<-?]?[\d:;]+[ -/]*[@-~]|\][\d;]++[^\x07\x1b]*+(?:\x07|\x1b\\)|P[\d>!][^\x1b]*+\x1b\\)"
)
"""Answers of a terminal that nobody asked for here; as keys they would be commands."""

_DUPLICATE = re.compile(r"\x1b\[D(?:[\x00-\x1a\x1c-\x1f]|\Z)")

_BEGUN = re.compile(r"\x1b(?:\[(?:[<-?]?[\d:;]*[ -/]*|\[)|O|\][\d;]++[^\x07\x1b]*+\x1b?|P[\d>!][^\x1b]*+\x1b?)?\Z")
"""The beginning of a sequence, of which the rest may still come."""

_SCRIPTED = 5
"""Characters before it in one read that tell `ESC [ D`, with a control character or nothing after it, from the left
arrow: what a script or a macro types comes in one read, and Escape, `[`, `D` are keys that follow each other."""


class EscapedKey(events.Key):
    """A character right after Escape: alt and that key where those are bound, or else Escape and then the key."""

    def __init__(self, plain: events.Key) -> None:
        name = f"shift+{plain.key.lower()}" if len(plain.key) == 1 and plain.key.isupper() else plain.key
        super().__init__(f"alt+{name}", None)
        self.plain = plain

    def together(self) -> events.Key:
        """Return the one key that it is where that is bound."""
        return events.Key(self.key, None)

    def apart(self) -> tuple[events.Key, events.Key]:
        """Return the two keys that it is where alt and the key are not bound."""
        return events.Key("escape", _ESCAPE), self.plain


class KeyReader:
    """Splits what a terminal sends into keys, mouse events, pasted texts and reports.

    After Escape, Textual's parser waits a tenth of a second for a sequence to go on, and takes what is typed by
    then for a part of it. Here a sequence is known by its grammar; only whole sequences and single characters reach
    Textual's parser, which decodes them.
    """

    def __init__(self, console: bool = False) -> None:
        self._decoded = decoder()
        self._console = console
        self._unread = ""
        self._plain = 0
        self._pasting = False

    @property
    def waiting(self) -> bool:
        """Whether it depends on what comes next what the last characters mean."""
        return bool(self._unread) and not self._pasting

    def feed(self, text: str) -> Iterator[Message]:
        """Yield what a text from the terminal means, as far as that is certain."""
        self._unread += text
        self._plain = 0
        while self._unread:
            size = len(self._unread)
            yield from self._next()
            if len(self._unread) == size:
                return

    def flush(self) -> Iterator[Message]:
        """Yield the characters that waited as single keys: nothing followed, so they began no sequence."""
        if self.waiting:
            waiting, self._unread = self._unread, ""
            yield from self._typed(waiting)

    def _next(self) -> Iterator[Message]:
        if self._pasting:
            yield from self._pasted()
        elif self._unread[0] != _ESCAPE:
            plain, escape, after = self._unread.partition(_ESCAPE)
            self._unread = escape + after
            self._plain += len(plain)
            yield from self._decoded(plain)
        elif self._plain >= _SCRIPTED and _DUPLICATE.match(self._unread):
            typed, self._unread = self._unread[:3], self._unread[3:]
            yield from self._typed(typed)
        elif self._unread.startswith(_PASTE_BEGINS):
            self._unread = self._unread[len(_PASTE_BEGINS) :]
            self._pasting = True
            yield from self._pasted()
        elif match := _DECODED.match(self._unread) or (self._console and _CONSOLE.match(self._unread)):
            self._unread = self._unread[match.end() :]
            if not _MODIFIER.match(match.group()):
                yield from self._decoded(match.group())
        elif match := _REPORT.match(self._unread):
            self._unread = self._unread[match.end() :]
        elif not _BEGUN.match(self._unread) or len(self._unread) > MAX_SEQUENCE:
            yield from self._escaped()

    def _pasted(self) -> Iterator[Message]:
        text, end, after = self._unread.partition(_PASTE_ENDS)
        if end:
            self._unread, self._pasting = after, False
            yield events.Paste(text.replace("\x00", ""))

    def _escaped(self) -> Iterator[Message]:
        if self._unread[1:2] in ("", _ESCAPE, "[", "O", "]", "P"):
            self._unread = self._unread[1:]
            yield events.Key("escape", _ESCAPE)
            if self._unread[:1] not in ("", _ESCAPE):
                character, self._unread = self._unread[0], self._unread[1:]
                yield from self._decoded(character)
            return
        character, self._unread = self._unread[1], self._unread[2:]
        for message in self._decoded(character):
            yield EscapedKey(message) if isinstance(message, events.Key) else message

    def _typed(self, text: str) -> Iterator[Message]:
        for character in text:
            if character == _ESCAPE:
                yield events.Key("escape", _ESCAPE)
            else:
                yield from self._decoded(character)
