"""Texts that may make an edit of a YAML deck. Loaded with the first edit."""
