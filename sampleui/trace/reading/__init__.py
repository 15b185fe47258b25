"""From a record or a file to trace events."""
