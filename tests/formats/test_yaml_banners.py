"""A banner goes where its sample goes, and never stands over another: every edit of a YAML deck that has them."""

from __future__ import annotations

import itertools
import re

import pytest
import yaml

from sampleui.formats.yaml import YamlDocument

from .by_name import splice_of

IDS = ["add", "ask", "cite", "deny"]
BANNERS = {name: name.upper() for name in IDS}
NEW = {"id": "new", "input_messages": [{"role": "user", "content": "Hi"}]}
FORMS = {
    "listed": ("# A deck.\n\nevalcases:\n", "  ", "\n# The end.\n\nother: 1\n"),
    "apart from the key": ("# A deck.\n\nevalcases:\n\n", "  ", ""),
    "the file is the list": ("# A deck.\n\n# About it.\n\n", "", ""),
    "named": ("samples:\n", "  ", ""),
}


def sample(form: str, name: str) -> str:
    body = f"{name}:\n  " if form == "named" else f"- id: {name}\n  "
    return body + "input_messages:\n    - role: user\n      content: |\n        Hi\n\n        # no comment\n"


def written(form: str, names: list[str]) -> str:
    opening, indent, closing = FORMS[form]
    blocks = [f"# --- {name} ---\n" if name.isupper() else sample(form, name) for name in names]
    indented = (re.sub(r"(?m)^(?=.)", indent, block) for block in blocks)
    return opening + "\n".join(indented) + closing


def expected(names: list[str]) -> list[str]:
    return [one for name in names for one in ([BANNERS[name], name] if name in BANNERS else [name])]


def outline(text: str) -> list[str]:
    found = re.findall(r"(?m)^ *(?:# --- (\w+)|- id: (\w+)|(\w+):$)", text)
    return [one for line in found for one in line if one and one not in ("evalcases", "samples", "input_messages")]


def ids(text: str) -> list[str]:
    data = yaml.safe_load(text)
    held = data if isinstance(data, list) else data.get("evalcases", data.get("samples"))
    return [*held] if isinstance(held, dict) else [one["id"] for one in held]


@pytest.fixture(params=FORMS)
def deck(request) -> YamlDocument:
    return YamlDocument.parse(written(request.param, expected(IDS)))


def check(deck: YamlDocument, splice, names: list[str]) -> None:
    after = deck.apply(splice)
    assert outline(after.text) == expected(names)
    assert ids(after.text) == names
    assert "\n\n\n" not in after.text
    assert after.apply(splice.inverse()).text == deck.text


@pytest.mark.parametrize(("index", "to"), [*itertools.permutations(range(4), 2)])
def test_a_sample_moves_with_its_banner(deck, index: int, to: int) -> None:
    names = [name for at, name in enumerate(IDS) if at != index]
    names.insert(to, IDS[index])
    check(deck, deck.move_sample(index, to), names)


@pytest.mark.parametrize("index", range(4))
def test_a_banner_goes_with_its_sample(deck, index: int) -> None:
    check(deck, deck.delete_sample(index), IDS[:index] + IDS[index + 1 :])


@pytest.mark.parametrize("index", range(5))
def test_a_new_sample_takes_no_ones_banner(deck, index: int) -> None:
    check(deck, deck.insert_sample(index, NEW), [*IDS[:index], "new", *IDS[index:]])


@pytest.mark.parametrize(
    ("names", "edit", "wanted"),
    [
        ("A a b B c d", ("delete_sample", 0), "A b B c d"),
        ("A a b B c d", ("move_sample", 0, 1), "A b a B c d"),
        ("A a b B c d", ("move_sample", 0, 2), "A b B c a d"),
        ("A a b B c d", ("move_sample", 3, 0), "A d a b B c"),
        ("A a b B c", ("delete_sample", 2), "A a b"),
        ("A a b B c", ("move_sample", 2, 0), "B c A a b"),
        ("A a b B c", ("move_sample", 2, 1), "A a c b B"),
        ("A a B b c", ("move_sample", 0, 2), "B b c A a"),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_a_banner_over_several_samples_stays_over_them(form: str, names: str, edit, wanted: str) -> None:
    document = YamlDocument.parse(written(form, names.split()))
    method, *arguments = edit
    after = document.apply(splice_of(document, method, *arguments))
    assert after.text == written(form, wanted.split())
