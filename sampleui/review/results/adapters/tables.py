"""The result dialects of other tools, as tables. `docs/formats.md` says what these tools write."""

from __future__ import annotations

from sampleui.review.results.adapters import langsmith, lmeval, ragas
from sampleui.review.results.adapters import row_preprocessors as mapped
from sampleui.review.results.adapters.dialect import Graders, ResultDialect
from sampleui.sample.dialects.dialect import Mark, keys

PROMPTFOO = ResultDialect(
    name="promptfoo",
    title="promptfoo",
    marks=(
        Mark((("vars",), ("promptIdx",)), tables=(("vars",),)),
        Mark((("vars",), ("gradingResult",)), tables=(("vars",),)),
        Mark((("vars",), ("prompt", "raw"), ("success",)), tables=(("vars",),)),
        Mark((("testCase",), ("promptIdx",), ("success",)), tables=(("testCase",),)),
    ),
    containers=(("results", "results"), ("results",)),
    ids=(("testCase", "description"), ("description",)),
    labels=((mapped.LABEL,), ("prompt", "raw"), (mapped.NUMBER,)),
    matters=(((mapped.VARIED,), ("vars",)),),
    unsure=(mapped.UNSURE,),
    narrowing=(((mapped.ASSERTED,), ("assert",)),),
    added_to=((mapped.WHOLE,),),
    outcomes=(("success",), ("gradingResult", "pass")),
    scores=(("score",), ("gradingResult", "score")),
    errors=((mapped.ERROR,),),
    actual=(("response", "output"), ("providerResponse", "output")),
    whole=True,
    expected=((mapped.EXPECTED,),),
    several_expected=True,
    reasons=(("gradingResult", "reason"),),
    prompts=(("prompt", "raw"),),
    done=((mapped.DONE,),),
    graders=(Graders((mapped.GRADERS,), reasons=(("comment",), ("reason",)), outcomes=(("pass",),)),),
    targets=(
        (("provider", "label"), ("provider", "id"), ("provider",)),
        (("prompt", "label"), ("prompt", "display")),
    ),
    tags=(("testCase", "metadata", "tags"),),
    cost=((mapped.COST,),),
    milliseconds=(("latencyMs",),),
    tokens=(("response", "tokenUsage"), ("tokenUsage",)),
    mapped=mapped.promptfoo,
)

PYDANTIC_EVALS = ResultDialect(
    name="pydantic-evals",
    title="pydantic-evals",
    marks=(
        Mark((("name",), ("inputs",), ("output",), ("assertions",))),
        Mark((("name",), ("inputs",), ("error_message",), ("error_stacktrace",))),
    ),
    containers=(("cases",), ("failures",)),
    ids=(("source_case_name",), ("name",)),
    matters=((("inputs",), ("inputs",)),),
    outcomes=((mapped.OUTCOME,),),
    mean=True,
    errors=(("error_message",),),
    actual=(("output",),),
    whole=True,
    expected=(("expected_output",),),
    prompts=(("inputs",),),
    graders=(
        Graders(("assertions",), beside=(("source",),)),
        Graders(("scores",), outcomes=(), beside=(("source",),)),
        Graders(("labels",), outcomes=(), scores=(), beside=(("value",), ("source",))),
        Graders(("evaluator_failures",), outcomes=((mapped.OUTCOME,),), reasons=(("error_message",),)),
    ),
    tags=(("metadata", "tags"),),
    seconds=(("task_duration",),),
    tokens=(("metrics",),),
    mapped=mapped.pydantic_evals,
)

DEEPEVAL = ResultDialect(
    name="deepeval",
    title="DeepEval",
    marks=(
        Mark((("metricsData",), ("name",)), keys("id test_id")),
        Mark((("metricsMetadata",),), keys("id test_id")),
        Mark((("actualOutput",), ("success",)), keys("id test_id")),
        Mark((("metrics_data",), ("success",)), keys("id test_id"), lists=(("metrics_data",),)),
    ),
    containers=(
        ("testCases",),
        ("conversationalTestCases",),
        ("testRunData", "testCases"),
        ("testRunData", "conversationalTestCases"),
        ("test_results",),
        ("test_cases",),
    ),
    ids=(("name",),),
    labels=(("input",), ("scenario",)),
    matters=((("input",), ("input",)), (("scenario",), ("scenario",))),
    outcomes=(("success",),),
    mean=True,
    actual=(("actualOutput",), ("actual_output",)),
    expected=(("expectedOutput",), ("expectedOutcome",), ("expected_output",)),
    prompts=(("input",), ("scenario",)),
    messages=(("turns",),),
    done=((mapped.DONE,),),
    graders=tuple(
        Graders(
            (key,), names=(("name",), ("metric",)), outcomes=(("success",),), beside=(("threshold",), ("flaky",))
        )
        for key in ("metricsData", "metricsMetadata", "metrics_data")
    ),
    tags=(("tags",), ("metadata", "tags")),
    cost=(("tokenCost",),),
    seconds=(("completionTime",), ("runDuration",)),
    tokens=((mapped.TOKENS,),),
    mapped=mapped.deepeval,
)

LM_EVAL = ResultDialect(
    name="lm-eval",
    title="lm-eval",
    marks=(
        Mark((("doc_id",), ("doc",), ("resps",)), tables=(("doc",),)),
        Mark((("doc_id",), ("doc",), ("filtered_resps",)), tables=(("doc",),)),
    ),
    ids=(("doc", "id"), ("doc", "doc_id"), ("doc_id",)),
    positions=(("doc_id",),),
    matters=((("doc",), ()),),
    scores=((lmeval.SCORE,),),
    actual=((lmeval.ANSWER,),),
    expected=((lmeval.EXPECTED,), ("target",)),
    prompts=((lmeval.PROMPT,),),
    metrics=(lmeval.METRICS,),
    parts=(lmeval.PARTS,),
    targets=((("filter",),),),
    mapped=lmeval.lm_eval,
)

VERIFIERS = ResultDialect(
    name="verifiers",
    title="verifiers",
    marks=(
        Mark((("example_id",), ("reward",))),
        Mark((("prompt",), ("completion",), ("reward",))),
        Mark((("traces",), ("env",), ("task", "data"), ("ok",)), lists=(("traces",),)),
        Mark((("nodes",), ("task", "data"), ("rewards",)), lists=(("nodes",),)),
    ),
    ids=(("id",), ("info", "id"), ("example_id",)),
    labels=(("prompt",), ("question",)),
    positions=(("example_id",),),
    matters=((("prompt",), ("prompt",)), (("question",), ("question",))),
    scores=(("reward",),),
    errors=(("error", "error_chain_str"), ("error",)),
    actual=(("completion",),),
    expected=(("answer",),),
    prompts=(("prompt",),),
    done=(("completion",),),
    graders=(Graders(("metrics",)),),
    metrics=(mapped.METRICS,),
    targets=((("model",),),),
    tags=(("task",),),
    milliseconds=(("generation_ms",), ("timing", "generation_ms"), ("timing", "total_ms")),
    seconds=(("timing", "total"),),
    tokens=(("token_usage",), ("usage",)),
    mapped=mapped.verifiers,
)

LANGSMITH = ResultDialect(
    name="langsmith",
    title="LangSmith",
    marks=(
        Mark((("execution_time",), ("example_id",))),
        Mark((("evaluation_results", "results"), ("run",)), tables=(("run",),)),
        Mark((("evaluationResults", "results"), ("run",)), tables=(("run",),)),
    ),
    containers=(("results",),),
    ids=((langsmith.EXAMPLE,),),
    labels=((langsmith.INPUTS,),),
    matters=(((langsmith.INPUTS,), ("inputs",)),),
    mean=True,
    errors=((langsmith.ERROR,),),
    actual=((langsmith.OUTPUTS, "answer"), (langsmith.OUTPUTS, "output"), (langsmith.OUTPUTS,)),
    whole=True,
    expected=((langsmith.REFERENCE, "answer"), (langsmith.REFERENCE, "output"), (langsmith.REFERENCE,)),
    prompts=(
        (langsmith.INPUTS, "messages"),
        (langsmith.INPUTS, "question"),
        (langsmith.INPUTS, "input"),
        (langsmith.INPUTS,),
    ),
    graders=(Graders((langsmith.FEEDBACK,), outcomes=(("score",),), reasons=(("comment",),)),),
    seconds=(("execution_time",),),
    mapped=langsmith.langsmith,
)

_ANOTHERS = keys("epoch vars criteria eval_id test_id schema_version")
BRAINTRUST = ResultDialect(
    name="braintrust",
    title="Braintrust",
    marks=(
        Mark((("scores",), ("input",), ("output",)), _ANOTHERS, tables=(("scores",),)),
        Mark((("scores",), ("input",), ("error",)), _ANOTHERS, tables=(("scores",),)),
    ),
    containers=(("results",),),
    ids=(("origin", "id"), ("dataset_record_id",)),
    labels=(("input",), ("id",)),
    matters=((("input",), ("input",)),),
    mean=True,
    errors=(("error",),),
    actual=(("output",),),
    whole=True,
    expected=(("expected",),),
    prompts=(("input", "messages"), ("input", "question"), ("input",)),
    graders=(Graders(("scores",)),),
    targets=((("metadata", "model"),),),
    tags=(("tags",), ("metadata", "tags")),
    cost=(("metrics", "estimated_cost"),),
    seconds=(("metrics", "duration"),),
    tokens=(("metrics",),),
    timestamps=(("created",),),
)

RAGAS = ResultDialect(
    name="ragas",
    title="RAGAS",
    marks=ragas.MARKS,
    labels=(("user_input",), ("question",)),
    matters=((("user_input",), ("user_input",)), (("question",), ("question",))),
    scores=((ragas.SCORE,),),
    actual=(("response",), ("answer",)),
    expected=(("reference",), ("ground_truth",), ("ground_truths",)),
    prompts=(("user_input",), ("question",)),
    metrics=(ragas.METRICS,),
    mapped=ragas.ragas,
)

TABLES = (PROMPTFOO, PYDANTIC_EVALS, DEEPEVAL, LM_EVAL, VERIFIERS, LANGSMITH, BRAINTRUST, RAGAS)
