"""What looks like a key or a token in a text, by the forms that providers give them, and the path of the home.

docs/reviewing.md lists the forms. A text is never proved to be a secret by them, nor to be none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache

from sampleui.text.wording import counted

_HINTS = (
    *("sk-", "sk_", "rk_", "AKIA", "ASIA", "AIza", "ya29.", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    *("glpat-", "xox", "hooks.slack.com", "npm_", "pypi-", "hf_", "eyJ", "PRIVATE KEY", "://", "earer ", "EARER "),
    *("KEY", "TOKEN", "SECRET", "PASSWORD", "asic ", "SG.", "dop_v1_", "gsk_", "xai-", "AGE-SECRET-KEY-"),
)
"""Parts of which each form has one: most texts have none, and are not looked at further."""

# A name that a cut goes through has the beginning of a key before an ellipsis.
_SECRET = re.compile(
    r"""
      (?:(?<![\w-])|(?<=\\[nrt]))(?:
          (?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|npm_|pypi-|hf_|gsk_|xai-|dop_v1_|AGE-SECRET-KEY-
            |[sr]k_(?:live|test)_|SG\.|ya29\.)(?:[\w-]{16,512}|[\w-]{4,512}(?=…))(?:\.[\w-]{16,512})?
        | (?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])
        | AIza[\w-]{35}
        | eyJ[\w-]{10,8192}\.[\w-]{10,8192}(?:\.[\w-]{0,8192})?
      )
    | hooks\.slack\.com/services/[\w/]{20,200}
    | -----BEGIN\ [A-Z ]{0,30}PRIVATE\ KEY-----(?:[^-]|-(?!----)){0,16384}
      (?:-----END\ [A-Z ]{0,30}PRIVATE\ KEY-----)?
    | (?P<address>://[^\s/:@"'<>]{0,100}:)[^\s/@"'<>]{1,200}(?=@)
    | (?P<header>\b(?:[Bb]earer|BEARER|[Bb]asic)\ )[\w.~+/=-]{20,8192}
    | (?P<variable>(?:(?<!\w)|(?<=\\[nrt]))
          [A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD)["']?\s{0,2}[=:]\s{0,2}\\?["']?)
      (?=[^\s"'\\$<>{}()\[\],;]{0,200}[0-9a-z])[^\s"'\\$<>{}()\[\],;]{8,4096}(?![\w\[({])
    """,
    re.VERBOSE,
)


def without_secrets(text: str, instead: str) -> tuple[str, int]:
    """Return a text with something in the place of what looks like a secret, and of how many places that is."""
    if not any(hint in text for hint in _HINTS):
        return text, 0
    return _SECRET.subn(
        lambda found: (found["address"] or found["header"] or found["variable"] or "") + instead, text
    )


def without_home(text: str) -> str:
    """Return a text with `~` for the path of the home, where it has that."""
    home = os.path.expanduser("~")  # noqa: PTH111 (never raises)
    if len(home) < _SHORTEST or home not in text:
        return text
    return _in_paths(home).sub("~", text)


_SHORTEST = 4
"""Characters of a home that is somebody's own, and no root of all folders."""


@lru_cache(maxsize=4)
def _in_paths(home: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-]){re.escape(home)}(?![\w-])")


def warned_of_secrets(texts: Iterable[str]) -> tuple[str, ...]:
    """Return a line of warning about texts that are passed on as they are; none if nothing looks like a secret."""
    places = sum(without_secrets(text, "")[1] for text in texts)
    looks = "looks" if places == 1 else "look"
    return (f"{counted(places, 'place')} {looks} like a key or a token, written as in the run",) if places else ()
