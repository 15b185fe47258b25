"""Files of scenarios, and of the tests of one, read by their names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sampleui.formats.document import Document
from sampleui.formats.registry import parse_document
from sampleui.formats.scenarios.combining import Config
from sampleui.formats.scenarios.crossed import Crossed, as_scenarios


def scenarios_in(text: str, path: Path) -> Document:
    """Read a file of scenarios: one that is the file, or a list of them.

    Raises:
        FormatError: when it is not YAML or JSON, with line and column.
    """
    return as_scenarios(parse_document(text, path))


def tests_in(text: str, path: Path, configs: Iterable[Config], whole: bool) -> Document:
    """Read a file of tests of a scenario, each of which goes with some entries of `config`. Raises as above."""
    listing = parse_document(text, path)
    return Crossed(listing.pieces, listing, tuple(configs), whole)
