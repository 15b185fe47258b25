"""The subcommands as a table, so that `--help` and one command do not import the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class CommandEntry(NamedTuple):
    """A subcommand: the module here of its click command, its line in the help, and the command's name there."""

    module: str
    help: str
    attribute: str = "command"


COMMANDS: Mapping[str, CommandEntry] = {
    "check": CommandEntry("check", "Look for problems in decks."),
    "render": CommandEntry("render", "Print what an LLM is sent for the samples of a deck."),
    "review": CommandEntry("review", "Step through failed records, decide, and fix samples."),
    "next": CommandEntry("next", "Print the next failed record to decide."),
    "verdict": CommandEntry("verdict", "Record a verdict on a record.", "verdict"),
    "comment": CommandEntry("verdict", "Comment on a record.", "comment"),
    "comments": CommandEntry("verdict", "Print what people wrote about the records of a run.", "comments"),
    "code": CommandEntry("code", "Add, rename, merge and list codes, the kinds of failure."),
    "label": CommandEntry("label", "Say of records which codes they fail by.", "label"),
    "labels": CommandEntry("label", "Write the labels of a run for another tool, or read them.", "labels"),
    "proposals": CommandEntry("proposals", "Print what programs proposed, and what became of it."),
    "verdicts": CommandEntry("verdicts", "Hand the verdicts of a run back to the tool that ran it."),
    "rerun": CommandEntry("rerun", "Run samples of a run again with its own tool."),
    "trust": CommandEntry("trust", "List the folders whose code may run, and take one back."),
    "report": CommandEntry("report", "Print the figures of a run and its review."),
    "regrade": CommandEntry("regrade", "Evaluate the deck's assertions on the recorded answers."),
    "export": CommandEntry("export", "Write reviewed records as samples of a deck."),
    "trace": CommandEntry("trace", "Show what runs did: events, checks, golden trajectories."),
    "promote": CommandEntry("promote", "Make a new sample from the first turns of a run."),
    "convert": CommandEntry("convert", "Write a deck in another format or dialect."),
    "replace": CommandEntry("replace", "Replace text in the samples of decks."),
    "get": CommandEntry("edit", "Print a value of a sample.", "get"),
    "set": CommandEntry("edit", "Set a value of a sample.", "set_value"),
    "insert": CommandEntry("edit", "Insert an item into a list of a sample.", "insert"),
    "delete": CommandEntry("edit", "Delete a key or an item of a sample.", "delete"),
    "move": CommandEntry("edit", "Move an item of a list of a sample.", "move"),
    "rename": CommandEntry("edit", "Rename a key of a sample.", "rename"),
    "add-sample": CommandEntry("edit", "Add a sample to a deck.", "add_sample"),
    "delete-sample": CommandEntry("edit", "Delete a sample of a deck.", "delete_sample"),
    "move-sample": CommandEntry("edit", "Move a sample within its deck.", "move_sample"),
    "rename-sample": CommandEntry("edit", "Give a sample another id.", "rename_sample"),
    "edit": CommandEntry("edit", "Make several edits of a deck as one.", "edit"),
    "guess": CommandEntry("guess", "Print a dialect table for a file that no dialect knows."),
    "schema": CommandEntry("schema", "Print the JSON Schema of a dialect, for editors."),
    "skill": CommandEntry("skill", "Write what an agent has to know to work with sampleui."),
    "completion": CommandEntry("completion", "Print what makes a shell complete sampleui."),
}
