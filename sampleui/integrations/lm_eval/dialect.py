"""lm-eval: its documents, which are questions with choices, and the rows of its samples.

What no path can reach in a row is put into a copy of it, under names that no tool uses. A choice is a request of
its own, whose likelihood is the response; the likeliest one is the answer. With `acc_mutual_info` all choices are
asked once more without the prompt. Where a task has several prompts and one continuation (winogrande), the prompts
are the choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, items_of, json_or_text
from sampleui.integrations.integration import ReadingResults, Spellings
from sampleui.review.record import Details, ParsedRow
from sampleui.review.results import adapters
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Outcomes, ResultDialect
from sampleui.review.results.documents import sibling_names, to_open
from sampleui.review.results.fields import assertions, figures_beside, number, texts
from sampleui.sample.dialects.dialect import Conversion, Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

_FIELDS = fields(
    """
    question:text query:text q:text prompt:text text:text choices:list gold:number|list|text answer:any target:any
    label:any id:text|number doc_id:text|number
    """
)
LM_EVAL = Dialect(
    name="lm-eval",
    title="lm-eval",
    purpose="documents of a task: a question and its choices",
    integration="lm_eval",
    containers=((),),
    formats=("jsonl", "json"),
    message_paths=paths("question query q prompt text"),
    expected=Expected(paths=paths("answer gold target label"), numbered=True),
    options_path=("choices",),
    marks=(DialectMark(paths("choices gold"), USUAL_KEYS | RAN | keys("answer question_type task_type")),),
    turns=Turns(shorthand=True, text_path=("question",)),
    id_paths=paths("id doc_id"),
    metadata="",
    begins={"choices": [], "gold": 0},
    fields=_FIELDS,
    conversion=Conversion(text_only=True),
)

ANSWER, EXPECTED, METRICS, PARTS, PROMPT, SCORE = (
    f"\0{name}" for name in ("answer", "expected", "metrics", "parts", "prompt", "score")
)

_KEYS = keys(
    """
    doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash task_id
    """
)
_COSTS = ("perplexity", "bits_per_byte", "brier_score", "wer", "cer", "ter", "mae", "mse", "rmse")
"""Ends of names of metrics that are better the smaller they are, and so say nothing of how well a row did."""


class _Request(NamedTuple):
    prompt: Plain
    answer: str


def prepare(row: Table) -> Table:
    """Tell the answer of a choice by its likelihood, the prompt from the arguments, the score from the metrics.

    The score is the first metric that grows with the quality of an answer.
    """
    asked = _requests(row.get("arguments"))
    listed = texts(row.get("metrics")) or figures_beside(row, _KEYS)
    responses = row.get("filtered_resps") if row.get("filtered_resps") is not None else row.get("resps")
    choices, likely = _choices(asked), _likelihoods(responses)[: _conditional(asked)]
    picked = likely.index(max(likely)) if len(asked) > 1 and likely else None
    chosen = _named(row.get("target"), choices) if picked is not None else ()
    telling = (name for name in listed if not name.endswith(_COSTS))
    score = next((row[name] for name in telling if isinstance(row.get(name), bool | int | float)), None)
    return {
        **row,
        METRICS: [*listed],
        SCORE: score,
        PROMPT: asked[0].prompt if asked else None,
        ANSWER: choices[picked] if picked is not None and picked < len(choices) else _first(responses),
        EXPECTED: ("\n".join(chosen) or row.get("target")) if picked is not None else None,
        PARTS: [*(_choice_rows(choices, likely, chosen) if picked is not None else _unfiltered(row))],
    }


def _requests(value: Plain) -> list[_Request]:
    """Return the prompt and the continuation of each request; older versions have lists, newer ones tables."""
    requests: list[_Request] = []
    for item in items_of(value):
        parts = items_of(item) if isinstance(item, dict | list) else [item]
        prompt = parts[0] if parts else None
        if isinstance(prompt, list) and len(prompt) == 1 and isinstance(prompt[0], str):
            prompt = prompt[0]  # a chat is kept as its JSON text in a list of one
        answer = parts[1] if len(parts) > 1 else None
        requests.append(_Request(prompt, answer.strip() if isinstance(answer, str) else ""))
    return requests


def _conditional(asked: list[_Request]) -> int | None:
    """Return how many requests have the prompt, where the others are the same without it; None for all."""
    half = len(asked) // 2
    bare = [item.answer for item in asked[half:] if item.prompt == ""]
    return half if half and bare == [item.answer for item in asked[:half]] else None


def _choices(asked: list[_Request]) -> list[str]:
    context = asked[: _conditional(asked)]
    if {item.answer for item in context} - {""} and len({item.answer for item in context}) == 1 < len(context):
        return [str(item.prompt).strip() for item in context]
    return [item.answer for item in context]


def _likelihoods(responses: Plain) -> list[float]:
    """Return the log-likelihood of each request; nothing if one of them has none."""
    likely: list[float] = []
    for response in as_list(responses):
        while isinstance(response, list) and response:
            response = response[0]
        figure = number(json_or_text(response) if isinstance(response, str) else response)
        if figure is None:
            return []
        likely.append(figure)
    return likely


def _named(target: Plain, choices: list[str]) -> tuple[str, ...]:
    """Return the choices that a target names by their numbers, or by what they say."""
    if isinstance(target, str) and target.startswith("["):
        target = json_or_text(target)
    indexes = [_index_of(item, choices) for item in (target if isinstance(target, list) else [target])]
    return () if None in indexes else tuple(item for item in indexes if item is not None)


def _index_of(target: Plain, choices: list[str]) -> str | None:
    text = str(target)
    if isinstance(target, int | str) and text.isascii() and text.isdigit() and int(text) < len(choices):
        return choices[int(text)]
    return text.strip() if text.strip() in choices else None


def _first(responses: Plain) -> Plain:
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    return responses


def _choice_rows(choices: list[str], likely: list[float], expected: tuple[str, ...]) -> Iterator[Table]:
    """Yield what there is to say of each choice, in the order of the task: its likelihood, whether it is right."""
    if len(likely) != len(choices):
        return
    most = max(likely)
    by_length = [item / max(len(choice), 1) for item, choice in zip(likely, choices, strict=True)]
    for index, (choice, item, each) in enumerate(zip(choices, likely, by_length, strict=True)):
        chosen = index == likely.index(most)
        signs = [f"log-likelihood {item:.4g}, {each:.4g} a character"]
        if chosen:
            signs.append("chosen")
        if index == by_length.index(max(by_length)):
            signs.append("likeliest by its length")
        if choice in expected:
            signs.append("expected")
        yield {
            "text": choice or f"choice {index + 1}",
            "passed": choice in expected if chosen and expected else None,
            "evidence": "; ".join(signs),
        }


def _unfiltered(row: Table) -> Iterator[Table]:
    """Yield what was answered before the filter took something of it, each answer once."""
    answers, filtered = _texts(row.get("resps")), row.get("filtered_resps")
    if filtered is None or Counter(answers) == Counter(_texts(filtered)):
        return
    for answer, times in Counter(answers).items():
        yield {"text": answer, "evidence": "before the filter" + (f", {times} times" if times > 1 else "")}


def _texts(value: Plain) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []


ROWS = ResultDialect(
    name="lm-eval",
    title="lm-eval",
    marks=tuple(
        DialectMark(paths(f"doc_id doc {responses}"), tables=paths("doc"))
        for responses in ("resps", "filtered_resps")
    ),
    ids=paths("doc.id doc.doc_id doc_id"),
    positions=paths("doc_id"),
    join_paths=((("doc",), ()),),
    outcomes=Outcomes(scores=((SCORE,),)),
    actual=((ANSWER,),),
    expected=((EXPECTED,), ("target",)),
    prompts=((PROMPT,),),
    metrics=(METRICS,),
    targets=(paths("filter"),),
)


def parse_row(row: Table) -> ParsedRow:
    """Read a row; what the first metric looked at is told with it."""
    prepared = prepare(row)
    parsed = adapters.parse_row(ROWS, prepared)

    def details() -> Details:
        read = parsed.details()
        looked_at = assertions(prepared[PARTS])
        first = (item._replace(assertions=looked_at) for item in read.evaluators[:1])
        return replace(read, evaluators=(*first, *read.evaluators[1:]))

    return parsed._replace(details=details)


def summary_of(document: Table, path: Path) -> str:
    """Return that a document has the scores of tasks, and where their records are; nothing for any other."""
    if not document.keys() >= {"results", "configs", "versions", "n-shot"}:
        return ""
    stamp = path.stem.removeprefix("results_")
    samples_file = sibling_names(path, f"samples_*_{stamp}.jsonl") or sibling_names(path, "samples_*.jsonl")
    none = "lm-eval writes records into samples_*.jsonl if it is run with --log_samples"
    return f"the scores of lm-eval's tasks, without records; {to_open(samples_file) or none}"


DIALECTS = Spellings((LM_EVAL,))
RESULTS = ReadingResults((adapter_by(ROWS)._replace(parse=parse_row),), describe_summary=summary_of)
