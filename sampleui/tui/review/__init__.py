"""The review screen: its session, what it shows, its widgets and commands. What they show is made in `review/`."""
