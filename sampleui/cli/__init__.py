"""The headless face: one file per subcommand."""
