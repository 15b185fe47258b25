"""What a sample means: dialects, messages and rules."""
