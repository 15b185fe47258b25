"""What a dialect is: a table of how one program spells samples, in which all code looks up what differs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects.field import Edited, Field, Tells, keys


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
        keys_here = {self.role, self.content, *self.doubled(message)}
        rest = {key: value for key, value in message.items() if key not in keys_here}
        content: Table = {"content": message[self.content]} if self.content in message else {}
        return {"role": named, **content, **rest}

    def doubled(self, message: Table) -> list[str]:
        """Return the keys of OpenAI's that a message has beside those of this spelling, which alone count."""
        pairs = ((self.role, "role"), (self.content, "content"))
        return [usual for here, usual in pairs if here != usual and {here, usual} <= message.keys()]

    def written(self, message: Table) -> Table:
        """Return a message of OpenAI's spelling in this one."""
        if self.usual or "role" not in message:
            return message
        renamed = {"role": self.role, "content": self.content}
        spelled = {renamed.get(key, key): value for key, value in message.items()}
        return {**spelled, self.role: self.role_named(message["role"])}

    def role_named(self, role: Plain) -> Plain:
        """Return what a role is called here: the first name that stands for it."""
        return next((name for name, meant in self.roles.items() if meant == role), role)


USUAL = Spelling()


class Cells(NamedTuple):
    """How the program of a dialect reads the cells of a table.

    Attributes:
        structured: the keys whose cells it reads as JSON; under any other a list or table is a text to it.
        lists: for keys whose cells are lists to it, what stands between their items.
        filled: for keys whose cells must not be empty, what one without a value is given; None if nothing serves.
        guessed: whether it takes words such as `None` for an empty cell, and a column of numbers for numbers.
    """

    structured: frozenset[str] = frozenset()
    lists: Mapping[str, str] = MappingProxyType({})
    filled: Mapping[str, Plain] = MappingProxyType({})
    guessed: bool = False


class Rows(NamedTuple):
    """How a program reads the rows of tables as samples, where its cells alone do not say it.

    Attributes:
        to_row: makes a row of a sample for a table with some columns, and puts a line for each value that says less
            there into a list.
        from_row: makes a sample of a row; what has one of the keys given is a sample already.
        columns: tells, for the paths of a sample, from which column of its row they come.
    """

    to_row: Callable[[Table, Collection[str], list[str]], Table]
    from_row: Callable[[Table, frozenset[str]], Table]
    columns: Callable[[Table, Table], Mapping[str, str]]


class Asserted(NamedTuple):
    """What the program of a dialect makes of assertions in a list.

    Attributes:
        types: the types that it knows, each with that of its value in words (`models/typed.py`), empty for none.
        keys: the keys that it reads of one.
    """

    types: Mapping[str, str]
    keys: frozenset[str]


class Conversion(NamedTuple):
    """What the samples of a dialect are converted by, besides the rest of its table.

    Attributes:
        turn_roles: the roles that its own program takes turns of; none for all.
        text_only: whether a conversation can be nothing but one text.
        text_content: whether the content of a message can be nothing but a text.
        answer_last: whether an answer is written as the last turn, for it has no other place.
        asking: keys by which a sample asks something though it has no messages.
        open_conversations: the places of conversations whose last turn is never the expected answer.
        one_kind: whether its program wants conversations and other samples in separate files.
        own: known keys that mean something else in other dialects, or are older names here.
        asserted: for a known key of assertions, those that its program takes; others fail in it.
        cells: how its program reads the cells of a table; None if it reads no tables, or as they are read here.
    """

    turn_roles: tuple[str, ...] = ()
    text_only: bool = False
    text_content: bool = False
    answer_last: bool = False
    asking: frozenset[str] = frozenset()
    open_conversations: frozenset[DataPath] = frozenset()
    one_kind: bool = False
    own: frozenset[str] = frozenset()
    asserted: Mapping[str, Asserted] = MappingProxyType({})
    cells: Cells | None = None


PLAIN = Conversion()
"""A program that takes whatever its dialect's table can say."""

ALL = "*"
"""In a path of a table: every item of a list or table. (A key of that name is not to be reached by a table.)"""


def paths(names: str) -> tuple[tuple[str, ...], ...]:
    """Return paths written one after the other, each with dots between its keys."""
    return tuple(tuple(name.split(".")) for name in names.split())


class DialectMark(NamedTuple):
    """What the samples of one dialect alone have, all of it together.

    Attributes:
        has: the paths that a sample has; a null there counts.
        lacks: keys of which it has none.
        lists, tables, truths: those of the paths at which a list, a table, or true or false stands. The header of a
            table shows no types.
        texts: keys of lists in one of which a text stands.
        only: the keys that a sample may have; none for any.
        answered: whether its conversation ends with the assistant.
        under: where the samples are; None for anywhere.
        beside: keys that are beside the samples, all of them.
        apart: keys of which none is beside them.
        weak: whether it shows a deck only where someone says that the file is one, and only after all other marks.
    """

    has: tuple[DataPath, ...]
    lacks: frozenset[str] = frozenset()
    lists: tuple[DataPath, ...] = ()
    tables: tuple[DataPath, ...] = ()
    texts: frozenset[str] = frozenset()
    truths: tuple[DataPath, ...] = ()
    only: frozenset[str] = frozenset()
    answered: bool = False
    under: tuple[tuple[str, ...], ...] | None = None
    beside: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    weak: bool = False

    @property
    def on_samples(self) -> bool:
        """Whether samples show it by themselves."""
        return bool(self.has) and not self.beside and not self.weak


class Today(NamedTuple):
    """The spelling that a program reads today, where its dialect is named by an older one.

    Attributes:
        container: the keys that samples are under.
        messages: where messages are.
        answer: the key of the answer that is expected.
        judged_by: keys of which a sample must have one, or the program leaves it out.
        renamed: for older keys, what they are called today.
        superseded: those of the older keys, and others, that no new sample should have, with the key that took
            their place: they are not offered, and bringing a sample up to date renames them in their file.
    """

    container: tuple[str, ...]
    messages: DataPath
    answer: str
    judged_by: tuple[str, ...]
    renamed: Mapping[str, str]
    superseded: Mapping[str, str]


class Older(Enum):
    """What becomes of older records of a dialect."""

    NONE = auto()
    """There are none."""
    REWRITTEN = auto()
    """They are rewritten when that is asked for; its program no longer reads them."""
    READ = auto()
    """They are read as the samples that they would be rewritten as, too."""


class Updated(NamedTuple):
    """An older record as its program writes samples today.

    Attributes:
        data: the sample.
        old: the keys of the record that stand for newer ones.
        kept: those of them whose value is kept as it was, where the dialect keeps what has no place.
        told_apart: those that a rule of their own tells of.
        added: keys of the sample that say nothing of the record.
    """

    data: Table
    old: tuple[str, ...]
    kept: tuple[str, ...] = ()
    told_apart: frozenset[str] = frozenset()
    added: tuple[str, ...] = ()


class Contents(NamedTuple):
    """What the content of a message may be.

    What the decks of one tool alone set (`templated`, `tables`, `media_marks`, `call_keys`) is said here because
    parsing, rules, editing and rendering read it of every message, and would else call an integration for each.

    Attributes:
        segments: the types of segments that its own program reads; empty if it reads text alone.
        own: for a type of segment of its own, the usual type that says the same, and the key of
            its text or URL; for one that is nothing but a mark, `media mark` and that mark.
        templated: the types of segments that a model's chat template writes in a way of its own.
        text_key: the key of the text of a text segment.
        attaches_files: whether it has segments for files by their path; else they are media.
        tables: whether a message's content may be a table, which reads as its JSON text.
        media_marks: for a type of media that a text can mark, the mark, and the key beside the messages that lists
            their URLs, the first of which is for the first mark; where content is text alone, media are written so.
        call_keys: the keys of a message that hold the tools it calls, for which it may have no content.
    """

    segments: frozenset[str] = frozenset()
    own: Mapping[str, tuple[str, str]] = MappingProxyType({})
    templated: frozenset[str] = frozenset()
    text_key: str = "text"
    attaches_files: bool = False
    tables: bool = False
    media_marks: Mapping[str, tuple[str, str]] = MappingProxyType({})
    call_keys: tuple[str, ...] = ("tool_calls",)


class Turns(NamedTuple):
    """How a conversation is spelled.

    All of it but `earlier` may be set by users' tables too; that is a place like `system` and `added`.

    Attributes:
        spelling: how one message is spelled.
        shorthand: whether messages may be given as one text or one table: a single user message.
        any_input: whether any other value may stand for them: a single user message, which reads as its JSON text.
        plain: whether a list of messages may hold texts: turns of the user.
        text_path: where a conversation is written that is one text of the user; None if only a list is.
        system: where a text beside the messages is their system message.
        earlier: where pairs of texts are the turns before the one user text: a question and its answer.
        added: where texts follow the one user text, each on a line of its own.
    """

    spelling: Spelling = USUAL
    shorthand: bool = False
    any_input: bool = False
    plain: bool = False
    text_path: DataPath | None = None
    system: tuple[DataPath, ...] = ()
    earlier: tuple[DataPath, ...] = ()
    added: tuple[DataPath, ...] = ()


class Expected(NamedTuple):
    """How samples say what is expected.

    Attributes:
        paths: what the grading context calls expected: the first that a sample has; the first to write.
        beside: for each place of a list of messages where samples of several kinds have it, where those of
            that kind have the answer; an empty path for the last turn.
        any_of: whether a list of expected texts is several answers, any of which is right.
        fills: whether `{{ name }}` in what is expected stands for a variable of the sample.
        criteria: keys at these places whose values are criteria for a judge, and no answers.
        types: types of assertions (or, in a text, words before `:`) whose value is an answer to compare with; the
            first is the one to write. Empty if every value is one.
        numbered: whether a number stands for one of the options.
    """

    paths: tuple[DataPath, ...] = ()
    beside: Mapping[DataPath, DataPath] = MappingProxyType({})
    any_of: bool = False
    fills: bool = False
    criteria: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    numbered: bool = False


TEXTS, IN_FULL, NOTHING_EXPECTED = Contents(), Turns(), Expected()


NAMES = keys(
    """
    id name role type label task_type schema_version tool_call_id tool_choice score tag tags url path file model
    provider target dataset version author reviewer language category difficulty conversation_id thread_id
    answer_type
    """
)
"""Keys whose texts are names in most dialects: what they mean has no second line."""

NAMING = keys("type name id")
"""Keys of a table in a sample that say what it is in most dialects: what it says is in its other keys."""


@dataclass(frozen=True, eq=False, repr=False)
class Dialect:
    """One spelling of samples.

    Attributes:
        name: the name on the command line.
        title: the name for people.
        purpose: what its samples are for, in a few words; empty for a dialect of the settings.
        integration: the integration that knows what no table says of it; empty for a dialect of the settings.
        containers: the keys that samples are under; the first is the one to write.
        formats: the formats its decks usually have.
        message_paths: where messages are looked for, in order of preference; the first is the one to write.
        expected: how samples say what is expected.
        turns: how a conversation is spelled.
        contents: what the content of a message may be.
        tag_paths: where tags for filtering are.
        marks: what shows it whatever else its samples have, any one of these. Most dialects are told by nothing
            else; the keys of others tell them as well (`Field.tells`), weighed against those of each other.
        context_messages: keys beside the samples that may supply the messages a sample lacks.
        options_path: where the options of a choice question stand, in the order to show them in; empty for none.
        id_paths: where the id is, the first to write; none if samples are called by their number alone.
        unique_ids: whether two samples may not have one id; one without, that a file makes of two entries, is then
            named by their places.
        metadata: the key of whatever else is to be kept with a sample; empty if there is no such place.
        rules: the names of the rules that hold in it besides those that hold in every dialect.
        elsewhere: whether messages may come from what is not in the file, so that a sample may have none.
        fields: the table of the keys of a sample: from it come the models, the JSON Schema, what is required and
            known, the types of values, the keys that tell it, and what the app completes.
        beside: the same of the keys beside the samples, as far as something is known of them.
        modelled: whether words of the types in these tables are shapes of its integration, so that models are built
            of them.
        older: what becomes of older records, which its integration rewrites as samples of this dialect.
        today: how its program spells samples today, where the dialect is named by an older spelling.
        begins: what the first sample of a new deck has besides a turn of the user, to be known by.
        names: the keys, of a sample or of anything in it, whose texts are edited as one line if no field says how.
        naming: the keys of a table in a sample that say what that is; editing it begins behind them.
        conversion: what a conversion to it and from it asks besides.
        refuses: the rules of formats about what some readers refuse, as far as its own program's reader does: what
            they find is an error then.
    """

    name: str
    title: str
    containers: tuple[tuple[str, ...], ...]
    formats: tuple[str, ...]
    message_paths: tuple[DataPath, ...]
    expected: Expected = NOTHING_EXPECTED
    turns: Turns = IN_FULL
    contents: Contents = TEXTS
    tag_paths: tuple[DataPath, ...] = ()
    marks: tuple[DialectMark, ...] = ()
    context_messages: tuple[str, ...] = ()
    options_path: DataPath = ()
    id_paths: tuple[DataPath, ...] = (("id",),)
    unique_ids: bool = True
    metadata: str = "metadata"
    rules: tuple[str, ...] = ()
    elsewhere: bool = False
    fields: Mapping[str, Field] = field(default_factory=dict)
    beside: Mapping[str, Field] = field(default_factory=dict)
    modelled: bool = False
    older: Older = Older.NONE
    today: Today | None = None
    begins: Mapping[str, Plain] = field(default_factory=dict)
    names: frozenset[str] = NAMES
    naming: frozenset[str] = NAMING
    conversion: Conversion = PLAIN
    refuses: frozenset[str] = frozenset()
    purpose: str = ""
    integration: str = ""

    def __repr__(self) -> str:
        """Return its name: the table is long."""
        return f"Dialect({self.name!r})"

    @property
    def weighed(self) -> bool:
        """Whether it is told by how many of its own keys samples have; the others have marks alone."""
        return bool(self.signs)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The keys of a sample that only this dialect has."""
        return frozenset(key for key, item in self.fields.items() if item.tells is not Tells.NOTHING)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Those among its signs that hardly anyone writes for another reason."""
        return frozenset(key for key in self.signs if self.fields[key].tells is Tells.ALL)

    @cached_property
    def signs_beside(self) -> frozenset[str]:
        """The keys beside the samples that only this dialect has."""
        return frozenset(key for key, item in self.beside.items() if item.tells is not Tells.NOTHING)

    @cached_property
    def known(self) -> frozenset[str]:
        """The keys of a sample."""
        return frozenset(self.fields)

    @cached_property
    def nested(self) -> Mapping[str, frozenset[str]]:
        """The keys of the tables under a key of the sample, of each item where it holds a list."""
        return {key: item.holds for key, item in self.fields.items() if item.holds}

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys that a sample must have."""
        return frozenset(key for key, item in self.fields.items() if item.required)

    def is_one_line(self, path: DataPath) -> bool:
        """Tell whether a text at a path of a sample is edited as one line."""
        keys = [step for step in path if isinstance(step, str)]
        own = self.fields.get(keys[0]) if len(keys) == 1 else None
        if own is not None and own.edited is not None:
            return own.edited is Edited.LINE
        return bool(keys) and keys[-1] in self.names

    @property
    def asked_path(self) -> DataPath | None:
        """Where a conversation is written that has an answer beside it; None for the usual place.

        The answers of the usual place are its last turns, and there is another that has them beside it.
        """
        ends = self.expected.beside.get(self.message_paths[0]) == ()
        return next((path for path, answer in self.expected.beside.items() if answer), None) if ends else None

    @property
    def asked_by_prompts(self) -> bool:
        """Whether what a sample says fills the prompts beside it, so that its text is one of its variables."""
        return self.turns.text_path is not None and self.turns.text_path[0] == "vars"

    @property
    def expected_keys(self) -> tuple[str, ...]:
        """The keys of a sample that lead to what is expected."""
        return tuple(dict.fromkeys(str(path[0]) for path in self.expected.paths))


def value_at(data: Plain, path: DataPath) -> Plain:
    """Return the value at a path, None if there is none; of a path with `ALL` in it the list of those found."""
    for depth, step in enumerate(path):
        if step == ALL and isinstance(data, list | dict):
            items = data.values() if isinstance(data, dict) else data
            values = [value_at(item, path[depth + 1 :]) for item in items]
            return [value for value in values if value is not None] or None
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
            data = data[step]
        else:
            return None
    return data
