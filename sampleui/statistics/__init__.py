"""Figures of runs, comparisons, attempts, reviewers and graders: pure functions of numbers, standard library only.

The definitions, with their sources, are in `docs/statistics.md`. These hold everywhere:

- What is not defined is None, never 0. A score that is missing is None, never NaN.
- The sample is the unit. Its attempts are averaged first; a sample without a scored attempt is missing.
- Clusters are groups of units that may go right and wrong together, such as the questions about one document. The
  *independent units* are the clusters if any has two units or more, and the units themselves otherwise.
- Intervals are at 95%.
"""
