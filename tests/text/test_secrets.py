"""What looks like a key or a token, what does not, and how long a long text takes."""

from __future__ import annotations

import pytest

from sampleui.text.secrets import warned_of_secrets, without_home, without_secrets

# put together, so that no scanner takes this file for a leak
WORD = "Ab3dEf6hIj9lMn2pQr5tUv8x"
SECRETS = [
    f"sk-ant-api03-{WORD}-{WORD}AA",
    f"sk-proj-{WORD}_{WORD}",
    f"sk-{WORD}{WORD}",
    f"ghp_{WORD}{WORD}"[:40],
    f"github_pat_{WORD}_{WORD}",
    f"glpat-{WORD}"[:26],
    f"xoxb-123456789012-{WORD}",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + (WORD + WORD)[:35],
    f"npm_{WORD}{WORD}"[:40],
    f"hf_{WORD}{WORD}"[:37],
    "sk_live_" + WORD,
    f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{WORD}",
    f"SG.{WORD}.{WORD}",
    "https://hooks.slack.com/services/T000/B000/" + WORD,
    *(f"{prefix}{WORD}{WORD}" for prefix in ("whsec_", "gldt-", "xapp-1-", "GOCSPX-", "r8_", "pplx-", "tvly-")),
    *(f"{prefix}{WORD}{WORD}" for prefix in ("lsv2_pt_", "pcsk_", "nvapi-", "dckr_pat_", "lin_api_", "ntn_")),
    *(f"{prefix}{WORD}{WORD}" for prefix in ("shpat_", "glsa_", "sntrys_", "PMAK-", "hvs.", "1//0", "pat-na1-")),
    f"123456789:AA{WORD}{WORD}"[:45],
    "https://discord.com/api/webhooks/123456789012345678/" + WORD,
    f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n{WORD}\n-----END PGP PRIVATE KEY BLOCK-----",
    f"-----BEGIN RSA PRIVATE KEY-----\n{WORD}\n{WORD}\n-----END RSA PRIVATE KEY-----",
    f"-----BEGIN PRIVATE KEY-----\\n{WORD}\\n-----END PRIVATE KEY-----",
    f"-----BEGIN OPENSSH PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n{WORD}",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "export X={} && run", '{{"key": "{}"}}', "see {}, please", "a\\n{}\\nb"])
def test_a_key_is_replaced_wherever_it_stands(secret: str, around: str) -> None:
    text, places = without_secrets(around.format(secret), "[redacted]")
    assert places == 1
    assert WORD[:12] not in text
    assert "IOSFODNN7" not in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Authorization: Bearer {WORD}", "Authorization: Bearer …"),
        (f"OPENAI_API_KEY={WORD}", "OPENAI_API_KEY=…"),
        (f'"DB_PASSWORD": "{WORD}"', '"DB_PASSWORD": "…"'),
        (f"export GITHUB_TOKEN='{WORD}'", "export GITHUB_TOKEN='…'"),
        (f"x-api-key: {WORD}", "x-api-key: …"),
        (f"Authorization: token {WORD}", "Authorization: token …"),
        (f'{{"apiKey": "{WORD}"}}', '{"apiKey": "…"}'),
        (f"client_secret={WORD}", "client_secret=…"),
        (f"AccountName=a;AccountKey={WORD}==;", "AccountName=a;AccountKey=…;"),
        (f"https://x.io/a?access_token={WORD}&b=1", "https://x.io/a?access_token=…&b=1"),
        ("postgres://alice:hunter2@db/x", "postgres://alice:…@db/x"),
    ],
)
def test_what_names_a_secret_stays_beside_it(text: str, told: str) -> None:
    assert without_secrets(text, "…") == (told, 1)


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn and task-oriented work, sk-",
        "the commit 9b9bf0500a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "max_tokens: 123456789",
        "OPENAI_API_KEY=$OPENAI_API_KEY",
        "API_KEY = os.environ['API_KEY']",
        "https://example.org:8080/path?x=1@2",
        "a bearer of good news",
        "api_key: str | None = None",
        'api_key = os.environ["OPENAI_API_KEY"]',
        "the access token of a session, and key-value pairs",
        "3f2b7a10-0000-4000-8000-000000000001",
        "PRIMARY_KEY=REFERENCES",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert without_secrets(text, "…") == (text, 0)


def test_the_beginning_of_a_key_before_a_cut_is_replaced() -> None:
    assert without_secrets("sk-ant-api0…", "") == ("…", 1)


@pytest.mark.long
@pytest.mark.parametrize(
    "part",
    [
        "sk-",
        "eyJ",
        "eyJa.",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "A_KEY",
        "Bearer ",
        "api_key=",
        "?sig=",
        "sl.",
        "1//0",
        "123456789:AA",
    ],
)
def test_a_long_text_is_looked_through_in_proportion(part: str) -> None:
    text = part * 200_000
    assert without_secrets(text, "x")[0] is not None


def test_the_home_is_told_as_a_tilde_in_paths_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert without_home("in /home/ann/x, /home/anna and /home/ann") == "in ~/x, /home/anna and ~"
    assert without_home("/srv/home/ann/x") == "/srv/home/ann/x"


@pytest.mark.parametrize("home", ["/", "", "/r"])
def test_a_home_that_is_the_root_is_no_place_of_ones_own(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    assert without_home("/usr/bin /r") == "/usr/bin /r"


def test_a_warning_counts_places() -> None:
    assert warned_of_secrets(["nothing"]) == ()
    assert warned_of_secrets([SECRETS[0], f"{SECRETS[1]} {SECRETS[2]}"]) == (
        "3 places look like a key or a token, written as in the run",
    )
