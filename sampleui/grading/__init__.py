"""Assertions that need no model, evaluated again on an answer the way their runner does it."""
