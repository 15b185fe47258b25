"""Why AgentV 5 leaves a test out of a run (5.3.1-next, `loadTestsFromParsedYamlValue`, `grader-parser.ts`).

Its loader tells it in a line of its log, and the run goes on without the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number
from sampleui.prompt.library import Library
from sampleui.sample.dialects.field import keys
from sampleui.sample.model import Sample
from sampleui.sample.parse import skips_defaults
from sampleui.text.confined import SCHEME
from sampleui.text.diagnostic import Finding, Severity

_REPLACED: Mapping[str, str] = {
    **dict.fromkeys(keys("script-grader code-judge code_grader code_judge"), "script"),
    **dict.fromkeys(keys("g-eval llm-grader llm-judge llm_grader llm_judge"), "llm-rubric"),
    **dict.fromkeys(keys("rubrics rubric"), "llm-rubric"),
    **dict.fromkeys(keys("skill-trigger skill_trigger"), "skill-used"),
    **dict.fromkeys(keys("tool-trajectory tool_trajectory"), "trajectory:tool-sequence"),
    "composite": "assert-set",
    **{
        name.replace("-", "_"): name
        for name in keys(
            """
            field-accuracy token-usage execution-metrics contains-any contains-all icontains-any icontains-all
            starts-with ends-with is-json
            """
        )
    },
}
"""Types of assertions that older versions had, with what is written today."""

_UNSUPPORTED = keys(
    """
    answer-relevance bleu classifier contains-html contains-json contains-sql contains-xml context-faithfulness
    context-recall context-relevance conversation-relevance factuality finish-reason gleu guardrails is-html
    is-refusal is-sql is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml
    levenshtein meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi
    rouge-n ruby similar:cosine similar:dot similar:euclidean select-best human max-score tool-call-f1
    trace-error-spans trace-span-count trace-span-duration search-rubric word-count
    """
)
"""Types of promptfoo's that it does not take."""

_BY_MODEL = keys("llm-rubric agent-rubric")
_ANSWERED = re.compile(r"\{\{\s*(?:output|expected_output)\s*\}\}")


def left_out(sample: Sample) -> Iterator[Finding]:
    """A test of a file with prompts that is left out of a run, as far as that is certain."""
    if not sample.context.get("prompts"):
        return
    data, default = sample.data, sample.context.get("default_test")
    shared = [] if skips_defaults(data) else [as_table(default).get("assert"), sample.context.get("assert")]
    has_criteria = any(isinstance(data.get(key), str) and data[key] for key in ("criteria", "expected_outcome"))
    judged = has_criteria or "assert" in data or any(data.get(key) for key in ("expected_output", "turns"))
    if not judged and not isinstance(default, str) and all(listed is None for listed in shared):
        yield _finding("neither it nor its file has an assert, and it has no criteria and no turns", ())
    of_test = [(("assert", index), item) for index, item in enumerate(as_list(data.get("assert")))]
    of_all = [((), item) for listed in shared for item in as_list(listed)]
    for path, item in (*of_test, *of_all):
        yield from _refused(as_table(item), path, sample.folder)


def _refused(entry: Table, path: DataPath, folder: Path) -> Iterator[Finding]:
    """Yield why an assertion, or a member of a set, is refused, and with it the test."""
    kind = entry.get("type")
    if not isinstance(kind, str):
        return
    plain = kind.removeprefix("not-")
    if kind in _REPLACED:
        yield _finding(
            f'it has no assertion "{kind}" any more; "{_REPLACED[kind]}" is what it has', _in(path, "type")
        )
    elif plain in _UNSUPPORTED:
        yield _finding(f'it has no assertion "{kind}"', _in(path, "type"))
    elif kind in (*_BY_MODEL, "script") and entry.get("target") is not None:
        yield _finding("an assertion has no target any more, but a provider", _in(path, "target"))
    weight, required = entry.get("weight"), entry.get("required")
    if "weight" in entry and not (is_number(weight) and weight >= 0):
        yield _finding("the weight of an assertion must be a number from 0", _in(path, "weight"))
    if isinstance(required, int | float) and not isinstance(required, bool):
        yield _finding(
            "required is true or false; the score that it must reach is min_score", _in(path, "required")
        )
    if kind in _BY_MODEL:
        yield from _lacking(entry.get("prompt"), _in(path, "prompt"), folder)
    if kind == "assert-set":
        for index, member in enumerate(as_list(entry.get("assert"))):
            yield from _refused(as_table(member), (*path, "assert", index) if path else (), folder)


def _lacking(prompt: Plain, path: DataPath, folder: Path) -> Iterator[Finding]:
    """Yield an error for a prompt in a file that asks for no answer; one that cannot be read is not judged."""
    if isinstance(prompt, str) and prompt.startswith(SCHEME):
        named = prompt.removeprefix(SCHEME)
        text = Library(folder).read(named).text
        if text is not None and not _ANSWERED.search(text):
            yield _finding(f"{named} mentions neither {{{{ output }}}} nor {{{{ expected_output }}}}", path)


def _in(path: DataPath, key: str) -> DataPath:
    """Return the place of a key of an assertion; none for one of the file, which is no part of the test."""
    return (*path, key) if path else ()


def _finding(why: str, path: DataPath) -> Finding:
    return Finding("test-left-out", Severity.WARNING, f"AgentV 5 leaves this test out: {why}", path)
