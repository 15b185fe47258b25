"""The filters of Nunjucks: each outcome is the one that promptfoo's own Nunjucks (3.2.4) has for it."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Table
from sampleui.integrations.nunjucks import Filling

VARIABLES: Table = {
    "s": "hello wOrld  two",
    "n": 3,
    "f": 2.567,
    "neg": -2.5,
    "nul": None,
    "l": [1, 2.5, "x", None, [3, 4]],
    "d": {"b": 1, "10": 2, "a": {"z": "ü"}},
    "face": "a😀b",
    "num": "12.7abc",
}


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("{{ s | capitalize }}|{{ s | title }}", "Hello world  two|Hello World  Two"),
        ("{{ no | default('D') }}{{ nul | default('D') }}{{ nul | default('D', true) }}", "DD"),
        ("{{ l }}|{{ l | join(', ') }}|{{ l | join }}", "1,2.5,x,,3,4|1, 2.5, x, , 3,4|12.5x3,4"),
        ("{{ l | length }}{{ d | length }}{{ face | length }}{{ nul | length }}", "5340"),
        ("{{ s | replace('l', 'L', 2) }}|{{ s | replace('o', '') }}", "heLLo wOrld  two|hell wOrld  tw"),
        ("{{ l | first }}{{ l | last }}{{ s | first }}", "13,4h"),
        ("{{ num | int }}|{{ num | float }}|{{ s | int(9) }}|{{ s | int }}", "12|12.7|9|"),
        ("{{ f | round }}{{ f | round(1) }} {{ neg | round }} {{ f | round(2, 'floor') }}", "32.6 -2 2.56"),
        ("{{ d | dump }}", '{"10":2,"b":1,"a":{"z":"ü"}}'),
        ("{{ d.a | dump(2) }}", '{\n  "z": "ü"\n}'),
        ("{{ s | reverse }}{{ s | wordcount }}{{ s | urlencode }}", "owt  dlrOw olleh3hello%20wOrld%20%20two"),
        ("{{ s | trim | upper | safe }}", "HELLO WORLD  TWO"),
    ],
)
def test_what_is_certain_is_filled_in(template: str, wanted: str) -> None:
    assert Filling(VARIABLES, {}).text(template) == wanted


@pytest.mark.parametrize(
    "tag",
    [
        "{{ d }}",
        "{{ d | upper }}",
        "{{ n | upper }}",
        "{{ face | first }}",
        "{{ face | reverse }}",
        "{{ s | join }}",
        "{{ s | tojson }}",
        "{{ s | sort }}",
        "{{ s | replace(n, 'x') }}",
        "{{ s | safe | first }}",
        "{{ nul | trim }}",
        "{{ s | mine }}",
        "{{ f | round(10) }}",
        "{{ f | round(-1) }}",
        "{{ s | title }}",
    ],
)
def test_what_is_not_is_left_and_told(tag: str) -> None:
    filling = Filling(VARIABLES, {}, own_filters=frozenset({"mine", "title"}))
    assert filling.text(tag) == tag
    assert filling.notes and all("left as written" in note for note in filling.notes)
