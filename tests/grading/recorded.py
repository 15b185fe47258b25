"""What assertions say of answers: cases that are played again and held against what came of them."""

from __future__ import annotations

import dataclasses
from typing import Any

from sampleui.formats.data import Plain
from sampleui.grading import assertions, inspect, promptfoo, pydantic_evals


def play(given: dict[str, Any]) -> Plain:
    """Return the outcomes of the assertions of a sample on an answer.

    A case has under `by` whose rules apply, and under `args` what these take: the sample or run, what stands beside
    the samples or is the target, and the answer.
    """
    first, second, answer = given["args"]
    match given["by"]:
        case "agentv":
            found = assertions.graded(first, second, answer)
        case "promptfoo":
            found = promptfoo.graded(first, second, answer)
        case "inspect":
            found = inspect.graded(first, second, answer)
        case _:
            found = pydantic_evals.graded(first, second, answer, answered=given["by"] == "pydantic-evals")
    return [{**dataclasses.asdict(one), "share": one.share} for one in found]
