"""`sampleui code`: the kinds of failure of a project, in `failures.md`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from sampleui.cli import output
from sampleui.cli.arguments import answer_option
from sampleui.cli.opened_run import OpenedRun, on_run
from sampleui.cli.run_options import program_option
from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.review.codes import FailureCode, add_codes, merge_codes, rename_code
from sampleui.review.labels import codes_of, is_current, propose_code, renamed_by_hand, taken_by_code
from sampleui.review.log.store import Log
from sampleui.review.verdict import Decision, LabelValue
from sampleui.settings.reviewers import is_program
from sampleui.text.confined import read_whole
from sampleui.text.limits import MAX_SETTINGS_BYTES
from sampleui.text.visible import one_line
from sampleui.text.wording import counted


@click.group("code")
def command() -> None:
    """The codes of a run, which are kinds of failure that people name: add, rename, merge and list them.

    They are in the nearest failures.md from the run up to the root of its project: a heading ## is a code, its
    first paragraph the definition. If there is none, it is made beside the deck, or beside the run.
    """


@command.command("add")
@on_run(program_option)
@click.argument("name", metavar="NAME")
@click.argument("definition", metavar="DEFINITION", default="")
@click.option("--example", "examples", multiple=True, metavar="QUOTE", help="A quote for it; may be repeated.")
@answer_option()
def add(*, run: OpenedRun, name: str, definition: str, examples: tuple[str, ...]) -> int:
    """Add a code to those of RESULTS, with a DEFINITION in a sentence.

    With --as agent:NAME it is proposed, for a person to take or to refuse. NAME may be a Markdown file that ends in
    .md: the codes are read from its headings then.

    Example: sampleui code add run.jsonl 'wrong date' 'The date is not that of the order.'

    Exit codes: 0 it is added or proposed, 2 it is not.
    """
    log, who = run.carried_log, run.reviewer
    new = [FailureCode(name, definition, examples)]
    if name.endswith(".md") and not definition:
        from sampleui.review.label_files import taxonomy_in

        try:
            new = [*taxonomy_in(read_whole(Path(name), MAX_SETTINGS_BYTES).decode("utf-8", "replace"))]
        except OSError as error:
            raise EditRefusedError(f"{name}: it cannot be read: {error.strerror or error}") from error
        bare = [code.name for code in new if not code.text]
        new = [code for code in new if code.text]
        if not new:
            raise EditRefusedError(f"{name} has no heading with a definition, as a code has one")
        if bare:
            output.complain(f"{name}: left out, without a definition: {one_line(', '.join(bare), 400)}")
    book = log.codebook.checked()
    if is_program(who):
        for code in new:
            if book.find(code.name) is None or book.digest(code.name) != code.digest:
                propose_code(log, code, who)
    else:
        add_codes(book, new)
    return _done(f"{'proposed' if is_program(who) else 'added'} {', '.join(code.name for code in new)}", log, who)


@command.command("rename")
@on_run(program_option)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@answer_option()
def rename(*, run: OpenedRun, old: str, new: str) -> int:
    """Rename the code OLD of RESULTS to NEW; its labels stay its labels.

    The line "Formerly: OLD" comes under its heading. It may also be the name that a heading had before somebody
    changed it by hand.

    Exit codes: 0 it is renamed or proposed, 2 it is not.
    """
    return _in_place(run, old, new, merges=False)


@command.command("merge")
@on_run(program_option)
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="TARGET")
@answer_option()
def merge(*, run: OpenedRun, source: str, target: str) -> int:
    """Merge the code SOURCE of RESULTS into TARGET, whose definition holds.

    Labels of SOURCE are of TARGET then, and of another definition, and are counted apart as such.

    Exit codes: 0 they are merged or it is proposed, 2 they are not.
    """
    return _in_place(run, source, target, merges=True)


def _in_place(run: OpenedRun, old: str, new: str, *, merges: bool) -> int:
    """Have a code stand in place of another one, or propose it, and say so."""
    log, who = run.carried_log, run.reviewer
    book = log.codebook.checked()
    how = f"{old} into {new}" if merges else f"{old} to {new}"
    if not is_program(who):
        (merge_codes if merges else rename_code)(book, old, new)
        return _done(f"{'merged' if merges else 'renamed'} {how}", log, who)
    for name in (old, new) if merges else (old,):
        if book.find(name) is None:
            raise EditRefusedError(f"there is no code {name}")
    code = book.find(new if merges else old)
    propose_code(log, FailureCode(new, "" if code is None else code.text, formerly=(old,)), who)
    return _done(f"proposed to {'merge' if merges else 'rename'} {how}", log, who)


def _done(words: str, log: Log, who: str) -> int:
    path = log.path if is_program(who) else log.codebook.path
    output.answer(f"{words} in {path}", file=str(path))
    return 0


@command.command("list")
@on_run()
@answer_option()
def list_codes(*, run: OpenedRun) -> int:
    """List the codes of RESULTS, with their definitions and how many records have which label.

    Labels that people gave count, and of each person the last one of a record. Those of another definition than a
    code has now are counted apart, and so is what programs propose. --format json prints {"file", "codes",
    "proposed"}; a code has "name", "definition" (null for none), "digest", "formerly", "examples", "yes", "no",
    "cannot_say" and "other_definition".

    Exit codes: 0 they are listed, 2 a file could not be read.
    """
    log = run.carried_log
    book = log.codebook.checked()
    here = {entry.digest for entry in run.results.indexed().counted}
    labels = [label for record in log.labelled & here for label in log.labels(record)]
    rows: list[Table] = [_row(log, name, labels) for name in codes_of(log)]
    proposed: list[Plain] = [
        {"name": item.code, "definition": item.comment or None, "formerly": item.formerly, "by": item.reviewer}
        for item in log.open_proposals("")
    ]
    renamed = [*renamed_by_hand(log)]
    if output.in_json():
        taken: list[Plain] = [
            {"by": who, "code": code, "proposed": item.proposed, "taken": item.taken, "refused": item.refused}
            for (who, code), item in taken_by_code(log).items()
        ]
        again: list[Plain] = [{"from": old, "to": new} for old, new in renamed]
        output.json_value(
            {
                "file": str(book.path),
                "codes": [*rows],
                "proposed": proposed,
                "programs": taken,
                "renamed_by_hand": again,
            }
        )
        return 0
    output.line(
        f"{counted(len(rows), 'code')} in {book.path}{'' if book.is_there else ', which does not exist yet'}"
    )
    for row in rows:
        apart = f", {row['other_definition']} of another definition" if row["other_definition"] else ""
        output.line(
            f"{row['name']}: {row['yes']} yes, {row['no']} no, {row['cannot_say']} cannot say{apart}; "
            f"{row['definition'] or 'it has no definition'}"
        )
    for old, new in renamed:
        renaming = f"code rename RESULTS {quote(old)} {quote(new)}"
        output.line(f"{new} has the definition of {old}: {renaming} keeps its labels")
    for item in log.open_proposals(""):
        said = f": {one_line(item.comment, 2_000)}" if item.comment and item.formerly is None else ""
        output.line(f"{item.reviewer} proposes {item.verdict_words.removeprefix('proposed ')}{said}")
    for (who, code), tally in taken_by_code(log).items():
        output.line(
            f"{who}, {code}: {tally.taken} of {tally.proposed} proposed labels taken, {tally.refused} refused"
        )
    return 0


def _row(log: Log, name: str, labels: list[Decision]) -> Table:
    code = log.codebook.find(name)
    own = [label for label in labels if label.code == name]
    now = [label for label in own if is_current(label, log.codebook)]
    counts = {value: len({label.record for label in now if label.label is value}) for value in LabelValue}
    return {
        "name": name,
        "definition": code.text or None if code is not None else None,
        "digest": code.digest if code is not None else "",
        "formerly": [*code.formerly] if code is not None else [],
        "examples": [*code.examples] if code is not None else [],
        "yes": counts[LabelValue.YES],
        "no": counts[LabelValue.NO],
        "cannot_say": counts[LabelValue.UNSURE],
        "other_definition": len({label.record for label in own} - {label.record for label in now}),
    }
