"""The dialects: what one is, those that are shipped, those of users, and the table guessed for a file of none."""
