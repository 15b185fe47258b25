"""The commands that several screens have."""
