"""What graders are asked: their own prompts, filled in as far as a run is not needed for it."""

from __future__ import annotations

from pathlib import Path

from sampleui import open_deck
from sampleui.prompt.judged import asked_of

DECK = """\
assertions:
  - name: tone
    type: llm-grader
    prompt: "Is {{ output }} kind, for {{input}}?"
evalcases:
  - id: a
    criteria: Names Paris
    input_messages:
      - role: user
        content: What is the capital of France?
    expected_messages:
      - role: assistant
        content: Paris.
    evaluators:
      - name: judge
        type: llm_judge
        prompt: |
          Asked: {{ question }}
          Wanted: {{expected_outcome}} ({{ reference_answer }})
          Said: {{ candidate_answer }} {{ unknown }}
      - name: words
        type: contains
        value: Paris
"""


def test_the_prompt_of_a_grader_is_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(DECK, encoding="utf-8")
    deck = open_deck(path)
    sample = deck.samples[0]
    question = "What is the capital of France?"
    assert [*asked_of(sample, deck.render(sample))] == [
        (
            "judge",
            f"Asked: {question}\nWanted: Names Paris (Paris.)\n"
            "Said: {{ candidate_answer }} {{ unknown }}\n",
        ),
        ("tone", f"Is {{{{ output }}}} kind, for {question}?"),
    ]
