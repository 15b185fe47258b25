"""The author screen: its state, what it shows, its widgets and commands. Edits are made by `deck/`."""
