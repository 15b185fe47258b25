"""The boxes over the review screen."""
