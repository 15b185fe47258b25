"""The commands as click sees them: help, options, and which command was asked for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

import click
from click.shell_completion import CompletionItem, shell_complete

from sampleui.cli import output
from sampleui.cli.app import author
from sampleui.cli.arguments import FILE, plain_option, with_options
from sampleui.cli.commands import COMMANDS
from sampleui.cli.completion import PROGRAM, VARIABLE
from sampleui.cli.output import FAILED, guarded
from sampleui.settings.options import prompt_styles

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def run(args: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    return guarded(lambda: _run(list(args)), in_json=_asks_for_json(args))


def _asks_for_json(args: Sequence[str]) -> bool:
    """Tell whether JSON is asked for, before anything else of a command line is understood."""
    options = {"convert": ["--report"], "render": ["--as", "--format"]}.get("".join(args[:1]), ["--format"])
    return any(f"{option}=json" in args or (option, "json") in pairwise(args) for option in options)


class _Commands(click.Group):
    """The subcommands of the table, each imported when it is called or its own help is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        entry = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(f"{__package__}.{entry.module}"), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with what is typed; and files, as a deck is opened without a command."""
        names = super().shell_complete(ctx, incomplete)
        return names if incomplete.startswith("-") else [*names, CompletionItem(incomplete, type="file")]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show both ways to call it."""
        formatter.write_usage(ctx.command_path, "[OPTIONS] [DECK...]")
        formatter.write_usage(ctx.command_path, "COMMAND ...", prefix="       ")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


_app_options = with_options(
    click.option("--dialect", metavar="NAME", help="Read the deck in this dialect, such as openai."),
    plain_option,
    click.option("--theme", metavar="NAME", help="The colours of the app."),
    click.option("--provider", metavar="NAME", help="The provider whose request the preview shows."),
    click.option("--system-prompt", metavar="TEXT", help="Takes the place of a missing system message."),
    click.option("--prompt-style", type=click.Choice(prompt_styles()), help="How the preview renders samples."),
)


@click.command("sampleui", cls=_Commands, context_settings=_CONTEXT, invoke_without_command=True)
@_app_options
@click.version_option(package_name="sampleui", message="sampleui %(version)s")
@click.pass_context
def _commands(context: click.Context, /, **_options: str | bool | None) -> int:
    """Write and review the samples of LLM evals in a terminal.

    DECK is a TOML, YAML, JSON, JSONL, CSV, TSV or Markdown file of samples; it is opened in the app. Write ./NAME
    for a deck whose name is that of a command. A folder, a glob in quotes or several files open a list of their
    decks; without DECK, those of the current folder are listed.

    Exit codes: 0 all is well, 1 problems were found, 2 a file could not be read or the call was wrong.
    """
    if context.invoked_subcommand is None and output.interactive():
        return author([Path()])
    if context.invoked_subcommand is None:
        output.text_value(context.get_help())
        return FAILED
    return 0


@click.command("sampleui", context_settings=_CONTEXT)
@click.argument("decks", metavar="DECK...", type=FILE, nargs=-1, required=True)
@_app_options
def _open(decks: tuple[Path, ...], dialect: str | None, **settings: str | bool | None) -> int:
    """Open a deck in the app, or list the decks of several files and folders."""
    return author(decks, dialect, **settings)


def _run(args: list[str]) -> int:
    if asked := os.environ.get(VARIABLE):
        return shell_complete(_commands, {}, PROGRAM, VARIABLE, asked)
    names_command = not args or args[0] in COMMANDS or args[0] in {"-h", "--help", "--version"}
    root = _commands if names_command else _open
    try:
        with root.make_context("sampleui", [*args]) as context:
            code = root.invoke(context)
            return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        message = " ".join(error.format_message().split())  # click lists choices on lines of their own
        end = "" if message.endswith((".", "?")) else "."
        words = f"sampleui: {message}{end} {_hint(error, args, names_command)}".rstrip()
        return output.refused(words, {"rule": "usage", "message": message})


def _hint(error: click.ClickException, args: list[str], names_command: bool) -> str:
    near = [] if names_command else get_close_matches(args[0], COMMANDS, n=1)
    if near:
        return f"Did you mean `sampleui {near[0]}`?"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"Try `{error.ctx.command_path} --help`."
    return ""
