"""Which templates Nunjucks refuses with a "Template render error", as far as that is certain.

Each rule was tried with the Nunjucks 3.2 of promptfoo 0.121. What no rule speaks of may be refused all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME = r"[A-Za-z_]\w*+"
_VALUE = rf"""(?:'[^'\\]*+'|"[^"\\]*+"|\d++|(?!(?:not|and|or|in|is|if|else)\b){_NAME}(?:\.{_NAME}|)*+)"""
_BEGIN = r"\{\{-?\s*+"
_FAULTS = (
    (re.compile(rf"{_BEGIN}-?\}}\}}"), "nothing is in it"),
    (re.compile(rf"{_BEGIN}[|<>/#]"), "no value begins so"),
    (re.compile(rf"{_BEGIN}(?!\d)(?:{_VALUE})?\.\s*+(?:\.|-?\}}\}})"), "a key is missing behind a dot"),
    (re.compile(rf"{_BEGIN}{_VALUE}\s*+\|\s*+(?:\||-?\}}\}})"), "the name of a filter is missing"),
    (
        re.compile(rf"{_BEGIN}{_VALUE}(?:\s++(?!(?:not|and|or|in|is|if|else)\b)[\w\"']|\s*+(?:[,:]|[!=](?!=)))"),
        "behind a value it has neither an operator nor a filter",
    ),
)
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

_ALONE = frozenset({"include", "extends", "import", "from"})
_RAW = {"raw": "endraw", "verbatim": "endverbatim"}


def tag_fault(tag: str) -> str:
    """Return why Nunjucks refuses a tag `{{ … }}`, in words; empty if that is not certain."""
    return next((words for fault, words in _FAULTS if fault.match(tag)), "")


def block_fault(template: str) -> str:
    """Return why Nunjucks refuses the blocks of a template, in words; empty if that is not certain."""
    open_blocks: list[str] = []
    for name, condition in _blocks(template):
        if not name:
            return "a block has no name"
        if open_blocks and name == open_blocks[-1]:
            open_blocks.pop()
        elif name in _ENDS:
            if name == "if" and not condition.strip(" -"):
                return "a condition is missing behind if"
            open_blocks.append(_ENDS[name])
        elif name == "set":
            if "=" not in condition:
                open_blocks.append("endset")
        elif not (name in _ALONE or (name in _INSIDE and open_blocks)):
            return f"{name} begins no block, and ends none that is open"
    return f"{open_blocks[-1]} is missing" if open_blocks else ""


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
