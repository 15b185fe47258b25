"""The static index of integrations: which there are, and what shows that a file may be of one.

An integration has one entry here, and is imported by the entry and only when something of it is needed, so that no
core module depends on one and none is loaded for a file that is another's. Packages that declare the entry point
group `sampleui.integrations` are added behind those that are shipped: the object of each entry point is an
`IndexEntry`, which can say all that the entries of this table say.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sampleui.errors import SampleUIError

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.integrations.integration import Integration
    from sampleui.sample.dialects.dialect import Dialect

NOBODYS = ""
"""The name of the integration that has nothing."""

GROUP = "sampleui.integrations"
"""The group of entry points by which another package adds an integration."""

TOP = "[]"
"""In signs: the samples are the file itself, and under no key."""


class Log(NamedTuple):
    """How a file is recognized that is the log of a run, whatever is in its rows.

    Attributes:
        suffix: how the name of such a file ends; empty if names do not tell.
        starts: how the bytes of one begin.
        words: what stands all in the beginning of a JSON object that is one.
    """

    suffix: str
    starts: tuple[bytes, ...]
    words: tuple[bytes, ...]

    def is_named_or_begins(self, path: Path, head: bytes) -> bool:
        """Tell whether a file is a log by its name or its first bytes."""
        return (bool(self.suffix) and path.suffix.lower() == self.suffix) or head.startswith(self.starts)

    def may_be_json(self, head: bytes) -> bool:
        """Tell whether a text begins as a log in JSON does."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return start.startswith(b"{") and all(word in head for word in self.words)


class RunFolder(NamedTuple):
    """How a folder is recognized that a program keeps a run in.

    Attributes:
        records: the path, from the folder, of the file that lists the records.
        beside: files of which one must be there as well; none if that file is enough.
    """

    records: str
    beside: tuple[str, ...] = ()


class IndexEntry(NamedTuple):
    """What is known of an integration before it is imported. Whatever is left out, it is never asked for.

    A sign is keys with blanks between them that are all at hand; any one of several signs is enough.

    Attributes:
        name: its name, which is also the value of `Dialect.integration` in its dialects.
        module: the module that has its `INTEGRATION`; by default the package of that name beside this module or,
            for an entry of another package, the module that has the entry.
        dialects: the names of the dialects that it brings, in the order to try them.
        signs: signs at hand wherever one of its dialects can be recognized: keys of samples (with a dot those of
            the tables in a list under a key), keys beside them, and keys they are under, or `TOP`.
        broken_signs: keys by which the text of a file that cannot be read is taken for a deck of it.
        result_dialect: the name of the spelling of the rows of its results, which users' tables cannot have.
        row_signs: signs in a row wherever it reads one.
        reads_others: whether these are keys of others' rows too, so that others are asked first: the higher, the
            later.
        documents: keys of documents in which it knows where rows are that stand under keys of their own.
        yaml_results: a pattern for how its results in YAML begin.
        log: how the logs of its runs are recognized.
        run_folders: how the folders of its runs are recognized.
        run_files: patterns for the names of its runs that are a file each.
        files: keys of rows that name files in which its runs keep parts of a record.
        summaries: how a key ends that a document has which sums up its results without records.
        transcripts: keys of which each transcript has one that it writes to a file of its own.
        settings_folder: the folder of its settings, which marks the root of a project. Its `config.yaml` may have
            `guideline_patterns`.
        makes: words of which one is in the text of a YAML or JSON file with values that it makes samples of.
        style: the style of prompts that is its program's own.
        checks: how the types of assertions begin that are about what was called and that it may judge.
    """

    name: str
    module: str = ""
    dialects: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    broken_signs: tuple[str, ...] = ()
    result_dialect: str = ""
    row_signs: tuple[str, ...] = ()
    reads_others: int = 0
    documents: tuple[str, ...] = ()
    yaml_results: str = ""
    log: Log | None = None
    run_folders: tuple[RunFolder, ...] = ()
    run_files: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()
    summaries: tuple[str, ...] = ()
    transcripts: frozenset[str] = frozenset()
    settings_folder: str = ""
    makes: tuple[str, ...] = ()
    style: str = ""
    checks: tuple[str, ...] = ()


SHIPPED: tuple[IndexEntry, ...] = (
    IndexEntry(
        "calibrate",
        dialects=("calibrate",),
        signs=("samples", "messages", "expected", "score", "meta"),
        broken_signs=("messages", "samples"),
        result_dialect="calibrate",
        row_signs=("grader_score", "truth_score id"),
        reads_others=1,
        documents=("graderResults",),
    ),
    IndexEntry(
        "agentv",
        dialects=("agentv",),
        signs=(
            *("input_messages", "input", "input_files", "vars", "expected_messages", "expected_output"),
            *("expected_outcome", "outcome", "criteria", "assert", "assertions", "evaluator", "evaluators"),
            *("rubrics", "execution", "conversation_id"),
            *("$schema", "prompts", "providers", "default_test", "target"),
            *("evalcases", "tests", "cases", "eval_cases"),
        ),
        broken_signs=(
            *("tests", "input_messages", "expected_messages", "expected_outcome", "evaluators", "assertions"),
            "conversation_id",
        ),
        result_dialect="agentv",
        row_signs=(
            *("score", "scores", "evaluator_results", "evaluatorResults", "graders", "evaluators"),
            *("component_results", "candidate_answer", "candidateAnswer", "answer", "output", "output_messages"),
            *("outputMessages", "text", "assertions", "error", "execution_status", "trace", "trace_ref"),
        ),
        reads_others=3,
        run_folders=(RunFolder(".internal/index.jsonl"), RunFolder("index.jsonl")),
        files=frozenset(
            """
            grading_path output_path answer_path response_path metrics_path timing_path transcript_raw_path
            transcript_path trace_path input_path artifact_dir samples transcript task_dir test_dir
            """.split()  # noqa: SIM905
        ),
        transcripts=frozenset({"message_index", "trace", "spans", "turns"}),
        settings_folder=".agentv",
        style="agentv-4",
        checks=("tool-trajectory",),
    ),
    IndexEntry(
        "gage",
        dialects=("gage",),
        signs=(
            *("schema_version", "task_type", "options", "references", "label", "few_shot_examples"),
            *("golden_trajectories", "sandbox", "data_tag", "raw_assets", "sampling_params", "generation_params"),
            *("eval_config", "unconditioned_input", "predict_result", "eval_result", "choices", "question_type"),
            *("model_prompt_tmpl", "model_prompt_placeholder"),
            *("tools", "tool_choice", "metadata", "question", "prompt", "text", "answer"),
        ),
        result_dialect="gage",
        row_signs=("sample model_output", "sample metrics", "predict_result", "eval_result"),
        reads_others=2,
        run_folders=(RunFolder("samples.jsonl", ("summary.json", "events.jsonl")),),
    ),
    IndexEntry(
        "promptfoo",
        dialects=("promptfoo",),
        signs=(
            *("prompts providers", "prompts targets", "defaultTest", "evaluateOptions", "commandLineOptions"),
            *("derivedMetrics", "nunjucksFilters", "redteam", "vars", "assert", "scenarios"),
            *("__expected", "__expected1", "__description"),
        ),
        result_dialect="promptfoo",
        row_signs=("vars promptIdx", "vars gradingResult", "vars prompt success", "testCase promptIdx success"),
        yaml_results=r"evalId:|results:\s+version:",
        makes=("scenarios", "config"),
        checks=("trajectory:",),
    ),
    IndexEntry(
        "chat_data",
        dialects=("openai", "sharegpt"),
        signs=(
            *("input preferred_output", "input ideal", "prompt completion", "chosen rejected"),
            *("chosen_messages rejected_messages", "completions labels", "prompt.role", "custom_id body"),
            *("messages reference_answer", "messages parallel_tool_calls", "messages label"),
            *("messages.weight", "messages.loss_weight", f"{TOP} messages", f"{TOP} input"),
            *("conversations.from", "instruction output", "instruction chosen", "question_id turns"),
        ),
    ),
    IndexEntry(
        "inspect_ai",
        dialects=("inspect",),
        signs=("input target", "input choices"),
        result_dialect="inspect",
        row_signs=("inspect_log id",),
        log=Log(".eval", (b"PK\3\4", b"PK\5\6"), (b'"eval"', b'"dataset"')),
        summaries=("eval_set_id", ".eval", ".json"),
    ),
    IndexEntry(
        "pydantic_evals",
        dialects=("pydantic-evals",),
        signs=("inputs",),
        result_dialect="pydantic-evals",
        row_signs=("name inputs output assertions", "name inputs error_message error_stacktrace"),
    ),
    IndexEntry(
        "deepeval",
        dialects=("deepeval",),
        signs=(
            *("input retrieval_context", "input additional_metadata", "input expected_tools", "input source_file"),
            *("input context", "input actual_output", "scenario turns", "scenario expected_outcome"),
        ),
        result_dialect="deepeval",
        row_signs=("metricsData name", "metricsMetadata", "actualOutput success", "metrics_data success"),
        run_files=(r"test_run_\d{8}_\d{6}(?:_\d+)?\.json",),
    ),
    IndexEntry(
        "lm_eval",
        dialects=("lm-eval",),
        signs=("choices gold",),
        result_dialect="lm-eval",
        row_signs=("doc_id doc resps", "doc_id doc filtered_resps"),
        run_files=(r"samples_.+_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl",),
        summaries=("n-shot",),
    ),
    IndexEntry(
        "verifiers",
        result_dialect="verifiers",
        row_signs=(
            *("example_id reward", "prompt completion reward"),
            *("traces env task ok", "nodes task rewards"),
        ),
    ),
    IndexEntry(
        "langsmith",
        dialects=("langsmith",),
        signs=("inputs outputs",),
        result_dialect="langsmith",
        row_signs=("execution_time example_id", "evaluation_results run", "evaluationResults run"),
    ),
    IndexEntry("langfuse", dialects=("langfuse",), signs=("input expectedOutput",)),
    IndexEntry(
        "braintrust",
        dialects=("braintrust",),
        signs=("input expected",),
        result_dialect="braintrust",
        row_signs=("scores input output", "scores input error"),
    ),
    IndexEntry(
        "skills",
        dialects=("skills", "skill-triggers"),
        signs=("skill_name", "evals prompt", "evals input", "query should_trigger"),
        broken_signs=("skill_name", "should_trigger"),
    ),
    IndexEntry(
        "harbor",
        result_dialect="harbor",
        row_signs=("trial_name agent_info", "trial_name verifier_result", "schema_version agent steps"),
        log=Log("", (), (b'"n_total_trials"', b'"stats"')),
        run_folders=(RunFolder("result.json", ("job.log", "trial.log", "agent/trajectory.json")),),
        files=frozenset({"trial_name"}),
        transcripts=frozenset({"steps"}),
    ),
    IndexEntry("ragas", result_dialect="ragas", row_signs=("user_input", "question")),
)
"""The integrations that are shipped, in the order to try them."""


@cache
def entries() -> tuple[IndexEntry, ...]:
    """Return the entries of all integrations, those that are shipped first."""
    return (*SHIPPED, *plugins())


@cache
def integration(name: str) -> Integration:
    """Return an integration by its name, imported now if it was not before.

    Raises:
        KeyError: there is none of that name.
    """
    if name == NOBODYS:
        return _without_hooks()
    if any(entry.name == name for entry in SHIPPED):
        found: Integration = import_module(f"{__package__}.{name}").INTEGRATION
        return found
    return _of_package({entry.name: entry for entry in plugins()}[name])


def of_dialect(dialect: Dialect) -> Integration:
    """Return the integration that a dialect is of; for one of the user's own, one that has nothing."""
    return integration(dialect.integration or NOBODYS)


def bringing(dialect: str) -> Iterator[Integration]:
    """Yield the integrations that bring a dialect of that name."""
    among = SHIPPED if any(dialect in entry.dialects for entry in SHIPPED) else plugins()
    return (integration(entry.name) for entry in among if dialect in entry.dialects)


@lru_cache
def signed(keys: frozenset[str]) -> tuple[Integration, ...]:
    """Return the integrations of which a sign is among some keys."""
    return tuple(integration(entry.name) for entry in entries() if _is_signed(entry.signs, keys))


def dialects() -> Iterator[str]:
    """Yield the names of all dialects, in the order of the integrations."""
    yield from (dialect for entry in SHIPPED for dialect in entry.dialects)
    yield from (dialect.name for entry in plugins() for dialect in integration(entry.name).dialects())


def readers(row: Collection[str]) -> list[str]:
    """Return the names of the integrations that may read a row with some keys, in the order to try them."""
    return [entry.name for entry in _by_rank() if _is_signed(entry.row_signs, row)]


def holders(document: Collection[str]) -> list[str]:
    """Return the names of the integrations that know where rows are in a document with some keys."""
    return [entry.name for entry in entries() if any(key in document for key in entry.documents)]


@cache
def yaml_results() -> re.Pattern[bytes]:
    """Return how results in YAML begin."""
    return re.compile("|".join(entry.yaml_results for entry in entries() if entry.yaml_results).encode())


@cache
def logs() -> tuple[tuple[str, Log], ...]:
    """Return how logs of runs are recognized, each behind the name of its integration."""
    return tuple((entry.name, entry.log) for entry in entries() if entry.log is not None)


@cache
def run_folders() -> tuple[RunFolder, ...]:
    """Return how the folders of runs are recognized."""
    return tuple(folder for entry in entries() for folder in entry.run_folders)


@cache
def run_files() -> re.Pattern[str]:
    """Return how runs are named that are a file each."""
    return re.compile("|".join(name for entry in entries() for name in entry.run_files), re.ASCII)


def keeper(row: Table) -> str:
    """Return the name of the integration that knows the files that a row names, `NOBODYS` where it names none."""
    return NOBODYS if _files().isdisjoint(row) else next(_keepers(row))


def _keepers(row: Table) -> Iterator[str]:
    return (entry.name for entry in entries() if not entry.files.isdisjoint(row))


@cache
def _files() -> frozenset[str]:
    return frozenset(key for entry in entries() for key in entry.files)


def summarizers(document: Table) -> Iterator[str]:
    """Yield the names of the integrations of whose summaries a document may be one."""
    return (entry.name for entry in entries() if any(key.endswith(entry.summaries) for key in document))


def transcribers(row: Table) -> Iterator[str]:
    """Yield the names of the integrations of whose transcripts a document, or a line of one, may be."""
    return (entry.name for entry in entries() if not entry.transcripts.isdisjoint(row))


@cache
def settings_folders() -> tuple[str, ...]:
    """Return the names of the folders in which programs have their settings."""
    return tuple(entry.settings_folder for entry in entries() if entry.settings_folder)


def makers(text: str) -> Iterator[Integration]:
    """Yield the integrations that may make samples of values in a file, by the ends of its text."""
    return (integration(entry.name) for entry in entries() if any(word in text for word in entry.makes))


def styles() -> tuple[str, ...]:
    """Return the styles of prompts that are one program's own."""
    return tuple(entry.style for entry in entries() if entry.style)


def style_of(dialect: Dialect) -> str:
    """Return the style of prompts that the program of a dialect has of its own, "" if it has none."""
    return next((entry.style for entry in entries() if entry.name == dialect.integration), "")


def of_style(style: str) -> Integration:
    """Return the integration that renders in a style which is not this program's own."""
    return integration(next(entry.name for entry in entries() if entry.style == style))


def checkers() -> Iterator[Integration]:
    """Yield the integrations that judge what was called."""
    return (integration(entry.name) for entry in entries() if entry.checks)


def checker(kind: str) -> Integration:
    """Return the integration that may judge an assertion of a type; one that has nothing if there is none."""
    plain = kind.removeprefix("not-")
    judges = (entry.name for entry in entries() if entry.checks and plain.startswith(entry.checks))
    return integration(next(judges, NOBODYS))


@cache
def plugins() -> tuple[IndexEntry, ...]:
    """Return the entries of other packages. One that cannot be loaded costs a line of warning."""
    if not any(map(_declares, sys.path)):
        return ()
    from importlib.metadata import entry_points

    foreign_code = _foreign_code()

    loaded: dict[str, IndexEntry] = {}
    shipped = {entry.name for entry in SHIPPED}
    for point in entry_points(group=GROUP):
        try:
            found = foreign_code.run(point.load)
        except (foreign_code.ForeignError, SampleUIError) as error:
            _warn(point.name, str(error))
            continue
        if not isinstance(found, IndexEntry):
            _warn(point.name, f"{point.value} is no IndexEntry")
        elif wrong := _wrong_in(found):
            _warn(point.name, f"its entry: {wrong}")
        elif found.name in shipped:
            _warn(point.name, f"an integration {found.name} is shipped")
        else:
            loaded[found.name] = found._replace(module=found.module or point.module)
    return tuple(loaded.values())


def _foreign_code() -> Any:
    return import_module(
        f"{__package__}.foreign_code"
    )  # by its name, since it stands on texts, which stand on this


def _wrong_in(entry: IndexEntry) -> str:
    """Return, in words, what makes the entry of a package one that cannot be asked; empty if nothing does."""
    found: str = import_module(f"{__package__}.guarding").misfit(entry, IndexEntry, "entry")
    try:
        re.compile("|".join((*entry.run_files, entry.yaml_results)) if not found else "")
    except re.error as error:
        return f"its patterns: {error}"
    return found


def _of_package(entry: IndexEntry) -> Integration:
    foreign_code = _foreign_code()
    from sampleui.integrations.integration import Integration

    try:
        found = foreign_code.run(lambda: import_module(entry.module).INTEGRATION)
    except (foreign_code.ForeignError, SampleUIError) as error:
        _warn(entry.name, str(error))
        return _without_hooks()
    if isinstance(found, Integration):
        guarding = import_module(f"{__package__}.guarding")  # by its name, since it knows the core's types
        kept: Integration = guarding.guarded(found, entry, partial(_warn_of_fault, entry.name))
        return kept
    _warn(entry.name, f"INTEGRATION of {entry.module} is no Integration")
    return _without_hooks()


def _without_hooks() -> Integration:
    from sampleui.integrations.integration import Integration

    return Integration()


@cache
def _by_rank() -> list[IndexEntry]:
    """Return the entries of those that read rows, the ones behind that read rows of others too."""
    return sorted((entry for entry in entries() if entry.row_signs), key=lambda entry: entry.reads_others)


def _is_signed(signs: tuple[str, ...], keys: Collection[str]) -> bool:
    return any(all(key in keys for key in sign) for sign in _split(signs))


@cache
def _split(signs: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sign.split()) for sign in signs)


def _declares(folder: str) -> bool:
    """Tell whether a package installed in a folder may add an integration; to load them all is slow."""
    with suppress(OSError):
        for package in os.scandir(folder or "."):
            if package.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), Path(package.path, "entry_points.txt").open("rb") as file:
                    if GROUP.encode() in file.read():
                        return True
    return False


def warn_by(tell: Callable[[str], object]) -> None:
    """Have faults of packages told by a function, given one line, and not on standard error."""
    _TELLING[:] = [tell]


def _warn(name: str, reason: str) -> None:
    _TELLING[-1](f"the integration {name} is left out: {' '.join(reason.split())}")


def _warn_of_fault(name: str, reason: str) -> None:
    _TELLING[-1](f"a fault in the integration {name}: {' '.join(reason.split())}")


def _on_standard_error(line: str) -> None:
    sys.stderr.write(f"sampleui: {line}\n")


_TELLING: list[Callable[[str], object]] = [_on_standard_error]
