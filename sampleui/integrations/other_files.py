"""The files of other tools that are neither decks nor results that are read here, by keys that each kind alone has.

An entry is one kind of file; the keys were read in the sources of the tools, or in what they wrote. Most of the
tools have no integration; of those that have one, these are the files that it does not read.
"""

from __future__ import annotations

from sampleui.sample.other_files import OtherFile, Sign, sign

_OTLP = (
    OtherFile(
        "an export of OpenTelemetry (OTLP): spans, logs or metrics of what programs did",
        tuple(
            sign(key)
            for key in (
                *("resourceSpans", "resourceLogs", "resourceMetrics"),
                *("resource_spans", "resource_logs", "resource_metrics"),
            )
        ),
    ),
    OtherFile(
        "an export of Phoenix or OpenTelemetry: spans of what programs did",
        (sign("context.trace_id context.span_id"),),
    ),
    OtherFile("an export of Jaeger's: spans of what programs did", (sign("traceID spans processes"),)),
    OtherFile("an export of Zipkin's: spans of what programs did", (sign("traceId localEndpoint timestamp"),)),
)
"""OpenTelemetry 1.3, arize-phoenix 20.26."""

_PHOENIX = (
    OtherFile(
        "an experiment of Phoenix: answers with annotations of a free scale",
        (sign("example_id repetition_number"),),
        graded=True,
    ),
    OtherFile(
        "annotations of Phoenix's: notes about spans, without the spans",
        (
            sign("annotator_kind span_id"),
            sign("annotator_kind trace_id"),
            sign("annotation_name annotator_kind"),
        ),
    ),
)

_CLAUDE = OtherFile(
    "a session of Claude Code: a transcript of an agent",
    (
        sign("sessionId uuid parentUuid"),
        sign("messageId snapshot", type="file-history-snapshot"),
        sign("summary leafUuid"),
        sign("session_id subtype", type="system|result"),
    ),
)
"""Claude Code 2.1, its session files and `--output-format stream-json`."""

_CODEX = OtherFile(
    "a session of Codex: a transcript of an agent",
    (
        sign("payload", type="session_meta|response_item|event_msg|turn_context|compacted|world_state"),
        sign("thread_id", type=r"thread\.started"),
        sign("item.type", type=r"item\.(started|updated|completed)"),
        sign("", type=r"turn\.(started|completed|failed)"),
        sign("", record_type="state"),
    ),
)
"""codex-rs, rollouts and `exec --json`."""

_GEMINI = OtherFile("a session of Gemini CLI: a transcript of an agent", (sign("sessionId projectHash"),))
_COPILOT = OtherFile(
    "a session of Copilot CLI: a transcript of an agent",
    (sign("data id parentId timestamp", type=r"(session|user|assistant|tool|subagent|skill|abort)(\.\w+)+"),),
)

_SWE = (
    OtherFile(
        "a trajectory of mini-swe-agent: what an agent did, without an outcome",
        (sign("messages info", trajectory_format="mini-swe-agent.*"), sign("messages info.mini_version")),
        traced=True,
    ),
    OtherFile(
        "a trajectory of SWE-agent: what an agent did, without an outcome",
        (sign("trajectory history info"), sign("trajectory info.model_stats"), sign("trajectory replay_config")),
    ),
    OtherFile(
        "predictions for SWE-bench: patches, without an outcome",
        (sign("instance_id model_patch"), sign("model_name_or_path model_patch")),
    ),
    OtherFile(
        "a report of SWE-bench's harness",
        (
            sign("resolved_ids submitted_ids"),
            sign("resolved_ids unresolved_ids completed_ids"),
            sign("patch_successfully_applied resolved"),
        ),
        graded=True,
    ),
    OtherFile(
        "an output of OpenHands' evaluation: what an agent did, whose outcome another file has",
        (sign("instance_id test_result history"), sign("instance_id test_result instruction")),
    ),
    OtherFile(
        "an event of an OpenHands conversation",
        (
            sign("id timestamp", kind=r"\w+(Event|Condensation)", source="agent|user|environment|hook"),
            sign("id timestamp source action args"),
            sign("id timestamp source observation extras"),
        ),
    ),
)
"""SWE-agent 1.1, mini-swe-agent 2.4, SWE-bench 4, OpenHands V0 and V1."""

_TAU = (
    OtherFile("a run of tau-bench", (sign("task_id reward traj"), sign("task_id reward trial")), graded=True),
    OtherFile(
        "a run of tau2-bench",
        (
            sign("tasks simulations info"),
            sign("tasks simulation_index"),
            sign("task_id termination_reason reward_info"),
        ),
        graded=True,
    ),
)
_BFCL = (
    OtherFile(
        "results of the Berkeley function-calling leaderboard (BFCL): answers, without an outcome",
        (
            sign("id result input_token_count"),
            sign("id result inference_log"),
            sign("id traceback", result="Error during inference:.*(?s:.)*"),
        ),
    ),
    OtherFile(
        "scores of the Berkeley function-calling leaderboard (BFCL): only what failed has a row",
        (
            sign("accuracy correct_count total_count", lacks="results records samples rows tests items"),
            sign("id valid error error_type"),
            sign("id test_category model_result_raw"),
        ),
    ),
)
_TERMINAL = (
    OtherFile(
        "a run of terminal-bench",
        (sign("is_resolved failure_mode"), sign("n_resolved n_unresolved"), sign("pass_at_k resolved_ids")),
        graded=True,
    ),
    OtherFile(
        "a trajectory of harbor (ATIF): what an agent did, without an outcome",
        (sign("steps", schema_version=r"ATIF-.*"),),
    ),
    OtherFile(
        "a trial of harbor's",
        (sign("trial_name verifier_result"), sign("stats n_total_trials"), sign("trial_results stats")),
        graded=True,
    ),
)
_ADK = (
    OtherFile(
        "an eval set of Google's ADK: conversations to run, in a spelling that is not read here",
        (sign("eval_set_id eval_cases"), sign("evalSetId evalCases")),
    ),
    OtherFile(
        "results of Google's ADK",
        (
            sign("eval_set_result_id eval_case_results"),
            sign("evalSetResultId evalCaseResults"),
            sign("eval_id final_eval_status"),
        ),
        graded=True,
    ),
)

_LANGSMITH = (
    OtherFile(
        "runs of LangSmith: steps of traces, whose status says nothing of an answer",
        (sign("run_type dotted_order"), sign("run_type trace_id"), sign("run_type parent_run_id start_time")),
    ),
    OtherFile("feedback of LangSmith: scores about runs, without the runs", (sign("run_id key feedback_source"),)),
)
_STEPS = "SPAN|GENERATION|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL"
_LANGFUSE = (
    OtherFile(
        "an export of Langfuse: observations, which are steps of traces",
        (
            sign("trace_id parent_observation_id"),
            sign("traceId parentObservationId"),
            sign("traceId", type=_STEPS),
            sign("trace_id", type=_STEPS),
        ),
    ),
    OtherFile(
        "an export of Langfuse: traces, which say what was answered and not how it came out",
        (
            sign("id timestamp htmlPath"),
            sign("id timestamp bookmarked public"),
            sign("id timestamp sessionId userId input output", lacks="score passed success expected"),
            sign("id timestamp session_id user_id release"),
            sign("id timestamp session_id user_id bookmarked"),
            sign("id timestamp totalCost observations"),
        ),
    ),
    OtherFile(
        "an export of Langfuse: scores about traces, without the traces",
        (
            sign("trace_id observation_id data_type"),
            sign("traceId observationId dataType"),
            sign("trace_id name value", data_type="NUMERIC|BOOLEAN|CATEGORICAL|TEXT|CORRECTION"),
            sign("traceId name value", dataType="NUMERIC|BOOLEAN|CATEGORICAL|TEXT|CORRECTION"),
        ),
    ),
    OtherFile(
        "an export of Langfuse: runs of a data set, without their outcomes",
        (
            sign("datasetRunId datasetItemId"),
            sign("dataset_run_id dataset_item_id"),
        ),
    ),
)
_WEAVE = OtherFile(
    "an export of Weave: calls, which are steps of traces",
    (sign("op_name project_id started_at"), sign("op_name trace_id")),
)
_MLFLOW = OtherFile(
    "traces of MLflow: what programs did",
    (
        sign("info.trace_id data.spans"),
        sign("info.request_id data.spans"),
        sign("trace_id trace_metadata"),
        sign("request_id trace request"),
        sign("trace_id spans assessments"),
        sign("trace_id client_request_id"),
    ),
)
_BRAINTRUST = OtherFile(
    "events of a Braintrust experiment or log: cases among the steps of their traces",
    (sign("span_id root_span_id _xact_id"), sign("span_id root_span_id span_attributes")),
)
_OPENAI = (
    OtherFile(
        "an export of OpenAI's evals API",
        (
            sign("run_id datasource_item", object=r"eval\.run\.output_item"),
            sign("eval_id", object=r"eval\.run"),
            sign("testing_criteria", object="eval"),
        ),
        graded=True,
    ),
    OtherFile(
        "a log of OpenAI's evals: events of a run",
        (sign("spec.eval_name"), sign("run_id event_id sample_id data"), sign("final_report", lacks="id")),
    ),
    OtherFile(
        "answers of OpenAI's batch API, without an outcome",
        (
            sign("custom_id response.body"),
            sign("custom_id response.status_code"),
            sign("id custom_id error.code"),
        ),
    ),
)
_GARAK = OtherFile(
    "a report of garak's: attacks, where a score of 1 is a hit and so bad",
    (
        sign("", entry_type=r"start_run setup|init|plugin_cache|payload_init|tree_data|attempt|eval|digest"),
        sign("goal trigger detector probe"),
    ),
)
_EVALITE = OtherFile("a run of evalite", (sign("run evals.results"), sign("run.runType evals")), graded=True)
_TRULENS = OtherFile(
    "records of TruLens: what an app did, with feedback in columns of their own",
    (sign("record_id app_id record_json"), sign("record_json app_json")),
    graded=True,
)
_HELM = (
    OtherFile(
        "statistics of a HELM run",
        (
            sign("name.name count sum sum_squared"),
            sign("instance_id train_trial_index"),
            sign("instance_id predicted_text"),
        ),
        graded=True,
    ),
    OtherFile(
        "a part of a HELM run: what was to run, or what was sent",
        (sign("adapter_spec request_states"), sign("scenario_spec adapter_spec")),
    ),
)
_VOTES = (
    OtherFile(
        "votes between the answers of two models: nothing in it passed or failed",
        (
            sign("model_a model_b winner"),
            sign("model_a model_b winner_model_a"),
            sign("model_1 model_2 g1_winner"),
            sign("generator_1 generator_2 preference"),
            sign("model_a model_b conversation_a"),
        ),
    ),
    OtherFile(
        "answers of MT-bench or the arena, without an outcome",
        (sign("question_id answer_id model_id choices"), sign("question_id answer_id tstamp")),
    ),
)
_CLOUDS = (
    OtherFile(
        "an evaluation of Azure AI: grades of a scale of 1 to 5 in rows",
        (sign("rows metrics studio_url"),),
        graded=True,
    ),
    OtherFile("an evaluation of Amazon Bedrock", (sign("automatedEvaluationResult inputRecord"),), graded=True),
    OtherFile(
        "the scores of a leaderboard's tasks, without records",
        (sign("config_general results versions"), sign("config_general results config_tasks")),
    ),
)

_INSPECT = (
    OtherFile(
        "a log of Inspect's, the results of a run",
        (sign("version status eval.task eval.model"), sign("version status eval.dataset eval.model")),
        "sampleui review opens it",
        whole=True,
    ),
    OtherFile(
        "a list of Inspect's logs, without records",
        (sign("name mtime task task_id"), sign("version status eval.task eval.model", lacks="samples")),
        "sampleui review opens the logs themselves",
    ),
    OtherFile(
        "samples out of a log of Inspect's",
        (sign("id epoch target scores model_usage"), sign("id epoch target output.choices scores")),
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
