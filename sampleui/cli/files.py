"""The type of the arguments and options that name files."""

from __future__ import annotations

from pathlib import Path

import click

# What reads a file says what is wrong with it, everywhere in the same words; of several, the others are still read.
FILE = click.Path(path_type=Path, readable=False)
