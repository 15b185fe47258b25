"""JSON and JSON Lines decks."""
