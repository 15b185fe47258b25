"""The trace screen: what it shows of a trace, its widgets and its commands."""
