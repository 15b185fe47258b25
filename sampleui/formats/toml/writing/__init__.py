"""Texts that may make an edit of a TOML deck."""
