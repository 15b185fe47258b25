"""The list of decks and results below some folders, and what is found in them; `workspace/` opens a deck."""
