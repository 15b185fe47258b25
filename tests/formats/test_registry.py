"""Which form a deck is in: by its name, and by its content where the name does not say or is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from sampleui.errors import FormatError
from sampleui.formats.registry import BY_SUFFIX, FORMATS, form_named, parse_document

TOML = '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "Hi" }]\n'
YAML = "evalcases:\n  - id: a\n    input_messages:\n      - role: user\n        content: Hi\n"
JSON = '{\n  "samples": [\n    {"id": "a"}\n  ]\n}\n'
LINES = '{"id": "a"}\n{"id": "b"}\n'
TABLE = "id,messages\n"
PROSE = "# Deck\n\nSome prose: with a colon.\n\n![samples](a.toml)\n"


@pytest.mark.parametrize(
    ("name", "text", "form", "count"),
    [
        ("a.toml", TOML, "toml", 1),
        ("a.TOML", TOML, "toml", 1),
        ("a.yaml", YAML, "yaml", 1),
        ("a.yml", YAML, "yaml", 1),
        ("a.json", JSON, "json", 1),
        ("a.jsonl", LINES, "jsonl", 2),
        ("a.ndjson", LINES, "jsonl", 2),
        ("a.md", PROSE, "markdown", 0),
        ("a.deck.markdown", PROSE, "markdown", 0),
        # A wrong name: the content says.
        ("a.json", LINES, "jsonl", 2),
        ("a.json", "\ufeff\n" + LINES * 3 + "not json\n", "jsonl", 7),
        ("a.json", '{"id": "a", "messages": []}\n', "json", 1),
        ("a.jsonl", JSON, "json", 1),
        ("a.jsonl", '[{"id": "a"}, {"id": "b"}]', "json", 2),
        ("a.jsonl", '{"id": "a", "messages": []}\n', "jsonl", 1),
        ("a.jsonl", '{"id": \n' + LINES, "jsonl", 3),
        ("a.jsonl", "", "jsonl", 0),
        # No name: the content says.
        ("deck", TOML, "toml", 1),
        ("deck.txt", YAML, "yaml", 1),
        ("deck", JSON, "json", 1),
        ("deck", "\ufeff" + JSON, "json", 1),
        ("deck", '[{"id": "a"}]', "json", 1),
        ("deck", LINES, "jsonl", 2),
        ("deck", PROSE, "markdown", 0),
        ("deck", "# only a comment\n", "toml", 0),
    ],
)
def test_the_form_of_a_file_is_told_by_its_name_and_text(name, text, form, count):
    document = parse_document(text, Path(name))
    assert (document.format, len(document), document.text) == (form, count, text)


def test_a_broken_file_is_reported_in_the_form_of_its_name():
    with pytest.raises(FormatError) as caught:
        parse_document('{"samples": [\n{"id": }]}', Path("a.json"))
    assert (caught.value.line, caught.value.column) == (2, 8)


def test_a_broken_file_without_a_name_is_reported_where_the_best_form_stopped():
    with pytest.raises(FormatError) as caught:
        parse_document(TOML + "\n[[samples]]\nid = = 3\n", Path("deck"))
    assert caught.value.line == 6


@pytest.mark.parametrize("suffix", BY_SUFFIX)
def test_a_new_deck_takes_samples(suffix):
    document = form_named(Path(f"new{suffix}")).vacant(("samples",))
    assert len(document) == 0
    if document.format == "markdown":
        return
    sample = {"id": "a", "messages": [{"role": "user", "content": "Hi"}]}
    after = document.apply(document.insert_sample(0, sample))
    again = parse_document(after.text, Path(f"new{suffix}"))
    assert [again.read(at) for at in range(len(again))] == [sample]
    assert after.text.endswith("\n")


def test_a_new_deck_needs_a_name_that_says_its_form():
    with pytest.raises(FormatError, match=r"\.toml"):
        form_named(Path("deck"))


@pytest.mark.parametrize("form", FORMATS, ids=[form.name for form in FORMATS])
def test_opening_one_form_imports_no_other(form):
    texts = {
        "toml": TOML,
        "yaml": YAML,
        "json": JSON,
        "jsonl": LINES,
        "markdown": PROSE,
        "csv": TABLE,
        "tsv": TABLE,
    }
    heavy = {"toml": {"yaml"}, "yaml": {"tomlkit"}, "json": {"yaml", "tomlkit", "tomllib", "tomli"}}
    others = heavy.get(form.name, {"yaml", "tomlkit"})
    code = (
        "import sys; from pathlib import Path; from sampleui.formats.registry import parse_document; "
        f"parse_document({texts[form.name]!r}, Path('a{form.suffixes[0]}')); "
        f"sys.exit(str(sorted({others!r} & set(sys.modules))) if {others!r} & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
