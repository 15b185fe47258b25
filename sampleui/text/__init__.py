"""Text and places in it: offsets, lines, edits and positioned findings."""
