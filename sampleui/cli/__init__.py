"""The command line: one file per subcommand, `output.py` the only place that prints.

Exit codes are the same everywhere: 0 all is well, 1 the command ran and found what it looks for (problems), 2 it
could not do what was asked (unreadable, refused, wrong usage), 130 interrupted, 141 the reader of the output went
away.
"""
