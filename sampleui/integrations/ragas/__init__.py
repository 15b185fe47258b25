"""What shows that a file may be Ragas'. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry("ragas", modules=("results",), result_dialect="ragas", row_signs=("user_input", "question"))
