"""The author screen's state and what it shows, without its widgets."""
