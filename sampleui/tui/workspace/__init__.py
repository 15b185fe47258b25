"""The list of the decks and results below some folders, those that are open, and what is found in them."""
