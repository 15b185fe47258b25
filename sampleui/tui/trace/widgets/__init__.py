"""The widgets that show a trace."""
