"""What is known of an integration before it is imported: the entry that its package declares.

Every start reads all entries, so this imports nothing but what is always there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

TOP = "[]"
"""In signs: the samples are the file itself, and under no key."""


class LogSigns(NamedTuple):
    """How a file is recognized that is the log of a run, whatever is in its rows.

    Attributes:
        suffix: how the name of such a file ends; empty if names do not tell.
        starts: how the bytes of one begin.
        words: what stands all in the beginning of a JSON object that is one; none if words do not tell.
        begins: a pattern for how the text of one begins; "" if that does not tell.
    """

    suffix: str = ""
    starts: tuple[bytes, ...] = ()
    words: tuple[bytes, ...] = ()
    begins: str = ""

    def is_named_or_begins(self, path: Path, head: bytes) -> bool:
        """Tell whether a file is a log by its name or its first bytes."""
        named = bool(self.suffix) and path.suffix.lower() == self.suffix
        return named or head.startswith(self.starts) or self.begins_so(head)

    def begins_so(self, head: bytes) -> bool:
        """Tell whether a text begins as `begins` says."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return bool(self.begins) and re.match(self.begins.encode(), start) is not None

    def may_be_json(self, head: bytes) -> bool:
        """Tell whether a text begins as a log in JSON does."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return bool(self.words) and start.startswith(b"{") and all(word in head for word in self.words)


class RunFolder(NamedTuple):
    """How a folder is recognized that a program keeps a run in.

    Attributes:
        records: the path, from the folder, of the file that lists the records.
        needs: files of which one must be there as well; none if that file is enough.
    """

    records: str
    needs: tuple[str, ...] = ()


class IndexEntry(NamedTuple):
    """What is known of an integration before it is imported. Whatever is left out, it is never asked for.

    A sign is keys with blanks between them that are all at hand; any one of several signs is enough.

    Attributes:
        name: its name, which is also the value of `Dialect.integration` in its dialects.
        module: the package of its modules, or the one module that has all its constants; by default that of the
            entry.
        modules: those that it has of the modules of fixed names (`PARTS` of `integration.py`). A constant whose
            module it has not stands in the first of them.
        dialects: the names of the dialects that it brings, in the order to try them.
        signs: signs at hand wherever one of its dialects can be recognized: keys of samples (with a dot those of
            the tables in a list under a key), keys beside them, and keys they are under, or `TOP`.
        containers: keys that samples of its dialects are under, but for the usual ones (`CONTAINERS` of
            `formats/data.py`), which are looked for in every file.
        broken_signs: keys by which the text of a file that cannot be read is taken for a deck of it.
        result_dialect: the name of the spelling of the rows of its results, which users' tables cannot have.
        row_signs: signs in a row wherever it reads one.
        reads_others: whether these are keys of others' rows too, so that others are asked first: the higher, the
            later.
        documents: keys of documents in which it knows where rows are that stand under keys of their own.
        yaml_results: a pattern for how its results in YAML begin.
        log: how the logs of its runs are recognized.
        run_folders: how the folders of its runs are recognized.
        run_files: patterns for the names of its runs that are a file each.
        opens_folders: whether a folder of any name may be a run of it that lists its records nowhere.
        folders: a pattern for the names of folders that are a run without a list of its records, with its number
            among the runs beside it as the first group; "" if it has no such runs.
        files: keys of rows that name files in which its runs keep parts of a record.
        summaries: how a key ends that a document has which sums up its results without records.
        transcripts: keys of which each transcript has one that it writes to a file of its own.
        takes_verdicts: whether its program keeps what people said of a run in a file.
        settings_folder: the folder of its settings, which marks the root of a project. Its `config.yaml` may have
            `guideline_patterns`.
        makes: words of which one is in the text of a YAML or JSON file with values that it makes samples of.
        style: the style of prompts that is its program's own.
        checks: how the types of assertions begin that are about what was called and that it may judge.
        judges_runs: whether its program judges what was called as it runs, which its trajectories tell of a record.
    """

    name: str
    module: str = ""
    modules: tuple[str, ...] = ()
    dialects: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    broken_signs: tuple[str, ...] = ()
    result_dialect: str = ""
    row_signs: tuple[str, ...] = ()
    reads_others: int = 0
    documents: tuple[str, ...] = ()
    yaml_results: str = ""
    log: LogSigns | None = None
    run_folders: tuple[RunFolder, ...] = ()
    run_files: tuple[str, ...] = ()
    folders: str = ""
    opens_folders: bool = False
    files: frozenset[str] = frozenset()
    summaries: tuple[str, ...] = ()
    transcripts: frozenset[str] = frozenset()
    takes_verdicts: bool = False
    settings_folder: str = ""
    makes: tuple[str, ...] = ()
    style: str = ""
    checks: tuple[str, ...] = ()
    judges_runs: bool = False
