"""What a recorded case of this room is: assertions and an answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sampleui.formats.data import Plain
from sampleui.grading import assertions, inspect, promptfoo, pydantic_evals
from sampleui.grading.graded import Graded

_GRADED: dict[str, Callable[..., tuple[Graded, ...]]] = {
    "agentv": assertions.graded,
    "promptfoo": promptfoo.graded,
    "inspect": inspect.graded,
    "pydantic-evals": partial(pydantic_evals.graded, answered=True),
    "pydantic-evals, unanswered": partial(pydantic_evals.graded, answered=False),
}


def play(given: dict[str, Any]) -> Plain:
    """Hold an answer against assertions.

    Args:
        given: `by` whose rules, and as `args` what `graded` takes there: the sample or what its run says, what
            stands beside the samples or is expected, and the answer.

    Returns:
        The outcome of each assertion.
    """
    return [_said(one) for one in _GRADED[given["by"]](*given["args"])]


def _said(one: Graded) -> Plain:
    whole = [one.name, one.text, one.passed, one.reason, one.share, one.weight, one.least]
    return [*whole, *(word for word in ("of_trace", "left_out") if getattr(one, word))]
