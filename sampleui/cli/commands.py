"""The subcommands as a table, so that `--help` and one command do not import the others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Entry(NamedTuple):
    """A subcommand: the module of its click command, its line in the help, and the command's name there."""

    module: str
    help: str
    attribute: str = "command"


COMMANDS: Mapping[str, Entry] = MappingProxyType(
    {
        "check": Entry("sampleui.cli.check", "Look for problems in decks."),
        "render": Entry("sampleui.cli.render", "Print what an LLM is sent for the samples of a deck."),
        "review": Entry("sampleui.cli.review", "Step through failed records, decide, and fix samples."),
        "next": Entry("sampleui.cli.next", "Print the next failed record to decide."),
        "verdict": Entry("sampleui.cli.verdict", "Record a verdict on a record."),
        "comment": Entry("sampleui.cli.comment", "Comment on a record.", "comment"),
        "comments": Entry(
            "sampleui.cli.comment", "Print what people wrote about the records of a run.", "comments"
        ),
        "verdicts": Entry("sampleui.cli.verdicts", "Hand the verdicts of a run back to the tool that ran it."),
        "rerun": Entry("sampleui.cli.rerun", "Run samples of a run again with its own tool."),
        "report": Entry("sampleui.cli.report", "Print the figures of a run and its review."),
        "regrade": Entry("sampleui.cli.regrade", "Evaluate the deck's assertions on the recorded answers."),
        "export": Entry("sampleui.cli.export", "Write reviewed records as samples of a deck."),
        "trace": Entry("sampleui.cli.trace", "Show what runs did: events, checks, golden trajectories."),
        "promote": Entry("sampleui.cli.promote", "Make a new sample from the first turns of a run."),
        "convert": Entry("sampleui.cli.convert", "Write a deck in another format or dialect."),
        "replace": Entry("sampleui.cli.replace", "Replace text in the samples of decks."),
        "get": Entry("sampleui.cli.edit", "Print a value of a sample.", "get"),
        "set": Entry("sampleui.cli.edit", "Set a value of a sample.", "set_value"),
        "insert": Entry("sampleui.cli.edit", "Insert an item into a list of a sample.", "insert"),
        "delete": Entry("sampleui.cli.edit", "Delete a key or an item of a sample.", "delete"),
        "move": Entry("sampleui.cli.edit", "Move an item of a list of a sample.", "move"),
        "rename": Entry("sampleui.cli.edit", "Rename a key of a sample.", "rename"),
        "add-sample": Entry("sampleui.cli.edit", "Add a sample to a deck.", "add_sample"),
        "delete-sample": Entry("sampleui.cli.edit", "Delete a sample of a deck.", "delete_sample"),
        "move-sample": Entry("sampleui.cli.edit", "Move a sample within its deck.", "move_sample"),
        "rename-sample": Entry("sampleui.cli.edit", "Give a sample another id.", "rename_sample"),
        "edit": Entry("sampleui.cli.edit", "Make several edits of a deck as one.", "edit"),
        "guess": Entry("sampleui.cli.guess", "Print a dialect table for a file that no dialect knows."),
        "schema": Entry("sampleui.cli.schema", "Print the JSON Schema of a dialect, for editors."),
        "skill": Entry("sampleui.cli.skill", "Write what an agent has to know to work with sampleui."),
        "completion": Entry("sampleui.cli.completion", "Print what makes a shell complete sampleui."),
    }
)
