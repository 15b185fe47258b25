"""The terminal itself: its modes, its signals, lending it to other programs, leaving it as it was."""
