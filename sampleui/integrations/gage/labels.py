"""Whether a label means the same as a reference: its text, its option, or a name of its media.

`label` is "equivalent to `references[0]` (or a normalized string form of it)"; for multimodal generation "it can be
a path/id" (gage-eval standardized sample, §1.3.3).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath

from sampleui.formats.data import Table, as_list, as_table
from sampleui.sample.message import MediaSegment, TextSegment, reference_text, segments

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MEDIA_NAME = re.compile(
    r"[^\s/]+\.(?:png|jpe?g|gif|webp|bmp|svg|wav|mp3|flac|ogg|mp4|mov|mpe?g|webm|pdf|docx?|txt)"
)


def stands_for(label: str, data: Table) -> bool:
    """Tell whether a label may be that of the first reference of a sample; so may any where that has no words.

    Args:
        label: the label.
        data: the sample, or an example of one.
    """
    references = data.get("references")
    first = references[0] if isinstance(references, list) and references else None
    wanted = reference_text(first)
    if wanted is None:
        return True
    label_words = normalized(label)
    if label_words == normalized(wanted) or any(
        {label_words, normalized(wanted)} <= {normalized(name), normalized(text)} for name, text in options_of(data)
    ):
        return True
    if any(_names(label, url) for url in _media(data)) or label in as_table(data.get("raw_assets")):
        return True
    parts = segments(first.get("answer") if isinstance(first, dict) else first) or ()
    has_text = any(isinstance(part, TextSegment) for part in parts)
    return bool(parts) and not has_text and not _is_path(label)


def normalized(text: str) -> str:
    """Return a text without case, white space and punctuation. The signs of a number are no punctuation."""
    folded = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).casefold())
    words = "".join(sign if _counts(folded, index) else " " for index, sign in enumerate(folded)).split()
    joined = ""
    for word in words:
        joined += f" {word}" if joined[-1:].isdigit() and word[0].isdigit() else word
    return joined or text.strip()


def options_of(data: Table) -> list[tuple[str, str]]:
    """Return the ids and texts of the options of a sample; none if one of them is not an option."""
    options = data.get("options")
    listed = [as_table(option) for option in as_list(options)]
    pairs = [(option.get("id"), option.get("content")) for option in listed]
    whole = [(name, text) for name, text in pairs if isinstance(name, str) and isinstance(text, str)]
    return whole if len(whole) == len(pairs) else []


def _counts(text: str, index: int) -> bool:
    if not unicodedata.category(text[index]).startswith("P"):
        return True
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    if text[index] == "-":
        return after.isdigit() and not before.isalnum()
    return text[index] in ".,:/" and before.isdigit() and after.isdigit()


def _names(label: str, url: str) -> bool:
    """Tell whether a label is a path to a file, the end of one, or the file's name, with its suffix or without."""
    label_path, path = (PurePosixPath(text.strip().replace("\\", "/")) for text in (label, url))
    ends = label_path.parts == path.parts[-len(label_path.parts) :] if label_path.parts else False
    return ends or label_path == path.parent / path.stem or label.strip() == path.stem


def _media(data: Table) -> Iterator[str]:
    """Yield the URLs and paths of the media of a sample."""
    for key, inner in (("references", "answer"), ("messages", "content")):
        items = data.get(key)
        for item in as_list(items):
            for part in segments(item.get(inner) if isinstance(item, dict) else None) or ():
                if isinstance(part, MediaSegment):
                    yield part.url


def _is_path(label: str) -> bool:
    return "/" in label or "\\" in label or _MEDIA_NAME.fullmatch(label.strip().lower()) is not None
