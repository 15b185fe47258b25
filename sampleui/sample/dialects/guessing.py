"""The table guessed for samples that no dialect recognizes, from their names, types and values."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from sampleui.formats.data import Plain, Table, as_list, items_of, tables_in
from sampleui.sample.dialects.table_paths import paths_ending_in, paths_in, values_at, words_in, written_table
from sampleui.settings.vocabulary import KEY, MEANT, ROLES, SHIPPED_DIALECTS, UserTable, Words
from sampleui.text.limits import MAX_GUESSED_DEPTH

_ROLE_KEYS = ("role", "from", "speaker", "author", "sender", "who", "type")
_CONTENT_KEYS = ("content", "value", "text", "message", "utterance", "body", "says")
_ROLES = {
    "user_tag": ("user", "human", "customer", "client", "prompter", "question", "q"),
    "assistant_tag": ("assistant", "gpt", "bot", "agent", "ai", "model", "answer", "a"),
    "system_tag": ("system", "developer"),
    "observation_tag": ("tool", "observation", "function"),
    "function_tag": ("function_call", "tool_call"),
}
_PROMPTS = (
    "question",
    "query",
    "prompt",
    "instruction",
    "input",
    "problem",
    "request",
    "task",
    "text",
    "q",
    "user",
    *("user_input", "user_prompt", "user_query", "user_question", "user_message"),
)
_ADDED = ("context", "input", "passage", "document")
_RESPONSES = (
    "assistant_response",
    *("answer", "expected", "target", "expected_output", "reference", "response", "completion", "output", "ideal"),
    *("expected_answer", "reference_answer", "correct_answer"),
    *("solution", "ground_truth", "golden", "gold", "label", "a"),
)
_SYSTEMS = ("system", "system_prompt", "system_message")
_IDS = (
    "id",
    "_id",
    "uid",
    "uuid",
    "qid",
    "test_id",
    "case_id",
    "sample_id",
    "example_id",
    "question_id",
    "key",
    "name",
)
_TAGS = ("tags", "labels", "category", "topic", "subject")
_METADATA = ("metadata", "meta", "extra")

_CALLED = frozenset(
    """
    id ids uuid uid guid hash sha sha1 sha256 md5 digest checksum commit patch diff path paths file files filename
    dir directory folder cwd url uri link href repo repository branch model engine provider program command cmd
    script binary executable version license timestamp time date datetime at created updated level logger status
    name title key label source object judgment judgement verdict split
    """.split()  # noqa: SIM905
)
"""Last words of names of what things are called, and not of what is asked."""

_NAMING = (  # compiled when a text is weighed, as it takes a millisecond
    r"[0-9a-fA-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"  # hashes, UUIDs
    r"|[a-z][a-z+.-]+://\S+|(?:~|\.{0,2}|[A-Za-z]:)?[/\\][\w.@-]+(?:[/\\][\w.@-]*)*"  # addresses, paths from a root
    r"|[\w.@-]+(?:[/\\][\w.@-]+)*[/\\][\w@-]+\.[A-Za-z0-9]{1,6}"
    r"|[\w@-]+\.(?:py|js|ts|json|jsonl|ya?ml|md|txt|csv|sh|toml)"
    r"|[A-Za-z][\w-]*/[A-Za-z][\w.]*-[\w.-]+"  # models
    r"|(?:gpt|claude|gemini|llama|mistral|mixtral|qwen|o[134])-[\w.:-]+"
    r"|\d{4}-\d\d-\d\d(?:[T ]\S+)?"
    r"|(?:diff --git |--- |Index: |@@ )[\s\S]+"  # patches
)
"""What is no question though it is a text: what things are called, dates and patches."""

_SCALARS = {str: "text", bool: "truth", int: "number", float: "number", dict: "table"}


def guessed(samples: Sequence[Table], container: tuple[str, ...]) -> UserTable | None:
    """Return the table for some samples, None if nothing in them looks like something that is asked.

    Args:
        samples: samples to look at.
        container: the keys they are under.
    """
    paths = paths_in(samples, 2)
    asked = _messages(samples, paths) or _prompt(samples, paths)
    if not asked:
        return None
    words: dict[str, Words] = {"container": ".".join(container)} if container else {}
    words |= asked
    words |= _beside(samples, paths, words)
    if "prompt" in words and "response" not in words:
        words |= _only_reply(samples, paths, words)
    marked_paths = (_asked_at(words), str(words.get("response", "")))
    marks = tuple(path for path in marked_paths if path and None not in values_at(samples, path))
    words |= {"marks": marks} if marks else {}
    words["fields"] = {
        key: _types(samples, key) for key in dict.fromkeys(key for sample in samples for key in sample)
    }
    return words


_BESIDE: tuple[tuple[str, Sequence[str], type | tuple[type, ...]], ...] = (
    ("system", _SYSTEMS, str),
    ("added", _ADDED, str),
    ("response", _RESPONSES, (str, int, float, list)),  # a table says how an answer is graded
    ("id", _IDS, (str, int)),
    ("tags", _TAGS, object),
    ("metadata", _METADATA, dict),
)
"""What a table names beside what is asked: the names that it goes by, and the types that its values have."""


def _messages(samples: Sequence[Table], paths: Iterable[str]) -> dict[str, Words]:
    """Return where the messages of samples are, and how they are spelled; empty if there are none."""
    for path in paths:
        if (keys := _talk(samples, path)) is not None:
            return {"messages": path, **_spelling(samples, path, *keys)}
    return {}


def _prompt(samples: Sequence[Table], paths: Iterable[str]) -> dict[str, Words]:
    """Return where it stands what is asked; empty if nothing looks like that."""
    asking = [path for path in paths if may_be_asked(path, values_at(samples, path))]
    varied = [path for path in asking if not _is_one_word(values_at(samples, path))]
    prompt = _named(varied, _PROMPTS, samples, str) or _longest(samples, varied)
    prompt = prompt or _named(asking, [name for name in _PROMPTS if name != "task"], samples, str)
    return {"prompt": prompt} if prompt else {}


def _asked_at(words: UserTable) -> str:
    return str(words.get("messages", words.get("prompt")))


def _beside(samples: Sequence[Table], paths: Sequence[str], asked: UserTable) -> dict[str, Words]:
    """Return where the rest of what a table may name stands, each at a path of its own."""
    found: dict[str, Words] = {}
    taken = {_asked_at(asked)}
    for key, names, kind in _BESIDE:
        if key == "added" and not str(asked.get("prompt", "")).endswith("instruction"):
            continue
        left = [path for path in paths if path not in taken and (key != "metadata" or "." not in path)]
        names = [name for name in names if len(name) > 1 or name in left]  # a letter says little further inside
        path = _named(left, names, samples, kind) or (_unique(samples, left) if key == "id" else "")
        if path:
            found[key] = path
            taken.add(path)
    return found


def _only_reply(samples: Sequence[Table], paths: Iterable[str], words: UserTable) -> dict[str, Words]:
    """Return the only texts that are left and may be said, as the response; empty if there are several, or none."""
    taken = {_asked_at(words), *(words.get(key) for key, _, _ in _BESIDE)}
    texts = [
        path for path in paths if path not in taken and all(isinstance(sample.get(path), str) for sample in samples)
    ]
    said = [path for path in texts if is_said(path, values_at(samples, path))]
    return {"response": said[0]} if len(said) == 1 else {}


def is_likely(table: UserTable) -> bool:
    """Tell whether names say what a table was guessed from, so that a file nobody called a deck may well be one."""
    prompt = str(table.get("prompt", "")).rpartition(".")[2]
    return "messages" in table or ("response" in table and next(paths_ending_in([prompt], _PROMPTS), "") != "")


PIECES = "their segments are pieces of training text (axolotl's input_output), and do not say who speaks"
"""Why no table can be guessed for samples that are nothing else."""


def is_in_pieces(sample: Table) -> bool:
    """Tell whether a sample is text in pieces, each with whether a model is trained on it, and without roles."""
    segments = sample.get("segments")
    pieces = as_list(segments)
    return bool(pieces) and all(isinstance(piece, dict) and piece.keys() == {"label", "text"} for piece in pieces)


def likely_places(value: Plain) -> list[tuple[str, ...]]:
    """Return the keys in a JSON value under which samples may stand, those with most first; as a list or by name.

    Args:
        value: an object.
    """
    likely = [item for item in _places(value, ()) if all(map(KEY.fullmatch, item[1]))]
    return [keys for _, keys in sorted(likely, key=lambda item: (-item[0], len(item[1])))]


def _places(value: Plain, keys: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    items = items_of(value)
    tables = [item for item in items if isinstance(item, dict)]
    alike = len(frozenset.intersection(*(frozenset(table) for table in tables))) > 1 if tables else False
    if len(tables) == len(items) and alike and (keys or len(tables) > 1):
        yield len(tables), keys
    for key, inner in value.items() if isinstance(value, dict) and len(keys) < MAX_GUESSED_DEPTH else ():
        yield from _places(inner, (*keys, key))


def written_dialect(name: str, table: UserTable) -> str:
    """Return a table as the text of a settings file."""
    return written_table("dialects", name, table)


def name_of(stem: str, shipped: Container[str] = SHIPPED_DIALECTS, what: str = "deck") -> str:
    """Return a name for the dialect of a file: what is left of its own of letters, digits, `-` and `_`.

    Args:
        stem: the name of the file without its ending.
        shipped: the names that are not free.
        what: what kind of file it is, which is added to a name that is not free.
    """
    name = re.sub(r"[^a-z0-9_-]+", "-", stem.lower()).strip("-_")[:40]
    if name in shipped:
        return f"{name}-{what}"
    return name if name[:1].isalpha() else f"deck-{name}".rstrip("-")


def _talk(samples: Iterable[Table], path: str) -> tuple[str, str] | None:
    """Return the keys of role and content of the messages at a path; None if there are none."""
    turns = [*_turns(samples, path)]
    role = next((key for key in _ROLE_KEYS if all(isinstance(turn.get(key), str) for turn in turns)), None)
    content = next((key for key in _CONTENT_KEYS if key != role and any(key in turn for turn in turns)), None)
    return (role, content) if role and content else None


def _turns(samples: Iterable[Table], path: str) -> Iterator[Table]:
    for listed in values_at(samples, path):
        yield from tables_in(listed)


def spelled_at(samples: Sequence[Table], path: str) -> dict[str, Words]:
    """Return how the messages at a path are spelled; empty where there are none."""
    keys = _talk(samples, path)
    return {} if keys is None else _spelling(samples, path, *keys)


def _spelling(samples: Iterable[Table], path: str, role: str, content: str) -> dict[str, Words]:
    used = list(dict.fromkeys(str(turn[role]) for turn in _turns(samples, path)))
    spelling: dict[str, Words] = {"role_tag": role, "content_tag": content}
    others: dict[str, str] = {}
    for tag, names in _ROLES.items():
        named = [tag_used for tag_used in used if tag_used.lower() in names]
        unusual = [tag_used for tag_used in named if tag_used not in MEANT]
        spelling |= {tag: unusual[0]} if unusual and unusual[0] == named[0] else {}
        others |= {tag_used: ROLES[tag] for tag_used in unusual if tag_used != spelling.get(tag)}
    return {**spelling, "roles": others} if others else spelling


def _named(
    paths: Sequence[str], names: Sequence[str], samples: Iterable[Table], kind: type | tuple[type, ...]
) -> str:
    """Return the path that ends in one of the names and has a value of a kind somewhere."""
    candidates = paths_ending_in(paths, names)
    return next(
        (path for path in candidates if any(isinstance(value, kind) for value in values_at(samples, path))), ""
    )


def may_be_asked(path: str, values: Sequence[Plain]) -> bool:
    """Tell whether values may be what a model is asked, or said in return, and not what things are called.

    Args:
        path: where they stand, by whose name they may be a program, a model, a hash or a file.
        values: what stands there, a null where nothing does.
    """
    words = words_in(path.rpartition(".")[2])
    if words and words[-1] in _CALLED:
        return False
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    return not (texts and all(re.fullmatch(_NAMING, text, re.IGNORECASE) for text in texts))


def is_said(path: str, values: Sequence[Plain]) -> bool:
    """Tell whether values may be what somebody says, as `may_be_asked` has it, and not one word again and again."""
    return may_be_asked(path, values) and not _is_one_word(values)


def _is_one_word(values: Sequence[Plain]) -> bool:
    """Tell whether the same word stands in each of several samples, as the name of a task does."""
    words = {value for value in values if isinstance(value, str)}
    return len(values) > 1 and len(words) == 1 and len(next(iter(words)).split()) == 1


def _longest(samples: Sequence[Table], paths: Iterable[str]) -> str:
    """Return the path of the longest texts, where every sample has one, most of them of several words."""
    sizes: dict[str, int] = {}
    for path in paths:
        values = values_at(samples, path)
        spoken = sum(isinstance(value, str) and len(value.split()) > 1 for value in values)
        if values and all(isinstance(value, str) for value in values) and 2 * spoken > len(values):
            sizes[path] = sum(len(str(value)) for value in values)
    return max(sizes, key=lambda path: sizes[path], default="")


def _unique(samples: Sequence[Table], paths: Iterable[str]) -> str:
    """Return the path of an id by its name, if no two samples have the same."""
    for path in paths:
        if not path.lower().endswith(("id", "_no", "number")):
            continue
        values = values_at(samples, path)
        if all(isinstance(value, str | int) for value in values) and len({*map(str, values)}) == len(values):
            return path
    return ""


def _types(samples: Iterable[Table], key: str) -> str:
    words = dict.fromkeys(_type(sample[key]) for sample in samples if sample.get(key) is not None)
    return "any" if not words or "any" in words else "|".join(words)


def _type(value: Plain) -> str:
    if isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            return "texts"
        return "tables" if value and all(isinstance(item, dict) for item in value) else "list"
    return _SCALARS.get(type(value), "any")
