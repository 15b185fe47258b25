"""The widgets that several screens have, one per file."""
