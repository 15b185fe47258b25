"""promptfoo's prompts: what its configs say, and what is made of it for a test."""
