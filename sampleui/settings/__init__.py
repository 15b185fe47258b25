"""Settings: what users, projects and the command line say, and the tables of their own for decks and runs."""
