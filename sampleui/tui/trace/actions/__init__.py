"""The commands of the trace screen, by what they act on."""
