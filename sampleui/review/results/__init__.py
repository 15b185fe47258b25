"""Files of results: which reader and which adapter a file is for, and its records."""
