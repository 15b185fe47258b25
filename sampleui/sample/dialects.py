"""Dialects: how a deck spells its samples, as data.

A dialect is one table of names. Everything that differs between calibrate, AgentV and gage-eval in reading a sample
is looked up in it, so a new dialect is a new entry and not a new branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample import legacy

LOOKED_AT = 20
"""How many samples are looked at in any case to tell a dialect; more of them while no key settles it."""

_LOOKED_AT_MOST = 40


def keys(names: str) -> frozenset[str]:
    """Return names written one after the other as a set."""
    return frozenset(names.split())


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """One spelling of samples.

    Attributes:
        name: the name on the command line.
        title: the name for people.
        containers: the keys that samples stand under; the first is the one to write.
        formats: the forms its decks usually have.
        message_paths: where messages are looked for, in order of preference; the first is the one to write.
        signs: keys of a sample that only this dialect has.
        telling: those among them that hardly anyone writes for another reason.
        context_signs: keys beside the samples that only this dialect has.
        context_messages: keys beside the samples that may supply the messages a sample lacks.
        expected_keys: what the grading context calls expected: the first that a sample has.
        tag_paths: where labels for filtering stand.
        known: the keys of a sample.
        nested: the keys of the tables under a key of the sample (of each item, where it holds a list).
        segments: the types of segments that its own program reads; empty where it reads text alone.
        object_content: whether a message's content may be a table, which reads as its JSON text.
        shorthand: whether messages may be given as one text or one table: a single user message.
        mapped: a reader of older records, returning the record as a sample of this dialect, or None.
    """

    name: str
    title: str
    containers: tuple[tuple[str, ...], ...]
    formats: tuple[str, ...]
    message_paths: tuple[DataPath, ...]
    signs: frozenset[str]
    telling: frozenset[str]
    expected_keys: tuple[str, ...]
    tag_paths: tuple[DataPath, ...]
    known: frozenset[str]
    nested: Mapping[str, frozenset[str]]
    context_signs: frozenset[str] = field(default_factory=frozenset)
    context_messages: tuple[str, ...] = ()
    segments: frozenset[str] = field(default_factory=frozenset)
    object_content: bool = False
    shorthand: bool = False
    mapped: Callable[[Table], Table | None] | None = None


_MESSAGE = keys("role content name tool_calls tool_call_id")

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=(("messages",),),
    signs=keys("expected score"),
    telling=frozenset(),
    context_signs=keys("meta"),
    expected_keys=("expected",),
    tag_paths=(("tags",),),
    known=keys("id messages expected score description tags"),
    nested={"messages": _MESSAGE},
)

AGENTV = Dialect(
    name="agentv",
    title="AgentV",
    containers=(("evalcases",), ("tests",), ("cases",), ("eval_cases",), ()),
    formats=("yaml",),
    message_paths=(("input_messages",), ("input",), ("vars", "input")),
    signs=keys(
        """
        input_messages input input_files vars expected_messages expected_output expected_outcome outcome
        criteria assert assertions evaluator evaluators rubrics execution conversation_id
        """
    ),
    telling=keys("input_messages expected_messages expected_outcome evaluators assertions conversation_id"),
    context_signs=keys("$schema prompts providers default_test target execution evaluators assertions"),
    context_messages=("prompts", "input"),
    expected_keys=("expected_messages", "expected_output", "expected_outcome", "criteria", "outcome"),
    tag_paths=(("tags",), ("metadata", "tags")),
    known=keys(
        """
        id name description suite input_messages input input_files vars expected_messages
        expected_output expected_outcome outcome criteria assert assertions evaluator evaluators rubrics
        execution conversation_id metadata workspace depends_on on_dependency_failure mode turns
        aggregation on_turn_failure window_size provider prompts threshold run note
        """
    ),
    nested={"input_messages": _MESSAGE, "expected_messages": _MESSAGE},
    segments=keys("text file"),
    object_content=True,
    shorthand=True,
)

_FEW_SHOT = keys("messages options references label tools tool_choice")
GAGE_RUNTIME = keys("predict_result eval_result")

GAGE = Dialect(
    name="gage",
    title="gage-eval",
    containers=((), ("samples",)),
    formats=("jsonl", "json"),
    message_paths=(("messages",),),
    signs=keys(
        """
        schema_version task_type options references label few_shot_examples golden_trajectories sandbox
        data_tag raw_assets sampling_params generation_params eval_config unconditioned_input
        predict_result eval_result choices question_type model_prompt_tmpl model_prompt_placeholder
        """
    ),
    telling=keys(
        """
        schema_version task_type references few_shot_examples golden_trajectories data_tag raw_assets
        sampling_params generation_params eval_config unconditioned_input predict_result eval_result
        """
    ),
    expected_keys=("references", "label"),
    tag_paths=(("tags",), ("metadata", "tags"), ("data_tag",)),
    known=GAGE_RUNTIME
    | _FEW_SHOT
    | keys(
        """
        schema_version id task_type few_shot_examples golden_trajectories sandbox metadata data_tag
        raw_assets sampling_params generation_params eval_config unconditioned_input question_type
        model_prompt_tmpl model_prompt_placeholder question prompt text choices answer
        """
    ),
    nested={
        "messages": _MESSAGE,
        "options": keys("id content"),
        "references": keys("answer meta"),
        "few_shot_examples": _FEW_SHOT,
        "sandbox": keys("image files setup env"),
    },
    segments=keys("text image_url audio_url video_url file_url"),
    mapped=legacy.mapped,
)

_BESIDE_LABELS = keys("messages options references schema_version task_type choices")

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (CALIBRATE, AGENTV, GAGE)}


def usual_first(form: str) -> list[Dialect]:
    """Return the dialects, those whose decks usually are in a form first."""
    return sorted(DIALECTS.values(), key=lambda dialect: form not in dialect.formats)


@dataclass(frozen=True, slots=True)
class Detected:
    """The dialect of a deck and, in words, why it is taken for that."""

    dialect: Dialect
    reason: str


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What speaks for a dialect, the strongest first. How often a key is found never counts, only that it is."""

    dialect: Dialect
    reads: bool
    telling: tuple[str, ...]
    alone: str
    signs: tuple[str, ...]
    home: bool
    beside: tuple[str, ...]

    @property
    def weight(self) -> tuple[int, ...]:
        """The evidence as numbers to compare."""
        return (
            int(self.reads),
            len(self.telling),
            int(bool(self.alone)),
            len(self.signs),
            int(self.home),
            len(self.beside),
        )

    @property
    def reason(self) -> str:
        """The evidence in words."""
        said = [f"samples have {', '.join(self.signs)}"] * bool(self.signs)
        said += [f"they stand under {self.alone}"] * bool(self.alone)
        said += [f"beside them stands {', '.join(self.beside)}"] * bool(self.beside)
        return "; ".join(said) or "no key tells another dialect"


def detect(container: tuple[str, ...], context: Mapping[str, Plain], samples: Iterable[Table]) -> Detected:
    """Return the dialect of a deck, judged by the keys of its samples, and by where they stand.

    A dialect that finds messages in the samples goes before one that does not; then the keys that only one dialect
    has decide. Keys are counted once, so that a deck is read the same with one sample as with a thousand.

    Args:
        container: the keys the samples stand under; empty when the file itself is the list.
        context: the values beside the samples; only their keys count.
        samples: the samples; the first few are looked at.

    A deck that shows nothing is calibrate, which asks least of a sample.
    """
    found: set[str] = set()
    readers: set[str] = set()
    for count, sample in enumerate(islice(samples, _LOOKED_AT_MOST)):
        if count >= LOOKED_AT and any(dialect.telling & found for dialect in DIALECTS.values()):
            break
        found |= _own_keys(sample)
        readers.update(name for name, dialect in DIALECTS.items() if _reads(dialect, sample))
    weighed = (_evidence(one, one.name in readers, found, container, context) for one in DIALECTS.values())
    best = max(weighed, key=lambda one: one.weight)
    return Detected(best.dialect, best.reason)


def is_shown(container: tuple[str, ...], samples: Iterable[Table]) -> bool:
    """Tell whether samples are some: a dialect finds messages in one, or several of its own keys.

    Any list of tables can be read as a deck, so a file that nobody called one has to show it.

    Args:
        container: the keys the samples stand under; empty when the file itself is the list.
        samples: the samples to look at.
    """
    found: set[str] = set()
    for sample in samples:
        if any(_reads(dialect, sample) for dialect in DIALECTS.values()):
            return True
        found |= sample.keys()
    return any(
        len(dialect.signs & found) > 1
        and (dialect.telling & found or (container and container in dialect.containers))
        for dialect in DIALECTS.values()
    )


def readers(columns: Iterable[str]) -> list[Dialect]:
    """Return the dialects that would find messages in the rows of a table with these columns."""
    row: Table = dict.fromkeys(columns, "a text")
    return [dialect for dialect in DIALECTS.values() if _reads(dialect, row)]


def _evidence(
    dialect: Dialect, reads: bool, found: set[str], container: tuple[str, ...], context: Mapping[str, Plain]
) -> _Evidence:
    home = bool(container) and container in dialect.containers
    shared = any(container in other.containers for other in DIALECTS.values() if other is not dialect)
    return _Evidence(
        dialect,
        reads,
        tuple(sorted(dialect.telling & found)),
        ".".join(container) if home and not shared else "",
        tuple(sorted(dialect.signs & found, key=lambda key: (key not in dialect.telling, key))),
        home,
        tuple(sorted(dialect.context_signs & context.keys())),
    )


def _reads(dialect: Dialect, sample: Table) -> bool:
    """Tell whether a dialect finds messages in a sample, or an older record that has something of its own in it."""
    if any(_holds(sample, path) for path in dialect.message_paths):
        return True
    own = bool(dialect.signs & _own_keys(sample))  # a question and an answer may be anyone's
    return own and dialect.mapped is not None and dialect.mapped(sample) is not None


def _own_keys(sample: Table) -> set[str]:
    """Return the keys of a sample that may tell its dialect: a label alone, beside a text, is of any data set."""
    return sample.keys() - ({"label"} if not sample.keys() & _BESIDE_LABELS else set())


def _holds(sample: Table, path: DataPath) -> bool:
    value: Plain = sample
    for key in path:
        value = value.get(str(key)) if isinstance(value, dict) else None
    return value is not None
