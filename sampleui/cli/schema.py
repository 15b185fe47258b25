"""`sampleui schema`: the JSON Schema of a dialect's decks."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import DialectName
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.models.schema import schema
from sampleui.workspace.reading import dialects_for


@click.command("schema")
@click.argument("dialect", metavar="DIALECT", type=DialectName())
def command(dialect: str) -> int:
    """Print the JSON Schema of decks in DIALECT, for editors.

    DIALECT may also be one that your settings define. Saved to a file, the schema is found by taplo if a TOML deck
    begins with the line `#:schema ./NAME.schema.json`, and by the YAML language server if a YAML deck begins
    with `# yaml-language-server: $schema=./NAME.schema.json`.
    """
    dialects = {item.name: item for item in dialects_for(Path.cwd())} if dialect not in DIALECTS else DIALECTS
    output.json_value(schema(dialects[dialect]))
    return 0
