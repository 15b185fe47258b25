"""Results of runs, the queue of what failed, and reviewers' verdicts."""
