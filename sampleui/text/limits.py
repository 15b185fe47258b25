"""The one table of limits: on a file that may be a stranger's, and on what the app reads, edits or shows at once.

Without limits a small hostile file could hold up its reader, fill the memory, or end the program for want of stack.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Files

MAX_DECK_BYTES = 1 << 30
"""A file of a deck. It is held in memory as a whole, at up to four bytes a character."""

MAX_EDIT_BYTES = 16 << 20
"""A text that a command puts into a sample, or the lines of its edits: a text is spelled in several ways."""

MAX_JOURNAL_BYTES = 1 << 30
"""A journal of unsaved edits, which is read at a start."""

MAX_JOURNALS = 1_000
"""Journals of one deck, of as many sessions at once."""

MAX_SETTINGS_BYTES = 1 << 20
"""A file of settings, the project's included."""

MAX_FOLDER_DEPTH = 100
"""Folders below the one that is named that decks are looked for in, one in another."""

MAX_LISTED = 100_000
"""Names of one folder that are read."""

MAX_FILLED = 1 << 23
"""Characters that values of variables may add to a text, in which one may stand a thousand times."""

MAX_IGNORE_BYTES = 1 << 20
"""A `.gitignore`."""

MAX_ENV_BYTES = 1 << 20
"""A `.env` file."""

MAX_KEPT_RERUN_BYTES = 16 << 20
"""What a folder says of the rerun that is kept in it."""

MAX_CONFIG_BYTES = 256 << 10
"""A project's configuration that names its guidelines."""

MAX_ATTACHMENT_BYTES = 1 << 20
"""A file that a message attaches."""

MAX_OWNER_BYTES = 4 << 20
"""A file that is looked through for the name of another, as the deck which that one belongs to."""

MAX_GUESSED_BYTES = 1 << 20
"""Characters of the samples, but for one, that are looked at in a file that no dialect knows."""

MAX_INCLUSIONS = 50
"""Files on the way from a deck to one that it includes: following them recurses."""

MAX_FILES_OF_REFERENCE = 10_000
"""Files that one glob or folder among the references of a deck stands for."""

MAX_GIT_FILE_BYTES = 1 << 16
"""A small file of a git repository, such as the one that names where it is."""

MAX_GLOB_FILES = 1_000
"""Files that a glob of a message stands for."""

# Globs: they are matched by backtracking, which takes for ever where a row of wildcards meets a long name

MAX_WILDCARDS = 6
"""Wildcards in a glob that files of a folder are looked for by: each is tried on every name."""

MAX_MATCHED_FOLDERS = 10_000
"""Folders that are looked into for the files that a glob stands for."""

MAX_GUIDELINE_WILDCARDS = 5
"""Wildcards in a pattern of guidelines: it is tried on each attached file of each sample, at every rendering."""

MAX_GUIDELINE_FOLDERS = 3
"""`**` among these: each multiplies the ways through a path."""

MAX_GUIDELINE_LENGTH = 256
"""Characters of a pattern of guidelines."""

MAX_GUIDELINE_NAME = 512
"""Characters of a path that is tried on them."""

MAX_IGNORE_WILDCARDS = 10
"""`*` in a line of a `.gitignore`: it is tried on every path below its folder."""

MAX_ALTERNATIVES = 100
"""Globs that the braces of a glob in a file stand for."""

MAX_TYPED_ALTERNATIVES = 1_000
"""The same of a glob on the command line, which is the user's own."""

# Samples and values

MAX_SAMPLES = 1_000_000
"""Lines of JSON Lines, and rows of a table."""

MAX_SCENARIO_SAMPLES = 100_000
"""Samples that the scenarios of one file make: 1,000 by 1,000 entries would fill the memory."""

MAX_COLUMNS = 10_000
"""Columns of a table: an edit of a header is one of every row."""

MAX_VOTING_KEYS = 200
"""Keys of a table that is written anew, of which each asks all others for its place."""

MAX_REPLACED = 100_000_000
"""Values that are replaced in a sample, times its characters: each is an edit, proved by reading it again."""

MAX_CELL_NUMBER = 400
"""Characters of a cell that is read as a number."""

MAX_JSON_DEPTH = 200
"""Levels of lists and tables in JSON: reading and comparing values recurse, and Python's stack is short."""

MAX_JSON_VALUES = 5_000_000
"""Brackets and commas of a text of JSON."""

MAX_TOML_DEPTH = 200
"""Levels of lists and tables in TOML."""

MAX_TOML_MARKS = 4_000_000
"""Brackets, commas, equals signs, quotes and backslashes of a TOML file."""

MAX_TOML_STEPS = 1_000_000
"""Dots of the keys, headers and numbers of a TOML file: each step of a key is a table in the memory."""

MAX_TOML_ITEMS = 400_000
"""Brackets and commas of the samples in one piece of a TOML file, those in texts and comments left out."""

MAX_TOML_DIGITS = 500_000
"""Digits in a row: tomli tries them as a number, which takes time in the square of their count."""

MAX_YAML_DEPTH = 150
"""Levels of nesting in YAML: reading and comparing values recurse, and Python's stack is short."""

MAX_YAML_EXPANDED = 250_000
"""Values that the aliases of a YAML file may stand for in all, so that an alias bomb ends in an error."""

MAX_YAML_FILE_NODES = 1_000_000
"""Nodes of a whole YAML file."""

MAX_YAML_PIECE_NODES = 300_000
"""Nodes of one sample, the head or the tail of a YAML file."""

MAX_YAML_DIGITS = 4_000
"""Digits of an integer; what has more is a text, as Python reads no number of more than 4,300."""

MAX_MARKDOWN_LENGTH = 5_000_000
"""Characters of a deck of prose, whose references are found by a pattern."""

MAX_WRITTEN_DEPTH = 150
"""Levels of a value that a caller gives to be written: what has more could not be read again."""

MAX_WRITTEN_BITS = 14_000
"""Bits of a number that a caller gives to be written: Python reads and writes no more than 4,300 digits."""

MAX_REFERENCE_DEPTH = 10
"""References of a value that lead to others."""

MAX_REFERENCED_VALUES = 100_000
"""Values that are looked at, those among them that references stand for: these may lead to others many times."""

MAX_TESTS_OF_SAMPLE = 1_000
"""Tests that one sample may stand for, by variables that are lists, to be found by them."""

MAX_ALIKE_TESTS = 100
"""Tests with the same values that are looked at to see whether they are the same."""

MAX_VARIABLE_TEXT = 100_000
"""Characters of a variable that other variables are put into."""

MAX_ARGUMENT_DEPTH = 200
"""Levels of the arguments of a call, as deep as any format is read."""

MAX_LOOKALIKE_LENGTH = 200_000
"""Characters of the longer of two texts up to which they are searched for letters that look alike."""

MAX_GRAPHEME_LENGTH = 512
"""Code points before a place among which the character that one sees there begins."""

MAX_SCHEMA_STEPS = 500
"""References and alternatives of a tool's schema that are followed for one argument: a stranger's may never end."""

MAX_NEW_ARGUMENTS_DEPTH = 6
"""Tables in tables that a new call begins with: a type may hold itself."""

MAX_MERGED_PARTS = 4_000
"""Words, lines or items that are merged: of more, what differs may take minutes to find."""

# Results, traces and reviews

MAX_RESULTS_LINE = 64 << 20
"""Bytes of a line of results."""

MAX_RESULTS_BYTES = 256 << 20
"""A file of results that has to be read as a whole; lines may be as many as there are."""

MAX_TOLD_BYTES = 4 << 20
"""The beginning of a file of results by which its tool is told."""

MAX_DIAGNOSTICS = 1_000
"""Rows that cannot be read, of which each is told."""

MAX_TRACE_BYTES = 64 << 20
"""A file that holds the trace of a record."""

MAX_PICTURE_BYTES, MAX_PICTURE_POINTS = 32 << 20, 40_000_000
"""A picture that is drawn when somebody asks to see it."""

MAX_PICTURE_BYTES_UNASKED, MAX_PICTURE_POINTS_UNASKED = 1 << 20, 4_000_000
"""A picture that is drawn as soon as what it is in is shown."""

MAX_ALIGNED_CALLS = 1_000_000
"""Pairs of calls in the table by which a run is aligned with a golden trajectory."""

MAX_LOG_BYTES = 1 << 30
"""A file that only grows, such as a log of decisions: the largest that is taken for lines written key by key."""

MAX_WORD_PAIRS = 50_000
"""Pairs of equal words or lines looked at for the difference of two texts; with more, coarser parts are used."""

MAX_ARCHIVE_SUM = 1 << 28
"""Bytes that all members of a small archive unpack to."""

MAX_ARCHIVE_RATIO = 300
"""How many times its own size the members of a larger archive unpack to; those of logs do to 10 to 50 times."""

MAX_ARCHIVE_CONTENTS = 512 << 20
"""Bytes of the longest table of contents of an archive that is read."""

MAX_ARCHIVE_MEMBER = 512 << 20
"""Bytes of the longest member of an archive that is read as a whole."""

MAX_LOG_HEADER = 64 << 20
"""Bytes of the header of a log."""

MAX_LIST_ITEM = 64 << 20
"""Characters of the longest item of a list that is read while it is unpacked."""

MAX_ATTACHED_TEXT = 256 << 20
"""Characters that attachments may amount to in one record, each time they are named counted."""

MAX_GIVEN_MESSAGES = 5_000_000
"""Messages that all steps of a sample may name as their input; beyond that no more are looked at."""

MAX_RUN_FILE = 64 << 20
"""A file in which a run keeps a part of a record."""

MAX_SESSION_BYTES = 1 << 30
"""A session of a coding agent, and all files of its sub-agents together."""

MAX_AGENT_FILES = 20_000
"""Files of sub-agents that are read for a session."""

MAX_WORKFLOW_RESULT = 20_000
"""Characters of what began a workflow in which the name of that is looked for."""

MAX_SIDECAR_BYTES = 1 << 20
"""A file that says something of another one beside it."""

MAX_KEPT_SAMPLE = 4 << 20
"""The sample that a run kept with a record."""

MAX_RUN_DEPTH = 5
"""Folders in folders that runs are looked for in."""

MAX_RUN_FOLDERS = 5_000
"""Folders of runs that are looked into."""

MAX_EARLIER_LOGS = 200
"""Logs beside one from which decisions are carried over."""

MAX_SIGN_DEPTH = 6
"""Tables in tables of a row that are looked through for what says that it failed."""

MAX_GUESSED_DEPTH = 3
"""Tables in tables of a file that no dialect knows that lists of rows and meanings of values are looked for in."""

MAX_REDACTED_DEPTH = 100
"""Levels of JSON in a text; a deeper one that has the name of a field is redacted as a whole."""

MAX_TRIALS = 1_000_000
"""Attempts that a record may stand for; of more it is taken to be one."""

MAX_MEASURED_RECORDS = 20_000
"""Records up to which each is read for what it cost."""

MAX_LINE_PAIRS = 4_000_000
"""Pairs of lines of two texts that are compared line by line."""

MAX_WORD_LENGTH = 1_000
"""Characters of a word that the beginning of a difference is not put into."""

MAX_RUN_DECKS = 200
"""Decks of a folder that records of a run are looked for in."""

MAX_LOOKED_FOR_BYTES = 8 << 20
"""Bytes of files that are looked through for a deck that nothing names."""

MAX_READ_AT_ONCE_BYTES = 64 << 20
"""Bytes up to which a file of results is read to its end before the next record of it is returned."""

MIN_STREAMED_BYTES = 8 << 20
"""Bytes from which on records are not kept in memory, unless they are shown or somebody decided about them."""

MAX_FEEDBACK_BYTES = 16 << 20
"""A file in which a tool keeps what people say of a run."""

MAX_SERIES_RUNS = 50
"""The newest runs that a series shows."""

MAX_FLIPS = 1_000
"""Samples that flipped and are listed."""

MAX_EMPTY_GROUPS = 100
"""Combinations of values without a record that are listed."""

MAX_LISTED_TRIES = 1_000
"""Samples whose attempts are listed."""

MAX_BASELINE_RECORDS = 20_000
"""Records of a run that are held against the baseline among its targets: their rows are read again."""

MAX_PAGE_BYTES = 9_000_000
"""Bytes of records that a page has room for: it must stay something to send."""

MAX_PAGE_CELLS = 60_000
"""Cells of the matrix that a page shows."""

MAX_MARKDOWN_TEXT, MAX_MARKDOWN_RECORDS = 4_000, 400_000
"""Characters of a text, and of all records in full, in a report in Markdown, which a person or an agent reads."""

MAX_ANSWERED_TEXT, MAX_ANSWERED_RECORDS = 4_000, 400_000
"""Likewise in JSON, which programs read."""

MAX_PAGE_TEXT = 20_000
"""Characters of a text that a page shows; of a part of a trace a fifth."""

MAX_RERUN_BYTES = 512 << 20
"""Bytes that a call of a rerun may write into its folder."""

MAX_RERUNS_AT_ONCE = 1_000
"""How often samples are run again with one command."""

# Records and samples as they are read

MAX_PROSE = 40_000
"""Characters of a text that are read as Markdown or as JSON; a longer one is shown as it is."""

MAX_QUOTED = 4
"""Quotes of Markdown in each other that are told apart."""

MAX_PROSE_COLUMNS = 50
"""Columns of a table of Markdown."""

MAX_STRETCH, STRETCH_BEFORE = 100_000, 500
"""Characters of a text that are drawn at once, and how many of them before what is looked for in it."""

MAX_COMPARED_STRETCH = 25_000
"""Characters of each of two texts, one of which is longer than `MAX_STRETCH`, that are compared word by word."""

MAX_SHOWN_VALUE = 200_000
"""Characters of JSON and of code that are shown."""

MAX_SHOWN_MESSAGES = 200
"""Messages of a conversation that are shown."""

MAX_SHOWN_FIELDS = 100
"""Fields that are shown where no view says which."""

MAX_TABLE_ROWS = 200
"""Rows of a table that are shown."""

MAX_TABLE_COLUMNS = 12
"""Columns of it."""

MAX_TABLE_CELL = 200
"""Characters of a cell of it."""

MAX_VIEW_FIELDS = 200
"""Fields of a view."""

MAX_GUESSED_FIELDS = 30
"""Fields of a view that is made of rows."""

# Mistakes that are explained

MAX_EXPLAINED_LENGTH = 2_000_000
"""Characters of a file in which the cause of an error is looked for."""

MAX_EXPLAINED_LINE = 2_000
"""Characters of a line that is looked at for it."""

# Files that the app reads, so that no key waits for it

LARGE_DECK_BYTES = 4 * 1024 * 1024
"""Bytes from which a deck is read while the screen is up already."""

LARGE_LINES_BYTES = 128 * 1024 * 1024
"""The same of JSON Lines, which are only cut into lines: that takes no longer than to parse a 30th of it."""

RESULTS_READ_AT_ONCE = 1 << 20
"""Bytes up to which a results file is read before the screen is up."""

MAX_REWORDING_BYTES = 64 << 20
"""Bytes up to which the records of a file are looked through for expectations that have changed."""

MAX_SEARCHED_BYTES = 1 << 30
"""A file that is looked through for a text."""

MAX_THEME_BYTES = 1 << 20
"""A file of a theme."""

MAX_METADATA_BYTES = 1 << 20
"""Bytes of a file that says what the records of a run have in common."""

MAX_WIDTHS_BYTES = 1 << 16
"""The file of the widths that panes were given."""

MAX_PROJECT_FILES = 5000
"""Files of a project that are offered to be attached."""

# Texts in the app

MAX_EDITED_TEXT = 200_000
"""Characters of a text that is edited in the app: a text area takes a tenth of a second a key from there on."""

MAX_EDITED_LINE = 20_000
"""Characters of a line of it."""

MAX_UNDO_STEPS = 10_000
"""Steps that can be undone while a text is edited."""

MAX_LINES_AROUND_ERROR = 20_000
"""Lines of a broken file that are shown around its error."""

MAX_COLOURED_ROW = 2000
"""Characters of a row that is coloured as code: no screen is that wide."""

MAX_MARKED_TEXT = 200
"""Characters of a searched text that are looked for in rows."""

MAX_REASON = 5000
"""Characters of what is told of an error: a path alone may have 4,096."""

MAX_SEQUENCE_BYTES = 4096
"""What a sequence of a terminal may have to be read, such as the text of a key; a longer one is dropped."""

MAX_WRAPPED_TEXT = 30_000
"""Characters of a text that is wrapped at its spaces, at once; a longer one is cut at the width as drawn."""

# Values in the app

MAX_UNFOLDED_VALUE = 1500
"""Characters of JSON, or of text, of a value of a sample that is not folded unasked."""

MAX_UNFOLDED_ITEMS = 30
"""Items of a value that is not folded unasked."""

MAX_SHOWN_DEPTH = 12
"""Levels of a value that are shown below each other."""

MAX_UNFOLDED_JSON = 100_000
"""Characters of JSON of an event's value that is shown in full unasked."""

MAX_COUNTED_SIZE = 20_000
"""Characters of JSON that are counted to tell a size."""

# Samples and records in the app

MAX_SAMPLES_FOR_TAGS = 2000
"""Samples whose tags are offered."""

MAX_FORMER_PLACES = 50
"""Places that one can go back to."""

MAX_JUDGED_AT_ONCE = 8
"""Samples that are judged with the edit that touched them; more of them are judged in portions."""

MAX_SAMPLES_AT_ONCE = 2_000
"""Samples up to which a deck is looked through while the screen of a review is made."""

MAX_EARLIER_RECORDS = 2_000
"""Records of the run before, up to which that is read to show answers beside its own."""

MAX_SIDES = 24
"""Answers that are shown side by side."""

MAX_FILTER_CHOICES = 200
"""Choices of a filter that are listed."""

MAX_WEIGHED_NAMES = 1000
"""Names that are weighed; a name that does not hold the letters in order is none of them."""

MAX_COMPLETIONS = 2_000
"""Names that a shell is offered."""

MAX_FOLLOWED_BYTES = 64 << 20
"""Bytes of a run that is read again whenever it has grown; of a larger one it is said that it has."""

# Time


class TookTooLongError(Exception):
    """What was done inside `limited` was stopped."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what is done inside after a time. Matching looks for signals, which only the main thread gets.

    Raises:
        TookTooLongError: when it took longer.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


MAX_SHARERS_READ = 300
"""Samples that are read to tell whether a sign in their text is an alias; of further ones the sign alone counts."""
