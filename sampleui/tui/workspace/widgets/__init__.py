"""The widgets of the list of decks."""
