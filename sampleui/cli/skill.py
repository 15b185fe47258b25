"""`sampleui skill`: what an agent has to know to work with sampleui."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE
from sampleui.errors import SaveError
from sampleui.text.confined import folder_held, packaged_text, real_path
from sampleui.text.replacing import drafted, put_in_place

NAME = "sampleui"
TEXT, TOPICS = Path(__file__).with_name("SKILL.md"), Path(__file__).with_name("topics.md")


@click.command("skill")
@click.option("--to", "folder", metavar="DIR", type=FILE, help="The folder of skills to write it into.")
@click.option("--topic", metavar="NAME", help="What there is to know beside it: edits, csv, rerun, compare, …")
def command(folder: Path | None, topic: str | None) -> int:
    """Print SKILL.md, by which an agent authors, checks, reviews and proposes; or more of a topic.

    With --to it is written to DIR/sampleui/SKILL.md; one that is there is replaced.

    Example: sampleui skill --to .claude/skills

    Exit codes: 0 it is written, 2 it is not.
    """
    if topic is not None:
        known = dict(part.split("\n", 1) for part in packaged_text(TOPICS).split("\n## ")[1:])
        if topic not in known:
            raise click.BadParameter(f"{topic} is no topic; there are {', '.join(known)}", param_hint="--topic")
        output.text_value(known[topic].strip())
        return 0
    text = packaged_text(TEXT)
    if folder is None:
        output.text_value(text.removesuffix("\n"))
        return 0
    home = real_path(folder)
    target = home / NAME / "SKILL.md"
    try:
        with (
            folder_held(target.parent, home, create=True),
            drafted(target, text.encode("utf-8"), trusted=home) as draft,
        ):
            put_in_place(draft)
    except OSError as error:
        raise SaveError(f"{target} was not written: {error.strerror or error}") from error
    output.line(str(folder / NAME / "SKILL.md"))
    return 0
