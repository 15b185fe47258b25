"""Folders of decks: what lies below one, and which of it are decks."""
