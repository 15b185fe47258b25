"""Limits of the app: how much is read, edited or shown at once, so that no key waits for it."""

from __future__ import annotations

# Files

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

MAX_WIDTHS_BYTES = 1 << 16
"""The file of the widths that panes were given."""

MAX_PROJECT_FILES = 5000
"""Files of a project that are offered to be attached."""

# Texts

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

MAX_SEQUENCE = 256
"""Characters that the beginning of a sequence of a terminal may have, those of a pasted text apart."""

MAX_WRAPPED_TEXT = 30_000
"""Characters of a text that is wrapped at its spaces, at once; a longer one is cut at the width as drawn."""

# Values

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

# Samples and records

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
