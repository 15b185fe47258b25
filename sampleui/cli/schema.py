"""`sampleui schema`: the JSON Schema of a dialect's decks."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import DialectName
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.workspace.reading import dialects_for


@click.command("schema")
@click.argument("dialect", metavar="DIALECT", type=DialectName())
def command(dialect: str) -> int:
    """Print the JSON Schema of a DIALECT's decks, for editors; it may be one of your settings.

    In a TOML deck taplo finds it by a first line `#:schema ./calibrate.schema.json`; in a YAML deck the YAML
    language server by `# yaml-language-server: $schema=./agentv.schema.json`.
    """
    from sampleui.sample.models.schema import schema

    own = {item.name: item for item in dialects_for(Path.cwd())} if dialect not in DIALECTS else DIALECTS
    output.json_value(schema(own[dialect]))
    return 0
