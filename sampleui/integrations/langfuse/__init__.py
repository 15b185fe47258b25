"""What shows that a file may be Langfuse's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry("langfuse", modules=("dialect",), dialects=("langfuse",), signs=("input expectedOutput",))
