"""Samples of a run asked again with the run's own program, and its answers beside the recorded ones."""
