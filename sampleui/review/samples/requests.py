"""What a run says it sent: the messages of a record's request, and those of the requests to its graders.

AgentV keeps them in `input.md` (read into `input`), and older versions in `raw_request` and
`evaluator_raw_request`; gage-eval's runs have the sample as it was sent in `sample`.
"""

from __future__ import annotations

from collections.abc import Callable

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields
from sampleui.review.results.adapters.requests import request_messages

ASKED = ("input_messages", "inputMessages", "messages", "input", "question", "prompt")
REQUESTS = ("raw_request", "rawRequest", "request")


def sent(data: Table) -> tuple[Table, ...]:
    """Return the messages that a record says were sent; empty if it does not say."""
    return next((found for read in _READERS if (found := read(data))), ())


def graders_given(data: Table) -> Plain:
    """Return what a record says, beside its scores, that its graders were sent; None if it does not say."""
    own = fields.first(data, ("evaluator_raw_request", "evaluatorRawRequest"))
    return own if own is not None else fields.table(data.get("requests")).get("evaluator")


def _of_requests(data: Table) -> tuple[Table, ...]:
    several = fields.table(data.get("requests"))
    held = (*(data.get(key) for key in REQUESTS), several.get("lm"), several.get("agent"))
    return next((found for one in held if (found := request_messages(one))), ())


def _of_input(data: Table) -> tuple[Table, ...]:
    held = (data[key] for key in ASKED if isinstance(data.get(key), str | list))
    return next((found for one in held if (found := request_messages(one))), ())


def _of_sample(data: Table) -> tuple[Table, ...]:
    return request_messages(data.get("sample")) if isinstance(data.get("sample"), dict) else ()


def _of_transcript(data: Table) -> tuple[Table, ...]:
    """Return how a transcript begins, up to the first answer."""
    held = data.get("transcript")
    listed = fields.tables(held) or fields.tables(fields.table(held).get("messages"))
    answers = (at for at, one in enumerate(listed) if one.get("role") not in ("system", "developer", "user"))
    return request_messages(list(listed[: next(answers, len(listed))]))


_READERS: tuple[Callable[[Table], tuple[Table, ...]], ...] = (_of_requests, _of_input, _of_sample, _of_transcript)
