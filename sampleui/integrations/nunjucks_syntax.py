r"""The grammar of Nunjucks' templates (its `lexer.js`, `parser.js` and `compiler.js`, 3.2): what a tag says.

A tag that it refuses with a "Template render error" is told with the reason. What no rule speaks of may be refused
all the same, such as texts in braces that JavaScript makes no program of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_DELIMITERS = r"()\[\]{}%*\-+~/#,:|.<>=!"
_SPACE = r" \n\t\r\xa0"
_STRING = r"""'(?:[^'\\]|\\.|)*+'|"(?:[^"\\]|\\.|)*+\""""
_PATTERN = r"r/(?:[^/]|(?<=\\)/|)*+/"
_WORD = rf"[^{_SPACE}{_DELIMITERS}'\"][^{_SPACE}{_DELIMITERS}]*+"
_INNER = rf"[{_SPACE}]|{_STRING}|{_PATTERN}|{_WORD}"
_SIGNS = re.compile(r"\{[{%#]|#\}")
"""What a tag begins with, or the end of a comment, which Nunjucks refuses anywhere else."""
_TAG = re.compile(rf"\{{\{{(?:{_INNER}|(?!-?\}}\}})[{_DELIMITERS}]|)*+-?\}}\}}|\{{\#.*?\#\}}", re.DOTALL)
"""A tag from its first brace to its last, as Nunjucks finds it: braces in texts are no ends (its `lexer.js`)."""
_BLOCK = re.compile(rf"\{{%-?((?:{_INNER}|(?!-?[%\}}]\}})[{_DELIMITERS}]|)*+)-?%\}}", re.DOTALL)
_TOKEN = re.compile(
    rf"(?P<gap>[{_SPACE}]++)|(?P<text>{_STRING})|(?P<pattern>{_PATTERN}[gimy]*+)"
    rf"|(?P<number>[0-9]++(?![^{_SPACE}{_DELIMITERS}])(?:\.[0-9]*+)?)|(?P<word>{_WORD})"
    r"|(?P<sign>[!=]==?|[<>]=?|//|\*\*|.)",
    re.DOTALL,
)
"""What a tag consists of."""

_BINARY = ("+", "-", "*", "/", "//", "**", "%", "~", "==", "!=", "===", "!==", "<", ">", "<=", ">=")
_CONSTANTS = frozenset({"true", "false", "none", "null"})
_AGGREGATES = {"(": "group", "[": "list", "{": "table"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_NO_OPERATOR = "behind a value it has neither an operator nor a filter"
_NO_VALUE = "no value begins so"


class RefusedTemplateError(Exception):
    """Nunjucks refuses a template. The message says why."""


class Node(NamedTuple):
    """A part of an expression.

    Attributes:
        kind: `text`, `number`, `constant`, `pattern` and `word` have no parts; a `lookup` has a value and a key, a
            `call` what is called and its arguments, a `filter` what is filtered and its arguments.
        value: the text, the number as it is written, the word, the name of the filter or the sign.
        parts: what it is made of, in the order in which that is evaluated.
    """

    kind: str
    value: str = ""
    parts: tuple[Node, ...] = ()

    @property
    def path(self) -> list[str]:
        """The names of the variable that it is, by the keys that lead to it; none for anything else."""
        if self.kind == "word":
            return [self.value]
        if self.kind != "lookup" or self.parts[1].kind != "text":
            return []
        return [*above, self.parts[1].value] if (above := self.parts[0].path) else []


_NOTHING = Node("nothing")


class _Parser:
    """What is left of a tag."""

    def __init__(self, text: str) -> None:
        found = ((str(token.lastgroup), token[0]) for token in _TOKEN.finditer(text))
        self._left = [*(token for token in found if token[0] != "gap"), ("end", "")][::-1]

    def takes(self, *wanted: str) -> str:
        """Take a sign or a word if it is one of these, and return it; "" for anything else."""
        kind, text = self._left[-1]
        return self._take()[1] if kind in ("sign", "word") and text in wanted else ""

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self._left[-1][0] == "end"

    def _take(self) -> tuple[str, str]:
        return self._left.pop() if len(self._left) > 1 else self._left[0]

    def ends(self) -> None:
        """Check that nothing is left."""
        if not self.is_at_end:
            closes = self.takes(")", "]", "}")
            raise RefusedTemplateError(f"{closes} closes nothing that is open" if closes else _NO_OPERATOR)

    def expression(self) -> Node:
        """Take an expression."""
        value = self._either()
        if not self.takes("if"):
            return value
        parts = [self._either(), value]
        if self.takes("else"):
            parts.append(self._either())
        return Node("if", "", tuple(parts))

    def _either(self) -> Node:
        parts = [self._negated()]
        while self.takes("or", "and"):
            parts.append(self._negated())
        return Node("and", "", tuple(parts)) if len(parts) > 1 else parts[0]

    def _negated(self) -> Node:
        return Node("not", "", (self._negated(),)) if self.takes("not") else self._sought()

    def _sought(self) -> Node:
        value = self._tested()
        while True:
            negated = self.takes("not")
            if not self.takes("in"):
                if negated:
                    raise RefusedTemplateError(_NO_OPERATOR)
                return value
            value = Node("in", "", (value, self._tested()))

    def _tested(self) -> Node:
        value = self._operands()
        if not self.takes("is"):
            return value
        self.takes("not")
        return Node("is", "", (value, self._operands()))

    def _operands(self) -> Node:
        parts = [self._signed()]
        while self.takes(*_BINARY):
            parts.append(self._signed())
        return Node("operands", "", tuple(parts)) if len(parts) > 1 else parts[0]

    def _signed(self, filters: bool = True) -> Node:
        sign = self.takes("-", "+")
        value = Node("signed", sign, (self._signed(False),)) if sign else self.primary()
        while filters and self.takes("|"):
            value = self.filtered(value)
        return value

    def filtered(self, value: Node) -> Node:
        """Take the name of a filter and its arguments."""
        name = self._word("the name of a filter is missing")
        while self.takes("."):
            name += f".{self._word('the name of a filter is missing')}"
        if self._left[-1] != ("sign", "("):
            return Node("filter", name, (value,))
        call = self._postfix(value)
        if call is None or call.kind != "call":
            raise RefusedTemplateError(_NO_OPERATOR)
        return Node("filter", name, (value, *call.parts[1:]))

    def _word(self, missing: str) -> str:
        kind, text = self._take()
        if kind != "word" or text in _CONSTANTS:
            raise RefusedTemplateError(missing)
        return text

    def primary(self, postfix: bool = True) -> Node:
        """Take a value, and what is called or looked up of it."""
        kind, text = self._take()
        value: Node | None = None
        if kind == "end":
            raise RefusedTemplateError("a value is missing at its end")
        if kind == "text":
            value = Node(kind, _ESCAPED.sub(lambda sign: _ESCAPES.get(sign[1], sign[1]), text[1:-1]))
        elif kind != "sign":
            value = Node("constant" if text in _CONSTANTS else kind, text)
        elif text in _AGGREGATES:
            value = Node(_AGGREGATES[text], "", tuple(self._items(text)))
        value = self._postfix(value) if postfix else value
        if value is None:
            raise RefusedTemplateError(_NO_VALUE)
        return value

    def _postfix(self, value: Node | None) -> Node | None:
        while True:
            if self.takes("("):
                value = Node("call", "", (value or _NOTHING, *self.arguments()))
            elif self.takes("["):
                keys = [*self._items("[")]
                if len(keys) > 1:
                    raise RefusedTemplateError("one key alone is between such brackets")
                value = Node("lookup", "", (value or _NOTHING, *(keys or [_NOTHING])))
            elif self.takes("."):
                key = Node("text", self._word("a key is missing behind a dot"))
                value = Node("lookup", "", (value or _NOTHING, key))
            else:
                return value

    def arguments(self) -> Iterator[Node]:
        """Take arguments and the bracket behind them."""
        first = True
        while not self.takes(")"):
            self._goes_on(first, "(")
            first, value = False, self.expression()
            yield Node("pair", "=", (value, self.expression())) if self.takes("=") else value

    def _items(self, opened: str) -> Iterator[Node]:
        first = True
        while not self.takes(")", "]", "}"):
            self._goes_on(first, opened)
            first = False
            if opened != "{":
                yield self.expression()
                continue
            key = self.primary()
            if not self.takes(":"):
                self._refuse(opened, "a key of a table has no value")
            yield Node("pair", ":", (key, self.expression()))

    def _goes_on(self, first: bool, opened: str) -> None:
        if not (first or self.takes(",")):
            self._refuse(opened, _NO_OPERATOR)

    def _refuse(self, opened: str, why: str) -> None:
        """Refuse what follows in a bracket, or that nothing does."""
        raise RefusedTemplateError(f"{opened} is never closed" if self.is_at_end else why)


def expression_of(tag: str) -> Node:
    """Return what a tag `{{ … }}` says. Raises RefusedTemplateError."""
    return _whole(_Parser(tag[2:-2].removeprefix("-").removesuffix("-")))


def _whole(parser: _Parser) -> Node:
    """Return what is left as one expression."""
    if parser.is_at_end:
        raise RefusedTemplateError("nothing is in it")
    try:
        node = parser.expression()
        parser.ends()
        _check(node)
    except RecursionError:
        return _NOTHING
    return node


def _check(node: Node) -> None:
    """Refuse what its compiler refuses. A test is nothing but a name to it, with arguments."""
    if node.kind == "nothing" or (node.kind == "group" and not node.parts):
        raise RefusedTemplateError(_NO_VALUE)
    parts = node.parts
    if node.kind == "pair":
        parts = parts[1:]
        if node.parts[0].kind not in ("word", "text"):
            raise RefusedTemplateError("a key is a name or a text")
    if node.kind == "is":
        tested, test = parts
        arguments = {"call": test.parts[1:], "filter": test.parts}.get(test.kind, ())
        parts = (tested, *arguments)
    for part in parts:
        _check(part)


FILTERS = frozenset(
    """
    abs batch capitalize center d default dictsort dump e escape first float forceescape groupby indent int join
    last length list lower nl2br random reject rejectattr replace reverse round safe select selectattr slice sort
    string striptags sum title trim truncate upper urlencode urlize wordcount load
    """.split()  # noqa: SIM905
)
"""The filters of Nunjucks, and the one that promptfoo adds."""

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
_RAW = frozenset({"raw", "verbatim"})
_CONDITIONS = frozenset({"if", "elif", "elseif", "ifAsync", "switch", "case", "extends"})
_LOOPS = frozenset({"for", "asyncEach", "asyncAll"})
_BARE = frozenset({*_ENDS.values(), "endset", "else", "default", *_RAW}) - {"endblock"}
_NAME = re.compile(r"\s*+(\w++)")
_SHOWN = 40
_NOT_VALID = "what follows its name is not valid"


def block_fault(template: str, filters: frozenset[str] = FILTERS) -> str:
    """Return why Nunjucks refuses a template with blocks, in words; empty if that is not certain.

    Args:
        template: the template.
        filters: the names of the filters that there are.
    """
    reading = _Blocks(filters)
    try:
        for tag in tags_in(template):
            if tag[0].startswith("{%"):
                reading.take(tag[1])
            elif not reading.drops and not tag[0].startswith("{#"):
                expression_of(tag[0])
    except RefusedTemplateError as error:
        return str(error)
    return f"{reading.open[-1][0]} is missing" if reading.open else ""


class _Blocks:
    """How far the blocks of a template were read.

    Attributes:
        open: the blocks that are open, the innermost last: by what each ends, and which blocks may be its parts.
    """

    def __init__(self, filters: frozenset[str]) -> None:
        self.open: list[tuple[str, frozenset[str]]] = []
        self._names: set[str] = set()
        self._filters = filters

    @property
    def drops(self) -> bool:
        """Whether what is read is left out by Nunjucks: it is before the first case of a switch."""
        return any("endswitch" in parts for _, parts in self.open)

    def take(self, text: str) -> None:
        """Take what is in a block. Raises RefusedTemplateError."""
        named = _NAME.match(text)
        if named is None:
            raise RefusedTemplateError("a block has no name")
        name, head = named[1], text[named.end() :]
        ending, parts = self.open[-1] if self.open else ("", frozenset[str]())
        if not self.drops:
            try:
                self._take_head(name, _Parser(head))
            except RefusedTemplateError as error:
                raise RefusedTemplateError(f"{error} ({name})") from None
        if name in parts:
            if name == "else" or (name == "default" and "endswitch" not in parts):
                parts = frozenset()
            elif ending == "endswitch":  # its first part is read as a case, whatever it is
                parts = frozenset({"case", "default"})
            self.open[-1] = (ending, parts)
        elif name == ending:
            self.open.pop()
        elif name in _ENDS or (name == "set" and "=" not in head):
            begun = _ENDS.get(name, "endset")
            self.open.append((begun, _INSIDE.get(begun, frozenset())))
        elif name not in ("set", "include", "extends", "import", "from", *_RAW):
            raise RefusedTemplateError(f"{name} begins no block, and ends none that is open")

    def _take_head(self, name: str, head: _Parser) -> None:
        """Take what follows the name of a block."""
        if name in _CONDITIONS:
            _whole(head)
        elif name in _LOOPS:
            _take_loop(head)
        elif name == "set":
            _take_targets(head)
        elif name in ("macro", "call"):
            _take_signature(name, head)
        elif name in ("include", "import", "from"):
            _check(head.expression())
            if name != "include" and not head.takes("as" if name == "import" else "import"):
                raise RefusedTemplateError(_NOT_VALID)
            if name != "include":
                head.primary()
        elif name == "block":
            called = head.primary()
            if called.kind != "word" or called.value in self._names:
                raise RefusedTemplateError(f"it is no new name: {called.value or called.kind}")
            self._names.add(called.value)
            head.ends()
        elif name == "filter":
            called = head.filtered(Node("text"))
            head.ends()
            if not self.open and "." not in called.value and called.value not in self._filters:
                raise RefusedTemplateError(f"there is no filter {called.value}")
        elif name in _BARE:
            head.ends()


def _take_loop(head: _Parser) -> None:
    if head.primary().kind != "word":
        raise RefusedTemplateError("a loop has no name")
    while head.takes(","):
        head.primary()
    if not head.takes("in"):
        raise RefusedTemplateError("a loop has no in")
    _whole(head)


def _take_targets(head: _Parser) -> None:
    targets = [head.primary()]
    while head.takes(","):
        targets.append(head.primary())
    if head.takes("="):
        _whole(head)
    head.ends()
    if any(target.kind not in ("word", "text") for target in targets):
        raise RefusedTemplateError("there is no name, or no = behind it")


def _take_signature(name: str, head: _Parser) -> None:
    """Take the name of a macro and its arguments, or the arguments of a caller and the call."""
    called = head.primary(postfix=False) if name == "macro" else None
    if head.takes("("):
        for argument in head.arguments():
            if argument.kind not in ("word", "pair"):
                raise RefusedTemplateError("an argument of a macro is a name, or a name with a value")
            if argument.kind == "pair":
                _check(argument.parts[1])
    elif called is not None:
        raise RefusedTemplateError("a macro has a name, and its arguments in brackets")
    if called is None:
        call = head.primary()
        _check(call)
        if call.kind != "call":
            raise RefusedTemplateError(_NOT_VALID)
    head.ends()


def tags_in(template: str) -> Iterator[re.Match[str]]:
    """Yield the tags of a template, comments and blocks among them, but for those inside of raw blocks.

    Raises:
        RefusedTemplateError: when one is never closed, or a comment is never begun.
    """
    position = 0
    while position >= 0 and (opened := _SIGNS.search(template, position)):
        is_block = opened[0] == "{%"
        start = opened.start()
        tag = _BLOCK.match(template, start) if is_block else _TAG.match(template, start)
        if tag is None:
            beginning = template[start : start + _SHOWN].partition("\n")[0]
            unbegun = "no comment is to be ended there" if opened[0] == "#}" else ""
            raise RefusedTemplateError(unbegun or f"{beginning} is never closed")
        yield tag
        position = _behind(template, tag) if is_block else tag.end()


def _behind(template: str, block: re.Match[str]) -> int:
    """Return where a template goes on behind a block, which may be raw and hold others; -1 if it is not certain."""
    name = _NAME.match(block[1])
    if name is None or name[1] not in _RAW or block[1][name.end() :].strip():
        return block.end()
    depth = 1
    for mark in re.compile(rf"\{{%\s*+(end)?{name[1]}\s*+%\}}").finditer(template, block.end()):
        depth += -1 if mark[1] else 1
        if not depth:
            return mark.end()
    return -1
