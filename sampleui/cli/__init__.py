"""The command line: one file per subcommand, `output.py` the only place that prints.

Exit codes are the same everywhere: 0 if all is well; 1 if the command ran and found what it looks for (problems);
2 if it could not do what was asked (unreadable, refused, wrong usage); 130 if it was interrupted; 141 if the reader
of the output went away.
"""
