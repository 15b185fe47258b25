"""One public widget per file."""
