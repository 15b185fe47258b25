"""The commands of each screen."""
