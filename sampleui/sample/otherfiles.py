"""Files of other tools that are neither decks nor results that are read here: each told by keys that it alone has.

Traces and transcripts of agents, exports of platforms, outputs of benchmarks, and what tools write beside their
results. Most have keys that samples and records have as well (`id`, `input`, `messages`, `status`), so without a
name of their own they would be taken for decks, or their fields for outcomes. An entry of the table is one kind of
file; the keys were read in the sources of the tools, or in what they wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sampleui.formats.data import Plain, Table

_WRAPPERS = ("data", "events", "spans", "calls", "runs", "traces", "observations", "results", "items", "rows")
_LOOKED_AT = 20
_MISSING = object()


class Sign(NamedTuple):
    """Keys that stand together in files of one kind alone.

    Attributes:
        has: paths of keys, dots between, all of which are there; null counts. A table may have a path as one key.
        says: for paths a pattern that the whole text there matches.
        lacks: keys that are not there.
    """

    has: tuple[str, ...]
    says: tuple[tuple[str, re.Pattern[str]], ...] = ()
    lacks: frozenset[str] = frozenset()


class OtherFile(NamedTuple):
    """One kind of file.

    Attributes:
        what: what it is, for people.
        signs: what it is told by, any one of these.
        instead: what to do with it here, for people; empty if there is nothing.
        traced: whether what was done in it can be read as messages all the same.
        whole: whether the file as a whole has the keys, and no row of it.
        graded: whether it says how something came out, so that a table of the user's could read it as results.
    """

    what: str
    signs: tuple[Sign, ...]
    instead: str = ""
    traced: bool = False
    graded: bool = False
    whole: bool = False

    @property
    def told(self) -> str:
        """What it is and why it is not opened, for people."""
        table = "a table [results.NAME] in .sampleui.toml can say where they stand" if self.graded else ""
        said = "how they came out is not read" if self.graded else "nothing in it is a sample or a graded record"
        said = "" if self.instead else said
        return "; ".join(filter(None, (f"another tool's file: {self.what}", said, self.instead or table)))


def _sign(has: str, lacks: str = "", **says: str) -> Sign:
    patterns = tuple((key.replace("__", "."), re.compile(text)) for key, text in says.items())
    return Sign((*has.split(), *(key for key, _ in patterns)), patterns, frozenset(lacks.split()))


_OTLP = (
    OtherFile(
        "an export of OpenTelemetry (OTLP): spans, logs or metrics of what programs did",
        tuple(
            _sign(key)
            for key in (
                *("resourceSpans", "resourceLogs", "resourceMetrics"),
                *("resource_spans", "resource_logs", "resource_metrics"),
            )
        ),
    ),
    OtherFile(
        "an export of Phoenix or OpenTelemetry: spans of what programs did",
        (_sign("context.trace_id context.span_id"),),
    ),
    OtherFile("an export of Jaeger's: spans of what programs did", (_sign("traceID spans processes"),)),
    OtherFile("an export of Zipkin's: spans of what programs did", (_sign("traceId localEndpoint timestamp"),)),
)
"""OpenTelemetry 1.3, arize-phoenix 20.26."""

_PHOENIX = (
    OtherFile(
        "an experiment of Phoenix: answers with annotations of a free scale",
        (_sign("example_id repetition_number"),),
        graded=True,
    ),
    OtherFile(
        "annotations of Phoenix's: notes about spans, without the spans",
        (
            _sign("annotator_kind span_id"),
            _sign("annotator_kind trace_id"),
            _sign("annotation_name annotator_kind"),
        ),
    ),
)

_CLAUDE = OtherFile(
    "a session of Claude Code: a transcript of an agent",
    (
        _sign("sessionId uuid parentUuid"),
        _sign("messageId snapshot", type="file-history-snapshot"),
        _sign("summary leafUuid"),
        _sign("session_id subtype", type="system|result"),
    ),
)
"""Claude Code 2.1, its session files and `--output-format stream-json`."""

_CODEX = OtherFile(
    "a session of Codex: a transcript of an agent",
    (
        _sign("payload", type="session_meta|response_item|event_msg|turn_context|compacted|world_state"),
        _sign("thread_id", type=r"thread\.started"),
        _sign("item.type", type=r"item\.(started|updated|completed)"),
        _sign("", type=r"turn\.(started|completed|failed)"),
        _sign("", record_type="state"),
    ),
)
"""codex-rs, rollouts and `exec --json`."""

_GEMINI = OtherFile("a session of Gemini CLI: a transcript of an agent", (_sign("sessionId projectHash"),))
_COPILOT = OtherFile(
    "a session of Copilot CLI: a transcript of an agent",
    (_sign("data id parentId timestamp", type=r"(session|user|assistant|tool|subagent|skill|abort)(\.\w+)+"),),
)

_SWE = (
    OtherFile(
        "a trajectory of mini-swe-agent: what an agent did, without an outcome",
        (_sign("messages info", trajectory_format="mini-swe-agent.*"), _sign("messages info.mini_version")),
        traced=True,
    ),
    OtherFile(
        "a trajectory of SWE-agent: what an agent did, without an outcome",
        (_sign("trajectory history info"), _sign("trajectory info.model_stats"), _sign("trajectory replay_config")),
    ),
    OtherFile(
        "predictions for SWE-bench: patches, without an outcome",
        (_sign("instance_id model_patch"), _sign("model_name_or_path model_patch")),
    ),
    OtherFile(
        "a report of SWE-bench's harness",
        (
            _sign("resolved_ids submitted_ids"),
            _sign("resolved_ids unresolved_ids completed_ids"),
            _sign("patch_successfully_applied resolved"),
        ),
        graded=True,
    ),
    OtherFile(
        "an output of OpenHands' evaluation: what an agent did, whose outcome another file has",
        (_sign("instance_id test_result history"), _sign("instance_id test_result instruction")),
    ),
    OtherFile(
        "an event of an OpenHands conversation",
        (
            _sign("id timestamp", kind=r"\w+(Event|Condensation)", source="agent|user|environment|hook"),
            _sign("id timestamp source action args"),
            _sign("id timestamp source observation extras"),
        ),
    ),
)
"""SWE-agent 1.1, mini-swe-agent 2.4, SWE-bench 4, OpenHands V0 and V1."""

_TAU = (
    OtherFile("a run of tau-bench", (_sign("task_id reward traj"), _sign("task_id reward trial")), graded=True),
    OtherFile(
        "a run of tau2-bench",
        (
            _sign("tasks simulations info"),
            _sign("tasks simulation_index"),
            _sign("task_id termination_reason reward_info"),
        ),
        graded=True,
    ),
)
_BFCL = (
    OtherFile(
        "results of the Berkeley function-calling leaderboard (BFCL): answers, without an outcome",
        (
            _sign("id result input_token_count"),
            _sign("id result inference_log"),
            _sign("id traceback", result="Error during inference:.*(?s:.)*"),
        ),
    ),
    OtherFile(
        "scores of the Berkeley function-calling leaderboard (BFCL): only what failed has a row",
        (
            _sign("accuracy correct_count total_count", lacks="results records samples rows tests items"),
            _sign("id valid error error_type"),
            _sign("id test_category model_result_raw"),
        ),
    ),
)
_TERMINAL = (
    OtherFile(
        "a run of terminal-bench",
        (_sign("is_resolved failure_mode"), _sign("n_resolved n_unresolved"), _sign("pass_at_k resolved_ids")),
        graded=True,
    ),
    OtherFile(
        "a trajectory of harbor (ATIF): what an agent did, without an outcome",
        (_sign("steps", schema_version=r"ATIF-.*"),),
    ),
    OtherFile(
        "a trial of harbor's",
        (_sign("trial_name verifier_result"), _sign("stats n_total_trials"), _sign("trial_results stats")),
        graded=True,
    ),
)
_ADK = (
    OtherFile(
        "an eval set of Google's ADK: conversations to run, in a spelling that is not read here",
        (_sign("eval_set_id eval_cases"), _sign("evalSetId evalCases")),
    ),
    OtherFile(
        "results of Google's ADK",
        (
            _sign("eval_set_result_id eval_case_results"),
            _sign("evalSetResultId evalCaseResults"),
            _sign("eval_id final_eval_status"),
        ),
        graded=True,
    ),
)

_LANGSMITH = (
    OtherFile(
        "runs of LangSmith: steps of traces, whose status says nothing of an answer",
        (_sign("run_type dotted_order"), _sign("run_type trace_id"), _sign("run_type parent_run_id start_time")),
    ),
    OtherFile("feedback of LangSmith: scores about runs, without the runs", (_sign("run_id key feedback_source"),)),
)
_STEPS = "SPAN|GENERATION|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL"
_LANGFUSE = (
    OtherFile(
        "an export of Langfuse: observations, which are steps of traces",
        (
            _sign("trace_id parent_observation_id"),
            _sign("traceId parentObservationId"),
            _sign("traceId", type=_STEPS),
            _sign("trace_id", type=_STEPS),
        ),
    ),
    OtherFile(
        "an export of Langfuse: traces, which say what was answered and not how it came out",
        (
            _sign("id timestamp htmlPath"),
            _sign("id timestamp bookmarked public"),
            _sign("id timestamp sessionId userId input output", lacks="score passed success expected"),
            _sign("id timestamp session_id user_id release"),
            _sign("id timestamp session_id user_id bookmarked"),
            _sign("id timestamp totalCost observations"),
        ),
    ),
    OtherFile(
        "an export of Langfuse: scores about traces, without the traces",
        (
            _sign("trace_id observation_id data_type"),
            _sign("traceId observationId dataType"),
            _sign("trace_id name value", data_type="NUMERIC|BOOLEAN|CATEGORICAL|TEXT|CORRECTION"),
            _sign("traceId name value", dataType="NUMERIC|BOOLEAN|CATEGORICAL|TEXT|CORRECTION"),
        ),
    ),
    OtherFile(
        "an export of Langfuse: runs of a data set, without their outcomes",
        (
            _sign("datasetRunId datasetItemId"),
            _sign("dataset_run_id dataset_item_id"),
        ),
    ),
)
_WEAVE = OtherFile(
    "an export of Weave: calls, which are steps of traces",
    (_sign("op_name project_id started_at"), _sign("op_name trace_id")),
)
_MLFLOW = OtherFile(
    "traces of MLflow: what programs did",
    (
        _sign("info.trace_id data.spans"),
        _sign("info.request_id data.spans"),
        _sign("trace_id trace_metadata"),
        _sign("request_id trace request"),
        _sign("trace_id spans assessments"),
        _sign("trace_id client_request_id"),
    ),
)
_BRAINTRUST = OtherFile(
    "events of a Braintrust experiment or log: cases among the steps of their traces",
    (_sign("span_id root_span_id _xact_id"), _sign("span_id root_span_id span_attributes")),
)
_OPENAI = (
    OtherFile(
        "an export of OpenAI's evals API",
        (
            _sign("run_id datasource_item", object=r"eval\.run\.output_item"),
            _sign("eval_id", object=r"eval\.run"),
            _sign("testing_criteria", object="eval"),
        ),
        graded=True,
    ),
    OtherFile(
        "a log of OpenAI's evals: events of a run",
        (_sign("spec.eval_name"), _sign("run_id event_id sample_id data"), _sign("final_report", lacks="id")),
    ),
    OtherFile(
        "answers of OpenAI's batch API, without an outcome",
        (
            _sign("custom_id response.body"),
            _sign("custom_id response.status_code"),
            _sign("id custom_id error.code"),
        ),
    ),
)
_GARAK = OtherFile(
    "a report of garak's: attacks, where a score of 1 is a hit and so bad",
    (
        _sign("", entry_type=r"start_run setup|init|plugin_cache|payload_init|tree_data|attempt|eval|digest"),
        _sign("goal trigger detector probe"),
    ),
)
_EVALITE = OtherFile("a run of evalite", (_sign("run evals.results"), _sign("run.runType evals")), graded=True)
_TRULENS = OtherFile(
    "records of TruLens: what an app did, with feedback in columns of their own",
    (_sign("record_id app_id record_json"), _sign("record_json app_json")),
    graded=True,
)
_HELM = (
    OtherFile(
        "statistics of a HELM run",
        (
            _sign("name.name count sum sum_squared"),
            _sign("instance_id train_trial_index"),
            _sign("instance_id predicted_text"),
        ),
        graded=True,
    ),
    OtherFile(
        "a part of a HELM run: what was to run, or what was sent",
        (_sign("adapter_spec request_states"), _sign("scenario_spec adapter_spec")),
    ),
)
_VOTES = (
    OtherFile(
        "votes between the answers of two models: nothing in it passed or failed",
        (
            _sign("model_a model_b winner"),
            _sign("model_a model_b winner_model_a"),
            _sign("model_1 model_2 g1_winner"),
            _sign("generator_1 generator_2 preference"),
            _sign("model_a model_b conversation_a"),
        ),
    ),
    OtherFile(
        "answers of MT-bench or the arena, without an outcome",
        (_sign("question_id answer_id model_id choices"), _sign("question_id answer_id tstamp")),
    ),
)
_CLOUDS = (
    OtherFile(
        "an evaluation of Azure AI: grades of a scale of 1 to 5 in rows",
        (_sign("rows metrics studio_url"),),
        graded=True,
    ),
    OtherFile("an evaluation of Amazon Bedrock", (_sign("automatedEvaluationResult inputRecord"),), graded=True),
    OtherFile(
        "the scores of a leaderboard's tasks, without records",
        (_sign("config_general results versions"), _sign("config_general results config_tasks")),
    ),
)

_INSPECT = (
    OtherFile(
        "a log of Inspect's, the results of a run",
        (_sign("version status eval.task eval.model"), _sign("version status eval.dataset eval.model")),
        "sampleui review opens it",
        whole=True,
    ),
    OtherFile(
        "a list of Inspect's logs, without records",
        (_sign("name mtime task task_id"), _sign("version status eval.task eval.model", lacks="samples")),
        "sampleui review opens the logs themselves",
    ),
    OtherFile(
        "samples out of a log of Inspect's",
        (_sign("id epoch target scores model_usage"), _sign("id epoch target output.choices scores")),
        "sampleui review opens the log itself",
    ),
)

_PROMPTFOO = OtherFile(
    "a table of promptfoo's results, which has several answers in a row",
    (Sign(("Status", "Score", "Grader Reason")), Sign(("Named Scores", "Grader Reason"))),
    "let promptfoo write one that ends in .json, .jsonl or .yaml",
)

KINDS: tuple[OtherFile, ...] = (
    *_OTLP,
    *_PHOENIX,
    _CLAUDE,
    _CODEX,
    _GEMINI,
    _COPILOT,
    *_SWE,
    *_TAU,
    *_BFCL,
    *_TERMINAL,
    *_ADK,
    *_LANGSMITH,
    *_LANGFUSE,
    _WEAVE,
    _MLFLOW,
    _BRAINTRUST,
    *_OPENAI,
    _GARAK,
    _EVALITE,
    _TRULENS,
    *_HELM,
    *_VOTES,
    *_CLOUDS,
    *_INSPECT,
    _PROMPTFOO,
)
"""The kinds in the order to try them."""


def other_file(rows: Iterable[Plain], document: Mapping[str, Plain] | None = None) -> OtherFile | None:
    """Return the kind of a file, None for one that is none of these.

    Args:
        rows: its lines, or the items of its list; the first few are looked at.
        document: what it is as a whole, if that is one object.
    """
    looked = [*_tables([one for one, _ in zip(rows, range(_LOOKED_AT), strict=False)], document or {})]
    found = (
        kind
        for kind in KINDS
        if any(_bears(one, sign) for one in (looked[:1] if kind.whole else looked) for sign in kind.signs)
    )
    return next(found, None)


def other_document(document: Plain) -> OtherFile | None:
    """Return the kind of a JSON value, as `other_file` does. One that is a text is read once more."""
    if isinstance(document, str):
        try:
            document = json.loads(document)
        except (ValueError, RecursionError):
            return None
    if isinstance(document, dict):
        return other_file((), document)
    return other_file(document if isinstance(document, list) else ())


def _tables(rows: Sequence[Plain], document: Mapping[str, Plain]) -> Iterator[Table]:
    """Yield what may bear a sign: an object, its rows, those in an envelope, those under their ids."""
    yield {**document}
    for wrapper in _WRAPPERS:
        held = document.get(wrapper)
        if isinstance(held, list):
            yield from (one for one in held[:_LOOKED_AT] if isinstance(one, dict))
    if document and all(isinstance(one, dict) for one in document.values()):
        yield from (one for one in [*document.values()][:_LOOKED_AT] if isinstance(one, dict))
    yield from (one for one in rows if isinstance(one, dict))


def _bears(table: Table, sign: Sign) -> bool:
    return (
        bool(table)
        and not sign.lacks & table.keys()
        and all(_at(table, path) is not _MISSING for path in sign.has)
        and all(_matches(_at(table, path), pattern) for path, pattern in sign.says)
    )


def _matches(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _at(table: Table, path: str) -> object:
    """Return what is at a path; of a list what its first item has there."""
    if path in table:
        return table[path]
    value: object = table
    for key in path.split("."):
        if isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict) or key not in value:
            return _MISSING
        value = value[key]
    return value
