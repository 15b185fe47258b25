"""What shows that a file may be chat data. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import TOP, IndexEntry

ENTRY = IndexEntry(
    "chat_data",
    modules=(
        "dialect",
        "conversion",
    ),
    dialects=("openai", "sharegpt"),
    signs=(
        *("input preferred_output", "input ideal", "prompt completion", "chosen rejected"),
        *("chosen_messages rejected_messages", "completions labels", "prompt.role", "custom_id body"),
        *("messages reference_answer", "messages parallel_tool_calls", "messages label"),
        *("messages.weight", "messages.loss_weight", f"{TOP} messages", f"{TOP} input"),
        *("conversations.from", "instruction output", "instruction chosen", "question_id turns"),
    ),
)
