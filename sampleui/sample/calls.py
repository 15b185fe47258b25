"""Tool calls of messages as OpenAI spells them, and as a dialect may that names their function flatly (Inspect)."""

from __future__ import annotations

import json

from sampleui.formats.data import Plain, Table


def nested(call: Plain) -> Plain:
    """Return a call that names its function flatly as OpenAI's, with its arguments as text; any other as it is."""
    if not isinstance(call, dict) or not isinstance(name := call.get("function"), str):
        return call
    given = call.get("arguments")
    arguments = given if isinstance(given, str) else json.dumps({} if given is None else given, ensure_ascii=False)
    kept: Table = {"id": call["id"]} if "id" in call else {}
    return {**kept, "type": "function", "function": {"name": name, "arguments": arguments}}


def flat(call: Plain) -> Plain:
    """Return a call of OpenAI's with its function's name and the table of its arguments; any other as it is."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        return call
    own = {"function": function.get("name"), "arguments": loaded(function.get("arguments"))}
    return {**call, **{key: value for key, value in function.items() if key not in ("name", "arguments")}, **own}


def loaded(given: Plain) -> Plain:
    """Return the arguments of a call as a table; what is none stands under `arguments` in one."""
    if not isinstance(given, str):
        return {} if given is None else given
    try:
        found: Plain = json.loads(given or "{}")
    except (ValueError, RecursionError):
        return {"arguments": given}
    return found if isinstance(found, dict) else {"arguments": found}
