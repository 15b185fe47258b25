"""Tests of the text forms of decks."""
