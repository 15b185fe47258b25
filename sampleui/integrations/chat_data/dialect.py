"""Chat data: OpenAI's, TRL's, ShareGPT's and the like, and what else is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import Plain
from sampleui.integrations.integration import Checks, Spellings
from sampleui.sample.dialects.dialect import (
    Contents,
    Conversion,
    Dialect,
    DialectMark,
    Expected,
    Spelling,
    Turns,
    paths,
)
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS
from sampleui.sample.message import MEDIA_MARK, TextSegment, files_beside, segments
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of
from sampleui.text.diagnostic import Finding, Severity

_OPENAI_FIELDS = fields(
    """
    messages:messages input:messages|table|text ideal:text|texts preferred_output:messages
    non_preferred_output:messages prompt:text|messages completion:text|messages chosen:text|messages|table
    rejected:text|messages|table chosen_messages:messages rejected_messages:messages completions:texts labels:list
    label:truth reference_answer:any custom_id:text method:text url:text body:table tools:tables|text
    functions:tables function_call:any parallel_tool_calls:truth images:list|text videos:list|text
    audios:list|text
    """
)
MEDIA_MARKS = {
    "image_url": ("<image>", "images"),
    "video_url": ("<video>", "videos"),
    "audio_url": ("<audio>", "audios"),
}
"""What LLaMA-Factory has in texts for the files that its columns list."""

_NOT_OPENAIS = keys("schema_version references expected")
_BESIDE_MESSAGES = keys(
    """
    messages tools functions parallel_tool_calls chat_template_kwargs image images videos audios extra_info
    _dataset_name
    rejected_messages rejected_response
    """
)
OPENAI = Dialect(
    name="openai",
    title="OpenAI",
    purpose="messages, tools and answers as its API has them",
    integration="chat_data",
    containers=((),),
    formats=("jsonl",),
    message_paths=paths("messages input.messages input prompt chosen chosen_messages body.messages body.input"),
    expected=Expected(
        paths=paths("ideal reference_answer preferred_output completion chosen.content chosen chosen_messages"),
        any_of=True,
        beside={
            **dict.fromkeys(paths("messages chosen chosen_messages body.messages body.input"), ()),
            ("input",): ("ideal",),
            ("input", "messages"): ("preferred_output",),
            ("prompt",): ("completion",),
        },
    ),
    marks=(
        DialectMark(paths("input.messages preferred_output")),
        DialectMark(paths("input ideal"), USUAL_KEYS | RAN),
        DialectMark(paths("prompt completion"), USUAL_KEYS | RAN),
        DialectMark(
            paths("chosen rejected"), USUAL_KEYS - keys("messages") | RAN | keys("conversations instruction")
        ),
        DialectMark(paths("chosen_messages rejected_messages")),
        DialectMark(paths("prompt completions labels"), USUAL_KEYS | RAN, lists=paths("completions labels")),
        DialectMark(
            paths("prompt.*.role"), USUAL_KEYS | RAN | keys("label options choices task_type question_type")
        ),
        DialectMark(paths("custom_id body.messages"), RAN),
        DialectMark(paths("custom_id body.input.*.role"), RAN),
        DialectMark(paths("messages reference_answer"), _NOT_OPENAIS | RAN),
        DialectMark(paths("messages parallel_tool_calls"), _NOT_OPENAIS),
        DialectMark(paths("messages label"), _NOT_OPENAIS | keys("options task_type"), truths=paths("label")),
        DialectMark(paths("messages.*.weight"), _NOT_OPENAIS),
        DialectMark(paths("messages.*.loss_weight"), _NOT_OPENAIS),
        DialectMark(paths("messages"), only=_BESIDE_MESSAGES, answered=True, under=((),)),
        DialectMark(paths("messages tools"), only=_BESIDE_MESSAGES, lists=paths("messages tools"), under=((),)),
        DialectMark(
            paths("messages functions"), only=_BESIDE_MESSAGES, lists=paths("messages functions"), under=((),)
        ),
        DialectMark(paths("input"), only=keys("input"), lists=paths("input"), under=((),)),
    ),
    turns=Turns(shorthand=True),
    contents=Contents(
        call_keys=("tool_calls", "function_call"),
        segments=keys("text image_url input_audio file refusal"),
        own={
            "reasoning": ("text", "value"),
            "tool_call": ("text", "value"),
            "image_url": ("image_url", "value"),
            "video_url": ("video_url", "value"),
            "audio_url": ("audio_url", "value"),
            "image": (MEDIA_MARK, "<image>"),
            "video": (MEDIA_MARK, "<video>"),
            "audio": (MEDIA_MARK, "<audio>"),
        },
        templated=keys("reasoning tool_call"),
        media_marks=MEDIA_MARKS,
    ),
    rules=("files-counted",),
    begins={"messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]},
    id_paths=(),
    metadata="",
    fields=_OPENAI_FIELDS,
)

_SHAREGPT_FIELDS = fields(
    """
    id:text|number conversations:messages system:text tools:text|list instruction:text input:text output:text
    chosen:text|table rejected:text|table kto_tag:truth history:list question_id:text|number category:text
    turns:texts reference:texts images:list|text videos:list|text audios:list|text
    """
)
SHAREGPT = Dialect(
    name="sharegpt",
    title="ShareGPT",
    purpose="conversations to train a model on, by who speaks",
    integration="chat_data",
    containers=((),),
    formats=("json", "jsonl"),
    message_paths=paths("conversations turns instruction"),
    expected=Expected(paths=paths("output chosen.value chosen.content chosen reference")),
    tag_paths=paths("category"),
    marks=(
        DialectMark(paths("conversations.*.from conversations.*.value")),
        DialectMark(paths("instruction output"), USUAL_KEYS | keys("score scores messages")),
        DialectMark(paths("instruction chosen rejected"), USUAL_KEYS | RAN),
        DialectMark(paths("question_id turns"), lists=paths("turns")),
    ),
    turns=Turns(
        spelling=Spelling(
            "from",
            "value",
            {
                "human": "user",
                "gpt": "assistant",
                "observation": "tool",
                **dict.fromkeys(("function_call", "chatgpt", "bing", "bard"), "assistant"),
            },
        ),
        shorthand=True,
        plain=True,
        system=(("system",),),
        earlier=(("history",),),
        added=(("input",),),
    ),
    contents=Contents(media_marks=MEDIA_MARKS),
    rules=("files-counted",),
    begins={"conversations": [{"from": "human", "value": ""}, {"from": "gpt", "value": ""}]},
    id_paths=paths("id question_id"),
    unique_ids=False,
    metadata="",
    fields=_SHAREGPT_FIELDS,
    conversion=Conversion(text_content=True, answer_last=True),
)


def files_counted(sample: Sample) -> Iterator[Finding]:
    """There are not as many marks in the messages as files beside them, or the prompt cannot show the files."""
    dialect = dialect_of(sample)
    listed = files_beside(sample.data, dialect)
    texts = [*_texts(conversation(sample), dialect)]
    for kind, (mark, key) in dialect.contents.media_marks.items():
        files, meant = len(listed.get(kind, ())), sum(text.count(mark) for text in texts)
        if files and meant and files != meant:
            message = f"{key} has {files} and the messages have {meant} {mark}; there must be as many of both"
            yield Finding("files-counted", Severity.WARNING, message, (key,))
        elif files and not meant:
            message = f"no {mark} in the messages says where these belong; the prompt does not show them"
            yield Finding("files-counted", Severity.INFO, message, (key,))
        elif not files and sample.data.get(key):
            message = f"{key} has something else than paths; the prompt does not show it"
            yield Finding("files-counted", Severity.INFO, message, (key,))


def _texts(messages: list[Plain], dialect: Dialect) -> Iterator[str]:
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        parts = segments(content, own_types=dialect.contents.own) or ()
        yield from (part.text for part in parts if isinstance(part, TextSegment))


DIALECTS = Spellings((OPENAI, SHAREGPT))
CHECKS = Checks({"files-counted": files_counted})
