"""The author screen: its state, what it shows, its widgets and its commands."""
