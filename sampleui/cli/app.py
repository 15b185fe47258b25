"""Open the app on a deck, a list of decks, a run to review, or the traces of a run.

Nothing else of the command line imports the app, and this only when it is to run. Nothing here imports click.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.cli import output
from sampleui.cli.commands import COMMANDS
from sampleui.cli.output import FAILED
from sampleui.errors import DeckError, ResultsError
from sampleui.settings.options import Settings, Value, load_settings, project_file
from sampleui.text.confined import exists, is_folder, named, size_of
from sampleui.text.limits import MAX_READ_AT_ONCE_BYTES
from sampleui.text.patterns import is_glob

if TYPE_CHECKING:
    from sampleui.review.queue import ReviewOptions
    from sampleui.review.results.file import Results, Scored
    from sampleui.runs.records import RunRecords


def usual_start(args: Sequence[str]) -> Callable[[], int] | None:
    """Return what opens the app for the arguments of a usual start, None for any other command.

    A start without options waits for nothing it does not need: click alone would add a tenth to it.
    """
    match args:
        case [path] if not path.startswith("-") and path not in COMMANDS:
            return lambda: output.guarded(partial(author, [named(path)]))
        case ["review", path] if not path.startswith("-"):
            return lambda: output.guarded(partial(_review, named(path)))
        case ["trace", path] if not path.startswith("-") and output.interactive():  # else it is printed
            return lambda: output.guarded(partial(trace, named(path)))
    return None


def author(paths: Sequence[Path], dialect: str | None = None, **options: str | bool | None) -> int:
    """Open a deck in the terminal app, or list those of folders, globs and several files; return the exit code.

    Nothing is opened without a terminal, nor for a mistyped command: one line says so, and the exit code is 2.

    Args:
        paths: where the decks are, one path at least.
        dialect: the dialect to read a deck in.
        options: settings given on the command line, by name.

    Raises:
        DeckError: when there is no such file or folder.
    """
    first = paths[0]
    listed = len(paths) > 1 or is_folder(first) or is_glob(first)
    for path in paths:
        if (command := _near_command(path)) is not None:
            output.complain(f"sampleui: there is no file {path}; did you mean `sampleui {command}`?")
            return FAILED
        if listed and not exists(path) and not is_glob(path):
            raise DeckError("there is no such file or folder", path)
    if not output.interactive():
        shown = "decks cannot be listed" if listed else f"{first} cannot be shown"
        others = "`sampleui check` works" if listed else "`sampleui check` and `sampleui render` work"
        output.complain(f"sampleui: {shown} without a terminal; {others} without one")
        return FAILED
    settings = settings_beside(first, **options)
    if listed:
        return list_decks(paths, settings)
    if settings.provider != "openai":
        from sampleui.prompt.providers import known_provider  # the usual start must not wait for rendering

        known_provider(settings.provider)
    return edit_deck(first, settings, dialect)


def review(options: ReviewOptions, settings: Settings) -> int:
    """Open results in the review screen and return the exit code of the session.

    What the session would refuse is said before the app is there: results or a deck that cannot be read, a record
    that is not there, a draw that cannot be made.
    """
    from sampleui.review.results.file import open_results, scored_results
    from sampleui.review.verdict import person

    scored = scored_results(options.results, settings)
    if options.baseline is not None:
        open_results(options.baseline, asked=True)
    if not output.interactive():
        output.complain(
            f"sampleui: {options.results} cannot be reviewed without a terminal; "
            "`sampleui next` and `sampleui verdict` work without one"
        )
        return FAILED
    person(options.reviewer, options.results)
    if options.record_id or options.decks or options.sample is not None:
        _prove(options, scored.results, settings)
    return show_review(options, settings, scored)


def _review(results: Path) -> int:
    from sampleui.review.queue import ReviewOptions

    settings = settings_beside(results)
    return review(ReviewOptions(results, settings.reviewer_name, fail_under=settings.asked_threshold), settings)


def _prove(options: ReviewOptions, opened: Results, settings: Settings) -> None:
    """Raise if a record or a draw that is asked for does not exist, or a deck cannot be read."""
    from sampleui.review.session import draw, found_entry
    from sampleui.runs.decks import decks_of_run

    is_small = size_of(opened.path) <= MAX_READ_AT_ONCE_BYTES
    if options.record_id and is_small:
        found_entry(opened, options.record_id)
    design = options.sample
    if options.decks or design is not None:
        ran = decks_of_run(opened, options.decks, settings)
        if design is not None and is_small:
            draw(opened, design, settings.reviewer_name, ran.sample, settings.asked_threshold)


def trace(path: Path) -> int:
    """Open the traces of a results file in the trace screen and return the exit code of the session."""
    from sampleui.runs.records import open_run

    settings = settings_beside(path)
    return show_trace(open_run(path, settings=settings), settings, None)


def settings_beside(path: Path, **options: Value | None) -> Settings:
    """Return the settings for a file or a folder with options over them. Raises as `load_settings` does."""
    return load_settings(_folder(path), options)


def settings_for(path: Path, **options: Value | None) -> Settings:
    """Return what `settings_beside` does, and tell once what of its project's is left."""
    settings = settings_beside(path, **options)
    if settings.left:
        from sampleui.settings.project_remarks import left_words

        output.warn(f"{project_file(_folder(path))}: {left_words(settings.left)}")
    return settings


def _folder(path: Path) -> Path:
    return path if is_folder(path) else path.parent


def _near_command(path: Path) -> str | None:
    """Return the command that a path was probably meant to be: a bare name close to a command's, and no file's."""
    if path.suffix or path.parent != Path() or path.name in COMMANDS or exists(path):
        return None
    near = get_close_matches(path.name, COMMANDS, n=1)
    return near[0] if near else None


def edit_deck(path: Path, settings: Settings, dialect: str | None) -> int:
    """Open a deck in the author screen and return the exit code of the app."""
    with _starting():
        from sampleui.tui.app import run
        from sampleui.tui.opening import first_screen

        return run(first_screen(path, settings, dialect), settings)


def list_decks(paths: Sequence[Path], settings: Settings) -> int:
    """List the decks of folders, globs and files and return the exit code of the app."""
    with _starting():
        from sampleui.tui.app import run
        from sampleui.tui.workspace.screen import WorkspaceScreen

        return run(lambda: WorkspaceScreen(paths, settings), settings)


def show_review(options: ReviewOptions, settings: Settings, opened: Scored) -> int:
    """Show results that are open already in the review screen and return the exit code of the app."""
    from sampleui.review.presence import present

    with present(opened.results.path), _starting():
        from sampleui.tui.app import run
        from sampleui.tui.review.first_screen import first_review

        return run(first_review(options, settings, opened), settings)


def show_trace(records: RunRecords, settings: Settings, record_id: str | None) -> int:
    """Open records in the trace screen, beginning with the one of an id, and return the exit code of the app.

    Raises:
        ResultsError: if there is no such record.
    """
    index = 0 if record_id is None else records.find(record_id)
    if index is None:
        raise ResultsError(f"there is no record {record_id}", records.path)
    with _starting():
        from sampleui.tui.app import run
        from sampleui.tui.trace.screen import TraceScreen

        return run(lambda: TraceScreen(records, settings, index), settings)


@contextmanager
def _starting() -> Iterator[None]:
    """Keep what is typed while the app starts, and do without what only delays its first screen.

    The garbage collector is on again once the app is ready.
    """
    gc.disable()
    from sampleui.tui.terminal import keys_kept

    with keys_kept():
        yield
