"""Logs of Inspect, read as records: `.eval` archives and `.json` files. No log is ever written."""
