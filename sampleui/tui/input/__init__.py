"""From the bytes of a terminal to keys that act on the screen that was seen when they were typed."""
