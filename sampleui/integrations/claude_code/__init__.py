"""What shows that a file may be a session of Claude Code. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, LogSigns

MARK = "claude_code_session"
SIGNS = LogSigns(
    begins=r'(?s)\{(?:(?=.*"parentUuid")(?=.*"(?:isSidechain|sessionId)")|(?=.*"session_id")(?=.*"subtype"\s*:\s*"init"))',
)
ENTRY = IndexEntry(
    "claude_code",
    result_dialect="claude_code",
    modules=("results",),
    row_signs=(MARK,),
    log=SIGNS,
    opens_folders=True,
)
