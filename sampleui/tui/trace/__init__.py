"""The trace screen: what it shows of a trace, its widgets and its commands. Traces are read in `trace/`."""
