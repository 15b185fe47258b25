"""The subcommands as a table, so that `--help` and one command do not import the others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class CommandEntry(NamedTuple):
    """A subcommand: the module of its click command, its line in the help, and the command's name there."""

    module: str
    help: str
    attribute: str = "command"


COMMANDS: Mapping[str, CommandEntry] = MappingProxyType(
    {
        "check": CommandEntry("sampleui.cli.check", "Look for problems in decks."),
        "render": CommandEntry("sampleui.cli.render", "Print what an LLM is sent for the samples of a deck."),
        "review": CommandEntry("sampleui.cli.review", "Step through failed records, decide, and fix samples."),
        "next": CommandEntry("sampleui.cli.next", "Print the next failed record to decide."),
        "verdict": CommandEntry("sampleui.cli.verdict", "Record a verdict on a record.", "verdict"),
        "comment": CommandEntry("sampleui.cli.verdict", "Comment on a record.", "comment"),
        "comments": CommandEntry(
            "sampleui.cli.verdict", "Print what people wrote about the records of a run.", "comments"
        ),
        "code": CommandEntry("sampleui.cli.code", "Add, rename, merge and list codes, the kinds of failure."),
        "label": CommandEntry("sampleui.cli.label", "Say of records which codes they fail by.", "label"),
        "labels": CommandEntry(
            "sampleui.cli.label", "Write the labels of a run for another tool, or read them.", "labels"
        ),
        "proposals": CommandEntry("sampleui.cli.proposals", "Print what programs proposed, and what became of it."),
        "verdicts": CommandEntry(
            "sampleui.cli.verdicts", "Hand the verdicts of a run back to the tool that ran it."
        ),
        "rerun": CommandEntry("sampleui.cli.rerun", "Run samples of a run again with its own tool."),
        "trust": CommandEntry("sampleui.cli.trust", "List the folders whose code may run, and take one back."),
        "report": CommandEntry("sampleui.cli.report", "Print the figures of a run and its review."),
        "regrade": CommandEntry("sampleui.cli.regrade", "Evaluate the deck's assertions on the recorded answers."),
        "export": CommandEntry("sampleui.cli.export", "Write reviewed records as samples of a deck."),
        "trace": CommandEntry("sampleui.cli.trace", "Show what runs did: events, checks, golden trajectories."),
        "promote": CommandEntry("sampleui.cli.promote", "Make a new sample from the first turns of a run."),
        "convert": CommandEntry("sampleui.cli.convert", "Write a deck in another format or dialect."),
        "replace": CommandEntry("sampleui.cli.replace", "Replace text in the samples of decks."),
        "get": CommandEntry("sampleui.cli.edit", "Print a value of a sample.", "get"),
        "set": CommandEntry("sampleui.cli.edit", "Set a value of a sample.", "set_value"),
        "insert": CommandEntry("sampleui.cli.edit", "Insert an item into a list of a sample.", "insert"),
        "delete": CommandEntry("sampleui.cli.edit", "Delete a key or an item of a sample.", "delete"),
        "move": CommandEntry("sampleui.cli.edit", "Move an item of a list of a sample.", "move"),
        "rename": CommandEntry("sampleui.cli.edit", "Rename a key of a sample.", "rename"),
        "add-sample": CommandEntry("sampleui.cli.edit", "Add a sample to a deck.", "add_sample"),
        "delete-sample": CommandEntry("sampleui.cli.edit", "Delete a sample of a deck.", "delete_sample"),
        "move-sample": CommandEntry("sampleui.cli.edit", "Move a sample within its deck.", "move_sample"),
        "rename-sample": CommandEntry("sampleui.cli.edit", "Give a sample another id.", "rename_sample"),
        "edit": CommandEntry("sampleui.cli.edit", "Make several edits of a deck as one.", "edit"),
        "guess": CommandEntry("sampleui.cli.guess", "Print a dialect table for a file that no dialect knows."),
        "schema": CommandEntry("sampleui.cli.schema", "Print the JSON Schema of a dialect, for editors."),
        "skill": CommandEntry("sampleui.cli.skill", "Write what an agent has to know to work with sampleui."),
        "completion": CommandEntry("sampleui.cli.completion", "Print what makes a shell complete sampleui."),
    }
)
