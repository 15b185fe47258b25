"""`sampleui get`, `set`, `insert`, … and `edit`: every edit of the app, for programs and scripts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from sampleui.cli import output
from sampleui.cli.arguments import (
    FILE,
    answer_option,
    dialect_option,
    dry_run_option,
    program_named,
    sample_option,
    shared_option,
    with_options,
)
from sampleui.cli.check_reports import complain_of_problems, findings_data, new_findings
from sampleui.cli.completion import value_paths
from sampleui.cli.deck_arguments import text_of
from sampleui.cli.output import FAILED
from sampleui.deck.diff import diff, in_brief
from sampleui.errors import DeckError, EditError, PathError, SampleUIError, SaveError, StaleFileError
from sampleui.formats.data import DataPath, Plain, Table, lookup, shown, typed_json
from sampleui.review.verdict import ProposalState
from sampleui.sample.value_names import path_of
from sampleui.text.diagnostic import PROBLEMS
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck, open_deck
from sampleui.workspace.edit_requests import (
    BESIDE,
    EditOp,
    EditRequest,
    RequestError,
    Shared,
    deck_hash,
    json_text,
    make_edits,
    mean_the_same,
    requests_in,
    sample_index,
    sample_names,
    sample_number,
)
from sampleui.workspace.proposed_edits import UNNAMED, ProposedEdit, propose
from sampleui.workspace.samples import located

_ATTEMPTS = 50
"""How often a deck is read and edited again that another program wrote meanwhile."""

_Asks = Callable[..., Sequence[EditRequest]]
"""Returns the edits that the options of a command ask for."""

_deck = click.argument("deck", type=FILE)
_some_sample = sample_option("sample", "The sample; #N is the N-th.", default=BESIDE)
_beside = click.option("--beside", is_flag=True, help="A value that the file holds beside its samples.")
_sample = sample_option("sample", "The sample; #N is the N-th.", required=True)
_WHERE = "Where in the sample, such as 'messages[1].content'."
_path = click.option("--path", metavar="PATH", required=True, help=_WHERE, shell_complete=value_paths)


_at_path = with_options(_some_sample, _beside, _path)
_values = with_options(
    click.option("--value", "texts", metavar="TEXT", multiple=True, help="A text."),
    click.option("--json", "written", metavar="JSON", multiple=True, help="A value as JSON."),
    click.option("--file", "files", type=FILE, multiple=True, help="A text: that of a file; - is standard input."),
)
_edit_options = with_options(
    _deck,
    dry_run_option,
    answer_option(),
    click.option("--expect", metavar="HASH", help="Refuse if the deck is not the one of this hash."),
    click.option(
        "--propose", is_flag=True, help="Write nothing into the deck: a person takes or refuses the edit."
    ),
    click.option("--as", "agent", metavar="agent:NAME", help="Who proposes it."),
    click.option("--comment", metavar="TEXT", default="", help="Why it is proposed."),
    shared_option,
    dialect_option,
)


@click.command("get")
@_deck
@_some_sample
@_beside
@click.option(
    "--path",
    metavar="PATH",
    default="",
    help="Where in the sample; all of it if not given.",
    shell_complete=value_paths,
)
@answer_option()
@dialect_option
def get(*, deck: Path, sample: str, beside: bool, path: str, dialect: str | None) -> int:
    """Print a value of a sample of DECK: a text as it is, any other value as JSON.

    Without --sample the ids of the samples are printed, #N for one that has none of its own; with --path the value
    of each sample behind its id, as JSON. --format json adds the place of the value in the file, and the hash of
    the deck for --expect.

    Example: sampleui get decks/hello.toml --sample greeting --path 'messages[0].content'

    Exit codes: 0 it is printed, 2 there is none.
    """
    opened = open_deck(deck, dialect)
    try:
        steps = path_of(path) if path else ()
        if not (sample or beside):
            return _print_values(opened, steps) if path else _print_ids(opened)
        _named_once(sample, beside=beside)
        index = sample_index(opened, EditRequest(EditOp.SET, sample, steps))
        value = lookup(opened.sample_at(index).data, steps)
    except EditError as error:
        return _refused(error, deck)
    if not output.in_json():
        output.text_value(json_text(value))
        return 0
    output.json_value({"value": value, **_location(opened, index, steps), "hash": deck_hash(opened.files)})
    return 0


def _location(deck: Deck, index: int, path: DataPath) -> Table:
    """Return where a value of a sample is; nothing for one beside the samples."""
    if index < 0:
        return {}
    number, inner = deck.files.locate(index)
    source = deck.files.sources[number]
    position = located(source.document, inner, path)
    return {"file": str(source.path), "line": position.line, "column": position.column}


def _print_values(deck: Deck, path: DataPath) -> int:
    """Print the value at a path of each sample that has it, and how many have none; 2 where no sample has it."""
    values: list[Plain] = []
    for sample, name in zip(deck.samples, sample_names(deck), strict=True):
        with suppress(PathError):
            value = lookup(sample.data, path)
            values.append({"sample": name, "value": value, **_location(deck, sample.index, path)})
            if not output.in_json():
                output.line(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}")
    without = len(deck.samples) - len(values)
    if output.in_json():
        output.json_value({"values": values, "without": without, "hash": deck_hash(deck.files)})
    if without and (not output.in_json() or not values):
        output.complain(f"{deck.path}: {counted(without, 'sample')} without {shown(path)}")
    return 0 if values else FAILED


def _print_ids(deck: Deck) -> int:
    ids = sample_names(deck)
    if output.in_json():
        output.json_value({"samples": [*ids], "hash": deck_hash(deck.files)})
        return 0
    for name in ids:
        output.line(name)
    return 0


class _EditOptions(NamedTuple):
    """How edits are to be made, and what is printed of them: the options of every command that edits.

    Attributes:
        proposed_by: who proposes the edits, which are not made then; None to make them.
    """

    dry_run: bool
    expect: str | None
    dialect: str | None
    proposed_by: str | None = None
    comment: str = ""


def _edits(name: str) -> Callable[[_Asks], click.Command]:
    """Make a command that edits DECK of a function that returns which edits its own options ask for."""

    def command(asks: _Asks) -> click.Command:
        @wraps(asks)
        def run(
            *,
            deck: Path,
            dry_run: bool,
            expect: str | None,
            dialect: str | None,
            propose: bool,
            agent: str | None,
            comment: str,
            shared: str | None,
            **options: Any,
        ) -> int:
            if "beside" in options:
                _named_once(options["sample"], beside=options.pop("beside"))
            proposed_by = _proposer(agent, comment, propose=propose)
            asked = _EditOptions(dry_run, expect, dialect, proposed_by, comment)
            return _edit(deck, asked, lambda: [_sharing(item, shared) for item in asks(**options)])

        return click.command(name)(_edit_options(run))

    return command


@_edits("set")
@_some_sample
@_beside
@click.option(
    "--path", "paths", metavar="PATH", required=True, multiple=True, help=_WHERE, shell_complete=value_paths
)
@_values
def set_value(*, sample: str, paths: tuple[str, ...], **values: tuple[str | Path, ...]) -> Sequence[EditRequest]:
    """Set the value at a path of a sample of DECK; keys on the way to it that are missing are made.

    Several paths are set at once, each to the value at its place: all by --value, or all by --json. The path
    'assert[+]' appends to a list. The rest of the file stays as it is, to the byte. The diff is printed.

    Example: sampleui set decks/hello.toml --sample greeting --path 'messages[0].content' --value 'Good morning'

    Exit codes: 0 it is written, or nothing had to change; 1 it is written, and `sampleui check` finds problems that
    were not there before; 2 it is refused, with the rule, the place, and what would be allowed.
    """
    return [EditRequest(EditOp.SET, sample, path, value) for path, value in _given(paths, values)]


@_edits("insert")
@_at_path
@_values
def insert(*, sample: str, path: str, **values: tuple[str | Path, ...]) -> Sequence[EditRequest]:
    """Insert an item into a list of a sample of DECK, before the index that ends the path; [+] is its end.

    Exit codes are those of `sampleui set`.

    Example: sampleui insert decks/hello.toml --sample greeting --path 'messages[1]'
    --json '{"role": "user", "content": "And you?"}'
    """
    return [EditRequest(EditOp.INSERT, sample, place, value) for place, value in _given((path,), values)]


@_edits("delete")
@_at_path
def delete(*, sample: str, path: str) -> Sequence[EditRequest]:
    """Delete the key or the item at a path of a sample of DECK. Exit codes are those of `sampleui set`.

    Example: sampleui delete decks/hello.toml --sample greeting --path 'messages[1]'
    """
    return [EditRequest(EditOp.DELETE, sample, path_of(path))]


@_edits("move")
@_at_path
@click.option("--to", type=click.IntRange(min=0), required=True, help="The index that it will have, from 0 on.")
def move(*, sample: str, path: str, to: int) -> Sequence[EditRequest]:
    """Move the item at a path of a sample of DECK within its list. Exit codes are those of `sampleui set`.

    Example: sampleui move decks/hello.toml --sample greeting --path 'messages[2]' --to 0
    """
    return [EditRequest(EditOp.MOVE, sample, path_of(path), to=to)]


@_edits("rename")
@_at_path
@click.option("--to", "name", metavar="NAME", required=True, help="The new name of the key.")
def rename(*, sample: str, path: str, name: str) -> Sequence[EditRequest]:
    """Give the key at a path of a sample of DECK another name. Exit codes are those of `sampleui set`.

    Example: sampleui rename decks/hello.toml --sample greeting --path metadata.topic --to subject
    """
    return [EditRequest(EditOp.RENAME, sample, path_of(path), name=name)]


@_edits("add-sample")
@click.option("--json", "written", metavar="JSON", help="The data of the sample as JSON.")
@click.option("--file", "file", type=FILE, help="A file with that JSON; - is standard input.")
@click.option("--to", metavar="#N", help="The place that it will have; the end if not given.")
def add_sample(*, written: str | None, file: Path | None, to: str | None) -> Sequence[EditRequest]:
    """Add a sample to DECK, given as JSON in the deck's own dialect; in a keyed deck its id becomes its key.

    Exit codes are those of `sampleui set`.

    Example: sampleui add-sample decks/hello.toml
    --json '{"id": "bye", "messages": [{"role": "user", "content": "Bye"}]}'
    """
    if (written is None) == (file is None):
        raise click.UsageError("give the sample once: by --json or --file")
    data = _as_json(text_of(file) if file is not None else str(written))
    return [EditRequest(EditOp.ADD_SAMPLE, value=data, to=None if to is None else sample_number(to))]


@_edits("delete-sample")
@_sample
def delete_sample(*, sample: str) -> Sequence[EditRequest]:
    """Delete a sample of DECK, with the heading that is about it alone. Exit codes are those of `sampleui set`.

    Example: sampleui delete-sample decks/hello.toml --sample greeting
    """
    return [EditRequest(EditOp.DELETE_SAMPLE, sample)]


@_edits("move-sample")
@_sample
@click.option("--to", metavar="#N", required=True, help="The place that it will have; #1 is the first.")
def move_sample(*, sample: str, to: str) -> Sequence[EditRequest]:
    """Move a sample of DECK to another place in its file. Exit codes are those of `sampleui set`.

    Example: sampleui move-sample decks/hello.toml --sample greeting --to '#1'
    """
    return [EditRequest(EditOp.MOVE_SAMPLE, sample, to=sample_number(to))]


@_edits("rename-sample")
@_sample
@click.option("--to", "name", metavar="NAME", required=True, help="The new id.")
def rename_sample(*, sample: str, name: str) -> Sequence[EditRequest]:
    """Give a sample of DECK another id, everywhere its file repeats it. Exit codes are those of `sampleui set`.

    Example: sampleui rename-sample decks/hello.toml --sample greeting --to good-morning
    """
    return [EditRequest(EditOp.RENAME_SAMPLE, sample, name=name)]


@_edits("edit")
@click.argument("requests", type=FILE)
def edit(*, requests: Path) -> Sequence[EditRequest]:
    """Make the edits of REQUESTS, a file of JSON Lines or - for standard input, of DECK: all of them or none.

    Each line is an edit of what those before it have left:
    {"op": "set", "sample": ID, "path": PATH, "value": VALUE}.

    op is set or insert (value), delete, move (to, an index), rename (to, a name); add-sample (value; to, a #N),
    delete-sample, move-sample (to), rename-sample (to). A path that ends in [+] appends. "beside": true in place of
    a sample means the values that the file holds beside its samples. Exit codes are those of `sampleui set`.

    Example: sampleui edit decks/hello.toml - < edits.jsonl
    """
    return requests_in(text_of(requests))


def _proposer(agent: str | None, comment: str, *, propose: bool) -> str | None:
    """Return who proposes an edit, None for one that is to be made."""
    program = program_named(agent)
    if propose or (program is not None and agent is None):  # all that a program's shell says is a proposal
        return program or UNNAMED
    if agent is not None or comment:
        raise click.UsageError("--as and --comment go with --propose")
    return None


def _sharing(request: EditRequest, shared: str | None) -> EditRequest:
    return replace(request, shared=Shared(shared)) if shared and request.shared is None else request


def _named_once(sample: str, *, beside: bool) -> None:
    if bool(sample) == beside:
        raise click.UsageError("name either --sample ID or --beside")


def _given(paths: Sequence[str], values: Mapping[str, Sequence[str | Path]]) -> Iterator[tuple[DataPath, Plain]]:
    """Yield paths with their values, all of which one option gives."""
    by = [name for name, items in values.items() if items]
    if len(by) != 1 or len(values[by[0]]) != len(paths):
        raise click.UsageError("give each --path its value, in the same order: all by --value, --json or --file")
    for path, item in zip(paths, values[by[0]], strict=True):
        text = text_of(item) if isinstance(item, Path) else item
        yield path_of(path), _as_json(text) if by == ["written"] else text


def _as_json(written: str) -> Plain:
    try:
        return typed_json(written)
    except (ValueError, RecursionError) as error:
        raise RequestError("request", f"the value is not JSON: {error}") from None


def _edit(path: Path, asked: _EditOptions, asks: Callable[[], Sequence[EditRequest]]) -> int:
    """Make edits of a deck, write it, print what changed, and return the exit code."""
    proposal = None
    try:
        requests = asks()
        before, after, lost = _made(path, asked, requests)
        text = diff(after.files, [source.document for source in before.files.sources])
        if asked.proposed_by is not None and text and not asked.dry_run:
            proposal = propose(before, requests, asked.proposed_by, asked.comment)
    except (EditError, SaveError, DeckError) as error:
        return _refused(error, path)
    new = [*new_findings(before, after)]
    was_refused = proposal is not None and proposal.state is ProposalState.REFUSED
    if not output.in_json():
        if text:
            output.diff_value(text)
        if proposal is not None or not text:
            output.complain(f"{path}: {'nothing changes' if proposal is None else _proposed(proposal)}")
        for loss in lost:
            output.complain(loss)
        return int(complain_of_problems(new, path) or was_refused)
    output.json_value(
        {
            "written": bool(text) and not asked.dry_run and asked.proposed_by is None,
            **({} if proposal is None else {"proposal": proposal.id, "state": str(proposal.state)}),
            "diff": in_brief(text),
            "new_findings": findings_data(new),
            "hash_before": deck_hash(before.files),
            "hash": deck_hash(after.files),
            "lost": [*lost],
        }
    )
    return int(was_refused or any(item.severity in PROBLEMS for item in new))


def _proposed(proposal: ProposedEdit) -> str:
    """Say that a proposal is kept, or that a person refused the same before."""
    if proposal.state is not ProposalState.REFUSED:
        return f"kept as a proposal of {proposal.agent}; the deck is as it was"
    when = str(proposal.answered_at)[:10]
    return f"{proposal.agent} has proposed that before, and {proposal.answered_by} refused it on {when}"


def _made(path: Path, asked: _EditOptions, requests: Sequence[EditRequest]) -> tuple[Deck, Deck, tuple[str, ...]]:
    """Write a deck with its edits; return it before and after, and what of the file could not be kept.

    Where another program writes the deck between the reading and the writing, it is read and edited again, unless
    an edit names a sample or an item by its number, which may be another one then.

    Raises:
        EditError, DeckError, SaveError: when nothing is written.
    """
    attempts = 1 if asked.expect is not None else _ATTEMPTS
    first: Deck | None = None
    changed: StaleFileError | None = None
    for _ in range(attempts):
        before = open_deck(path, asked.dialect)
        if asked.expect not in (None, deck_hash(before.files)):
            raise StaleFileError(f"{path} is not the deck of the hash {asked.expect}: it has changed since")
        first = first or before
        if changed is not None and not mean_the_same(requests, first, before):
            break
        after = make_edits(before, requests)
        try:
            return before, after, () if asked.dry_run or asked.proposed_by is not None else after.save(exact=True)
        except StaleFileError as error:
            changed = error
    assert changed is not None
    raise changed


def _refused(error: SampleUIError, path: Path) -> int:
    """Say why nothing was done, and return the exit code."""
    if not isinstance(error, EditError):
        return output.failed(error, written=False)
    return output.refused(f"{path}: {error}", {**error.as_data(), "file": str(path)}, written=False)
