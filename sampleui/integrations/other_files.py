"""The files of other tools that are neither decks nor results that are read here, by keys that each kind alone has.

Each line is one kind of file; the keys were read in the sources of the tools, or in what they wrote. Most of the
tools have no integration; of those that have one, these are the files that it does not read.
"""

from __future__ import annotations

from sampleui.sample.other_files import OtherFile, Sign, sign


def _kind(
    what: str,
    *signs: str | Sign,
    instead: str = "",
    traced: bool = False,
    graded: bool = False,
    whole: bool = False,
) -> OtherFile:
    read = tuple(sign(item) if isinstance(item, str) else item for item in signs)
    return OtherFile(what, read, instead, traced, graded, whole)


_REVIEWED = "sampleui review opens it"
_STEPS = "SPAN|GENERATION|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL"
_SCORES = "NUMERIC|BOOLEAN|CATEGORICAL|TEXT|CORRECTION"

_ATIF = "{} makes a trajectory (ATIF) of it, which sampleui trace opens"
"""What is said of files of which a program makes what is read here: atif-make 0.10 and harbor 0.26 were tried."""

KINDS: tuple[OtherFile, ...] = (
    # OpenTelemetry 1.3, arize-phoenix 20.26
    _kind(
        "an export of OpenTelemetry (OTLP): spans, logs or metrics of what programs did",
        *("resourceSpans", "resourceLogs", "resourceMetrics"),
        *("resource_spans", "resource_logs", "resource_metrics"),
    ),
    _kind("an export of Phoenix or OpenTelemetry: spans of what programs did", "context.trace_id context.span_id"),
    _kind("an export of Jaeger's: spans of what programs did", "traceID spans processes"),
    _kind("an export of Zipkin's: spans of what programs did", "traceId localEndpoint timestamp"),
    _kind(
        "an experiment of Phoenix: answers with annotations of a free scale",
        "example_id repetition_number",
        graded=True,
    ),
    _kind(
        "annotations of Phoenix's: notes about spans, without the spans",
        "annotator_kind span_id",
        "annotator_kind trace_id",
        "annotation_name annotator_kind",
    ),
    # Claude Code 2.1, its session files and `--output-format stream-json`
    _kind(
        "a session of Claude Code: a transcript of an agent",
        "sessionId uuid parentUuid",
        sign("session_id subtype", type="system|result"),
        instead=_REVIEWED,
    ),
    _kind(
        "a session of Claude Code's in which nothing was said",
        sign("messageId snapshot", type="file-history-snapshot"),
        "summary leafUuid",
    ),
    # codex-rs, rollouts and `exec --json`
    _kind(
        "a session of Codex: a transcript of an agent",
        sign("payload", type="session_meta|response_item|event_msg|turn_context|compacted|world_state"),
        sign("thread_id", type=r"thread\.started"),
        sign("item.type", type=r"item\.(started|updated|completed)"),
        sign("", type=r"turn\.(started|completed|failed)"),
        sign("", record_type="state"),
        instead=_REVIEWED,
    ),
    _kind("a session of Gemini CLI: a transcript of an agent", "sessionId projectHash"),
    _kind(
        "a session of Copilot CLI: a transcript of an agent",
        sign("data id parentId timestamp", type=r"(session|user|assistant|tool|subagent|skill|abort)(\.\w+)+"),
        instead=_ATIF.format("atif-make"),
    ),
    # SWE-agent 1.1, mini-swe-agent 2.4, SWE-bench 4, OpenHands V0 and V1
    _kind(
        "a trajectory of mini-swe-agent: what an agent did, without an outcome",
        sign("messages info", trajectory_format="mini-swe-agent.*"),
        "messages info.mini_version",
        instead=_ATIF.format("harbor (agents.installed.mini_swe_agent.convert_and_save_trajectory)"),
        traced=True,
    ),
    _kind(
        "a trajectory of SWE-agent: what an agent did, without an outcome",
        "trajectory history info",
        "trajectory info.model_stats",
        "trajectory replay_config",
        instead=_ATIF.format("harbor (agents.installed.swe_agent.convert_and_save_trajectory)"),
    ),
    _kind(
        "predictions for SWE-bench: patches, without an outcome",
        "instance_id model_patch",
        "model_name_or_path model_patch",
    ),
    _kind(
        "a report of SWE-bench's harness",
        "resolved_ids submitted_ids",
        "resolved_ids unresolved_ids completed_ids",
        "patch_successfully_applied resolved",
        graded=True,
    ),
    _kind(
        "an output of OpenHands' evaluation: what an agent did, whose outcome another file has",
        "instance_id test_result history",
        "instance_id test_result instruction",
    ),
    _kind(
        "an event of an OpenHands conversation",
        sign("id timestamp", kind=r"\w+(Event|Condensation)", source="agent|user|environment|hook"),
        "id timestamp source action args",
        "id timestamp source observation extras",
    ),
    _kind("a run of tau-bench", "task_id reward traj", "task_id reward trial", graded=True),
    _kind(
        "a run of tau2-bench",
        "tasks simulations info",
        "tasks simulation_index",
        "task_id termination_reason reward_info",
        graded=True,
    ),
    _kind(
        "results of the Berkeley function-calling leaderboard (BFCL): answers, without an outcome",
        "id result input_token_count",
        "id result inference_log",
        sign("id traceback", result="Error during inference:.*(?s:.)*"),
    ),
    _kind(
        "scores of the Berkeley function-calling leaderboard (BFCL): only what failed has a row",
        sign("accuracy correct_count total_count", lacks="results records samples rows tests items"),
        "id valid error error_type",
        "id test_category model_result_raw",
    ),
    _kind(
        "a run of terminal-bench",
        "is_resolved failure_mode",
        "n_resolved n_unresolved",
        "pass_at_k resolved_ids",
        graded=True,
    ),
    _kind(
        "an eval set of Google's ADK: conversations to run, in a spelling that is not read here",
        "eval_set_id eval_cases",
        "evalSetId evalCases",
    ),
    _kind(
        "results of Google's ADK",
        "eval_set_result_id eval_case_results",
        "evalSetResultId evalCaseResults",
        "eval_id final_eval_status",
        graded=True,
    ),
    _kind(
        "runs of LangSmith: steps of traces, whose status says nothing of an answer",
        "run_type dotted_order",
        "run_type trace_id",
        "run_type parent_run_id start_time",
    ),
    _kind("feedback of LangSmith: scores about runs, without the runs", "run_id key feedback_source"),
    _kind(
        "an export of Langfuse: observations, which are steps of traces",
        "trace_id parent_observation_id",
        "traceId parentObservationId",
        sign("traceId", type=_STEPS),
        sign("trace_id", type=_STEPS),
    ),
    _kind(
        "an export of Langfuse: traces, which say what was answered and not how it came out",
        "id timestamp htmlPath",
        "id timestamp bookmarked public",
        sign("id timestamp sessionId userId input output", lacks="score passed success expected"),
        "id timestamp session_id user_id release",
        "id timestamp session_id user_id bookmarked",
        "id timestamp totalCost observations",
    ),
    _kind(
        "an export of Langfuse: scores about traces, without the traces",
        "trace_id observation_id data_type",
        "traceId observationId dataType",
        sign("trace_id name value", data_type=_SCORES),
        sign("traceId name value", dataType=_SCORES),
    ),
    _kind(
        "an export of Langfuse: runs of a data set, without their outcomes",
        "datasetRunId datasetItemId",
        "dataset_run_id dataset_item_id",
    ),
    _kind(
        "an export of Weave: calls, which are steps of traces", "op_name project_id started_at", "op_name trace_id"
    ),
    _kind(
        "traces of MLflow: what programs did",
        "info.trace_id data.spans",
        "info.request_id data.spans",
        "trace_id trace_metadata",
        "request_id trace request",
        "trace_id spans assessments",
        "trace_id client_request_id",
    ),
    _kind(
        "events of a Braintrust experiment or log: cases among the steps of their traces",
        "span_id root_span_id _xact_id",
        "span_id root_span_id span_attributes",
    ),
    _kind(
        "an export of OpenAI's evals API",
        sign("run_id datasource_item", object=r"eval\.run\.output_item"),
        sign("eval_id", object=r"eval\.run"),
        sign("testing_criteria", object="eval"),
        graded=True,
    ),
    _kind(
        "a log of OpenAI's evals: events of a run",
        "spec.eval_name",
        "run_id event_id sample_id data",
        sign("final_report", lacks="id"),
    ),
    _kind(
        "answers of OpenAI's batch API, without an outcome",
        "custom_id response.body",
        "custom_id response.status_code",
        "id custom_id error.code",
    ),
    _kind(
        "a report of garak's: attacks, where a score of 1 is a hit and so bad",
        sign("", entry_type=r"start_run setup|init|plugin_cache|payload_init|tree_data|attempt|eval|digest"),
        "goal trigger detector probe",
    ),
    _kind("a run of evalite", "run evals.results", "run.runType evals", graded=True),
    _kind(
        "records of TruLens: what an app did, with feedback in columns of their own",
        "record_id app_id record_json",
        "record_json app_json",
        graded=True,
    ),
    _kind(
        "statistics of a HELM run",
        "name.name count sum sum_squared",
        "instance_id train_trial_index",
        "instance_id predicted_text",
        graded=True,
    ),
    _kind(
        "a part of a HELM run: what was to run, or what was sent",
        "adapter_spec request_states",
        "scenario_spec adapter_spec",
    ),
    _kind(
        "votes between the answers of two models: nothing in it passed or failed",
        "model_a model_b winner",
        "model_a model_b winner_model_a",
        "model_1 model_2 g1_winner",
        "generator_1 generator_2 preference",
        "model_a model_b conversation_a",
    ),
    _kind(
        "answers of MT-bench or the arena, without an outcome",
        "question_id answer_id model_id choices",
        "question_id answer_id tstamp",
    ),
    _kind("an evaluation of Azure AI: grades of a scale of 1 to 5 in rows", "rows metrics studio_url", graded=True),
    _kind("an evaluation of Amazon Bedrock", "automatedEvaluationResult inputRecord", graded=True),
    _kind(
        "the scores of a leaderboard's tasks, without records",
        "config_general results versions",
        "config_general results config_tasks",
    ),
    _kind(
        "the scores of an evaluation of Every Eval Ever's, without records",
        "schema_version evaluation_id evaluation_results.metric_config model_info",
        instead="its records are in the file of instances that is written beside it, if it has any",
        whole=True,
    ),
    _kind(
        "the head of a log of Inspect's, without records",
        sign("version status eval.dataset eval.model", lacks="samples reductions"),
        instead="its records are in the logs, *.eval",
        whole=True,
    ),
    _kind(
        "a log of Inspect's, the results of a run",
        "version status eval.task eval.model",
        "version status eval.dataset eval.model",
        instead=_REVIEWED,
        whole=True,
    ),
    _kind(
        "a list of Inspect's logs, without records",
        "name mtime task task_id",
        sign("version status eval.task eval.model", lacks="samples"),
        instead="sampleui review opens the logs themselves",
    ),
    _kind(
        "samples out of a log of Inspect's",
        "id epoch target scores model_usage",
        "id epoch target output.choices scores",
        instead="sampleui review opens the log itself",
    ),
    _kind(
        "a table of promptfoo's results, which has several answers in a row",
        Sign(("Status", "Score", "Grader Reason")),
        Sign(("Named Scores", "Grader Reason")),
        instead="let promptfoo write one that ends in .json, .jsonl or .yaml",
    ),
)
"""The kinds in the order to try them."""
