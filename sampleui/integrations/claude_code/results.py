"""Claude Code: the files of its sessions, with those of their sub-agents, and its `--output-format stream-json`.

Source: sessions of 2.0.45 to 2.1.205 as they are published, and what harbor 0.25, claude-code-log and Inspect Scout
read of them; the writer itself is not published. A line is a part of a message; lines are a tree by `parentUuid`,
of which the branch that ends last is the conversation (`conversation.py`). Sub-agents have lines of their own
(`agents.py`).
"""

from __future__ import annotations

from sampleui.integrations.claude_code import MARK, SIGNS
from sampleui.integrations.claude_code.agents import TranscriptReader
from sampleui.integrations.sessions import SessionFiles

FILES = SessionFiles("claude_code", "Claude Code", MARK, SIGNS, TranscriptReader)


RESULTS = FILES.results()
RUN_FILES = FILES.run_files()
