"""`sampleui completion`: what a shell needs to complete commands, options, files, samples and fields."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from sampleui.cli import output
from sampleui.errors import SampleUIError
from sampleui.formats.data import DataPath, Plain, shown
from sampleui.settings.options import load_settings
from sampleui.text.confined import is_folder, size_of
from sampleui.text.limits import MAX_COMPLETIONS, MAX_READ_AT_ONCE_BYTES

if TYPE_CHECKING:
    from sampleui.workspace.deck import Deck

PROGRAM, VARIABLE = "sampleui", "_SAMPLEUI_COMPLETE"
"""The command that is completed, and the variable by which a shell asks for it."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(*, shell: str) -> int:
    """Print the script by which SHELL completes commands, options, files, ids of samples, fields and verdicts.

    In ~/.bashrc: eval "$(sampleui completion bash)"

    In ~/.zshrc: eval "$(sampleui completion zsh)"

    For fish: sampleui completion fish > ~/.config/fish/completions/sampleui.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(click.Command(PROGRAM), {}, PROGRAM, VARIABLE)
    # Not its `source()`: that asks the shell for its version, and the script may be for another machine.
    output.text_value(script.source_template % script.source_vars())
    return 0


def sample_ids(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the ids of the samples of the decks typed so far; none of a deck that cannot be read."""
    arguments, ids = _typed_so_far(context), list[str]()
    for deck in (arguments["deck"],) if "deck" in arguments else arguments.get("decks", ()):
        with suppress(SampleUIError, OSError):
            ids += (sample.id for sample in _opened(deck, arguments).samples)
    return _items(ids, typed)


def record_ids(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the ids of the records of a run that is not too large to be read while a shell waits."""
    from sampleui.review.results.file import open_results

    arguments = _typed_so_far(context)
    path = arguments.get("results") or arguments.get("path")
    with suppress(SampleUIError, OSError):
        if isinstance(path, Path) and (is_folder(path) or size_of(path) <= MAX_READ_AT_ONCE_BYTES):
            return _items(dict.fromkeys(entry.id for entry in open_results(path).indexed().counted), typed)
    return []


def runners(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the names of the runners of the user's own, and of the tools that run samples again."""
    from sampleui.runs.rerun.engine import runner_names

    return _items(runner_names(load_settings(Path())), typed)


def _opened(path: Path, arguments: Mapping[str, Any]) -> Deck:
    """Return a deck in the dialect that is typed with it."""
    from sampleui.workspace.deck import open_deck

    return open_deck(path, arguments.get("dialect"))


def value_paths(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the paths of the values of the sample, or of those beside the samples."""
    from sampleui.workspace.edit_requests import EditOp, EditRequest, data_of, sample_index

    arguments = _typed_so_far(context)
    with suppress(KeyError, SampleUIError, OSError):
        deck = _opened(arguments["deck"], arguments)
        data = data_of(deck, sample_index(deck, EditRequest(EditOp.SET, arguments.get("sample") or "")))
        return _items(map(shown, _paths(data)), typed)
    return []


def _typed_so_far(context: click.Context) -> Mapping[str, Any]:
    """Return the values of the arguments and options by name.

    click keeps none of them if the last word is an option that has no value yet, the one that is being completed.
    """
    kind = get_completion_class(os.environ.get(VARIABLE, "").partition("_")[0])
    if kind is None:
        return context.params
    (_, *words), _ = kind(context.command, {}, PROGRAM, VARIABLE).get_completion_args()
    return context.command.make_context(context.info_name, [*words, ""], resilient_parsing=True).params


def _paths(value: Plain, above: DataPath = ()) -> Iterator[DataPath]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in inner:
        yield (*above, step)
        yield from _paths(item, (*above, step))


def _items(names: Iterable[str], typed: str) -> list[CompletionItem]:
    fitting = (name for name in names if name.startswith(typed) and name.isprintable())
    return [CompletionItem(name) for name in islice(fitting, MAX_COMPLETIONS)]
