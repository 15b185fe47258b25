"""The terminal itself: its modes, its signals, lending it to other programs, and leaving it as it was."""
