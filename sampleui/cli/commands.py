"""The subcommands as a table, so that `--help` and one command do not import the others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Entry(NamedTuple):
    """A subcommand: the module whose `command` is its click command, and its line in the help."""

    module: str
    help: str


COMMANDS: Mapping[str, Entry] = MappingProxyType(
    {
        "check": Entry("sampleui.cli.check", "Look for problems in decks."),
        "render": Entry("sampleui.cli.render", "Print what an LLM is sent for the samples of a deck."),
        "review": Entry("sampleui.cli.review", "Step through failed records, decide, and fix samples."),
        "next": Entry("sampleui.cli.next", "Print the next failed record to decide."),
        "verdict": Entry("sampleui.cli.verdict", "Record a verdict on a record."),
        "report": Entry("sampleui.cli.report", "Print the figures of a run and its review."),
        "regrade": Entry("sampleui.cli.regrade", "Evaluate the deck's assertions on the recorded answers."),
        "export": Entry("sampleui.cli.export", "Write reviewed records as samples of a deck."),
        "trace": Entry("sampleui.cli.trace", "Show what runs did: their events, checks and golden trajectories."),
        "promote": Entry("sampleui.cli.promote", "Make a new sample from the first turns of a run."),
        "convert": Entry("sampleui.cli.convert", "Write a deck in another format or dialect."),
        "replace": Entry("sampleui.cli.replace", "Replace text in the samples of decks."),
        "guess": Entry("sampleui.cli.guess", "Print a dialect table for a file that no dialect knows."),
        "schema": Entry("sampleui.cli.schema", "Print the JSON Schema of a dialect, for editors."),
    }
)
