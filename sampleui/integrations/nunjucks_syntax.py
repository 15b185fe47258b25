"""Which templates Nunjucks refuses with a "Template render error", as far as that is certain.

Each rule was tried with the Nunjucks 3.2 of promptfoo 0.121. What no rule speaks of may be refused all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
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
_LITERALS = frozenset({"true", "false", "none", "null"})
_BEFORE_NOT = frozenset({"", "not", "and", "or", "if", "else", "(", "[", ",", "="})
_CLOSES = {")": "(", "]": "[", "}": "{"}
_NO_OPERATOR = "behind a value it has neither an operator nor a filter"
_NO_VALUE = "no value begins so"
_AT_END = "a value is missing at its end"
_IS_NOT = "is not"
BLANKS = r"[ \n\t\r\xa0]*"
STRING = r"""'(?:[^'\\]|\\.|)*+'|"(?:[^"\\]|\\.|)*+\""""
_DELIMITERS = r"()\[\]{}%*\-+~/#,:|.<>=!"
_INNER = rf"""
    [ \n\t\r\xa0] | {STRING} | r/(?:[^/]|(?<=\\)/|)*+/
    | [^ \n\t\r\xa0{_DELIMITERS}'"][^ \n\t\r\xa0{_DELIMITERS}]*+
"""
SIGNS = re.compile(r"\{[{%#]|#\}")
"""What a tag begins with, or the end of a comment, which Nunjucks refuses anywhere else."""
TAG = re.compile(
    rf"\{{\{{(?:{_INNER} | (?!-?\}}\}})[{_DELIMITERS}]|)*+-?\}}\}} | \{{\#.*?\#\}}", re.DOTALL | re.VERBOSE
)
"""A tag from its first brace to its last, as Nunjucks finds it: braces in texts are no ends (its `lexer.js`)."""
_WHOLE_BLOCK = re.compile(
    rf"\{{%-?((?:{_INNER} | (?!-?[%\}}]\}})[{_DELIMITERS}]|)*+)-?%\}}", re.DOTALL | re.VERBOSE
)
_BLOCK = re.compile(r"\s*+(\w++)")
_ENDS = {
    **{name: f"end{name}" for name in ("if", "for", "macro", "block", "call", "filter", "switch")},
    **{"asyncEach": "endeach", "asyncAll": "endall", "ifAsync": "endif"},
}
_INSIDE = {
    "endif": frozenset({"elif", "elseif", "else"}),
    **dict.fromkeys(("endfor", "endeach", "endall"), frozenset({"else"})),
    "endswitch": frozenset({"case", "default", "endswitch"}),
}
"""By the end of a block, the blocks that are its parts, at first."""
_NAME = (
    rf"(?!(?:[0-9]++|true|false|none|null)(?![^{_BETWEEN_WORDS}]))[^{_BETWEEN_WORDS}'\"][^{_BETWEEN_WORDS}]*+\s*+"
)
_TARGET = re.compile(rf"\s*+{_NAME}")
_TARGETS = re.compile(rf"\s*+{_NAME}(?:,\s*+{_NAME}|)*+")
_LOOP = re.compile(rf"{_TARGETS.pattern}in(?![^{_BETWEEN_WORDS}])")
_SEVERAL = re.compile(rf"\s*+{_NAME},")
_MACRO = re.compile(rf"\s*+{_NAME}\(")
_WORD = re.compile(r"\w++")
_QUOTED = re.compile("['\"]")
_AS, _IMPORT = re.compile(r"\bas\b"), re.compile(r"\bimport\b")
_FILTERED = re.compile(rf"\s*+{_NAME}(?:\.\s*+{_NAME}|)*+(?:\(.*\)\s*+)?", re.DOTALL)


def _is_blank(head: str) -> bool:
    return not head.strip()


def _is_something(head: str) -> bool:
    return bool(head.strip())


def _imports(head: str) -> bool:
    begun = _IMPORT.search(head)
    return begun is not None and bool(head[: begun.start()].strip() and head[begun.end() :].strip())


_HEADS: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys({*_ENDS.values(), "endset", "else", "default", "raw", "verbatim"} - {"endblock"}, _is_blank),
    "block": _TARGET.fullmatch,
    "filter": _FILTERED.fullmatch,
    "call": lambda head: head.rstrip().endswith(")"),
    **dict.fromkeys(("include", "extends"), _is_something),
    "import": _AS.search,
    "from": _imports,
}
"""What must follow the names of blocks."""
FILTERS = frozenset(
    """
    abs batch capitalize center d default dictsort dump e escape first float forceescape groupby indent int join
    last length list lower nl2br random reject rejectattr replace reverse round safe select selectattr slice sort
    string striptags sum title trim truncate upper urlencode urlize wordcount load
    """.split()  # noqa: SIM905
)
"""The filters of Nunjucks, and the one that promptfoo adds."""

_CONDITIONS = frozenset({"if", "elif", "elseif", "ifAsync", "switch", "case"})
_LOOPS = frozenset({"for", "asyncEach", "asyncAll"})
_ALONE = frozenset({"include", "extends", "import", "from"})
_RAW = frozenset({"raw", "verbatim"})


@dataclass
class _Level:
    """A bracket that is open, or the whole expression.

    Attributes:
        opened: the bracket, "" for the whole.
        kind: what it is about: a `group` of values, a `call`, or `sub` for the key in it.
        empty: whether nothing is in it so far.
        condition: whether an `if` in it waits for an `else`.
        keyed: whether the entry of a table that is read has a value.
        named: whether the entry that is read, of a table or of arguments, is nothing but a name or a text so far.
        begun: whether the entry that is read has anything.
    """

    opened: str = ""
    kind: str = ""
    empty: bool = True
    condition: bool = False
    keyed: bool = False
    named: bool = False
    begun: bool = False

    def adds(self, kind: str, token: str) -> None:
        """Take a token into the entry that is read."""
        is_name = kind == "text" or (kind == "word" and token not in _LITERALS)
        self.named, self.begun = is_name and not self.begun, True

    def next_entry(self) -> None:
        self.keyed = self.condition = self.named = self.begun = False


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
        self.tests = False
        """Whether a test was asked for, behind which it does not look at all values."""

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
        if token == "not" and last == "is":
            self.last = _IS_NOT
            return None
        if (token == "not" and self.wants and last not in _BEFORE_NOT) or (
            last in ("is", _IS_NOT) and kind == "sign"
        ):
            return ""  # it is a name there, and a test may be anything
        if self.wants and token in ("-", "+"):
            return None
        if self.wants:
            level.adds(kind, token)
            return self._value(kind, token)
        fault = self._operator(kind, token, level)
        if token != ",":
            level.adds(kind, token)
        return fault

    def _named(self, kind: str, missing: str) -> str | None:
        self.wants = False
        return None if kind == "word" else missing

    def _value(self, kind: str, token: str) -> str | None:
        if kind == "word" and token == "not":
            return None
        if kind != "sign":
            self.wants = False
            return None
        if token in ("(", "[", "{"):
            self.levels.append(_Level(token, "group"))
            return None
        return "" if self.tests else _NO_VALUE

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
            return self._parts(level)
        elif token == ":":
            if level.opened != "{" or level.keyed:
                return _NO_OPERATOR
            level.keyed = True
            return self._key(level)
        elif token == "=":
            return self._key(level) if level.kind == "call" else _NO_OPERATOR
        elif token not in _BINARY:
            return ""
        return None

    def _key(self, level: _Level) -> str | None:
        if level.named:
            return None
        return "" if self.tests else "a key is a name or a text"

    def _parts(self, level: _Level) -> str | None:
        """Take a comma between two entries."""
        if not level.opened:
            return _NO_OPERATOR
        if level.kind == "sub":
            return "one key alone is between such brackets"
        if level.opened == "{" and not level.keyed:
            return "a key of a table has no value"
        level.next_entry()
        return None

    def _word(self, token: str, level: _Level) -> str | None:
        if token in _BETWEEN:
            self.tests |= token == "is"
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
            # It takes any end for a bracket's, and one in the place of a value that is not looked at.
            return "" if level.opened or (self.wants and self.tests) else f"{token} closes nothing that is open"
        if self.wants and not (level.empty and (level.kind == "call" or level.opened in ("[", "{"))):
            return "" if self.tests else _NO_VALUE
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


def block_fault(template: str, filters: frozenset[str] = FILTERS) -> str:
    """Return why Nunjucks refuses a template with blocks, in words; empty if that is not certain.

    Args:
        template: the template.
        filters: the names of the filters that there are.
    """
    reading = _Blocks(filters)
    for sign, text in _pieces(template):
        if sign == "{{":
            fault = "" if reading.drops else tag_fault(text)
        elif sign == "{%":
            fault = reading.takes(text)
        else:
            return text
        if fault:
            return fault
    return f"{reading.within.ending} is missing" if reading.open_blocks else ""


class _Blocks:
    """How far the blocks of a template were read.

    Attributes:
        open_blocks: the blocks that are open, the innermost last.
    """

    def __init__(self, filters: frozenset[str]) -> None:
        self.open_blocks: list[_OpenBlock] = []
        self._names: set[str] = set()
        self._filters = filters

    @property
    def within(self) -> _OpenBlock:
        """The innermost block that is open."""
        return self.open_blocks[-1] if self.open_blocks else _OpenBlock("")

    @property
    def drops(self) -> bool:
        """Whether what is read is left out by Nunjucks: it is before the first case of a switch."""
        return any("endswitch" in block.inside for block in self.open_blocks)

    def takes(self, text: str) -> str:
        """Take what is in a block. Returns why it is refused, "" if it is not."""
        named = _BLOCK.match(text)
        if named is None:
            return "a block has no name"
        name, head, within = named[1], text[named.end() :], self.within
        if fault := "" if self.drops else _head_fault(name, head) or self._unknown(name, head):
            return f"{fault} ({name})"
        if name in within.inside:
            within.goes_on(name)
        elif name == within.ending:
            self.open_blocks.pop()
        elif name in _ENDS or (name == "set" and "=" not in head):
            self.open_blocks.append(_OpenBlock(_ENDS.get(name, "endset")))
        elif not (name == "set" or name in _ALONE or name in _RAW):
            return f"{name} begins no block, and ends none that is open"
        return ""

    def _unknown(self, name: str, head: str) -> str:
        """Return why a block is refused for its own name, or that of a filter that is certainly called."""
        called = head.strip()
        if name == "block":
            if called in self._names:
                return f"there are two called {called}"
            self._names.add(called)
        elif name == "filter" and not self.open_blocks:
            called = called.partition("(")[0].strip()
            if _WORD.fullmatch(called) and called not in self._filters:
                return f"there is no filter {called}"
        return ""


class _OpenBlock:
    """A block that is open: by what it ends, and which blocks may stand in it as its parts."""

    def __init__(self, ending: str) -> None:
        self.ending = ending
        self.inside: frozenset[str] = _INSIDE.get(ending, frozenset())

    def goes_on(self, name: str) -> None:
        """Take one of its parts; the first of a switch is read as a case, whatever it is."""
        if name == "else" or (name == "default" and "endswitch" not in self.inside):
            self.inside = frozenset()
        elif self.ending == "endswitch":
            self.inside = frozenset({"case", "default"})


def _head_fault(name: str, head: str) -> str:
    """Return why Nunjucks refuses what follows the name of a block, in words; empty if that is not certain."""
    if name in _CONDITIONS:
        return expression_fault(head)
    if name in _LOOPS:
        return _loop_fault(head)
    if name == "set":
        return _set_fault(head)
    if name == "macro":
        return _macro_fault(head)
    if name in _HEADS:
        return "" if _HEADS[name](head) else "what follows its name is not valid"
    return ""


def _loop_fault(head: str) -> str:
    if loop := _LOOP.match(head):
        return expression_fault(head[loop.end() :])
    return "" if _SEVERAL.match(head) else "a loop has no name, or no in"


def _set_fault(head: str) -> str:
    targets = _TARGETS.match(head)
    rest = head[targets.end() :] if targets else head
    if targets and rest.startswith("=") and not rest.startswith("=="):
        return expression_fault(rest[1:])
    return "" if (targets and not rest) or _QUOTED.search(head) else "there is no name, or no = behind it"


def _macro_fault(head: str) -> str:
    begun, written = _MACRO.match(head), head.rstrip()
    if _QUOTED.search(head):
        return ""
    if begun is None or not written.endswith(")"):
        return "a macro has a name, and its arguments in brackets"
    inner = written[begun.end() : -1]
    if not inner.strip() or set(inner) & set("()[]{}"):
        return ""
    for argument in inner.split(","):
        name, equals, value = argument.partition("=")
        if not (name.strip() if equals else _TARGET.fullmatch(argument)):
            return "an argument of a macro is a name, or a name with a value"
        if equals and (fault := expression_fault(value)):
            return fault
    return ""


def _pieces(template: str) -> Iterator[tuple[str, str]]:
    """Yield the tags and the blocks of a template, without those inside of comments and of raw blocks.

    Yields:
        For a tag `{{` and the whole of it, for a block `{%` and what is in it, and where a template cannot be read
        on `""` and why, or `""` where even that is not certain.
    """
    position = 0
    while opened := SIGNS.search(template, position):
        if opened[0] == "#}":
            yield "", "no comment is to be ended there"
            return
        if opened[0] == "{%":
            block = _WHOLE_BLOCK.match(template, opened.start())
            if block is None:
                yield "", "a block is never closed"
                return
            yield "{%", block[1]
            position = _behind(template, block)
            if position < 0:
                yield "", ""
                return
        else:
            tag = TAG.match(template, opened.start())
            if tag is None:
                yield "", "a tag is never closed"
                return
            if opened[0] == "{{":
                yield "{{", tag[0]
            position = tag.end()


def _behind(template: str, block: re.Match[str]) -> int:
    """Return where a template goes on behind a block, which may be raw and hold others; -1 if it is not certain."""
    name = _BLOCK.match(block[1])
    if name is None or name[1] not in _RAW or block[1][name.end() :].strip():
        return block.end()
    depth = 1
    for mark in re.compile(rf"\{{%\s*+(end)?{name[1]}\s*+%\}}").finditer(template, block.end()):
        depth += -1 if mark[1] else 1
        if not depth:
            return mark.end()
    return -1
