"""Ragas (0.1 to 0.4): the rows of its results, of which no column says that it is a metric.

`EvaluationResult.to_pandas` has the columns of the sample, then one for each metric, in no order, without a sign.
A metric that could not be measured is NaN, in CSV an empty cell. Ragas knows no threshold.
"""

from __future__ import annotations

from statistics import fmean

from sampleui.formats.data import Table
from sampleui.integrations.integration import ReadingResults
from sampleui.review.results import fields
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Outcomes, ResultDialect
from sampleui.sample.dialects.dialect import DialectMark, paths
from sampleui.sample.dialects.field import keys

METRICS, SCORE = "\0metrics", "\0score"

_OF_SAMPLES = keys(
    """
    user_input question response answer reference ground_truth ground_truths retrieved_contexts contexts
    reference_contexts multi_responses rubrics retrieved_context_ids reference_context_ids reference_tool_calls
    reference_topics persona_name query_style query_length synthesizer_name evolution_type metadata episode_done
    id index idx row tokens cost latency duration seconds milliseconds latency_ms
    """
)
_KNOWN = (
    *("faithfulness", "faithfulness_with_hhem", "answer_relevancy", "response_relevancy", "answer_correctness"),
    *("context_precision", "context_recall", "context_entity_recall", "context_relevancy", "context_utilization"),
    *("llm_context_precision_with_reference", "llm_context_precision_without_reference"),
    *("non_llm_context_precision_with_reference", "non_llm_context_recall", "answer_similarity"),
    *("semantic_similarity", "non_llm_string_similarity", "nv_accuracy", "nv_context_relevance"),
    *("nv_response_groundedness", "factual_correctness(mode=f1)", "factual_correctness", "bleu_score"),
    *("rouge_score(mode=fmeasure)", "string_present", "exact_match", "noise_sensitivity(mode=relevant)"),
)
MARKS = tuple(
    DialectMark(((asked,), (name,)), keys("id test_id vars doc input output scores gradingResult"))
    for asked in ("user_input", "question")
    for name in _KNOWN
)


def prepare(row: Table) -> Table:
    """Name the metrics; the score is the mean of Ragas' own: a critic's 1 may be the worst value."""
    listed = fields.figures_beside(row, _OF_SAMPLES)
    shares = [share for name in listed if (share := _share(name, row)) is not None]
    return {**row, METRICS: [*listed], SCORE: fmean(shares) if shares else None}


def _share(name: str, row: Table) -> float | None:
    value = fields.number(row[name])
    counts = name in _KNOWN and not name.startswith("noise_sensitivity")  # of which less is better
    return value if counts and value is not None and 0 <= value <= 1 else None


RAGAS = ResultDialect(
    name="ragas",
    title="RAGAS",
    marks=MARKS,
    labels=paths("user_input question"),
    join_paths=((("user_input",), ("user_input",)), (("question",), ("question",))),
    outcomes=Outcomes(scores=((SCORE,),)),
    actual=paths("response answer"),
    expected=paths("reference ground_truth ground_truths"),
    prompts=paths("user_input question"),
    metrics=(METRICS,),
    prepare=prepare,
)


RESULTS = ReadingResults((adapter_by(RAGAS),))
