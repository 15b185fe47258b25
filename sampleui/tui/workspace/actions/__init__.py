"""The commands of the list of decks, and of what was found in them."""
