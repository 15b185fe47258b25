"""What a run says was sent: the messages of a record's request, and those of the requests to its graders.

Some runs keep them in `input.md` (read into `input`), and older versions in `raw_request` and
`evaluator_raw_request`; others have the sample as it was sent in `sample`.
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
    return next((messages for read in _READERS if (messages := read(data))), ())


def graders_given(data: Table) -> Plain:
    """Return what a record says, beside its scores, that its graders were sent; None if it does not say."""
    own = fields.first(data, ("evaluator_raw_request", "evaluatorRawRequest"))
    return own if own is not None else fields.table(data.get("requests")).get("evaluator")


def _of_requests(data: Table) -> tuple[Table, ...]:
    several = fields.table(data.get("requests"))
    requests = (*(data.get(key) for key in REQUESTS), several.get("lm"), several.get("agent"))
    return next((messages for request in requests if (messages := request_messages(request))), ())


def _of_input(data: Table) -> tuple[Table, ...]:
    inputs = (data[key] for key in ASKED if isinstance(data.get(key), str | list))
    return next((messages for value in inputs if (messages := request_messages(value))), ())


def _of_sample(data: Table) -> tuple[Table, ...]:
    return request_messages(data.get("sample")) if isinstance(data.get("sample"), dict) else ()


def _of_transcript(data: Table) -> tuple[Table, ...]:
    """Return how a transcript begins, up to the first answer."""
    transcript = data.get("transcript")
    listed = fields.tables(transcript) or fields.tables(fields.table(transcript).get("messages"))
    answers = (
        index for index, message in enumerate(listed) if message.get("role") not in ("system", "developer", "user")
    )
    return request_messages(list(listed[: next(answers, len(listed))]))


_READERS: tuple[Callable[[Table], tuple[Table, ...]], ...] = (_of_requests, _of_input, _of_sample, _of_transcript)
