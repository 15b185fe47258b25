"""The one door to decks: open, read, check, render and edit one, and what is done with its samples."""
