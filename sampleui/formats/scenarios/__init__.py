"""Samples that a file makes of several of its entries: promptfoo's `scenarios`."""
