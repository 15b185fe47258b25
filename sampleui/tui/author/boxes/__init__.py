"""The boxes over the author screen."""
