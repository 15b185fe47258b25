"""What an agent did: events, their extraction, and comparison with what was expected."""
