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

_CONTAINER_WEIGHT = 3
_LOOKED_AT = 20


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
        message_paths: where messages are looked for, in order of preference; the first is the one to write.
        signs: keys of a sample that only this dialect has.
        context_signs: keys beside the samples that only this dialect has.
        context_messages: keys beside the samples that may supply the messages a sample lacks.
        expected_keys: what the grading context calls expected: the first that a sample has.
        tag_paths: where labels for filtering stand.
        known: the keys of a sample.
        nested: the keys of the tables under a key of the sample (of each item, where it holds a list).
        object_content: whether a message's content may be a table, which reads as its JSON text.
        shorthand: whether messages may be given as one text or one table: a single user message.
        mapped: a reader of older records, returning the record as a sample of this dialect, or None.
    """

    name: str
    title: str
    containers: tuple[tuple[str, ...], ...]
    message_paths: tuple[DataPath, ...]
    signs: frozenset[str]
    expected_keys: tuple[str, ...]
    tag_paths: tuple[DataPath, ...]
    known: frozenset[str]
    nested: Mapping[str, frozenset[str]]
    context_signs: frozenset[str] = field(default_factory=frozenset)
    context_messages: tuple[str, ...] = ()
    object_content: bool = False
    shorthand: bool = False
    mapped: Callable[[Table], Table | None] | None = None


_MESSAGE = keys("role content name tool_calls tool_call_id")

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    containers=(("samples",), ()),
    message_paths=(("messages",),),
    signs=keys("expected score"),
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
    message_paths=(("input_messages",), ("input",), ("vars", "input")),
    signs=keys(
        """
        input_messages input input_files vars expected_messages expected_output expected_outcome outcome
        criteria assert assertions evaluator evaluators rubrics execution conversation_id
        """
    ),
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
    object_content=True,
    shorthand=True,
)

_FEW_SHOT = keys("messages options references label tools tool_choice")
GAGE_RUNTIME = keys("predict_result eval_result")

GAGE = Dialect(
    name="gage",
    title="gage-eval",
    containers=((), ("samples",)),
    message_paths=(("messages",),),
    signs=keys(
        """
        schema_version task_type options references label few_shot_examples golden_trajectories sandbox
        data_tag raw_assets sampling_params generation_params eval_config unconditioned_input
        predict_result eval_result question prompt choices answer question_type model_prompt_tmpl
        model_prompt_placeholder
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
    mapped=legacy.mapped,
)

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (CALIBRATE, AGENTV, GAGE)}


def detect(container: tuple[str, ...], context: Mapping[str, Plain], samples: Iterable[Table]) -> Dialect:
    """Return the dialect of a deck, judged by where its samples stand and by the keys that only one dialect has.

    Args:
        container: the keys the samples stand under; empty when the file itself is the list.
        context: the values beside the samples; only their keys count.
        samples: the samples; the first few are looked at.

    A deck that shows nothing is calibrate, which asks least of a sample.
    """
    spelled = [sample.keys() for sample in islice(samples, _LOOKED_AT)]

    def evidence(dialect: Dialect) -> int:
        home = _CONTAINER_WEIGHT if container and container in dialect.containers else 0
        beside = len(dialect.context_signs & context.keys())
        return home + beside + sum(len(dialect.signs & found) for found in spelled)

    return max(DIALECTS.values(), key=evidence)
