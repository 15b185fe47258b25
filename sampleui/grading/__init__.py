"""Assertions that need no model: evaluated again on an answer, as their runner does."""
