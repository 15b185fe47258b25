"""What a pasted text is taken for."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects import DIALECTS
from sampleui.sample.pasting import fitted, read_pasted, spoken_in

HI: Table = {"role": "user", "content": "Hi"}
HO: Table = {"role": "assistant", "content": "Ho"}


@pytest.mark.parametrize(
    ("text", "how", "turns"),
    [
        ("Hi", "plain text", [HI]),
        ("\n\n  Hi\r\n    there\r\n", "plain text", [{"role": "user", "content": "Hi\n  there"}]),
        ("", "plain text", [{"role": "user", "content": ""}]),
        ("7", "plain text", [{"role": "user", "content": "7"}]),
        ("{}", "plain text", [{"role": "user", "content": "{}"}]),
        ("[]", "plain text", [{"role": "user", "content": "[]"}]),
        ("[1, {}]", "plain text", [{"role": "user", "content": "[1, {}]"}]),
        ("User: Hi", "chat", [HI]),
        ("human: Hi\r\n**Assistant:** Ho", "chat", [HI, HO]),
        ("### System:\nBe kind.\n\n> Bot: Ho\n", "chat", [{"role": "system", "content": "Be kind."}, HO]),
        ("Note\nUser: Hi", "plain text", [{"role": "user", "content": "Note\nUser: Hi"}]),
        ("User:Hi", "plain text", [{"role": "user", "content": "User:Hi"}]),
        ('{"role": "user", "content": "Hi"}', "JSON", [HI]),
        ('[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]', "JSON", [HI, HO]),
        (
            '{"role": "user", "content": "Hi"}\n\n{"role": "assistant", "content": "Ho"}',
            "JSON Lines",
            [HI, HO],
        ),
        ("- role: user\n  content: Hi\n- role: assistant\n  content: Ho\n", "YAML", [HI, HO]),
    ],
)
def test_a_text_is_turns(text: str, how: str, turns: list[Table]) -> None:
    pasted = read_pasted(text)
    assert (pasted.how, [*pasted.turns]) == (how, turns)
    assert not pasted.samples
    assert not pasted.fields


@pytest.mark.parametrize(
    ("text", "how", "samples"),
    [
        ('{"messages": [], "id": "a"}', "JSON", [{"messages": [], "id": "a"}]),
        ('{"input": "Hi"}\n{"input": "Ho"}', "JSON Lines", [{"input": "Hi"}, {"input": "Ho"}]),
        ("[[samples]]\nmessages = []\n", "TOML", [{"messages": []}]),
        ("tests:\n- input: Hi\n", "YAML", [{"input": "Hi"}]),
    ],
)
@pytest.mark.parametrize("among_samples", [True, False])
def test_a_text_is_samples(text: str, how: str, samples: list[Table], among_samples: bool) -> None:
    pasted = read_pasted(text, among_samples=among_samples)
    assert (pasted.how, [*pasted.samples]) == (how, samples)
    assert not pasted.turns
    assert not pasted.fields


def test_tables_that_could_be_anything_are_samples_among_samples_only() -> None:
    text = '{"colour": "red"}'
    assert read_pasted(text, among_samples=True).samples == ({"colour": "red"},)
    assert read_pasted(text).fields == {"colour": "red"}
    assert not read_pasted(text).samples
    listed = '[{"colour": "red"}, {"messages": []}]'
    assert read_pasted(listed, among_samples=True).samples == ({"colour": "red"}, {"messages": []})
    assert read_pasted(listed).turns == ({"role": "user", "content": listed},)


@pytest.mark.parametrize(
    ("data", "target", "wanted"),
    [
        ({"messages": []}, "agentv", "agentv"),
        ({"messages": [], "references": []}, "calibrate", "gage"),
        ({"messages": [], "expected": "x"}, "gage", "gage"),
        ({"messages": [], "expected": "x"}, "agentv", "calibrate"),
        ({"input": "Hi", "criteria": "x"}, "calibrate", "agentv"),
    ],
)
def test_what_a_copied_sample_is_spelled_in(data: Table, target: str, wanted: str) -> None:
    assert spoken_in(data, DIALECTS[target]).name == wanted


def test_what_is_pasted_is_spelled_as_the_deck_is_and_losses_are_said_once() -> None:
    two: list[Plain] = [{"input": "Hi", "criteria": "x", "workspace": "w"}] * 2
    pasted = fitted(read_pasted(str(two).replace("'", '"')), DIALECTS["calibrate"])
    assert [sample["messages"] for sample in pasted.samples] == [[HI], [HI]]
    assert len(pasted.notes) == len({*pasted.notes}) > 0
    image = '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]'
    (note,) = fitted(read_pasted(image), DIALECTS["agentv"]).notes
    assert "media segments" in note
    assert fitted(read_pasted("User: Hi"), DIALECTS["calibrate"]) == read_pasted("User: Hi")
