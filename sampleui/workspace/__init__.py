"""The one door to decks, without a screen: open, read, check, render and edit one, and work with its samples."""
