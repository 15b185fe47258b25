"""What looks like a key or a token in a text, by the forms that providers give them, and the path of the home.

docs/reviewing.md lists the forms. A text is never proved to be a secret by them, nor to be none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache

from sampleui.text.wording import counted

_PREFIXES = (
    *("sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "dckr_pat_", "npm_", "pypi-", "rubygems_"),
    *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-"),
    *("xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-", "SG.", "ya29.", "GOCSPX-"),
    *("hf_", "api_org_", "gsk_", "xai-", "r8_", "pplx-", "tgp_v1_", "fw_", "tvly-", "e2b_", "lsv2_pt_", "lsv2_sk_"),
    *("pcsk_", "jina_", "nvapi-", "csk-", "AGE-SECRET-KEY-", "dop_v1_", "doo_v1_", "dor_v1_", "hvs."),
    *("lin_api_", "ntn_", "figd_", "ATATT3", "shpat_", "shpss_", "shpca_", "shppa_", "sq0atp-", "sq0csp-", "HRKU-"),
    *("nfp_", "sbp_", "sb_secret_", "pscale_tkn_", "pscale_pw_", "napi_", "fo1_", "fm2_", "glsa_", "glc_", "NRAK-"),
    *("sntrys_", "sntryu_", "PMAK-", "pat-na1-", "pat-eu1-", "hvb.", "dp.pt."),
)
"""How keys begin, of which the rest is 16 letters, digits or more."""

_HINTS = (
    *(*_PREFIXES, "AKIA", "ASIA", "AIza", "eyJ", "PRIVATE KEY", "://", "earer ", "EARER ", "asic ", "KEY", "TOKEN"),
    *("SECRET", "PASSWORD", "SK", "sk_", "key-", "fc-", "dapi", "pul-", ":AA", "1//0", ".atlasv1.", "EAAA", "8Q~"),
    *("sl.", "pi_key", "pi-key", "pikey", "pi_Key", "pi-Key", "piKey", "?sig", "&sig", "?key", "&key", "?tok"),
    *("&tok", "cretKey", "cret_key", "cret-key", "ountKey", "cessKey", "ntSecret", "nt_secret", "nt-secret"),
    "ion: token",
    *(f"{name}{token}" for name in ("ss", "sh", "th", "on") for token in ("Token", "_token", "-token", "_Token")),
    *(f"-us{digit}" for digit in range(1, 10)),
)
"""Parts of which each form has one: most texts have none, and are not looked at further."""

# A name that a cut goes through has the beginning of a key before an ellipsis.
_SECRET = re.compile(
    rf"""
      (?:(?<![\w-])|(?<=\\[nrt]))(?:
          (?:{"|".join(map(re.escape, _PREFIXES))})(?:[\w-]{{16,512}}|[\w-]{{4,512}}(?=…))(?:\.[\w-]{{16,512}})?
        | (?:AKIA|ASIA)[0-9A-Z]{{16}}(?![\w-])
        | AIza[\w-]{{35}}
        | eyJ[\w-]{{10,8192}}\.[\w-]{{10,8192}}(?:\.[\w-]{{0,8192}})?
        | (?:SK|key-|fc-|dapi)[0-9a-f]{{32}}(?![\w-]) | pul-[0-9a-f]{{40}} | sk_[0-9a-f]{{48}}
        | [0-9a-f]{{32}}-us[0-9]{{1,2}}(?![\w-]) | [0-9]{{8,10}}:AA[\w-]{{33}}(?![\w-]) | 1//0[\w-]{{40,200}}
        | [A-Za-z0-9]{{14}}\.atlasv1\.[\w-]{{60,100}}
        | EAAA[\w-]{{58,64}}(?![\w-]) | [\w~.-]{{3}}8Q~[\w~.-]{{34}} | sl\.[\w-]{{100,400}}
      )
    | (?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks|hooks\.zapier\.com/hooks)/[\w/-]{{14,200}}
    | -----BEGIN\ [A-Z ]{{0,30}}PRIVATE\ KEY(?:\ BLOCK)?-----(?:[^-]|-(?!----)){{0,16384}}
      (?:-----END\ [A-Z ]{{0,30}}PRIVATE\ KEY(?:\ BLOCK)?-----)?
    | (?P<address>://[^\s/:@"'<>]{{0,100}}:)[^\s/@"'<>]{{1,200}}(?=@)
    | (?P<header>\b(?:[Bb]earer|BEARER|[Bb]asic|[Aa]uthorization:\ token)\ )[\w.~+/=-]{{20,8192}}
    | (?P<query>[?&](?:access_token|token|api_?key|key|sig|signature)=)[\w.~%+/-]{{16,4096}}
    | (?P<variable>(?:(?<!\w)|(?<=\\[nrt]))
          [A-Z0-9_]{{0,60}}(?:KEY|TOKEN|SECRET|PASSWORD)["']?\s{{0,2}}[=:]\s{{0,2}}\\?["']?)
      (?=[^\s"'\\$<>{{}}()\[\],;]{{0,200}}[0-9a-z])[^\s"'\\$<>{{}}()\[\],;]{{8,4096}}(?![\w\[({{])
    | (?P<named>(?:(?<!\w)|(?<=\\[nrt]))
          (?:(?i:(?:x-)?api[_-]?key|(?:access|refresh|auth|session)[_-]?token|client[_-]?secret|secret[_-]?key)
            |(?:Account|SharedAccess)Key)
          \\?["']?\s{{0,2}}[=:]\s{{0,2}}\\?["']?)
      (?=[\w.~+/=-]{{0,200}}[0-9])[\w.~+/=-]{{16,4096}}(?![\w\[({{])
    """,
    re.VERBOSE,
)


def without_secrets(text: str, instead: str) -> tuple[str, int]:
    """Return a text with something in the place of what looks like a secret, and of how many places that is."""
    if not any(hint in text for hint in _HINTS):
        return text, 0
    return _SECRET.subn(lambda found: next(filter(None, found.groups()), "") + instead, text)


def without_home(text: str) -> str:
    """Return a text with `~` for the path of the home, where it has that."""
    if "/" not in text:  # as most texts of a report: the path is not asked for 100,000 times
        return text
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
