"""Tests of the integrations: the index of them, and each behind the contract."""
