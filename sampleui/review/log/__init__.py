"""The log of decisions beside a results file."""
