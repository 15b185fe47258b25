"""`sampleui render`: what is sent to an LLM for the samples of a deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_for
from sampleui.cli.arguments import dialect_option, sample_option
from sampleui.cli.deck_arguments import (
    FoundDeck,
    decks_argument,
    decks_of,
    each_deck,
    jobs_option,
    open_argument,
)
from sampleui.cli.output import FAILED
from sampleui.errors import DeckError, SampleUIError
from sampleui.formats.data import Plain, Table
from sampleui.prompt.provider_request import SHAPED, body_of, tools_of
from sampleui.prompt.providers import PROVIDERS, calls, request_of
from sampleui.prompt.render import Rendered
from sampleui.sample.answer_options import options_of, whether_sent
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, turns
from sampleui.settings.options import SAMPLEUI, Settings, prompt_styles
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.text.visible import one_line
from sampleui.workspace.deck import Deck

_TURN = re.compile(r"(.+)/turn-([1-9][0-9]*)")
"""What a turn of a conversation is called: the id of its sample and its number."""

_OPTION = 40
"""Characters of an option that are told of it."""


class UnknownSampleError(SampleUIError):
    """A sample was asked for by an id that the deck does not have."""


@dataclass(frozen=True, slots=True)
class RenderedText:
    """A rendered sample, the settings it was rendered with, and its deck where there are several."""

    sample: Sample
    rendered: Rendered
    settings: Settings
    deck: Path | None = None

    @property
    def id(self) -> str:
        """The sample's id, with the turn in a conversation."""
        return self.rendered.sent[0].id if self.rendered.sent else self.sample.id


@click.command("render")
@decks_argument
@sample_option("sample_id", "Only this sample; #N is the N-th.")
@click.option(
    "--as",
    "form",
    type=click.Choice(["chat", "question", "guidelines", "grading", "json", "messages", "request"]),
    default="chat",
    show_default=True,
    help="What to print.",
)
@click.option(
    "--provider", type=click.Choice(list(PROVIDERS)), help="The provider whose request --as request shows."
)
@click.option(
    "--prompt-style", type=click.Choice(prompt_styles()), help="Render as this program sends it, byte for byte."
)
@click.option("--system-prompt", metavar="TEXT", help="Takes the place of a missing system message.")
@dialect_option
@jobs_option
def command(
    *,
    decks: tuple[Path, ...],
    sample_id: str | None,
    form: str,
    provider: str | None,
    prompt_style: str | None,
    system_prompt: str | None,
    dialect: str | None,
    jobs: int | None,
) -> int:
    """Print what an LLM is sent for the samples of decks.

    DECK is a file, a folder, a glob in quotes, or - for standard input; `sampleui check --help` says which files of
    a folder are decks.

    chat, grading, messages and request are JSON: the ChatPrompt, the grading context, the messages a provider is
    sent, and its request: for anthropic and gemini in the shape of their APIs (system beside messages,
    systemInstruction beside contents), for the others those messages, and beside them the tools of a sample that
    has any. json is an object of all of them. question and guidelines are text.

    With --sample the value alone is printed. Without it, JSON is one line per sample, in the order of the deck, and
    each text follows a line "# ID". With several decks that line is "# DECK: ID", json has the "deck", and --sample
    is looked for in each. Text is exact in a pipe; on a terminal control characters are shown as symbols.

    --prompt-style renders as a program does: question is the prompt of programs and agents, with files named by
    their path, chat the messages of an LLM API, with files embedded. The turns of a conversation are printed one by
    one; --sample ID/turn-N is one of them. A single text is then printed without a line feed.

    The options of a choice question are part of what is sent as far as its messages name them. A line on standard
    error says where they do not name all; json has all of them, each with whether it is "named".

    A sample without a valid message is skipped with a line on standard error, where all other findings of rendering
    go too. Exit codes: 0 all was rendered; 1 a sample was skipped, a deck has no samples, or an attachment or a
    reference of a deck could not be used; 2 a deck could not be read, a folder has no decks, or no deck has the
    sample. The other decks are printed all the same.
    """
    settings = {"system_prompt": system_prompt, "provider": provider, "prompt_style": prompt_style}
    meant = decks_of(decks, jobs)
    print_deck = partial(_print_deck, sample_id=sample_id, form=form, dialect=dialect, options=settings)
    item, *more = meant.found
    if isinstance(item, FoundDeck) and item.named and not more:
        return print_deck(item.path)
    codes: list[int] = []
    for ended in each_deck(partial(_recorded, partial(print_deck, several=True)), meant, jobs, "rendering"):
        if isinstance(ended, DeckError):
            output.complain(str(ended))
            codes.append(FAILED)
        else:
            printed, code = ended
            output.replay(printed)
            codes += [] if code is None else [code]
    if not codes:
        raise UnknownSampleError(f"none of the {len(meant.found):,} decks has a sample {sample_id}")
    return max(codes)


def _recorded(print_deck: Callable[[Path], int], path: Path) -> tuple[list[output.Printed], int | None]:
    """Return what is printed of a deck, and its exit code; nothing and None where it lacks the sample."""
    with output.recorded() as printed:
        try:
            return printed, print_deck(path)
        except UnknownSampleError:
            return [], None
        except (SampleUIError, OSError) as error:
            output.complain(str(error))
            return printed, FAILED


def _print_deck(
    path: Path,
    *,
    sample_id: str | None,
    form: str,
    dialect: str | None,
    options: Mapping[str, str | None],
    several: bool = False,
) -> int:
    settings = settings_for(path, **options)
    deck = open_argument(settings, path, dialect)
    turn_id = _TURN.fullmatch(sample_id or "") if settings.prompt_style != SAMPLEUI else None
    ident, turn = (turn_id[1], turn_id[2]) if turn_id else (sample_id, None)
    for note in deck.notes:
        output.complain(str(note))
    samples = deck.samples if ident is None else [_sample_by_id(deck, ident)]
    if not (len(samples) or deck.notes):
        output.complain(f"{path}: there are no samples in it")
    complete = ident is not None or (_harmless(deck.notes) and len(samples) > 0)
    for sample in samples:
        rendered = deck.render(sample, environment=True)
        placed = [deck.place(sample.index, finding) for finding in rendered.findings]
        for diagnostic in placed:
            output.complain(str(diagnostic))
        complete = _harmless(placed) and complete
        _tell_options(sample)
        if rendered.empty or not (turns(sample) or rendered.question or rendered.chat_prompt):
            why = "no message has anything to say" if turns(sample) else "it has no valid messages"
            output.complain(f"{sample.path}:{sample.line}: {sample.id} is skipped: {why}")
            complete = False
            continue
        sent = [call for call in calls(rendered) if turn is None or call.sent[0].id == sample_id]
        if not sent:
            raise UnknownSampleError(f"{sample.id} has no turn {turn}")
        for call in sent:
            alone = ident is not None and len(sent) == 1 and not several
            _print(RenderedText(sample, call, settings, path if several else None), form, alone=alone)
    return 0 if complete else 1


def _sample_by_id(deck: Deck, sample_id: str) -> Sample:
    ids = []
    for sample in deck.samples:
        if sample_id in (sample.id, f"#{sample.index + 1}"):
            return sample
        ids.append(sample.id)
    near = get_close_matches(sample_id, ids, n=1)
    known = f"did you mean {near[0]}?" if near else f"it has {len(ids):,} others"
    raise UnknownSampleError(f"{deck.path} has no sample {sample_id}; {known}")


def _tell_options(sample: Sample) -> None:
    """Say of a choice question which of its options the messages do not name: no prompt here shows those."""
    options = options_of(sample)
    if options and not all(option.named for option in options):
        listed = " · ".join(f"{one_line(option.id)} {one_line(option.text, _OPTION)}" for option in options)
        sent = whether_sent(options, dialect_of(sample).title)
        output.complain(f"{sample.path}:{sample.line}: info: {sample.id} has the options {listed}; {sent}")


def _harmless(diagnostics: Iterable[Diagnostic]) -> bool:
    return all(diagnostic.severity in (Severity.INFO, Severity.HINT) for diagnostic in diagnostics)


def _print(shown: RenderedText, form: str, *, alone: bool) -> None:
    if form in _VALUES:
        output.json_value(_VALUES[form](shown), compact=not alone)
        return
    if not alone:
        output.line(f"# {shown.id}" if shown.deck is None else f"# {shown.deck}: {shown.id}")
    exact = alone and shown.rendered.style != SAMPLEUI
    (output.exact_value if exact else output.text_value)(_TEXTS[form](shown))


def _request(shown: RenderedText) -> Plain:
    """Return the request: in the API's own shape where that is no list of messages."""
    sent = _messages(shown)
    data, provider = shown.sample.data, shown.settings.provider
    return body_of(sent, provider, data) if provider in SHAPED or tools_of(data) else [*sent]


def _messages(shown: RenderedText) -> list[Table]:
    return [*request_of(shown.rendered, shown.settings.provider, shown.settings.system_prompt)]


def _all(shown: RenderedText) -> Table:
    rendered = shown.rendered
    return {
        **({} if shown.deck is None else {"deck": str(shown.deck)}),
        "id": shown.id,
        "prompt_style": rendered.style,
        "chat_prompt": list(rendered.chat_prompt),
        "question": rendered.question,
        "guidelines": rendered.guidelines,
        "grading_context": rendered.grading_context,
        **({"options": [option._asdict() for option in options]} if (options := options_of(shown.sample)) else {}),
        "messages": [*_messages(shown)],
        "request": _request(shown),
        "diagnostics": [
            {
                "rule": finding.rule,
                "severity": finding.severity.value,
                "message": finding.message,
                "node": list(finding.node),
            }
            for finding in rendered.findings
        ],
    }


_TEXTS: Mapping[str, Callable[[RenderedText], str]] = {
    "question": lambda shown: shown.rendered.question,
    "guidelines": lambda shown: shown.rendered.guidelines,
}
_VALUES: Mapping[str, Callable[[RenderedText], Plain]] = {
    "chat": lambda shown: list(shown.rendered.chat_prompt),
    "grading": lambda shown: shown.rendered.grading_context,
    "messages": lambda shown: [*_messages(shown)],
    "request": _request,
    "json": _all,
}
