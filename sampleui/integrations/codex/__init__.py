"""What shows that a file may be a session of Codex. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, LogSigns

MARK = "codex_session"
SIGNS = LogSigns(
    begins=r'(?s)\{(?:(?=.*"type"\s*:\s*"(?:session_meta|response_item)")(?=.*"payload"\s*:)'
    r'|(?=.*"type"\s*:\s*"thread\.started")(?=.*"thread_id")|(?=.*"record_type"\s*:\s*"state"))',
)
ENTRY = IndexEntry(
    "codex",
    result_dialect="codex",
    modules=("results",),
    row_signs=(MARK,),
    log=SIGNS,
    opens_folders=True,
)
