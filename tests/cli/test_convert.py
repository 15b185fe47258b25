"""`sampleui convert` and `sampleui schema`."""

from __future__ import annotations

import csv
import json
from itertools import product

import jsonschema
import pytest

from sampleui.formats.data import same
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.workspace.deck import open_deck

from .conftest import DECKS


@pytest.mark.parametrize(
    ("dialect", "suffix"), product(["calibrate", "agentv", "gage"], ["toml", "yaml", "json", "jsonl", "csv", "tsv"])
)
def test_every_dialect_can_be_written_in_every_format(sampleui, tmp_path, dialect, suffix):
    target = tmp_path / f"out.{suffix}"
    ran = sampleui("convert", DECKS / "hello.toml", target, "--to", dialect)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].startswith(f"{target}: 6 samples written as ")
    before, after = open_deck(DECKS / "hello.toml"), open_deck(target, dialect)
    assert [sample.id for sample in after.samples] == [sample.id for sample in before.samples]
    assert [sample.messages for sample in after.samples] == [sample.messages for sample in before.samples]


def test_the_dialect_stays_when_none_is_given(sampleui, tmp_path):
    target = tmp_path / "out.jsonl"
    assert sampleui("convert", DECKS / "hello.toml", target).code == 0
    first = json.loads(target.read_text().splitlines()[0])
    assert first == open_deck(DECKS / "hello.toml").samples[0].data
    assert open_deck(target).dialect == "calibrate"


def test_the_names_of_a_keyed_deck_become_ids(sampleui, tmp_path):
    target = tmp_path / "out.jsonl"
    sampleui("convert", DECKS / "keyed.toml", target)
    assert json.loads(target.read_text().splitlines()[4])["id"] == "only half of it"


@pytest.mark.parametrize("suffix", ["yaml", "jsonl", "toml", "csv"])
def test_an_agentv_deck_is_written_as_agentv_4_reads_it(sampleui, tmp_path, suffix):
    target = tmp_path / f"out.{suffix}"
    source = tmp_path / "deck.jsonl"
    source.write_text('{"id": "a", "input": "2 + 2?", "target": "4"}\n{"input": "Hi"}\n')
    ran = sampleui("convert", source, target, "--to", "agentv", "--from", "inspect")
    assert (
        "AgentV leaves a sample out that has none of criteria, expected_output, assert and assertions (#2)"
        in ran.out
    )
    assert "id: made from the number of the sample, which has none (#2)" in ran.out and "wants one" not in ran.out
    first = open_deck(target, "agentv").samples[0].data
    assert first == {"id": "a", "input": [{"role": "user", "content": "2 + 2?"}], "expected_output": "4"}
    assert suffix != "yaml" or target.read_text().startswith("tests:\n")


def test_an_older_agentv_deck_is_written_as_agentv_4_reads_it(sampleui, tmp_path):
    old = {
        "id": "a",
        "input_messages": [{"role": "user", "content": "2 + 2?"}],
        "expected_messages": [{"role": "assistant", "content": "4"}, {"role": "tool", "content": "x"}],
        "expected_outcome": "says 4",
        "criteria": "and no more",
    }
    (tmp_path / "old.yaml").write_text(json.dumps({"evalcases": [old]}))
    sampleui("convert", tmp_path / "old.yaml", tmp_path / "new.json")
    renamed = {"input_messages": "input", "expected_messages": "expected_output"}
    wanted = {renamed.get(key, key): value for key, value in old.items()}
    assert json.loads((tmp_path / "new.json").read_text()) == {"tests": [wanted]}


def test_what_stands_beside_the_samples_is_reported(sampleui, tmp_path):
    ran = sampleui("convert", DECKS / "hello.toml", tmp_path / "out.yaml")
    assert "meta is beside the samples and is not carried over" in ran.out


def test_what_could_not_simply_move_is_reported_once_with_its_samples(sampleui, tmp_path):
    target = tmp_path / "out.jsonl"
    ran = sampleui("convert", DECKS / "hello.toml", target, "--to", "gage")
    assert "description: kept as metadata.description (all samples)" in ran.out.splitlines()
    assert json.loads(target.read_text().splitlines()[0])["metadata"]["score"] == 3


def test_a_report_names_some_of_many_samples(sampleui, tmp_path):
    source = tmp_path / "in.jsonl"
    rows = [{"id": f"s{at}", "messages": [{"role": "user", "content": "hi"}], "score": 1} for at in range(6)]
    del rows[5]["score"]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = sampleui("convert", source, tmp_path / "out.yaml", "--from", "calibrate", "--to", "agentv")
    assert "score: kept as metadata.score (s0, s1, s2 and 2 more)" in ran.out.splitlines()


def test_a_sample_that_cannot_be_read_is_not_written_as_an_empty_one(sampleui, tmp_path):
    source = tmp_path / "in.jsonl"
    row = '{"id": "a", "messages": [{"role": "user", "content": "hi"}], "score": 1}\n'
    source.write_text(row + '{"id": "b", \n' + row)
    ran = sampleui("convert", source, tmp_path / "out.toml")
    assert ran.code == 2
    assert f"{source}:2: the sample cannot be read" in ran.err
    assert not (tmp_path / "out.toml").exists()


def test_a_deck_without_samples_is_not_converted(sampleui, tmp_path):
    source = tmp_path / "in.toml"
    source.write_text("a = 1\n")
    ran = sampleui("convert", source, tmp_path / "out.yaml")
    assert ran.code == 2
    assert "no samples to convert" in ran.err


def test_attached_files_of_another_folder_are_named(sampleui, tmp_path):
    ran = sampleui("convert", DECKS / "attachments.toml", tmp_path / "out.yaml")
    assert "is found from the folder of" in ran.out


def test_an_existing_file_is_only_replaced_by_force(sampleui, tmp_path):
    target = tmp_path / "out.toml"
    target.write_text("mine\n")
    ran = sampleui("convert", DECKS / "hello.toml", target)
    assert ran.code == 2
    assert ran.err == f"sampleui: {target} exists; --force replaces it\n"
    assert target.read_text() == "mine\n"
    assert sampleui("convert", DECKS / "hello.toml", target, "--force").code == 0
    assert len(open_deck(target).samples) == 6


def test_a_target_whose_name_says_no_format_is_refused(sampleui, tmp_path):
    ran = sampleui("convert", DECKS / "hello.toml", tmp_path / "out.txt")
    assert ran.code == 2
    assert ".toml" in ran.err
    assert list(tmp_path.glob("out*")) == []


def test_what_a_format_cannot_hold_is_refused_and_nothing_is_written(sampleui, tmp_path):
    source = tmp_path / "in.jsonl"
    asked = '"messages": [{"role": "user", "content": "hi"}]'
    source.write_text(f'{{"id": "a", {asked}, "expected": null, "x": [1, {{"y": null}}]}}\n')
    ran = sampleui("convert", source, tmp_path / "out.toml", "--from", "calibrate")
    assert ran.code == 2
    assert f"{source}:1: a cannot be written: TOML has no null: leave out expected, x[1].y" in ran.err
    assert not (tmp_path / "out.toml").exists()


@pytest.mark.parametrize("dialect", ["calibrate", "agentv", "gage"])
def test_a_schema_is_a_json_schema(sampleui, dialect):
    ran = sampleui("schema", dialect)
    assert ran.code == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(ran.out))


def test_an_unknown_dialect_has_no_schema(sampleui):
    ran = sampleui("schema", "klingon")
    assert ran.code == 2
    assert "klingon" in ran.err


def test_what_is_lost_of_texts_and_keys_is_reported(sampleui, tmp_path):
    source = tmp_path / "in.yaml"
    source.write_text(
        """- id: a
  id: b
  messages:
  - role: user
    content:
    - {type: text, text: hi, lang: en}
    - {type: text, text: ' '}
    - {type: text, value: you, text: unseen}
  references:
  - answer: [{type: text, text: yes, weight: 2}]
---
other: 1
"""
    )
    target = tmp_path / "out.jsonl"
    ran = sampleui("convert", source, target, "--from", "gage", "--to", "calibrate")
    assert ran.code == 0
    assert {
        "messages: blank segments are dropped (all samples)",
        "messages[0].content[0].lang: dropped, calibrate has no place for it (all samples)",
        "messages[0].content[2].text: dropped, calibrate has no place for it (all samples)",
    } <= set(ran.out.splitlines())
    assert "id: the key 'id' is given more than once; the last one counts (all samples)" in ran.out
    assert f"{source}: the documents behind the first one are not carried" in ran.out.splitlines()
    row = json.loads(target.read_text())
    assert row["messages"][0]["content"] == "hi\nyou"
    assert row["expected"] == [{"answer": [{"type": "text", "text": "yes", "weight": 2}]}]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("in.yaml", "- messages: []\n  n: !celsius 5\n", "n: the tag !celsius is not carried (all samples)"),
        ("in.yaml", "- !case {messages: []}\n", "the sample: the tag !case is not carried (all samples)"),
        (
            "in.yaml",
            "- {messages: [], n: 1e400}\n",
            "n: 1e400 is beyond a float, and read as infinity (all samples)",
        ),
        (
            "in.json",
            '[{"messages": [], "n": [-1E999]}]',
            "n[0]: -1E999 is beyond a float, and read as infinity (all samples)",
        ),
        (
            "in.toml",
            "[[samples]]\nmessages = []\nn = 1e999\n",
            "n: 1e999 is beyond a float, and read as infinity (all samples)",
        ),
        (
            "in.yaml",
            f"- {{messages: [], n: {'1' * 5000}, m: '{'1' * 5000}'}}\n",
            f"n: {'1' * 39}… has too many digits, and is read as text (all samples)",
        ),
    ],
)
def test_what_only_the_text_says_is_reported(sampleui, tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    ran = sampleui("convert", tmp_path / name, tmp_path / "out.toml")
    assert ran.code == 1, ran.err  # for a sample without messages
    assert said in ran.out.splitlines()


def test_what_values_say_themselves_is_not_reported(sampleui, tmp_path):
    (tmp_path / "in.yaml").write_text("- {messages: [], a: .inf, b: -.INF, c: !!str 12, d: ! x}\n")
    ran = sampleui("convert", tmp_path / "in.yaml", tmp_path / "out.toml")
    assert ran.out.splitlines() == [f"{tmp_path}/out.toml: 1 sample written as calibrate"]


def test_a_conversion_to_a_table_says_what_it_loses(sampleui, tmp_path):
    source, target = tmp_path / "deck.jsonl", tmp_path / "deck.csv"
    source.write_text('{"id": "a", "messages": [{"role": "user", "content": "Hi"}], "note": 5, "expected": null}\n')
    said = sampleui("convert", source, target).out
    assert "note: a number is written as text (all samples)" in said
    assert "expected: null has no cell and is left out (all samples)" in said
    with target.open(newline="") as lines:
        assert [row["note"] for row in csv.DictReader(lines)] == ["5"]


def test_a_deck_whose_keys_do_not_tell_its_dialect_says_how_to_read_it(sampleui, tmp_path):
    source, target = tmp_path / "deck.jsonl", tmp_path / "out.json"
    source.write_text('{"id": "a", "input": "2 + 2?", "target": "4"}\n')
    ran = sampleui("convert", source, target, "--to", "deepeval")
    assert f"{target} reads as AgentV by its keys; --dialect deepeval reads it as DeepEval" in ran.out
    assert open_deck(target).dialect == "agentv" and open_deck(target, "deepeval").diagnostics == ()
    assert "by its keys" not in sampleui("convert", source, tmp_path / "out.yaml", "--to", "agentv").out


def test_what_inspect_does_not_read_in_a_table_is_told_and_no_cell_of_metadata_is_empty(sampleui, tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.csv"
    source.write_text(
        '{"id": "a", "input": "Q", "target": "A", "metadata": {"k": 1}}\n'
        '{"id": "b", "input": [{"role": "user", "content": "Q"}], "target": "A"}\n'
    )
    ran = sampleui("convert", source, target)
    assert "input: Inspect reads a cell as one text, with the list or table in it (b)" in ran.out.splitlines()
    assert [row["metadata"] for row in csv.DictReader(target.open())] == ['{"k": 1}', "{}"]


def test_tests_of_promptfoo_are_a_list_that_a_config_can_name_and_columns_in_a_table(sampleui, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "a", "input": "Q", "target": "A"}\n')
    assert sampleui("convert", source, tmp_path / "tests.json", "--to", "promptfoo").code == 0
    assert json.loads((tmp_path / "tests.json").read_text()) == [
        {"description": "a", "vars": {"question": "Q"}, "assert": [{"type": "equals", "value": "A"}]}
    ]
    assert sampleui("convert", source, tmp_path / "tests.csv", "--to", "promptfoo").code == 0
    assert (tmp_path / "tests.csv").read_text() == "__description,question,__expected\na,Q,equals: A\n"
    assert sampleui("convert", tmp_path / "tests.csv", tmp_path / "again.json", "--to", "promptfoo").code == 0
    assert (tmp_path / "again.json").read_text() == (tmp_path / "tests.json").read_text()


def test_what_a_program_refuses_of_the_whole_file_is_told(sampleui, tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.csv"
    source.write_text(
        '{"id": "1", "messages": [{"role": "user", "content": "Q"}], "expected": "4"}\n'
        '{"id": "2", "messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]}\n'
        '{"id": "3", "expected": "5"}\n'
    )
    told = sampleui("convert", source, target, "--to", "deepeval").out.splitlines()
    assert "name: DeepEval takes a column of nothing but numbers for numbers, and refuses them" in told
    said = "DeepEval takes conversations and other samples from separate files alone: 1 of 3 are conversations"
    assert said in told
    assert "the sample has no input, which DeepEval wants (3)" in told


def test_older_records_are_brought_up_to_date_without_a_screen(sampleui, tmp_path):
    source, target = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    source.write_text(
        '{"id": "a", "question": "2 + 2?", "answer": "4", "text": "sums", "question_type": "short-answer"}\n'
    )
    ran = sampleui("convert", source, target, "--from", "gage", "--to", "gage")
    assert ran.out.splitlines()[:2] == [
        "question, answer, question_type, text: an older record, written as today's (all samples)",
        "text: kept as it was under metadata (all samples)",
    ]
    assert sampleui("check", target).code == 0
    sample = json.loads(target.read_text())
    assert (sample["metadata"], sample["label"], sample["task_type"]) == ({"text": "sums"}, "4", "short-answer")


def test_old_samples_of_calibrate_are_written_with_messages_in_any_dialect(sampleui, tmp_path):
    source = tmp_path / "old.toml"
    source.write_text('[[samples]]\nid = "a"\nuserMessage = "2?"\nassistantResponse = "two"\n')
    for dialect in ("calibrate", "gage"):
        target = tmp_path / f"{dialect}.jsonl"
        ran = sampleui("convert", source, target, "--to", dialect)
        assert ran.out.startswith("userMessage, assistantResponse: ")
        (sample,) = open_deck(target, dialect).samples
        assert [message["content"] for message in sample.messages] == ["2?", "two"]


DATES = {
    "in.toml": (
        """[[samples]]
id = "a"
day = 2024-01-02
metadata = { at = [10:00:00, 2024-01-02T03:04:05+02:00], "b.c" = 2024-01-02T03:04:05 }
messages = [{ role = "user", content = "hi" }]
""",
        {"at": ["10:00:00", "2024-01-02T03:04:05+02:00"], "b.c": "2024-01-02T03:04:05"},
        ["day", "metadata.at", 'metadata."b.c"'],
    ),
    "in.yaml": (
        "- {id: a, day: 2024-01-02, metadata: {at: [2024-01-02]}, messages: [{role: user, content: hi}]}\n",
        {"at": ["2024-01-02"]},
        ["day", "metadata.at"],
    ),
}


@pytest.mark.parametrize(("name", "suffix"), product(DATES, ["toml", "yaml", "json", "jsonl", "csv", "tsv"]))
def test_dates_are_written_as_iso_texts_and_told(sampleui, tmp_path, name, suffix):
    text, metadata, keys = DATES[name]
    source, target = tmp_path / name, tmp_path / f"out.{suffix}"
    source.write_text(text)
    ran = sampleui("convert", source, target, "--from", "calibrate", "--to", "calibrate")
    assert (ran.code, ran.err) == (0, "")
    data = open_deck(target, "calibrate").samples[0].data
    told = [line for line in ran.out.splitlines() if "date or time" in line]
    if name.endswith(suffix) and suffix == "toml":
        assert told == [] and data == open_deck(source, "calibrate").samples[0].data
        return
    assert told == [f"{key}: a date or time is written as text (all samples)" for key in keys]
    assert (data["day"], data["metadata"]) == ("2024-01-02", metadata)


KINDS = {
    "toml": [
        "1.0",
        "-0.0",
        "inf",
        "nan",
        f"{2**63 - 1}",
        "''",
        "10:00:00",
        "[[[]]]",
        "{'' = [{a = 1}]}",
        r'"\u0000"',
    ],
    "yaml": [
        *("1e3", ".inf", ".nan", "0x1F", f"{10**40}", "", "~", "[null]", r'"\x1b\0"', "2024-01-02", "*anchor"),
        *("!!binary aGVsbG8=", "!!set {a, b}", "!!omap [a: 1]", "!own x", "!!timestamp 2024-01-02T03:04:05Z"),
        *(
            "{1: a}",
            "{null: a}",
            "{true: a}",
            "{2024-01-02: a}",
            "{1.5: a}",
            "{[1]: a}",
            r'"\ud800"',
            "{a: 1, a: 2}",
        ),
    ],
    "jsonl": [
        "1.0",
        "1e400",
        "NaN",
        f"{10**40}",
        "null",
        '"\\ud800"',
        '"\\u0000\\u001b"',
        '{"": {"a": []}}',
        "[null, [1]]",
    ],
}
FRAMES = {
    "toml": "[[samples]]\nid = 'a'\nkind = {}\nmessages = [{{role = 'user', content = 'hi'}}]\n",
    "yaml": "- id: a\n  other: &anchor {{b: 1}}\n  kind: {}\n  messages: [{{role: user, content: hi}}]\n",
    "jsonl": '{{"id": "a", "kind": {}, "messages": [{{"role": "user", "content": "hi"}}]}}\n',
}


def test_a_value_of_any_kind_is_written_told_or_refused_in_every_format(sampleui, tmp_path):
    for (form, frame), suffix in product(FRAMES.items(), ("toml", "yaml", "jsonl", "csv")):
        for value in KINDS[form]:
            source, target = tmp_path / f"in.{form}", tmp_path / f"out.{suffix}"
            source.write_text(frame.format(value))
            target.unlink(missing_ok=True)
            ran = sampleui("convert", source, target, "--from", "calibrate")
            assert ran.code in ((0, 1) if target.exists() else (2,)), (form, value, suffix, ran)
            if target.exists() and "kind" not in ran.out:
                before, after = (open_deck(path, "calibrate").samples[0].data for path in (source, target))
                assert same(before["kind"], after["kind"]), (form, value, suffix, ran)


def test_ids_are_made_where_the_target_needs_them_and_never_those_that_others_have(sampleui, tmp_path):
    source, target = tmp_path / "in.toml", tmp_path / "out.jsonl"
    ids = ["", "id = 'sample-1'", "id = ' '", "id = 'b'", "id = 7", "id = 'sample-3-2'"]
    sample = "[[samples]]\n{}\nexpected = 'x'\nmessages = [{{ role = 'user', content = 'hi' }}]\n"
    source.write_text("".join(map(sample.format, ids)))
    for dialect in ("agentv", "gage"):
        ran = sampleui("convert", source, target, "--to", dialect, "--force")
        deck = open_deck(target, dialect)
        assert [one.id for one in deck.samples] == ["sample-1-2", "sample-1", "sample-3", "b", "7", "sample-3-2"]
        assert "id: made from the number of the sample, which has none (#1, #3)" in ran.out.splitlines()
        assert (ran.code, sampleui("check", target, "--dialect", dialect).code) == (0, 0)
    sampleui("convert", source, target, "--force")  # calibrate does not want ids
    assert "id" not in json.loads(target.read_text().splitlines()[0])


def test_ids_that_only_the_source_may_have_twice_are_told_apart(sampleui, tmp_path):
    source, target = tmp_path / "in.json", tmp_path / "out.yaml"
    source.write_text(
        json.dumps([{"description": name, "vars": {"question": "Q"}} for name in ("a", "a-2", "a", "a")])
    )
    ran = sampleui("convert", source, target, "--from", "promptfoo", "--to", "gage")
    assert [sample.id for sample in open_deck(target, "gage").samples] == ["a", "a-2", "a-3", "a-4"]
    assert "id: a number is put behind it, for gage-eval allows no two alike (a, a)" in ran.out.splitlines()
    given = tmp_path / "given.jsonl"
    given.write_text('{"id": "a", "input": "Q", "target": "A"}\n' * 2)
    ran = sampleui("convert", given, tmp_path / "again.jsonl", "--from", "inspect", "--to", "gage")
    assert ran.code == 1 and "does not pass check --dialect gage: 1 error" in ran.err
    assert [json.loads(line)["id"] for line in (tmp_path / "again.jsonl").read_text().splitlines()] == ["a", "a"]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_the_exit_code_says_whether_what_was_written_passes_check(sampleui, tmp_path, dialect):
    for name, suffix in product(
        ("hello.toml", "problems.toml", "keyed.toml", "attachments.toml"), ("jsonl", "csv")
    ):
        target = tmp_path / f"{name}.{suffix}"
        ran = sampleui("convert", DECKS / name, target, "--to", dialect)
        if dialect in ("openai", "skill-triggers") and (name, suffix) == ("problems.toml", "csv"):
            assert ran.code == 2  # a sample of nothing would be an empty line
            continue
        checked = sampleui("check", target, "--dialect", dialect)
        assert ran.code == checked.code < 2, (name, suffix, ran, checked)
        assert ("does not pass check" in ran.err) == bool(ran.code)


def test_a_folder_of_decks_is_not_converted_well_if_one_has_problems(sampleui, tmp_path):
    (tmp_path / "in").mkdir()
    good = '{"id": "a", "messages": [{"role": "user", "content": "hi"}]}\n'
    (tmp_path / "in" / "good.jsonl").write_text(good)
    (tmp_path / "in" / "poor.jsonl").write_text(good.replace("user", ""))
    ran = sampleui("convert", tmp_path / "in", tmp_path / "out", "--from", "calibrate")
    assert ran.code == 1 and "poor.jsonl does not pass check" in ran.err and "good.jsonl" not in ran.err


def test_references_that_are_written_empty_are_told(sampleui, tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text(
        '{"id": "a", "messages": [{"role": "user", "content": "x"}]}\n'
        '{"id": "b", "messages": [{"role": "user", "content": "x"}], "expected": "y"}\n'
    )
    ran = sampleui("convert", "--to", "gage", source, tmp_path / "b.jsonl")
    assert "references: written empty, for the sample expects no answer (a)" in ran.out.splitlines()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"id": "x", "messages": [{"role": "user", "content": "Hi"}], "n": NUMBER}]'),
        ("a.yaml", "- id: x\n  messages: [{role: user, content: Hi}]\n  n: NUMBER  # a comment\n"),
        ("a.toml", '[[samples]]\nid = "x"\nmessages = [{ role = "user", content = "Hi" }]\nn = NUMBER\n'),
        ("a.csv", 'id,messages,expected\nx,"[{""role"": ""user"", ""content"": ""Hi""}]","{""n"": NUMBER}"\n'),
    ],
)
@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("5.107091491635510056019771245", "has more digits than a float, and is read as 5.10709149163551"),
        ("0.12345678901234567890", "has more digits than a float, and is read as 0.12345678901234568"),
        ("1e-400", "is too small, and is read as 0"),
        ("0.10", ""),
        ("1.7976931348623157e308", ""),
        ("1234567890123456.5", ""),
    ],
)
def test_a_number_that_no_float_is_is_told(sampleui, tmp_path, name, text, number, told):
    deck = tmp_path / name
    deck.write_text(text.replace("NUMBER", number))
    ran = sampleui("convert", deck, tmp_path / "out.yaml", "--from", "calibrate", "--to", "calibrate")
    assert (f"n: {number} {told}" in ran.out) == bool(told)
    assert ("is read as" in ran.out) == bool(told)


@pytest.mark.parametrize(
    "messages",
    [
        '[{"role": "user", "content": "Hi"}, {"type": "function_call", "name": "f", "arguments": "{}"}]',
        '[{"id": "u", "role": "user", "parts": [{"type": "text", "text": "Hi"}]}]',
        '[{"speaker": "Ann", "content": "Hi"}, {"speaker": "Bo", "content": "Ho"}]',
    ],
)
def test_a_list_of_messages_is_no_deck_of_as_many_samples(sampleui, tmp_path, messages):
    chat, target = tmp_path / "chat.json", tmp_path / "out.jsonl"
    chat.write_text(messages)
    ran = sampleui("convert", "--to", "gage", chat, target)
    assert ran.code == 2
    assert (
        f"is a conversation and no deck; sampleui promote {chat} --id '#1' --to {target} makes a sample" in ran.err
    )
    assert not target.exists()
    assert sampleui("promote", chat, "--id", "#1", "--to", target).code == 0
    assert len(target.read_text().splitlines()) == 1


CALLED = {"p": "x"}
PROVIDERS = {
    "anthropic": [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "x"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t1", "name": "read", "input": CALLED},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]},
    ],
    "responses": [
        {"role": "user", "content": "hi"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "t1", "name": "read", "input": CALLED},
        {"type": "function_call_output", "call_id": "t1", "output": "ok"},
    ],
    "ai sdk": [
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "hi"}]},
        {
            "id": "m2",
            "role": "assistant",
            "parts": [
                {"type": "step-start"},
                {"type": "text", "text": "I look."},
                {"type": "tool-read", "toolCallId": "t1", "input": CALLED, "output": "ok"},
            ],
        },
    ],
    "opencode": [
        {"info": {"role": "user", "id": "1"}, "parts": [{"type": "text", "text": "hi"}]},
        {
            "info": {"role": "assistant"},
            "parts": [
                {"type": "text", "text": "I look."},
                {"type": "tool", "callID": "t1", "tool": "read", "state": {"input": CALLED, "output": "ok"}},
            ],
        },
    ],
}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_messages_of_a_provider_are_converted_with_their_calls_and_results(sampleui, tmp_path, provider):
    source, target = tmp_path / "chat.jsonl", tmp_path / "out.yaml"
    source.write_text(json.dumps({"id": "a", "messages": PROVIDERS[provider]}) + "\n")
    ran = sampleui("convert", source, target, "--from", "calibrate", "--to", "agentv")
    assert ran.code == 0
    assert ("it is what a model thought" in ran.out) == (provider in ("anthropic", "responses"))
    (sample,) = open_deck(target, "agentv").samples
    text = target.read_text()
    assert [entry["role"] for entry in sample.data["input"]] == [
        "user",
        *(["assistant"] if provider == "responses" else []),
        "assistant",
        "tool",
    ]
    assert "I look." in text
    (calls,) = [entry["tool_calls"] for entry in sample.data["input"] if "tool_calls" in entry]
    functions = [call["function"] for call in calls]
    assert [(function["name"], json.loads(function["arguments"])) for function in functions] == [("read", CALLED)]
    assert "ok" in text


def test_what_a_message_of_a_provider_has_beside_its_words_is_said_to_be_left_out(sampleui, tmp_path):
    source, target = tmp_path / "chat.jsonl", tmp_path / "out.yaml"
    cached = {
        "type": "tool_use",
        "id": "t1",
        "name": "read",
        "input": {},
        "cache_control": {"type": "ephemeral", "ttl": "5m"},
    }
    cost = {"info": {"role": "assistant", "cost": 0.25}, "parts": [{"type": "text", "text": "done"}]}
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": [cached]}, cost]
    source.write_text(json.dumps({"id": "a", "messages": messages}) + "\n")
    ran = sampleui("convert", source, target, "--from", "calibrate", "--to", "agentv")
    assert "messages[1].content[0].cache_control: dropped, AgentV has no place for it" in ran.out
    assert "messages[2].info.cost: dropped, AgentV has no place for it" in ran.out
