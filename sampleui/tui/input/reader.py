"""What a terminal sends, read as keys: a key is one only when it is whole, however its bytes come."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from types import MappingProxyType

from textual import events
from textual.message import Message

from sampleui.text.limits import MAX_SEQUENCE_BYTES
from sampleui.tui.textual_internals import SequenceDecoder

ESCAPE_DELAY_S = 0.05
"""Seconds after which ESC alone is the key, where a terminal begins sequences by the same byte."""

SILENCE_S = 1.0
"""Seconds without a byte after which a sequence is given up that has begun."""

_REST_S = 0.3
"""Seconds for which keys after Escape wait that may be the rest of a sequence, if no digit is among them."""

_ESC = b"\x1b"
_PASTE_BEGINS, _PASTE_ENDS = b"[200~", b"\x1b[201~"
_FOCUS = (b"[I", b"[O")
_KITTY_FLAGS = re.compile(rb"\[\?(\d{1,3})u")
_DISAMBIGUATED = 1
"""The flag of Kitty's protocol by which Escape is a sequence of its own."""


class Stage(Enum):
    """What has come of a sequence."""

    NONE = auto()
    ESCAPE = auto()  # ESC
    CSI = auto()  # ESC [
    NUMBER = auto()  # its first parameter
    PARAMETERS = auto()
    INTERMEDIATE = auto()
    CONSOLE = auto()  # ESC [ [, as the Linux console has it
    MOUSE = auto()  # ESC [ M: three bytes of any kind follow
    MOUSE_COLUMN = auto()
    MOUSE_ROW = auto()
    SS3 = auto()  # ESC O
    OSC = auto()  # ESC ], which a digit, `l` or `L` makes a sequence
    STRING_BEGINS = auto()  # ESC P (DCS), ESC X (SOS), ESC ^ (PM), ESC _ (APC)
    STRING = auto()
    STRING_ENDS = auto()  # ESC in a string
    WHOLE = auto()
    BROKEN = auto()


def _follow(*rows: tuple[Iterable[int], Stage]) -> Mapping[int, Stage]:
    return MappingProxyType({byte: state for codes, state in rows for byte in codes})


_DIGITS, _OTHER_PARAMETERS, _INTERMEDIATES, _FINALS = b"0123456789", b":;<=>?", range(0x20, 0x30), range(0x40, 0x7F)
_PRINTABLE, _BEYOND_ASCII = range(0x20, 0x7F), range(0x80, 0x100)
_COORDINATE = (0, *range(0x20, 0x100))
_PARAMETERS = (
    (_DIGITS + _OTHER_PARAMETERS, Stage.PARAMETERS),
    (_INTERMEDIATES, Stage.INTERMEDIATE),
    (_FINALS, Stage.WHOLE),
)

GRAMMAR: Mapping[Stage, Mapping[int, Stage]] = MappingProxyType(
    {
        Stage.ESCAPE: _follow(
            (b"[", Stage.CSI), (b"O", Stage.SS3), (b"]", Stage.OSC), (b"PX^_", Stage.STRING_BEGINS)
        ),
        Stage.CSI: _follow(*_PARAMETERS, (_DIGITS, Stage.NUMBER), (b"M", Stage.MOUSE), (b"[", Stage.CONSOLE)),
        Stage.NUMBER: _follow(*_PARAMETERS, (_DIGITS, Stage.NUMBER), (b"$", Stage.WHOLE)),  # `$`: a key of rxvt's
        Stage.PARAMETERS: _follow(*_PARAMETERS),
        Stage.INTERMEDIATE: _follow((_INTERMEDIATES, Stage.INTERMEDIATE), (_FINALS, Stage.WHOLE)),
        Stage.CONSOLE: _follow((b"ABCDE", Stage.WHOLE)),
        Stage.MOUSE: _follow((_COORDINATE, Stage.MOUSE_COLUMN)),
        Stage.MOUSE_COLUMN: _follow((_COORDINATE, Stage.MOUSE_ROW)),
        Stage.MOUSE_ROW: _follow((_COORDINATE, Stage.WHOLE)),
        Stage.SS3: _follow((_DIGITS + b";", Stage.SS3), (b" ", Stage.WHOLE), (_FINALS, Stage.WHOLE)),
        Stage.OSC: _follow((_DIGITS + b"lL", Stage.STRING)),  # `l` and `L` tell the titles of a window
        Stage.STRING_BEGINS: _follow((_PRINTABLE, Stage.STRING)),
        Stage.STRING: _follow(
            (_PRINTABLE, Stage.STRING),
            (_BEYOND_ASCII, Stage.STRING),
            (range(0x08, 0x0E), Stage.STRING),
            (b"\x07", Stage.WHOLE),
            (b"\x1b", Stage.STRING_ENDS),
        ),
        Stage.STRING_ENDS: _follow((b"\\", Stage.WHOLE)),
    }
)
"""Which byte leads from which state to which, by ECMA-48 and what terminals send; any other breaks the sequence."""

_BARE = frozenset({Stage.CSI, Stage.CONSOLE, Stage.SS3, Stage.OSC, Stage.STRING_BEGINS})
"""States in which a person may as well have typed Escape and keys."""


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
        return _escape(), self.plain


def _escape() -> events.Key:
    return events.Key("escape", "\x1b")


class KeyReader:
    """Splits what a terminal sends into keys, mouse events, pasted texts and reports.

    A sequence that has begun ends as its grammar says, and only whole ones are decoded. One that breaks, or that
    does not go on for `SILENCE_S`, is dropped: none of its bytes becomes a key, unless there are no more than those
    by which sequences begin, which a person may have typed. Reports that nobody asked for are dropped as well.

    Where ESC alone had to be taken for the key, what follows may be the rest of its sequence. It is dropped if it
    is, and else becomes the keys that were typed, once that is certain.

    Times are in seconds, of any clock that never goes back.

    Args:
        escape_delay: after how many seconds ESC alone is the key, as long as `kitty` is false.

    Attributes:
        kitty: whether the terminal has said that it speaks Kitty's protocol, in which no key is ESC alone.
    """

    def __init__(self, escape_delay: float = ESCAPE_DELAY_S) -> None:
        self.kitty = False
        self._escape_delay = escape_delay
        self._decoder = SequenceDecoder()
        self._text_of = getincrementaldecoder("utf-8")("replace").decode
        self._state = Stage.NONE
        self._sequence = bytearray()
        self._came = 0.0  # when the last byte came
        self._escaped_at: float | None = None  # when ESC came that was taken for the key
        self._pasted: bytearray | None = None
        self._is_paste_dropped = False

    @property
    def due(self) -> float | None:
        """When to call `flush` if no byte comes before; None if nothing depends on that."""
        match self._state:
            case Stage.NONE:
                return None
            case Stage.ESCAPE if not self.kitty:
                return self._came + self._escape_delay
        is_number = any(byte in _DIGITS for byte in self._sequence)
        return self._came + (SILENCE_S if self._escaped_at is None or is_number else _REST_S)

    def feed(self, data: bytes, now: float) -> Iterator[Message]:
        """Yield what bytes mean that came now, as far as it is certain."""
        if self._state is Stage.NONE and self._escaped_at is not None and now - self._escaped_at > SILENCE_S:
            self._escaped_at = None
        self._came = now
        while data:
            if self._pasted is not None:
                data, pasted = self._paste(self._pasted, data)
                yield from pasted
            elif self._state is Stage.NONE and self._escaped_at is None:
                typed, escape, data = data.partition(_ESC)
                yield from self._typed(typed)
                self._state = Stage.ESCAPE if escape else Stage.NONE
            else:
                byte, data = data[:1], data[1:]
                yield from self._next(byte)

    def flush(self, now: float) -> Iterator[Message]:
        """Yield what it means that nothing has come until now."""
        if self.due is None or now < self.due:
            return
        state, begun, was_escaped = self._end()
        is_escape = state is Stage.ESCAPE or (was_escaped and state is Stage.STRING_ENDS)
        if was_escaped:
            yield from self._typed(begun)
        elif state in _BARE and not self.kitty:
            yield _escape()
            if state is Stage.OSC:
                yield from self._typed(begun)
        if is_escape:
            yield _escape()
            self._escaped_at = self._came

    def _end(self) -> tuple[Stage, bytes, bool]:
        """Return what had come of a sequence after its ESC, and whether that was taken for the key. It is over."""
        ended = self._state, bytes(self._sequence), self._escaped_at is not None
        self._state, self._escaped_at = Stage.NONE, None
        self._sequence.clear()
        return ended

    def _next(self, byte: bytes) -> Iterator[Message]:
        """Read one more byte of a sequence, or of what may be the rest of one."""
        state = Stage.ESCAPE if self._state is Stage.NONE else self._state
        self._state = GRAMMAR[state].get(byte[0], Stage.BROKEN)
        if self._state is Stage.BROKEN:
            self._state = state
            yield from self._broken(byte)
            return
        if len(self._sequence) < MAX_SEQUENCE_BYTES and self._state is not Stage.STRING_ENDS:
            self._sequence += byte
        if self._state is Stage.WHOLE:
            yield from self._whole()

    def _whole(self) -> Iterator[Message]:
        _, sequence, was_escaped = self._end()
        if flags := _KITTY_FLAGS.fullmatch(sequence):
            self.kitty = bool(int(flags[1]) & _DISAMBIGUATED)
        elif sequence == _PASTE_BEGINS:
            self._pasted, self._is_paste_dropped = bytearray(), was_escaped
        messages = list(self._decoder.decoded(sequence.decode("latin-1")))
        if not was_escaped:
            yield from messages
        elif len(sequence) > 2 or messages or sequence in _FOCUS:  # the rest of a sequence
            yield from (message for message in messages if not isinstance(message, events.InputEvent))
        else:
            yield from self._typed(sequence)

    def _broken(self, byte: bytes) -> Iterator[Message]:
        """Read a byte that cannot be the next one of a sequence."""
        state, begun, was_escaped = self._end()
        if was_escaped:
            yield from self._typed(begun)
        elif state in _BARE or (state is Stage.ESCAPE and byte == _ESC):
            yield _escape()
            yield from self._typed(begun)
        elif state is Stage.ESCAPE:
            yield from self._escaped(byte)
            return
        if state is Stage.STRING_ENDS:
            self._state = Stage.ESCAPE
            yield from self._next(byte)
        elif byte == _ESC:
            self._state = Stage.ESCAPE
        else:
            yield from self._typed(byte)

    def _escaped(self, byte: bytes) -> Iterator[Message]:
        """Read a character right after Escape, which may have more than one byte."""
        text = self._text_of(byte)
        if not text:
            self._state = Stage.ESCAPE
        for message in self._decoder.typed(text):
            yield EscapedKey(message) if isinstance(message, events.Key) else message

    def _paste(self, pasted: bytearray, data: bytes) -> tuple[bytes, list[Message]]:
        """Return what comes after a paste, which lasts until its end mark, and the paste if it has ended."""
        searched = max(len(pasted) - len(_PASTE_ENDS) + 1, 0)
        pasted += data
        end = pasted.find(_PASTE_ENDS, searched)
        if end < 0:
            return b"", []
        self._pasted = None
        text = pasted[:end].decode("utf-8", "replace").replace("\x00", "")
        return bytes(pasted[end + len(_PASTE_ENDS) :]), [] if self._is_paste_dropped else [events.Paste(text)]

    def _typed(self, data: bytes) -> Iterator[Message]:
        """Yield the keys of bytes outside of sequences; a character may come in pieces."""
        return self._decoder.typed(self._text_of(data))
