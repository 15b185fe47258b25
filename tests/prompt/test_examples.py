"""The example decks: every scenario of the two specifications of prompts, rendered from its file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sampleui.prompt.providers import provider_messages
from sampleui.prompt.render import Rendered, render
from sampleui.review.samples.expectation import expectation
from sampleui.workspace.deck import Deck, open_deck
from tests.inside import inside

DECKS = Path(__file__).parents[2] / "examples" / "decks"
HEADING = "[[ ## Guidelines ## ]]"
CONCISE = (DECKS / "files" / "concise.instructions.md").read_text().strip()
PYTHON = (DECKS / "files" / "python.instructions.md").read_text().strip()
SECURITY = (DECKS / "files" / "security.instructions.md").read_text().strip()
TONE = (DECKS / "files" / "tone.guide.md").read_text().strip()
CART = (DECKS / "files" / "cart.js").read_text().rstrip()


@pytest.fixture(scope="module")
def deck() -> Deck:
    return open_deck(DECKS / "agentv.yaml")


def one(deck: Deck, name: str, system_prompt: str | None = None) -> Rendered:
    return render(next(sample for sample in deck.samples if sample.id == name), system_prompt)


def chat(rendered: Rendered) -> list[tuple]:
    return [(message["role"], message["content"]) for message in rendered.chat_prompt]


@pytest.mark.parametrize("name", ["attachments.toml", "agentv.yaml", "agentv-prompts.yaml", "agentv-5.yaml"])
def test_example_decks_are_clean(name: str) -> None:
    opened = open_deck(DECKS / name)
    found = [*opened.diagnostics, *(one for sample in opened.samples for one in render(sample).diagnostics)]
    assert [str(one) for one in found if one.severity in ("error", "warning")] == []
    assert all(render(sample).chat_prompt for sample in opened.samples)


def test_single_turn_is_flat(deck: Deck) -> None:
    assert one(deck, "single-turn").question == "You are a helpful assistant.\n\nWhat is 2+2?"


def test_system_file_attachment_is_flat(deck: Deck) -> None:
    rendered = one(deck, "system-file-attachment")
    assert rendered.question.startswith("Please review this code.")
    assert rendered.guidelines == f"=== files/python.instructions.md ===\n{PYTHON}"


def test_multi_turn_has_markers(deck: Deck) -> None:
    assert one(deck, "multi-turn").question.startswith(
        "[System]:\nYou are a debugging expert.\n\n[User]:\nI have a bug in my code.\n\n[Assistant]:\nCan you share"
    )


def test_guideline_with_a_configured_system_prompt(deck: Deck) -> None:
    assert chat(one(deck, "guideline-and-system-prompt", "You are a careful assistant.")) == [
        ("system", f"You are a careful assistant.\n\n{HEADING}\n\n{CONCISE}"),
        ("user", "Review this code\n<Attached: ./files/concise.instructions.md>"),
    ]


def test_an_embedded_file_stands_in_the_message(deck: Deck) -> None:
    assert chat(one(deck, "embedded-file")) == [("user", f"Review this:\n=== ./files/cart.js ===\n{CART}")]


def test_guideline_extracted(deck: Deck) -> None:
    system, user = chat(one(deck, "guideline-extracted"))
    assert system == ("system", f"{HEADING}\n\n{PYTHON}")
    assert user[1].startswith("<Attached: files/python.instructions.md>\nWrite a function")


def test_several_guidelines(deck: Deck) -> None:
    both = f"=== files/python.instructions.md ===\n{PYTHON}\n\n=== files/security.instructions.md ===\n{SECURITY}"
    assert chat(one(deck, "several-guidelines")) == [
        ("system", f"{HEADING}\n\n{both}"),
        ("user", "<Attached: files/python.instructions.md>\n<Attached: files/security.instructions.md>"),
    ]


def test_guideline_only_message(deck: Deck) -> None:
    rendered = one(deck, "guideline-only-message")
    assert chat(rendered) == [
        ("system", f"You are a tour guide in Lisbon. Introduce yourself.\n\n{HEADING}\n\n{CONCISE}")
    ]
    assert [dropped.node for dropped in rendered.dropped] == [("input_messages", 1)]


def test_explicit_system_message(deck: Deck) -> None:
    assert chat(one(deck, "explicit-system-message", "Default prompt")) == [
        ("system", f"You are a receptionist.\n\n{HEADING}\n\n{CONCISE}"),
        ("user", "Hello\n<Attached: files/concise.instructions.md>"),
    ]


@pytest.mark.parametrize("name", ["provider-takes-chat-prompt", "provider-adds-system-message", "azure-inherits"])
@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic", "gemini"])
def test_providers_put_a_system_message_in_front(deck: Deck, name: str, provider: str) -> None:
    rendered = one(deck, name)
    default = {"role": "system", "content": "You are a careful assistant."}
    assert provider_messages(rendered, provider) == [default, *rendered.chat_prompt]


@pytest.mark.parametrize("name", ["provider-keeps-system-message", "provider-ignores-guidelines-field"])
def test_providers_keep_a_system_message(deck: Deck, name: str) -> None:
    rendered = one(deck, name)
    assert provider_messages(rendered, "azure", "Ignored") == rendered.chat_prompt
    assert str(rendered.chat_prompt).count(HEADING) == 1


def test_a_question_without_chat_prompt(deck: Deck) -> None:
    request = {"question": one(deck, "provider-takes-question").question, "guidelines": []}
    assert provider_messages(request, system_prompt="Be kind.") == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "What is the capital of France?"},
    ]


def test_vscode_takes_the_question(deck: Deck) -> None:
    content = "[User]:\nHello\n\n[Assistant]:\nHi\n\n[User]:\nHelp"
    assert provider_messages(one(deck, "vscode-takes-question"), "vscode") == [{"role": "user", "content": content}]


def test_the_orchestrator_makes_both(deck: Deck) -> None:
    rendered = one(deck, "orchestrator-makes-both")
    assert rendered.question == "[User]:\nHello\n\n[Assistant]:\nHi there"
    assert chat(rendered) == [("user", "Hello"), ("assistant", "Hi there")]


def test_the_configuration_beside_the_decks_counts() -> None:
    rendered = one(open_deck(DECKS / "attachments.toml"), "failed-rollout")
    assert rendered.guidelines == f"=== files/tone.guide.md ===\n{TONE}"
    assert inside(rendered.chat_prompt[-1], "content").startswith("Here:\n=== files/deploy.log ===\n12:04:31 build")


def test_prompts_are_filled_for_each_test() -> None:
    prompts = open_deck(DECKS / "agentv-prompts.yaml")
    shop = "You answer customers of Lumen Lamps in"
    assert [chat(render(sample)) for sample in prompts.samples] == [
        [("system", f"{shop} English."), ("user", "Where is my order?")],
        [("system", f"{shop} English."), ("user", "My order 4711 is late.")],
        [("system", f"{shop} German."), ("user", "Wie lange kann ich eine Lampe zurückgeben?")],
    ]


def test_a_deck_of_agentv_5_sends_its_input_and_is_edited_at_one_place(tmp_path: Path) -> None:
    """The messages are those that AgentV 5.3.1-next's loader (`loadTestSuite`) gives for this file."""
    shutil.copytree(DECKS / "files", tmp_path / "files")
    shutil.copy(DECKS / "agentv-5.yaml", tmp_path)
    deck = open_deck(tmp_path / "agentv-5.yaml")
    assert [sample.id for sample in deck.samples] == ["cart-total", "greeting", "follow-up"]
    assert chat(one(deck, "cart-total")) == [
        ("system", "You review JavaScript."),
        ("user", f"What does this sum up?\n=== ./files/cart.js ===\n{CART}"),
    ]
    assert chat(one(deck, "greeting")) == [("user", "Hello!")]
    assert chat(one(deck, "follow-up"))[2] == ("user", "Even in Python 2?")
    wanted = [answer.text if (answer := expectation(sample)) else None for sample in deck.samples]
    assert wanted == ["The prices of all items.", None, "Yes, in every version."]
    before = deck.text.splitlines()
    edits = (
        (("assert", 0), "Says that prices are summed up", "Says what is summed up"),
        (("vars", "input", 1, "content", 0, "value"), "What does this sum up?", "What does it add?"),
        (("vars", "expected_output"), "The prices of all items.", "Prices."),
    )
    for path, old, new in edits:
        after = deck.set(0, path, new).text.splitlines()
        changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
        assert [(one.replace(old, new), other) for one, other in changed] == [(changed[0][1], changed[0][1])]
