"""Runs: their records beside the samples that they ran, and the decks that those are in."""
