"""Which templates Nunjucks refuses with a "Template render error", as far as that is certain.

Each rule was tried with the Nunjucks 3.2 of promptfoo 0.121. What no rule speaks of may be refused all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BETWEEN_WORDS = r"\s()\[\]{}%*\-+~/#,:|.<>=!"
_TOKEN = re.compile(
    r"""(?P<gap>\s++)|(?P<text>'(?:[^'\\]|\\.|)*+'|"(?:[^"\\]|\\.|)*+")"""
    rf"|(?P<number>\d++(?:\.\d*+)?(?![^{_BETWEEN_WORDS}]))"
    rf"""|(?P<word>[^{_BETWEEN_WORDS}'"][^{_BETWEEN_WORDS}]*+)|(?P<sign>[!=]==?|[<>]=?|//|\*\*|.)""",
    re.DOTALL,
)
"""What an expression consists of, as Nunjucks' lexer parts it."""

_PATTERN = re.compile(r"\br/")
_BINARY = frozenset({"+", "-", "*", "/", "//", "**", "%", "~", "==", "!=", "===", "!==", "<", ">", "<=", ">="})
_BETWEEN = frozenset({"and", "or", "in", "is"})
_BEFORE_NOT = frozenset({"", "not", "and", "or", "if", "else", "(", "[", ",", "="})
_CLOSES = {")": "(", "]": "[", "}": "{"}
_NO_OPERATOR = "behind a value it has neither an operator nor a filter"
_NO_VALUE = "no value begins so"
_AT_END = "a value is missing at its end"
_BLOCK = re.compile(r"-?\s*+(\w*+)")
_ENDS = {
    **{name: f"end{name}" for name in ("if", "for", "macro", "block", "call", "filter", "switch")},
    **{"asyncEach": "endeach", "asyncAll": "endall", "ifAsync": "endif"},
}
_INSIDE = frozenset({"elif", "elseif", "else", "case", "default"})
FILTERS = frozenset(
    """
    abs batch capitalize center d default dictsort dump e escape first float forceescape groupby indent int join
    last length list lower nl2br random reject rejectattr replace reverse round safe select selectattr slice sort
    string striptags sum title trim truncate upper urlencode urlize wordcount load
    """.split()  # noqa: SIM905
)
"""The filters of Nunjucks, and the one that promptfoo adds."""

_CONDITIONS = frozenset({"elif", "elseif", "ifAsync", "switch", "case"})
_LOOP = re.compile(r"\bin\b")
_ALONE = frozenset({"include", "extends", "import", "from"})
_RAW = {"raw": "endraw", "verbatim": "endverbatim"}


@dataclass
class _Level:
    """A bracket that is open, or the whole expression.

    Attributes:
        opened: the bracket, "" for the whole.
        kind: what it is about: a `group` of values, a `call`, or `sub` for the key in it.
        empty: whether nothing is in it so far.
        condition: whether an `if` in it waits for an `else`.
        keyed: whether the entry of a table that is read has a value.
    """

    opened: str = ""
    kind: str = ""
    empty: bool = True
    condition: bool = False
    keyed: bool = False


def tag_fault(tag: str) -> str:
    """Return why Nunjucks refuses a tag `{{ … }}`, in words; empty if that is not certain."""
    return expression_fault(tag[2:-2].removeprefix("-").removesuffix("-"))


def expression_fault(text: str) -> str:
    """Return why Nunjucks refuses an expression, in words; empty if that is not certain (its `parser.js`)."""
    if not text.strip():
        return "nothing is in it"
    if _PATTERN.search(text):
        return ""  # it has a grammar of its own
    reading = _Reading()
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "gap":
            continue
        fault = reading.takes(str(token.lastgroup), token[str(token.lastgroup)])
        if fault is not None:
            return fault
    return reading.ends()


class _Reading:
    """How far an expression was read: which brackets are open, and whether a value must follow."""

    def __init__(self) -> None:
        self.levels = [_Level()]
        self.wants, self.after, self.last = True, "", ""

    def takes(self, kind: str, token: str) -> str | None:
        """Take a token. Returns why it is refused, "" if nothing can be said of the rest, None if all is well."""
        after, self.after = self.after, ""
        last, self.last = self.last, token
        level = self.levels[-1]
        if after == "|":
            return self._named(kind, "the name of a filter is missing")
        if after == ".":
            return self._named(kind, "a key is missing behind a dot")
        if after == "not":
            return None if token == "in" else _NO_OPERATOR
        if token in _CLOSES and kind == "sign":
            return self._closes(token, level)
        level.empty = False
        if (token == "not" and self.wants and last not in _BEFORE_NOT) or (last == "is" and kind == "sign"):
            return ""  # it is a name there, and a test may be anything
        return self._value(kind, token, level) if self.wants else self._operator(kind, token, level)

    def _named(self, kind: str, missing: str) -> str | None:
        self.wants = False
        return None if kind == "word" else missing

    def _value(self, kind: str, token: str, level: _Level) -> str | None:
        if kind == "word" and token == "not":
            return None
        if kind != "sign":
            self.wants = False
            return None
        if token in ("(", "[", "{"):
            self.levels.append(_Level(token, "group"))
            return None
        if token in ("-", "+"):
            return None
        if token == ":" or level.kind == "sub":
            return ""
        return _NO_VALUE

    def _operator(self, kind: str, token: str, level: _Level) -> str | None:
        self.wants = True
        if kind == "word":
            return self._word(token, level)
        if kind != "sign" or token in ("{", "!", "#"):
            return _NO_OPERATOR
        if token in ("(", "["):
            self.levels.append(_Level(token, "call" if token == "(" else "sub"))
        elif token in ("|", "."):
            self.after = token
        elif token == ",":
            if not level.opened or level.kind == "sub":
                return _NO_OPERATOR if not level.opened else ""
            if level.opened == "{" and not level.keyed:
                return "a key of a table has no value"
            level.keyed = level.condition = False
        elif token == ":":
            if level.opened != "{":
                return _NO_OPERATOR if level.kind != "sub" else ""
            level.keyed = True
        elif token == "=":
            return None if level.kind == "call" else _NO_OPERATOR
        elif token not in _BINARY:
            return ""
        return None

    def _word(self, token: str, level: _Level) -> str | None:
        if token in _BETWEEN:
            return None
        if token == "not":
            self.after = "not"
            return None
        if token == "if" or (token == "else" and level.condition):
            level.condition = token == "if"
            return None
        return _NO_OPERATOR

    def _closes(self, token: str, level: _Level) -> str | None:
        if level.opened != _CLOSES[token]:
            return (
                "" if level.opened else f"{token} closes nothing that is open"
            )  # it takes any end for a bracket's
        if self.wants and not (level.empty and (level.kind == "call" or level.opened in ("[", "{"))):
            return _NO_VALUE
        if self.wants and level.kind == "sub":
            return "nothing is between the brackets"
        if level.opened == "{" and not level.empty and not level.keyed:
            return "a key of a table has no value"
        self.levels.pop()
        self.wants = False
        return None

    def ends(self) -> str:
        """Return why an expression cannot end here; "" if it can."""
        if self.after in ("|", "."):
            return "the name of a filter is missing" if self.after == "|" else "a key is missing behind a dot"
        if self.wants or self.after == "not":
            return _AT_END
        return f"{self.levels[-1].opened} is never closed" if len(self.levels) > 1 else ""


def block_fault(template: str) -> str:
    """Return why Nunjucks refuses the blocks of a template, in words; empty if that is not certain."""
    open_blocks: list[str] = []
    for name, condition in _blocks(template):
        if not name:
            return "a block has no name"
        if fault := _condition_fault(name, condition.removesuffix("-")):
            return f"{fault} ({name})"
        if open_blocks and name == open_blocks[-1]:
            open_blocks.pop()
        elif name in _ENDS:
            condition = condition.removesuffix("-")
            if name == "if" and not condition.strip():
                return "a condition is missing behind if"
            if name == "if" and (fault := expression_fault(condition)):
                return f"{fault} (if)"
            open_blocks.append(_ENDS[name])
        elif name == "set":
            if "=" not in condition:
                open_blocks.append("endset")
        elif not (name in _ALONE or (name in _INSIDE and open_blocks)):
            return f"{name} begins no block, and ends none that is open"
    return f"{open_blocks[-1]} is missing" if open_blocks else ""


def _condition_fault(name: str, condition: str) -> str:
    """Return why Nunjucks refuses what follows the name of a block, in words; empty if that is not certain."""
    if name in _CONDITIONS:
        return expression_fault(condition)
    if name == "set" and (settled := condition.partition("="))[1]:
        return expression_fault(settled[2])
    if name == "for":
        loop = _LOOP.search(condition)
        return "a loop has no in" if loop is None else expression_fault(condition[loop.end() :])
    return ""


def _blocks(template: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each block tag and what follows it, without those inside of raw blocks."""
    position = 0
    while (start := template.find("{%", position)) >= 0 and (end := template.find("%}", start + 2)) >= 0:
        name = _BLOCK.match(template, start + 2)
        position = end + 2
        if name and (ending := _RAW.get(name[1])):
            closing = re.compile(rf"\{{%-?\s*+{ending}\s*+-?%\}}").search(template, position)
            # A raw block that is never closed goes on to the end of the text.
            position = closing.end() if closing else len(template)
        elif name:
            yield name[1], template[name.end() : end]
