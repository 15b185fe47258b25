"""The widgets of the author screen."""
