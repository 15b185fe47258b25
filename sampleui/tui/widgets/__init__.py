"""The widgets that several screens have, one a file."""
