"""What stands in a sample for another value: variables of its texts, and of the environment."""
