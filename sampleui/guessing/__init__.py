"""Tables that are guessed for files that no dialect knows."""
