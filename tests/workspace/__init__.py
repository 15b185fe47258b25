"""Decks through the one door."""
