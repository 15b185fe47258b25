"""`sampleui schema`: the JSON Schema of a dialect's decks."""

from __future__ import annotations

import click

from sampleui.cli import output
from sampleui.sample.dialects import DIALECTS


@click.command("schema")
@click.argument("dialect", type=click.Choice(list(DIALECTS)))
def command(dialect: str) -> int:
    """Print the JSON Schema of a DIALECT's decks, for editors.

    In a TOML deck taplo finds it by a first line `#:schema ./calibrate.schema.json`; in a YAML deck the YAML
    language server by `# yaml-language-server: $schema=./agentv.schema.json`.
    """
    from sampleui.sample.schema import schema

    output.json_value(schema(dialect))
    return 0
