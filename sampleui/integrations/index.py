"""The static index of integrations: which there are, and what shows that a file may be of one.

An integration is imported by `importlib` and only when something of it is needed, so that no core module depends on
one and none is loaded for a file that is another's. Packages that declare the entry point group
`sampleui.integrations` are added behind those that are shipped; the name of an entry point is the name of the
integration, its object an `Integration`.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.integrations.integration import Integration

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
            samples, keys beside them, and keys they are under, or `TOP`. Any one of the signs is enough.
    """

    name: str
    dialects: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()


SHIPPED: tuple[Entry, ...] = (
    Entry("calibrate", ("calibrate",)),
    Entry("agentv", ("agentv",)),
    Entry("gage", ("gage",)),
    Entry("promptfoo", ("promptfoo",)),
    Entry("chat_data", ("openai", "sharegpt")),
    Entry("inspect_ai", ("inspect",)),
    Entry("pydantic_evals", ("pydantic-evals",)),
    Entry("deepeval", ("deepeval",)),
    Entry("lm_eval", ("lm-eval",)),
    Entry("langsmith", ("langsmith",)),
    Entry("langfuse", ("langfuse",)),
    Entry("braintrust", ("braintrust",)),
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
            transcript_path trace_path input_path artifact_dir samples transcript
            """.split()  # noqa: SIM905
        ),
    ),
)
"""The integrations whose runs keep parts of a record in files, and keys of rows that name such files."""


def keeper(row: Table) -> str | None:
    """Return the name of the integration that knows the files that a row names, None where it names none."""
    return next((name for name, keys in KEEPERS if not keys.isdisjoint(row)), None)


def readers(row: Collection[str]) -> list[str]:
    """Return the names of the shipped integrations that may read a row with some keys, in the order to try them."""
    return [one.integration for one in ROWS if any(all(key in row for key in sign.split()) for sign in one.signs)]


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
    if name in _BY_NAME:
        found: Integration = import_module(f"{__package__}.{name}").INTEGRATION
        return found
    return plugins()[name]


def integrations() -> Iterator[Integration]:
    """Yield every integration, those that are shipped first. This imports them all."""
    yield from (integration(entry.name) for entry in SHIPPED)
    yield from plugins().values()


def of_dialect(dialect: str) -> Integration:
    """Return the integration that brings a dialect of that name; for a dialect of nobody's one without hooks."""
    return integration(_BY_DIALECT[dialect]) if dialect in _BY_DIALECT else _nobodys(dialect)


def signed(keys: Iterable[str]) -> list[str]:
    """Return the names of those shipped integrations of which a sign is among some keys."""
    at_hand = frozenset(keys)
    return [entry.name for entry in SHIPPED if any(at_hand.issuperset(sign.split()) for sign in entry.signs)]


@cache
def plugins() -> Mapping[str, Integration]:
    """Return the integrations of other packages by name. One that cannot be imported costs a line of warning."""
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


def _nobodys(dialect: str) -> Integration:
    from sampleui.integrations.integration import Integration

    own = (one for one in plugins().values() if any(dialect == brought.name for brought in one.dialects()))
    return next(own, Integration())


def _warn(name: str, reason: str) -> None:
    sys.stderr.write(f"sampleui: the integration {name} is left out: {' '.join(reason.split())}\n")


_BY_NAME = {entry.name: entry for entry in SHIPPED}
_BY_DIALECT = {dialect: entry.name for entry in SHIPPED for dialect in entry.dialects}
