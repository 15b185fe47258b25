"""The widgets of the review screen."""
