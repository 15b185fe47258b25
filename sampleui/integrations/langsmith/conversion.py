"""Examples of LangSmith: their ids are UUIDs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sampleui.formats.data import Table
from sampleui.sample.convert.answers import Case

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def finished(data: Table, case: Case) -> tuple[Table, Sequence[str]]:
    """Return an example as it is, and a line about an id that LangSmith does not take."""
    if "id" not in case.rest or _UUID.fullmatch(str(case.rest["id"])):
        return data, ()
    return data, (f"{case.spelled.get('id', 'id')}: kept; LangSmith itself takes UUIDs alone",)
