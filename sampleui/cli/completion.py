"""`sampleui completion`: what a shell needs to complete commands, options, files, samples and fields.

Names come from strangers' files, and what is completed is run when Enter is pressed. So a name is inserted as one
quoted word of the shell: bash gets it quoted in the way that the word has begun, zsh and fish quote it themselves.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

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


class BashWord(NamedTuple):
    """A word of a command line of bash.

    Attributes:
        text: what it stands for.
        quote: the quote that it ends in, `'`, `"` or `$'`; empty for none.
        plain: whether outside of quotes it has no sign that bash would expand.
    """

    text: str
    quote: str
    plain: bool


_BLANKS = re.compile(r"[ \t\n]+")
_QUOTED = {
    "$'": re.compile(r"\$'((?:[^'\\]|\\.)*)('?)", re.DOTALL),
    "'": re.compile(r"'([^']*)('?)"),
    '"': re.compile(r'"((?:[^"\\]|\\.)*)("?)', re.DOTALL),
}
_PIECE = re.compile(r"""\\.|[^ \t\n'"\\$]+|.""", re.DOTALL)
_SAFE = re.compile(r"[\w./:@%+,-]*")
_LETTERS = {"\n": "n", "\t": "t", "\r": "r", "'": "'", "\\": "\\"}
_SIGNS = {letter: sign for sign, letter in _LETTERS.items()}


def bash_words(line: str) -> list[BashWord]:
    """Return the words of a command line as far as it is typed; the last is empty behind a blank."""
    words, offset = [BashWord("", "", True)], 0
    while offset < len(line):
        if blanks := _BLANKS.match(line, offset):
            words.append(BashWord("", "", True))
            offset = blanks.end()
            continue
        quoted = ((quote, pattern.match(line, offset)) for quote, pattern in _QUOTED.items())
        quote, match = next(((quote, match) for quote, match in quoted if match), ("", None))
        match = match or _PIECE.match(line, offset)
        assert match is not None, "every sign begins a piece"
        text, plain = _read_quoted(match[1], quote) if quote else _read_piece(match[0])
        is_open = quote and not match[2]
        words[-1] = BashWord(words[-1].text + text, quote if is_open else "", words[-1].plain and plain)
        offset = match.end()
    return words


def _read_quoted(inner: str, quote: str) -> tuple[str, bool]:
    """Return what stands for itself between quotes, and whether bash expands nothing in it."""
    if quote == '"':
        return re.sub(r'\\([$`"\\])', r"\1", inner), not re.search(r"(?<!\\)[$`!]", inner)
    if quote == "$'":
        known = all(sign in _SIGNS for sign in re.findall(r"\\(.)", inner, re.DOTALL))
        return re.sub(r"\\(.)", lambda match: _SIGNS.get(match[1], ""), inner, flags=re.DOTALL), known
    return inner, True


def _read_piece(piece: str) -> tuple[str, bool]:
    """Return what a piece outside of quotes stands for, and whether bash expands nothing in it."""
    if piece.startswith("\\"):
        return piece[1:], len(piece) > 1
    return piece, _SAFE.fullmatch(piece.replace("=", "")) is not None


def bash_quoted(text: str, quote: str = "") -> str:
    """Return a text as bash reads it, behind an open quote or none, which it leaves as it was."""
    if not quote and _SAFE.fullmatch(text):
        return text
    if quote == "$'":
        return re.sub(r"[\\'\n\t\r]", lambda match: f"\\{_LETTERS[match[0]]}", text)
    if quote == '"':
        text = re.sub(r'[$`"\\]', r"\\\g<0>", text)
        return re.sub(r"[!\n\t\r]", lambda match: f'"{_alone(match[0])}"', text)
    inner = re.sub(r"['\n\t\r]", lambda match: f"'{_alone(match[0])}'", text)
    return inner if quote else f"'{inner}'"


def _alone(sign: str) -> str:
    """Return one sign as bash reads it outside of quotes."""
    return r"\'" if sign == "'" else "'!'" if sign == "!" else f"$'\\{_LETTERS[sign]}'"


class _Bash(BashComplete):
    """Says what follows the word as it was begun: bash itself quotes nothing that it inserts."""

    source_template = """\
%(complete_func)s() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            dir,*) compopt -o dirnames ;;
            file,*) compopt -o default ;;
            plain,*) COMPREPLY+=("${line#plain,}") ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORD=$2 %(complete_var)s=bash_complete "$1")
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.words = bash_words(os.environ.get("COMP_LINE", ""))

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is typed, and that one."""
        if "COMP_LINE" not in os.environ:
            return super().get_completion_args()
        return [word.text for word in self.words[1:-1]], self.words[-1].text

    def format_completion(self, item: CompletionItem) -> str:
        """Return a line that says what is inserted in place of what bash takes for the word."""
        word = self.words[-1]
        typed = word.text.partition("=")[2] if word.text.startswith("--") and "=" in word.text else word.text
        value = str(item.value)
        if item.type != "plain" or "COMP_LINE" not in os.environ:
            return f"{item.type},{bash_quoted(value) if item.type == 'plain' else ''}"
        if not word.plain or not value.startswith(typed):
            return "none,"
        inserted = os.environ.get("COMP_WORD", "") + bash_quoted(value[len(typed) :], word.quote)
        closing = word.quote[-1:]  # bash adds it, but not behind another one
        return f"plain,{inserted}{closing if closing and inserted.endswith(closing) else ''}"


class _Zsh(ZshComplete):
    """Hands values over with escapes, which zsh reads; it quotes them as it inserts them."""

    source_template = """\
#compdef %(prog_name)s

%(complete_func)s() {
    local -a completions described response
    local type key descr
    (( ! $+commands[%(prog_name)s] )) && return 1
    response=("${(@f)$(COMP_WORDS="${(j: :)${(@qq)${(@Q)words[1,CURRENT-1]}}} ${(qq)${(Q)PREFIX}}" \\
        COMP_CWORD=$((CURRENT-1)) %(complete_var)s=zsh_complete %(prog_name)s)}")
    for type key descr in ${response}; do
        case $type in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            plain)
                if [[ $descr == _ ]]; then
                    completions+=("${(g::)key}")
                else
                    described+=("$key:$descr")
                fi ;;
        esac
    done
    (( $#described )) && _describe -V unsorted described
    (( $#completions )) && compadd -V unsorted -a completions
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

    def format_completion(self, item: CompletionItem) -> str:
        """Return three lines: what kind it is, its value, and its description or `_`."""
        if item.type != "plain" or item.help:
            return super().format_completion(item)
        value = re.sub(r"[\\\n\t\r]", lambda match: f"\\{_LETTERS[match[0]]}", str(item.value))
        return f"{item.type}\n{value}\n_"


class _Fish(FishComplete):
    """Hands values over between NULs; fish quotes them as it inserts them."""

    source_template = """\
function %(complete_func)s
    set -l words "'"(string replace --all "'" "'\\\\''" -- (commandline -opc))"'"
    set -l typed (commandline -ct | string collect)
    set -l word (string unescape -- $typed; or string unescape -- $typed"'"; or string unescape -- $typed\\")
    set -lx COMP_CWORD "'"(string replace --all "'" "'\\\\''" -- "$word" | string collect)"'"
    test -n "$word"; and set --append words $COMP_CWORD
    set -lx COMP_WORDS (string join " " -- $words | string collect)
    set -l kind
    for item in (%(complete_var)s=fish_complete %(prog_name)s | string split0)
        switch "$kind"
            case ""
                set kind $item
                continue
            case dir
                __fish_complete_directories $typed
            case file
                __fish_complete_path $typed
            case plain
                printf "%%s\\0" $item
        end
        set kind
    end
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s | string split0)"
"""

    def format_completion(self, item: CompletionItem) -> str:
        """Return what kind a value is and the value, each ended by a NUL; a tab would begin its description."""
        value = str(item.value)
        return f"{'none' if chr(9) in value else item.type}\0{value}\0"

    def complete(self) -> str:
        """Return all completions, each ended by a NUL."""
        return super().complete().replace("\0\n", "\0")


for _shell in (_Bash, _Zsh, _Fish):
    add_completion_class(_shell)


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


def sample_ids(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the ids of the samples of the decks typed so far; none of a deck that cannot be read."""
    arguments, ids = _typed_so_far(context), list[str]()
    for deck in (arguments["deck"],) if "deck" in arguments else arguments.get("decks", ()):
        with suppress(SampleUIError, OSError):
            ids += (sample.id for sample in _opened(deck, arguments).samples)
    return _items(_values(ids, parameter), typed)


def record_ids(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the ids of the records of a run that is not too large to be read while a shell waits."""
    from sampleui.review.results.file import open_results

    arguments = _typed_so_far(context)
    path = arguments.get("results") or arguments.get("path")
    with suppress(SampleUIError, OSError):
        if isinstance(path, Path) and (is_folder(path) or size_of(path) <= MAX_READ_AT_ONCE_BYTES):
            ids = dict.fromkeys(entry.id for entry in open_results(path).indexed().counted)
            return _items(_values(ids, parameter), typed)
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
    from sampleui.workspace.edit_requests import EditOp, EditRequest, sample_index

    arguments = _typed_so_far(context)
    with suppress(KeyError, SampleUIError, OSError):
        deck = _opened(arguments["deck"], arguments)
        index = sample_index(deck, EditRequest(EditOp.SET, arguments.get("sample") or ""))
        return _items(map(shown, _paths(deck.sample_at(index).data)), typed)
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


def _values(names: Iterable[str], parameter: click.Parameter) -> Iterator[str]:
    """Yield the names that are none of an option where they are typed."""
    return (name for name in names if isinstance(parameter, click.Option) or not name.startswith("-"))


def _items(names: Iterable[str], typed: str) -> list[CompletionItem]:
    fitting = (name for name in names if name.startswith(typed) and all(map(_can_be_typed, name)))
    return [CompletionItem(name) for name in islice(fitting, MAX_COMPLETIONS)]


def _can_be_typed(sign: str) -> bool:
    """Tell whether a sign is seen, or a blank that a shell can be told of."""
    return sign.isprintable() or sign in "\n\t\r" or unicodedata.category(sign) == "Zs"
