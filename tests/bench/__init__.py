"""Benchmarks: `make bench`. Never part of the tests, for a shared machine makes no promises."""
