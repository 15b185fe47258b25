"""The static index of integrations: which there are, and what shows that a file may be of one.

An integration is imported by `importlib` and only when something of it is needed, so that no core module depends on
one and none is loaded for a file that is another's. Packages that declare the entry point group
`sampleui.integrations` are added behind those that are shipped; the name of an entry point is the name of the
integration, its object an `Integration`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.integrations.integration import Integration
    from sampleui.sample.dialects.dialect import Dialect

NOBODYS = ""
"""The name of the integration that has nothing."""

GROUP = "sampleui.integrations"
"""The group of entry points by which another package adds an integration."""

TOP = "[]"
"""In signs: the samples are the file itself, and under no key."""


class Entry(NamedTuple):
    """What is known of an integration before it is imported.

    Attributes:
        name: its name, which is that of its folder.
        dialects: the names of the dialects that it brings, in the order to try them.
        signs: keys, blanks between, that are all at hand wherever one of its dialects can be recognized: keys of
            samples (with a dot those of the tables in a list under a key), keys beside them, and keys they are
            under, or `TOP`. Any one of the signs is enough.
    """

    name: str
    dialects: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()


SHIPPED: tuple[Entry, ...] = (
    Entry("calibrate", ("calibrate",), ("samples", "messages", "expected", "score", "meta")),
    Entry(
        "agentv",
        ("agentv",),
        (
            *("input_messages", "input", "input_files", "vars", "expected_messages", "expected_output"),
            *("expected_outcome", "outcome", "criteria", "assert", "assertions", "evaluator", "evaluators"),
            *("rubrics", "execution", "conversation_id"),
            *("$schema", "prompts", "providers", "default_test", "target"),
            *("evalcases", "tests", "cases", "eval_cases"),
        ),
    ),
    Entry(
        "gage",
        ("gage",),
        (
            *("schema_version", "task_type", "options", "references", "label", "few_shot_examples"),
            *("golden_trajectories", "sandbox", "data_tag", "raw_assets", "sampling_params", "generation_params"),
            *("eval_config", "unconditioned_input", "predict_result", "eval_result", "choices", "question_type"),
            *("model_prompt_tmpl", "model_prompt_placeholder"),
            *("tools", "tool_choice", "metadata", "question", "prompt", "text", "answer"),
        ),
    ),
    Entry(
        "promptfoo",
        ("promptfoo",),
        (
            *("prompts providers", "prompts targets", "defaultTest", "evaluateOptions", "commandLineOptions"),
            *("derivedMetrics", "nunjucksFilters", "redteam", "vars", "assert", "scenarios"),
            *("__expected", "__expected1", "__description"),
        ),
    ),
    Entry(
        "chat_data",
        ("openai", "sharegpt"),
        (
            *("input preferred_output", "input ideal", "prompt completion", "chosen rejected"),
            *("chosen_messages rejected_messages", "completions labels", "prompt.role", "custom_id body"),
            *("messages reference_answer", "messages parallel_tool_calls", "messages label"),
            *("messages.weight", "messages.loss_weight", f"{TOP} messages", f"{TOP} input"),
            *("conversations.from", "instruction output", "instruction chosen", "question_id turns"),
        ),
    ),
    Entry("inspect_ai", ("inspect",), ("input target", "input choices")),
    Entry("pydantic_evals", ("pydantic-evals",), ("inputs",)),
    Entry(
        "deepeval",
        ("deepeval",),
        (
            *("input retrieval_context", "input additional_metadata", "input expected_tools", "input source_file"),
            *("input context", "input actual_output", "scenario turns", "scenario expected_outcome"),
        ),
    ),
    Entry("lm_eval", ("lm-eval",), ("choices gold",)),
    Entry("langsmith", ("langsmith",), ("inputs outputs",)),
    Entry("langfuse", ("langfuse",), ("input expectedOutput",)),
    Entry("braintrust", ("braintrust",), ("input expected",)),
    Entry("verifiers"),
    Entry("ragas"),
)
"""The integrations that are shipped, in the order to try them."""


class Rows(NamedTuple):
    """By what the rows of results are told of which an integration is the reader.

    Attributes:
        integration: its name.
        dialect: the name of its result dialect, which users' tables cannot have.
        signs: keys, blanks between, that are all in a row wherever it reads one. Any one of the signs is enough.
        documents: keys of documents in which it knows where rows are that stand under keys of their own.
    """

    integration: str
    dialect: str
    signs: tuple[str, ...]
    documents: tuple[str, ...] = ()


_OF_ANY = tuple(
    """
    score scores evaluator_results evaluatorResults graders evaluators component_results candidate_answer
    candidateAnswer answer output output_messages outputMessages text assertions error execution_status
    trace trace_ref
    """.split()  # noqa: SIM905
)
"""Keys of rows that say how they came out as AgentV does, whoever wrote them."""

ROWS: tuple[Rows, ...] = (
    Rows("inspect_ai", "inspect", ("inspect_log id",)),
    Rows(
        "promptfoo",
        "promptfoo",
        ("vars promptIdx", "vars gradingResult", "vars prompt success", "testCase promptIdx success"),
    ),
    Rows(
        "pydantic_evals",
        "pydantic-evals",
        ("name inputs output assertions", "name inputs error_message error_stacktrace"),
    ),
    Rows(
        "deepeval",
        "deepeval",
        ("metricsData name", "metricsMetadata", "actualOutput success", "metrics_data success"),
    ),
    Rows("lm_eval", "lm-eval", ("doc_id doc resps", "doc_id doc filtered_resps")),
    Rows(
        "verifiers",
        "verifiers",
        ("example_id reward", "prompt completion reward", "traces env task ok", "nodes task rewards"),
    ),
    Rows(
        "langsmith", "langsmith", ("execution_time example_id", "evaluation_results run", "evaluationResults run")
    ),
    Rows("braintrust", "braintrust", ("scores input output", "scores input error")),
    Rows("ragas", "ragas", ("user_input", "question")),
    Rows("calibrate", "calibrate", ("grader_score", "truth_score id"), ("graderResults",)),
    Rows("gage", "gage", ("sample model_output", "sample metrics", "predict_result", "eval_result")),
    Rows("agentv", "agentv", _OF_ANY),
)
"""The readers of rows, in the order to try them. The last reads rows of others too, if they are like its own."""


class Log(NamedTuple):
    """How a file is recognized that an integration reads as the log of a run, whatever is in its rows.

    Attributes:
        integration: its name.
        key: the key of its rows under which is what the records of a log share.
        suffix: how the name of such a file ends.
        starts: how the bytes of one begin.
        words: what stands all in the beginning of a JSON object that is one.
    """

    integration: str
    key: str
    suffix: str
    starts: tuple[bytes, ...]
    words: tuple[bytes, ...]

    def is_named_or_begins(self, path: Path, head: bytes) -> bool:
        """Tell whether a file is a log by its name or its first bytes."""
        return path.suffix.lower() == self.suffix or head.startswith(self.starts)

    def may_be_json(self, head: bytes) -> bool:
        """Tell whether a text begins as a log in JSON does."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return start.startswith(b"{") and all(word in head for word in self.words)


LOGS: tuple[Log, ...] = (
    Log("inspect_ai", "inspect_log", ".eval", (b"PK\3\4", b"PK\5\6"), (b'"eval"', b'"dataset"')),
)
"""The logs of runs."""


KEEPERS: tuple[tuple[str, frozenset[str]], ...] = (
    (
        "agentv",
        frozenset(
            """
            grading_path output_path answer_path response_path metrics_path timing_path transcript_raw_path
            transcript_path trace_path input_path artifact_dir samples transcript task_dir test_dir
            """.split()  # noqa: SIM905
        ),
    ),
)
"""The integrations whose runs keep parts of a record in files, and keys of rows that name such files."""


def keeper(row: Table) -> str | None:
    """Return the name of the integration that knows the files that a row names, None where it names none."""
    return next((name for name, keys in KEEPERS if not keys.isdisjoint(row)), None)


class RunFolder(NamedTuple):
    """How a folder is recognized that an integration's program keeps a run in.

    Attributes:
        records: the path, from the folder, of the file that lists the records.
        beside: files of which one must be there as well; none if that file is enough.
    """

    records: str
    beside: tuple[str, ...] = ()


RUN_FOLDERS = (
    RunFolder(".internal/index.jsonl"),
    RunFolder("index.jsonl"),
    RunFolder("samples.jsonl", ("summary.json", "events.jsonl")),
)
"""The folders of runs: those of AgentV 5, of AgentV before it, and of gage-eval."""

RUN_FILES = (r"samples_.+_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl", r"test_run_\d{8}_\d{6}(?:_\d+)?\.json")
"""How lm-eval (the samples of a task) and DeepEval name the file of a run."""

RESULTS_IN_YAML = rb"evalId:|results:\s+version:"
"""How results in YAML begin, as promptfoo writes them."""

SUMMARIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lm_eval", ("n-shot",)),
    ("inspect_ai", ("eval_set_id", ".eval", ".json")),
)
"""The integrations that write summaries without records, and how a key ends that such a document has."""


def summarizers(document: Table) -> Iterator[str]:
    """Yield the names of the integrations of whose summaries a document may be one."""
    return (name for name, ends in SUMMARIES if any(key.endswith(ends) for key in document))


TRANSCRIBERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("agentv", frozenset({"message_index", "trace", "spans", "turns"})),
)
"""The integrations whose programs write transcripts to files of their own, and keys of which each has one."""


def transcribers(row: Table) -> Iterator[str]:
    """Yield the names of the integrations of whose transcripts a document, or a line of one, may be."""
    return (name for name, keys in TRANSCRIBERS if not keys.isdisjoint(row))


def readers(row: Collection[str]) -> list[str]:
    """Return the names of the shipped integrations that may read a row with some keys, in the order to try them."""
    return [one.integration for one in ROWS if any(all(key in row for key in sign.split()) for sign in one.signs)]


STYLES: Mapping[str, str] = {"agentv-4": "agentv"}
"""For a style of prompts that is one program's own, its integration."""


def of_style(style: str) -> Integration:
    """Return the integration that renders in a style which is not this program's own."""
    return integration(STYLES[style])


CHECKS: Mapping[str, str] = {"tool-trajectory": "agentv", "trajectory:": "promptfoo"}
"""For the beginning of the types of assertions about what was called, the integration that may judge them."""


def checkers() -> Iterator[Integration]:
    """Yield the integrations that judge what was called."""
    return map(integration, CHECKS.values())


def checker(kind: str) -> Integration | None:
    """Return the integration that may judge an assertion of a type."""
    return next(
        (integration(name) for start, name in CHECKS.items() if kind.removeprefix("not-").startswith(start)), None
    )


def holders(document: Collection[str]) -> list[str]:
    """Return the names of the integrations that know where rows are in a document with some keys."""
    return [one.integration for one in ROWS if any(key in document for key in one.documents)]


@cache
def integration(name: str) -> Integration:
    """Return an integration by its name, imported now if it was not before.

    Raises:
        KeyError: there is none of that name.
    """
    if name == NOBODYS:
        return _without_hooks()
    if name in _BY_NAME:
        found: Integration = import_module(f"{__package__}.{name}").INTEGRATION
        return found
    return plugins()[name]


def integrations() -> Iterator[Integration]:
    """Yield every integration, those that are shipped first. This imports them all."""
    yield from (integration(entry.name) for entry in SHIPPED)
    yield from plugins().values()


def of_dialect(dialect: Dialect) -> Integration:
    """Return the integration that a dialect is of; for one of the user's own, one that has nothing."""
    return integration(dialect.integration or NOBODYS)


def bringing(dialect: str) -> Iterator[Integration]:
    """Yield the integrations that may bring a dialect of that name."""
    if dialect in _BY_DIALECT:
        yield integration(_BY_DIALECT[dialect])
    else:
        yield from plugins().values()


@lru_cache
def signed(keys: frozenset[str]) -> tuple[Integration, ...]:
    """Return the integrations of which a sign is among some keys, and those of other packages, which list none."""
    shipped = (integration(name) for name, signs in _SIGNS.items() if any(sign <= keys for sign in signs))
    return (*shipped, *plugins().values())


def dialects() -> Iterator[str]:
    """Yield the names of all dialects, in the order of the integrations."""
    yield from _BY_DIALECT
    yield from (dialect.name for own in plugins().values() for dialect in own.dialects())


@cache
def plugins() -> Mapping[str, Integration]:
    """Return the integrations of other packages by name. One that cannot be imported costs a line of warning."""
    if not any(map(_declares, sys.path)):
        return {}
    from importlib.metadata import entry_points

    from sampleui.integrations.integration import Integration

    loaded: dict[str, Integration] = {}
    for point in entry_points(group=GROUP):
        try:
            found = point.load()
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module raises must not end the program
            _warn(point.name, f"{type(error).__name__}: {error}")
            continue
        if point.name in _BY_NAME:
            _warn(point.name, "an integration of that name is shipped")
        elif not isinstance(found, Integration):
            _warn(point.name, f"{point.value} is no Integration")
        else:
            loaded[point.name] = found
    return loaded


def _without_hooks() -> Integration:
    from sampleui.integrations.integration import Integration

    return Integration()


def _declares(folder: str) -> bool:
    """Tell whether a package installed in a folder may add an integration; to load them all is slow."""
    with suppress(OSError):
        for package in os.scandir(folder or "."):
            if package.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), Path(package.path, "entry_points.txt").open("rb") as file:
                    if GROUP.encode() in file.read():
                        return True
    return False


def _warn(name: str, reason: str) -> None:
    sys.stderr.write(f"sampleui: the integration {name} is left out: {' '.join(reason.split())}\n")


_SIGNS = {entry.name: tuple(frozenset(sign.split()) for sign in entry.signs) for entry in SHIPPED}
_BY_NAME = {entry.name: entry for entry in SHIPPED}
_BY_DIALECT = {dialect: entry.name for entry in SHIPPED for dialect in entry.dialects}
