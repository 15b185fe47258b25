"""What stands in a sample for something else: variables, and references."""
