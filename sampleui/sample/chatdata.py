"""The dialects of chat data: OpenAI's, TRL's, ShareGPT's and the like. `docs/formats.md` describes them."""

from __future__ import annotations

from sampleui.sample.dialect import ALL, Dialect, Mark, keys
from sampleui.sample.spelling import Spelling

RAN = keys("score scores output success error reward run_type")
"""What rows of results have and samples to run do not."""

USUAL_KEYS = keys("messages input_messages criteria expected_outcome expected_messages schema_version references")
"""Keys of calibrate, AgentV and gage-eval: what has them is theirs."""

_OPENAI_FIELDS = {
    "messages": "messages",
    "input": "messages|table|text",
    "ideal": "text|texts",
    "preferred_output": "messages",
    "non_preferred_output": "messages",
    "prompt": "text|messages",
    "completion": "text|messages",
    "chosen": "text|messages",
    "rejected": "text|messages",
    "label": "truth",
    "tools": "tables",
    "functions": "tables",
    "function_call": "any",
    "parallel_tool_calls": "truth",
}
OPENAI = Dialect(
    name="openai",
    title="OpenAI",
    containers=((),),
    formats=("jsonl",),
    message_paths=(("messages",), ("input", "messages"), ("input",), ("prompt",), ("chosen",)),
    expected_paths=(("ideal",), ("preferred_output",), ("completion",), ("chosen",)),
    marks=(
        Mark((("input", "messages"), ("preferred_output",))),
        Mark((("input",), ("ideal",)), USUAL_KEYS | RAN),
        Mark((("prompt",), ("completion",)), USUAL_KEYS | RAN),
        Mark((("chosen",), ("rejected",)), USUAL_KEYS - keys("messages") | RAN),
        Mark((("messages",), ("parallel_tool_calls",)), keys("schema_version references expected")),
        Mark((("messages", ALL, "weight"),), keys("schema_version references expected")),
        Mark(
            (("messages",),), only=keys("messages tools functions parallel_tool_calls"), answered=True, under=((),)
        ),
        Mark((("input",),), only=keys("input"), lists=(("input",),), under=((),)),
    ),
    shorthand=True,
    call_keys=("tool_calls", "function_call"),
    segments=keys("text image_url input_audio file refusal"),
    asked_path=("input",),
    answer_paths={
        ("messages",): (),
        ("input", "messages"): ("preferred_output",),
        ("input",): ("ideal",),
        ("prompt",): ("completion",),
        ("chosen",): (),
    },
    id_paths=(),
    metadata="",
    fields=_OPENAI_FIELDS,
    known=frozenset(_OPENAI_FIELDS),
)

_SHAREGPT_FIELDS = {
    "id": "text|number",
    "conversations": "messages",
    "system": "text",
    "tools": "text|list",
    "instruction": "text",
    "input": "text",
    "output": "text",
    "history": "list",
    "question_id": "text|number",
    "category": "text",
    "turns": "texts",
    "reference": "texts",
    "images": "texts",
    "videos": "texts",
    "audios": "texts",
}
SHAREGPT = Dialect(
    name="sharegpt",
    title="ShareGPT",
    containers=((),),
    formats=("json", "jsonl"),
    message_paths=(("conversations",), ("turns",), ("instruction",)),
    expected_paths=(("output",), ("reference",)),
    tag_paths=(("category",),),
    marks=(
        Mark((("conversations", ALL, "from"), ("conversations", ALL, "value"))),
        Mark((("instruction",), ("output",)), USUAL_KEYS | keys("score scores messages")),
        Mark((("question_id",), ("turns",)), lists=(("turns",),)),
    ),
    spelling=Spelling(
        "from",
        "value",
        {
            "human": "user",
            "gpt": "assistant",
            "observation": "tool",
            "function_call": "assistant",
            "chatgpt": "assistant",
            "bing": "assistant",
            "bard": "assistant",
        },
    ),
    shorthand=True,
    plain_turns=True,
    text_content=True,
    call_role="function_call",
    media_marks={
        "image_url": ("<image>", "images"),
        "video_url": ("<video>", "videos"),
        "audio_url": ("<audio>", "audios"),
    },
    alternates="LLaMA-Factory",
    system_paths=(("system",),),
    earlier_paths=(("history",),),
    added_paths=(("input",),),
    answer_is_turn=True,
    id_paths=(("id",), ("question_id",)),
    unique_ids=False,
    metadata="",
    fields=_SHAREGPT_FIELDS,
    known=frozenset(_SHAREGPT_FIELDS),
)
