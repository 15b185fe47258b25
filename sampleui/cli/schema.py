"""`sampleui schema`: the JSON Schema of a dialect's decks, or of what a command prints as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import DialectName
from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.models.schema import DRAFT, schema
from sampleui.text.confined import packaged_text
from sampleui.workspace.reading import dialects_for

SCHEMAS = Path(__file__).with_name("schemas")
_REFERENCE = re.compile(r'"#/\$defs/(\w+)"')
EDITS = frozenset({"insert", "delete", "move", "rename", "edit"})


@click.command("schema")
@click.argument("name", metavar="DIALECT")
def command(name: str) -> int:
    """Print the JSON Schema of decks in DIALECT, for editors, or of what a command prints as JSON.

    DIALECT may also be one that your settings define. Saved to a file, the schema is found by taplo if a TOML deck
    begins with the line `#:schema ./NAME.schema.json`, and by the YAML language server if a YAML deck begins
    with `# yaml-language-server: $schema=./NAME.schema.json`.

    DIALECT may be a command too: report, next, get, set, check or another that prints JSON. What goes wrong is
    there an object `error` in place of that: `sampleui schema error`.
    """
    output.json_value(answer_schema(name) or _of_decks(name))
    return 0


def answer_schema(name: str) -> Table:
    """Return the schema of what a command prints as JSON; an empty one where it prints none."""
    answers = json.loads(packaged_text(SCHEMAS / "answers.json"))
    known, shapes = answers["answers"], answers["$defs"]
    known["error"] = shapes["error"]
    if name == "report":
        known[name] = json.loads(packaged_text(SCHEMAS / "report.json"))
        shapes |= known[name].pop("$defs")
    found = known.get("set" if name in EDITS or name.endswith("-sample") else name)
    return {} if found is None else {"$schema": DRAFT, **found, "$defs": _named_in(found, shapes)}


def _named_in(shape: Plain, shapes: Table) -> Table:
    """Return those of some shapes that a shape names, itself or by one of them."""
    named = set(_REFERENCE.findall(json.dumps(shape)))
    found = {name: item for name, item in shapes.items() if name in named}
    return found if not found or found == shape else {**_named_in(found, shapes), **found}


def _of_decks(name: str) -> Table:
    context = click.get_current_context()
    name = DialectName().convert(name, context.command.params[0], context)
    dialects = {item.name: item for item in dialects_for(Path.cwd())} if name not in DIALECTS else DIALECTS
    return schema(dialects[name])
