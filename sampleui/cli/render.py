"""`sampleui render`: what an LLM is sent for the samples of a deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.files import FILE
from sampleui.cli.opening import opened
from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain, Table
from sampleui.prompt.bodies import SHAPED, body_of, tools_of
from sampleui.prompt.providers import PROVIDERS
from sampleui.prompt.render import Rendered
from sampleui.prompt.request import calls, request_of
from sampleui.sample.dialects import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import turns
from sampleui.settings import AGENTV_4, PROMPT_STYLES, Settings, load_settings
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.workspace import Deck

_TURN = re.compile(r"(.+)/turn-([1-9][0-9]*)")


class UnknownSampleError(SampleUIError):
    """A sample was asked for by an id that the deck does not have."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A rendered sample and the settings it was rendered with."""

    sample: Sample
    rendered: Rendered
    settings: Settings

    @property
    def id(self) -> str:
        """The sample's id, with the turn in a conversation."""
        return self.rendered.sent[0].id if self.rendered.sent else self.sample.id


@click.command("render")
@click.argument("path", metavar="DECK", type=FILE)
@click.option("--sample", "wanted", metavar="ID", help="Only this sample; #N is the N-th.")
@click.option(
    "--as",
    "form",
    type=click.Choice(["chat", "question", "guidelines", "grading", "json", "messages", "request"]),
    default="chat",
    show_default=True,
    help="What to print.",
)
@click.option("--provider", type=click.Choice(list(PROVIDERS)), help="Whose request --as request shows.")
@click.option(
    "--prompt-style", type=click.Choice(PROMPT_STYLES), help="agentv-4: what AgentV 4 sends, byte for byte."
)
@click.option("--system-prompt", metavar="TEXT", help="Stands in where a sample has no system message.")
@click.option("--dialect", type=click.Choice(list(DIALECTS)), help="Read the deck in this dialect.")
def command(
    *,
    path: Path,
    wanted: str | None,
    form: str,
    provider: str | None,
    prompt_style: str | None,
    system_prompt: str | None,
    dialect: str | None,
) -> int:
    """Print what an LLM is sent for the samples of DECK.

    chat, grading, messages and request are JSON: the ChatPrompt, the grading context, the messages a provider is
    sent, and its request: for anthropic and gemini in the shape of their APIs (system beside messages,
    systemInstruction beside contents), for the others those messages, and beside them the tools of a sample that
    has any. json is an object of all of them. question and guidelines are text.

    With --sample the value alone is printed. Without it, JSON is one line a sample, in the order of the deck, and
    each text follows a line "# ID". Text is exact in a pipe; on a terminal control characters are shown as symbols.

    --prompt-style agentv-4 renders as AgentV 4 does: question is the prompt of programs and agents, with files
    named by their path, chat the messages of an LLM API, with files embedded. The turns of a conversation are
    printed one by one; --sample ID/turn-N is one of them. A single text is then printed without a line feed.

    A sample that sends nothing, for want of valid messages, is skipped with a line on standard error, where all
    other findings of rendering go too. Exit codes: 0 all was rendered, 1 a sample was skipped, or an attachment or
    a reference of the deck could not be used, 2 the deck could not be read or has no such sample.
    """
    options = {"system_prompt": system_prompt, "provider": provider, "prompt_style": prompt_style}
    settings = load_settings(path.parent, options)
    deck = opened(path, dialect, settings)
    for note in deck.notes:
        output.complain(str(note))
    ident, turn = _of_turn(wanted) if settings.prompt_style == AGENTV_4 else (wanted, None)
    samples = deck.samples if ident is None else [_named(deck, ident)]
    complete = wanted is not None or _harmless(deck.notes)
    for sample in samples:
        rendered = deck.render(sample)
        complete = _report(deck, sample, rendered) and complete
        if rendered.empty or not (turns(sample) or rendered.question):
            why = "no message has anything to say" if turns(sample) else "it has no valid messages"
            output.complain(f"{sample.path}:{sample.line}: {sample.id} is skipped: {why}")
            complete = False
            continue
        asked = [call for call in calls(rendered) if turn is None or call.sent[0].id == wanted]
        if not asked:
            raise UnknownSampleError(f"{sample.id} has no turn {turn}")
        for call in asked:
            _print(Shown(sample, call, settings), form, alone=ident is not None and len(asked) == 1)
    return 0 if complete else 1


def _of_turn(wanted: str | None) -> tuple[str | None, str | None]:
    """Return the sample and the turn that an id names: AgentV calls the turns of a conversation `ID/turn-N`."""
    found = _TURN.fullmatch(wanted or "")
    return (found[1], found[2]) if found else (wanted, None)


def _named(deck: Deck, wanted: str) -> Sample:
    ids = []
    for sample in deck.samples:
        if wanted in (sample.id, f"#{sample.index + 1}"):
            return sample
        ids.append(sample.id)
    near = get_close_matches(wanted, ids, n=1)
    known = f"did you mean {near[0]}?" if near else f"it has {len(ids):,} others"
    raise UnknownSampleError(f"{deck.path} has no sample {wanted}; {known}")


def _report(deck: Deck, sample: Sample, rendered: Rendered) -> bool:
    """Print what was found while rendering; tell whether nothing was wrong."""
    placed = [deck.place(sample.index, finding) for finding in (*rendered.findings, *rendered.unread)]
    for diagnostic in placed:
        output.complain(str(diagnostic))
    return _harmless(placed)


def _harmless(diagnostics: Iterable[Diagnostic]) -> bool:
    return all(one.severity in (Severity.INFO, Severity.HINT) for one in diagnostics)


def _print(shown: Shown, form: str, *, alone: bool) -> None:
    if form in _VALUES:
        output.json_value(_VALUES[form](shown), compact=not alone)
        return
    if not alone:
        output.line(f"# {shown.id}")
    exact = alone and shown.rendered.style == AGENTV_4
    (output.exact_value if exact else output.text_value)(_TEXTS[form](shown))


def _request(shown: Shown) -> Plain:
    """Return the request: in the API's own shape where that is no list of messages."""
    sent = _messages(shown)
    data, provider = shown.sample.data, shown.settings.provider
    return body_of(sent, provider, data) if provider in SHAPED or tools_of(data) else [*sent]


def _messages(shown: Shown) -> list[Table]:
    return [*request_of(shown.rendered, shown.settings.provider, shown.settings.system_prompt)]


def _all(shown: Shown) -> Table:
    rendered = shown.rendered
    return {
        "id": shown.id,
        "prompt_style": rendered.style,
        "chat_prompt": list(rendered.chat_prompt),
        "question": rendered.question,
        "guidelines": rendered.guidelines,
        "grading_context": rendered.grading_context,
        "messages": [*_messages(shown)],
        "request": _request(shown),
        "diagnostics": [
            {"rule": one.rule, "severity": one.severity.value, "message": one.message, "node": list(one.node)}
            for one in rendered.findings
        ],
    }


_TEXTS: Mapping[str, Callable[[Shown], str]] = {
    "question": lambda shown: shown.rendered.question,
    "guidelines": lambda shown: shown.rendered.guidelines,
}
_VALUES: Mapping[str, Callable[[Shown], Plain]] = {
    "chat": lambda shown: list(shown.rendered.chat_prompt),
    "grading": lambda shown: shown.rendered.grading_context,
    "messages": lambda shown: [*_messages(shown)],
    "request": _request,
    "json": _all,
}
