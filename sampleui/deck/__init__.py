"""Decks on disk: loading, editing, history and saving."""
