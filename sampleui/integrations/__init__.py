"""What is known of outside tools and formats: a folder each, behind one contract, imported for its files alone."""
