"""What the trace view shows, without its widgets."""
