"""The decks and results below some folders, listed; and those of them that are open."""
