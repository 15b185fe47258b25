"""What a sample means: dialects, messages and rules; and the sections in which it, or a record, is shown."""
