"""Folders of decks: the files below one, and which of them are decks."""
