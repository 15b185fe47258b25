"""Older gage-eval records (§1.5), shown as samples and rewritten by a fix."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.formats.data import Plain, Table, same
from sampleui.formats.operations import Delete, Set, applied
from sampleui.integrations.gage.dialect import GAGE
from sampleui.integrations.gage.older import updated
from sampleui.sample.answer_options import choices_of, option_ids
from sampleui.sample.dialects.older import fix
from sampleui.sample.message import TextSegment
from sampleui.sample.parse import turns
from tests.inside import inside
from tests.sample.build import found, gage, sample_of


def mapped(data: Table) -> Table | None:
    update = updated(data)
    return update.data if update else None


def older_keys(data):
    update = updated(data)
    return update.old if update else ()


def kept_keys(data):
    update = updated(data)
    return update.kept if update else ()


def text(value: str) -> Plain:
    return [{"type": "text", "text": value}]


QUIZ: Table = {"id": "q1", "question": "Which?", "choices": ["Shark", "Dolphin"], "answer": 1, "split": "dev"}


def test_a_quiz_question_becomes_a_sample() -> None:
    assert mapped(QUIZ) == {
        "schema_version": "v1",
        "id": "q1",
        "split": "dev",
        "messages": [{"role": "user", "content": text("Which?")}],
        "options": [{"id": "A", "content": "Shark"}, {"id": "B", "content": "Dolphin"}],
        "metadata": {"option_map": {"A": "Shark", "B": "Dolphin"}},
        "references": [{"answer": text("B")}],
        "label": "B",
    }
    assert older_keys(QUIZ) == ("question", "choices", "answer")


def test_an_older_record_is_shown_as_the_sample() -> None:
    (message,) = turns(sample_of("gage", QUIZ))
    assert (message.role, message.segments) == ("user", (TextSegment("Which?"),))


@pytest.mark.parametrize("key", ["question", "prompt", "text"])
def test_messages_come_from_any_of_the_older_names(key: str) -> None:
    sample = mapped({key: "Hi", "answer": "x"})
    assert sample is not None
    assert sample["messages"] == [{"role": "user", "content": text("Hi")}]
    assert key not in sample


def test_media_beside_the_question_become_segments_before_its_text() -> None:
    sample = mapped(
        {"question": "Which?", "image": ["a.png", "b.png"], "audio_url": "c.wav", "video": {}, "file": ""}
    )
    assert sample is not None
    assert sample["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": "a.png"}},
                {"type": "image_url", "image_url": {"url": "b.png"}},
                {"type": "audio_url", "audio_url": {"url": "c.wav"}},
                {"type": "text", "text": "Which?"},
            ],
        }
    ]
    assert not sample.keys() & {"question", "image", "audio_url", "video", "file"}
    assert sample["metadata"] == {"video": {}, "file": ""}


def test_media_alone_make_no_older_record() -> None:
    assert mapped(gage(image="a.png")) is None
    assert mapped({"image": "a.png"}) is None


def test_the_first_older_name_wins_and_the_others_are_kept_under_metadata() -> None:
    record: Table = {"question": "Hi", "text": "context", "answer": "x", "references": ["y"], "choices": "none"}
    sample = mapped(record)
    assert sample is not None
    assert sample["metadata"] == {"text": "context", "answer": "x", "choices": "none"}
    assert kept_keys(record) == ("text", "choices", "answer")


@pytest.mark.parametrize(
    ("choices", "answer", "ids", "label"),
    [
        (["x", "y"], "B", ["A", "B"], "B"),
        (["x", "y"], 0, ["A", "B"], "A"),
        (["x", "y"], 9, ["A", "B"], "9"),
        ({"1": "x", "2": "y"}, "2", ["1", "2"], "2"),
        ([{"id": "p", "content": "x"}, {"label": "q", "text": "y"}], 1, ["p", "q"], "q"),
        ([1, True], "A", ["A", "B"], "A"),
    ],
)
def test_choices_become_options_with_ids_and_a_label(
    choices: Plain, answer: Plain, ids: list[str], label: str
) -> None:
    sample = mapped({"question": "?", "choices": choices, "answer": answer})
    assert sample is not None
    options = sample["options"]
    assert isinstance(options, list)
    assert [option["id"] for option in options if isinstance(option, dict)] == ids
    assert sample["label"] == label


@pytest.mark.parametrize(
    ("data", "references", "label"),
    [
        ({"answer": "x"}, ["x"], "x"),
        ({"label": "x"}, ["x"], "x"),
        ({"label": 3}, ["3"], "3"),
        ({"answer": ["x", "y"]}, ["x", "y"], "x"),
        ({"answer": "x", "label": "X"}, ["x"], "X"),
        ({"answer": 0.5}, ["0.5"], "0.5"),
    ],
)
def test_answers_become_references_and_a_label(data: Table, references: list[str], label: str) -> None:
    sample = mapped({"question": "?", **data})
    assert sample is not None
    assert sample["references"] == [{"answer": text(answer)} for answer in references]
    assert sample["label"] == label


def test_what_is_there_already_is_kept() -> None:
    assert mapped(gage(choices=[])) is None
    assert mapped(gage(question="old words")) is None
    sample = mapped(gage(choices=["x"], metadata={"split": "dev"}))
    assert sample is not None
    assert sample["metadata"] == {"option_map": {"A": "x"}, "split": "dev"}
    assert sample["references"] == ["Paris"]


@pytest.mark.parametrize(
    ("fields", "metadata"),
    [
        ({"question_type": 3}, {"question_type": 3}),
        ({"question_type": "quiz", "task_type": "agent"}, {"question_type": "quiz"}),
        ({"question_type": "agent", "task_type": "agent"}, None),
        ({"model_prompt_tmpl": "{q}", "metadata": "dev"}, {"metadata": "dev", "model_prompt_tmpl": "{q}"}),
    ],
)
def test_no_question_type_and_no_prompt_field_is_left(fields: Table, metadata: Plain) -> None:
    sample = mapped(gage(**fields))
    assert sample is not None
    assert not sample.keys() & {"question_type", "model_prompt_tmpl"}
    assert sample.get("metadata") == metadata


def test_the_map_of_the_options_is_made_anew_and_the_old_one_kept() -> None:
    stale: Plain = {"A": "mine"}
    older: list[Table] = [{"choices": ["x"]}, {"options": [{"id": "A", "content": "x"}]}]
    for fields in older:
        sample = mapped({"question": "?", **fields, "answer": "A", "metadata": {"option_map": stale}})
        assert sample is not None
        assert sample["metadata"] == {"option_map": {"A": "x"}, "_option_map": stale}


def test_a_question_may_be_segments() -> None:
    question: Plain = [
        {"type": "image", "image": "a.png"},
        {"type": "image_url", "image_url": "b.png"},
        {"type": "text", "text": "Which?"},
        "Say why.",
    ]
    sample = mapped({"question": question, "answer": [{"type": "text", "text": "Both"}]})
    assert sample is not None
    assert found("gage", {"id": "a", **sample}) == []
    assert sample["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image": "a.png", "image_url": {"url": "a.png"}},
                {"type": "image_url", "image_url": {"url": "b.png"}},
                {"type": "text", "text": "Which?"},
                {"type": "text", "text": "Say why."},
            ],
        }
    ]
    assert (sample["references"], sample["label"]) == ([{"answer": text("Both")}], "Both")


def test_options_of_an_older_record_may_be_spelled_as_choices_were() -> None:
    sample = mapped({"question": "?", "options": ["x", "y"], "answer": 1})
    assert sample is not None
    assert sample["options"] == [{"id": "A", "content": "x"}, {"id": "B", "content": "y"}]
    assert (sample["label"], sample["metadata"]) == ("B", {"option_map": {"A": "x", "B": "y"}})
    assert mapped(gage(options=["x", "y"])) is None


def test_the_number_of_a_choice_is_its_id_where_that_is_a_number() -> None:
    sample = mapped({"question": "?", "choices": {"1": "x", "2": "y"}, "answer": 1})
    assert sample is not None
    assert sample["label"] == "1"


def test_a_newer_field_without_a_value_is_filled() -> None:
    record: Table = {"question": "?", "choices": ["x"], "answer": "x"}
    empty: Table = dict.fromkeys(("messages", "options", "references", "metadata"))
    assert mapped({**empty, **record}) == mapped(record)


def test_a_label_that_is_not_the_answer_goes_under_metadata() -> None:
    sample = mapped({"question": "?", "answer": "Paris", "label": "city"})
    assert sample is not None
    assert (sample["label"], sample["metadata"]) == ("Paris", {"label": "city"})


def test_older_examples_are_brought_up_to_date_with_their_sample() -> None:
    record = gage(few_shot_examples=[{"question": "2?", "answer": "two"}])
    sample = mapped(record)
    assert sample is not None
    (shot,) = inside(sample, "few_shot_examples")
    assert shot == {
        "messages": [{"role": "user", "content": text("2?")}],
        "references": [{"answer": text("two")}],
        "label": "two",
    }
    assert older_keys(record) == ("few_shot_examples",)


def test_option_ids_go_on_after_z() -> None:
    assert option_ids(28)[24:] == ["Y", "Z", "27", "28"]


def test_the_fix_sets_what_is_new_and_deletes_what_is_old() -> None:
    assert fix({"id": "a", "text": "Hi", "references": ["x"]}, GAGE) == (
        Set(("schema_version",), "v1"),
        Set(("messages",), [{"role": "user", "content": text("Hi")}]),
        Delete(("text",)),
    )
    assert fix(gage(), GAGE) == ()


GAGE_CHOICES: Plain = [
    {
        "index": at,
        "label": label,
        "message": {"role": "assistant", "content": [{"type": "text", "text": content}]},
    }
    for at, (label, content) in enumerate([("A", "Shark"), ("B", "Dolphin")])
]


@pytest.mark.parametrize(
    "choices",
    [
        GAGE_CHOICES,
        [{"key": "A", "value": "Shark"}, {"key": "B", "value": "Dolphin"}],
        [{"A": "Shark"}, {"B": "Dolphin"}],
        {"A": "Shark", "B": "Dolphin"},
        {"A": {"text": "Shark"}, "B": {"text": "Dolphin"}},
        [{"message": {"role": "assistant", "content": "Shark"}}, {"answer": "Dolphin"}],
        [{"choice": "Shark"}, {"label": "B", "content": [{"type": "text", "text": "Dolphin"}]}],
    ],
)
def test_the_spellings_of_choices(choices: Plain) -> None:
    sample = mapped({"question": "Which?", "choices": choices, "answer": 1})
    assert sample is not None
    assert sample["options"] == [{"id": "A", "content": "Shark"}, {"id": "B", "content": "Dolphin"}]
    assert inside(sample, "metadata", "option_map") == {"A": "Shark", "B": "Dolphin"}
    assert sample["label"] == "B"


def test_the_role_and_the_number_of_a_choice_are_kept() -> None:
    either: list[Plain] = [GAGE_CHOICES, [{"index": 0, "text": "Shark"}]]
    for choices in either:
        record: dict[str, Plain] = {"question": "Which?", "choices": choices}
        sample = mapped(record)
        assert sample is not None
        assert inside(sample, "metadata", "choices") == choices
        assert kept_keys(record) == ("choices",)


def test_what_options_cannot_hold_is_kept_under_metadata() -> None:
    choices: Plain = [{"id": "A", "text": "Shark", "why": "gills"}, {"image": "b.png"}]
    sample = mapped({"question": "Which?", "choices": choices, "metadata": {"choices": "mine"}})
    assert sample is not None
    assert sample["options"] == [{"id": "A", "content": "Shark"}, {"id": "image", "content": "b.png"}]
    option_map: Plain = {"A": "Shark", "image": "b.png"}
    assert sample["metadata"] == {"choices": "mine", "option_map": option_map, "_choices": choices}


def test_choices_of_one_id_are_all_there() -> None:
    sample = mapped({"question": "?", "choices": [{"label": "A", "text": "x"}, {"label": "A", "text": "y"}]})
    assert sample is not None
    assert sample["options"] == [{"id": "A", "content": "x"}, {"id": "A", "content": "y"}]


def test_a_prompt_may_be_messages_with_media_beside_it() -> None:
    prompt: Plain = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is it?"}]
    sample = mapped({"prompt": prompt, "images": ["a.png", {"url": "b.png"}], "choices": ["x"]})
    assert sample is not None
    assert sample["messages"] == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": "a.png"}},
                {"type": "image_url", "image_url": {"url": "b.png"}},
                {"type": "text", "text": "What is it?"},
            ],
        },
    ]
    assert "images" not in sample
    assert "prompt" not in sample


def test_a_label_beside_an_answer_is_kept() -> None:
    sample = mapped({"question": "?", "answer": "x", "label": 3})
    assert sample is not None
    assert (sample["label"], sample["metadata"]) == ("x", {"label": 3})


SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab ", max_size=3)
LEGACY = st.dictionaries(
    st.sampled_from(
        ["question", "text", "choices", "answer", "label", "question_type", "metadata", "messages", "image", "own"]
    ),
    SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.text("ab", max_size=2), SCALARS, max_size=2),
)


@settings(deadline=None)
@given(LEGACY)
def test_the_fix_makes_the_sample_that_was_shown_and_then_has_nothing_to_do(data: Table) -> None:
    fixed: Plain = data
    for edit in fix(data, GAGE):
        fixed = applied(edit, fixed)
    assert same(fixed, mapped(data) or data)
    assert isinstance(fixed, dict)
    assert fix(fixed, GAGE) == ()
    assert found("gage", fixed, "legacy-record") == []


@settings(deadline=None)
@given(LEGACY)
def test_no_value_is_lost(data: Table) -> None:
    sample = mapped(data)
    if sample is not None:
        assert {key for key in data if key not in sample} <= {*older_keys(data)}


WORDS = st.text("xyz", min_size=1, max_size=4)
PAIRS = st.sampled_from(["id", "label", "key", "text", "content", "value", "answer", "choice", "why", "A", "B"])
CHOICE = (
    WORDS
    | st.dictionaries(PAIRS, WORDS | st.lists(WORDS, max_size=2), max_size=4)
    | st.builds(lambda word: {"message": {"role": "assistant", "content": [{"text": word, "type": "text"}]}}, WORDS)
    | st.builds(lambda one, other: {"label": one, "message": {"role": "user", "content": other}}, WORDS, WORDS)
    | st.builds(lambda word: {"content": [{"type": "text", "text": word, "lang": "en"}]}, WORDS)
    | st.builds(lambda word: {"text": [{"type": "image_url", "image_url": {"url": word}}]}, WORDS)
)
RECORD = st.fixed_dictionaries(
    {"question": WORDS | st.lists(st.fixed_dictionaries({"role": WORDS, "content": WORDS}), max_size=2)},
    optional={
        "choices": st.lists(CHOICE, max_size=4) | st.dictionaries(WORDS, CHOICE, max_size=3) | WORDS,
        "answer": WORDS
        | st.lists(WORDS | st.dictionaries(WORDS, WORDS), max_size=2)
        | st.dictionaries(WORDS, WORDS),
        "label": WORDS | st.integers(5, 9) | st.lists(WORDS, max_size=2),
        "images": st.lists(WORDS | st.dictionaries(st.sampled_from(["url", "alt"]), WORDS), max_size=2) | WORDS,
        "metadata": WORDS | st.dictionaries(WORDS, WORDS, max_size=1),
        "prompt": WORDS,
    },
)


def leaves(value: Plain) -> list[str]:
    """Return the texts of a value, and the keys that are an author's own."""
    if isinstance(value, dict):
        own = [key for key in value if set(key) <= set("xyz")]
        return [*own, *(leaf for item in value.values() for leaf in leaves(item))]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [str(value)] if isinstance(value, str | int) else []


@settings(deadline=None)
@given(RECORD)
def test_every_text_of_a_record_is_in_the_sample(data: Table) -> None:
    sample = mapped(data)
    if sample is not None:
        found = leaves(sample)
        assert {leaf for leaf in leaves(data) if not any(leaf in other for other in found)} <= {"assistant", "text"}


@pytest.mark.parametrize(
    ("message", "whole"),
    [
        ({"content": "a"}, True),
        ({"content": {"content": "a"}}, True),
        ({"role": "assistant", "content": "a"}, False),
        ({"content": {"content": "a", "more": 1}}, False),
    ],
)
def test_a_choice_is_whole_only_where_its_text_says_all(message: Table, whole: bool) -> None:
    (choice,) = choices_of({"A": message})
    assert (choice.text, choice.whole) == ("a", whole)
