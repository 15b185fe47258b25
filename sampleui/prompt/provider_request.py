"""Requests in the shape of each provider's API, made of the messages that the provider is sent.

The shapes are those of the providers' own clients: OpenAI `chat.completions.create` (openai 3.54), Anthropic
`MessageCreateParams` (anthropic 2.12: `system` is beside `messages`, calls and results of tools are content
blocks), Gemini `GenerateContentRequest` (google-genai 3.4: `systemInstruction` beside `contents`, whose roles are
`user` and `model`, `toolConfig` for the choice among `functionDeclarations`). Model and sampling settings are the
runner's and left out.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.formats.json.spans import structure
from sampleui.prompt.parts import reference
from sampleui.sample.message import loaded

NO_SAMPLE: Table = {}
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)", re.DOTALL)


def body_of(messages: Sequence[Table], provider: str, sample: Table = NO_SAMPLE) -> Table:
    """Return the body of a request with messages in OpenAI's form, in the shape of a provider's API.

    Args:
        messages: what `provider_messages` gives.
        provider: a provider; any other than Anthropic and Gemini takes messages as they are.
        sample: the sample's data, for its `tools` and `tool_choice`, which have OpenAI's form too.
    """
    tools = tools_of(sample)
    choice = sample.get("tool_choice") if tools else None
    return _BODIES.get(provider, _openai)(messages) | _TOOLS.get(provider, _openai_tools)(tools, choice)


def tools_of(sample: Table) -> list[Table]:
    """Return the tools that a sample offers, also those in a text of JSON; what cannot be read is left out."""
    declared = sample.get("tools")
    listed = _held_in(declared) if isinstance(declared, str) else declared
    tools = tables_in(listed)
    return [tool for tool in map(_with_function, tools) if isinstance(tool.get("function"), dict)]


def _held_in(text: str) -> Plain:
    return structure(text)


def _with_function(tool: Table) -> Table:
    """Return a tool that is its function alone, as LLaMA-Factory has it, in OpenAI's form; any other as it is."""
    bare = "function" not in tool and isinstance(tool.get("name"), str) and "parameters" in tool
    return {"type": "function", "function": tool} if bare and "type" not in tool else tool


def _openai(messages: Sequence[Table]) -> Table:
    return {"messages": [*messages]}


def _openai_tools(tools: Sequence[Table], choice: Plain) -> Table:
    return _without_none(tools=[*tools] or None, tool_choice=choice)


def _anthropic_tools(tools: Sequence[Table], choice: Plain) -> Table:
    declarations: list[Plain] = [
        _without_none(
            name=function.get("name"),
            description=function.get("description"),
            input_schema=function.get("parameters") or {"type": "object", "properties": {}},
        )
        for function in _functions(tools)
    ]
    name = _chosen(choice)
    kind = {"required": "any"}.get(str(choice), choice)
    wanted: Plain = {"type": kind} if isinstance(choice, str) else None
    if name:
        wanted = {"type": "tool", "name": name}
    return _without_none(tools=declarations or None, tool_choice=wanted)


def _gemini_tools(tools: Sequence[Table], choice: Plain) -> Table:
    declarations: list[Plain] = [
        _without_none(**{key: function.get(key) for key in ("name", "description", "parameters")})
        for function in _functions(tools)
    ]
    name = _chosen(choice)
    mode = {"auto": "AUTO", "none": "NONE", "required": "ANY"}.get(str(choice), "ANY" if name else None)
    wanted = _without_none(mode=mode, allowedFunctionNames=[name] if name else None)
    return _without_none(
        tools=[{"functionDeclarations": declarations}] if declarations else None,
        toolConfig={"functionCallingConfig": wanted} if wanted else None,
    )


def _functions(tools: Sequence[Table]) -> Iterator[Table]:
    return (function for tool in tools if isinstance(function := tool["function"], dict))


def _chosen(choice: Plain) -> str:
    """Return the name of the one tool that a choice asks for, empty for none."""
    function = choice.get("function") if isinstance(choice, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else ""


def _without_none(**values: Plain) -> Table:
    return {key: value for key, value in values.items() if value is not None}


def _parted(messages: Sequence[Table]) -> tuple[str, Sequence[Table]]:
    """Return the text of a leading system message, and the other messages with their calls in today's form."""
    messages = [*map(_of_today, messages)]
    if messages and messages[0].get("role") == "system":
        return "\n".join(_texts(messages[0].get("content"))), messages[1:]
    return "", messages


def _of_today(message: Table) -> Table:
    """Return a message with OpenAI's older function call, or its result, as a tool's: its name is its id."""
    call, name = message.get("function_call"), message.get("name")
    if isinstance(call, dict) and "tool_calls" not in message:
        message = {**message, "tool_calls": [{"id": call.get("name"), "type": "function", "function": call}]}
    called = message.get("role") == "function" and isinstance(name, str) and "tool_call_id" not in message
    return {**message, "role": "tool", "tool_call_id": name} if called else message


def _anthropic(messages: Sequence[Table]) -> Table:
    system, rest = _parted(messages)
    sent: list[Plain] = [_anthropic_message(message) for message in rest]
    return {"system": system, "messages": sent} if system else {"messages": sent}


def _anthropic_message(message: Table) -> Table:
    role, content, calls = message.get("role"), message.get("content"), _calls(message)
    if role == "tool":
        result: Table = {"type": "tool_result", "tool_use_id": message.get("tool_call_id")}
        return {"role": "user", "content": [{**result, "content": content}]}
    blocks = [_anthropic_block(item) for item in as_list(content)]
    if calls and isinstance(content, str) and content:
        blocks = [{"type": "text", "text": content}]
    uses: list[Plain] = [
        {"type": "tool_use", "id": ident, "name": name, "input": arguments} for ident, name, arguments in calls
    ]
    known = role if role in ("assistant", "system") else "user"
    return {"role": known, "content": [*blocks, *uses] if blocks or uses else content}


def _anthropic_block(item: Plain) -> Plain:
    kind, url = _medium(item)
    data = _DATA_URL.match(url)
    source: Table = (
        {"type": "base64", "media_type": data[1], "data": data[2]} if data else {"type": "url", "url": url}
    )
    if kind == "image_url":
        return {"type": "image", "source": source}
    if kind == "file_url":
        return {"type": "document", "source": source}
    return {"type": "text", "text": reference(url)} if url else item  # sounds and films have no block


def _gemini(messages: Sequence[Table]) -> Table:
    system, rest = _parted(messages)
    names = {ident: name for message in messages for ident, name, _ in _calls(message)}
    contents: list[Plain] = [_gemini_content(message, names) for message in rest]
    head: Table = {"systemInstruction": {"parts": [{"text": system}]}} if system else {}
    return {**head, "contents": contents}


def _gemini_content(message: Table, names: Mapping[str, str]) -> Table:
    content, ident = message.get("content"), str(message.get("tool_call_id") or "")
    if message.get("role") == "tool":
        name = str(message.get("name") or names.get(ident) or ident)
        response: Table = {"name": name, "response": {"result": content}}
        return {"role": "user", "parts": [{"functionResponse": response}]}
    items = content if isinstance(content, list) else [content]
    parts = [_gemini_part(item) for item in items if content]
    calls: list[Plain] = [
        {"functionCall": {"name": name, "args": arguments}} for _, name, arguments in _calls(message)
    ]
    return {"role": "model" if message.get("role") == "assistant" else "user", "parts": [*parts, *calls]}


def _gemini_part(item: Plain) -> Plain:
    if isinstance(item, str):
        return {"text": item}
    _, url = _medium(item)
    if data := _DATA_URL.match(url):
        return {"inlineData": {"mimeType": data[1], "data": data[2]}}
    if not url:
        return {"text": "\n".join(_texts([item]))}
    mime, _ = mimetypes.guess_type(url.partition("?")[0].partition("#")[0])
    return {"fileData": _without_none(mimeType=mime, fileUri=url)}


def _medium(item: Plain) -> tuple[str, str]:
    """Return the kind and the URL of a segment of media; an empty URL for any other."""
    kind = item.get("type") if isinstance(item, dict) else None
    medium = item.get(str(kind)) if isinstance(item, dict) else None
    url = medium.get("url") if isinstance(medium, dict) else medium
    return str(kind), url if isinstance(url, str) and kind != "text" else ""


def _texts(content: Plain) -> list[str]:
    if isinstance(content, str):
        return [content]
    items = as_list(content)
    return [str(item.get("text", "")) for item in items if isinstance(item, dict)]


def _calls(message: Table) -> list[tuple[str, str, Plain]]:
    """Return the id, the name and the arguments of each tool call; arguments that are no JSON as they are."""
    listed: list[tuple[str, str, Plain]] = []
    calls = message.get("tool_calls")
    for call in as_list(calls):
        whole = as_table(call)
        function = whole.get("function")
        called = function if isinstance(function, dict) else whole
        arguments = called.get("arguments", called.get("input"))
        name = str(called.get("name") or called.get("tool") or (function if isinstance(function, str) else ""))
        listed.append((str(whole.get("id", "")), name, loaded(arguments)))
    return listed


_TOOLS: Mapping[str, Callable[[Sequence[Table], Plain], Table]] = {
    "anthropic": _anthropic_tools,
    "gemini": _gemini_tools,
}
_BODIES: Mapping[str, Callable[[Sequence[Table]], Table]] = {"anthropic": _anthropic, "gemini": _gemini}
SHAPED = frozenset(_BODIES)
"""The providers whose requests are more than a list of messages in OpenAI's form."""
