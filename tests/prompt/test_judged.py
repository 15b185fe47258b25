"""What graders are asked: their own prompts, filled in as far as a run is not needed for it."""

from __future__ import annotations

from pathlib import Path

from sampleui import open_deck
from sampleui.prompt.grading_context import grader_prompts

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
    assert [*grader_prompts(sample, deck.render(sample))] == [
        (
            "judge",
            f"Asked: {question}\nWanted: Names Paris (Paris.)\n"
            "Said: {{ candidate_answer }} {{ unknown }}\n",
        ),
        ("tone", f"Is {{{{ output }}}} kind, for {question}?"),
    ]


FILED = """\
evalcases:
  - id: a
    criteria: Names Paris
    input_messages:
      - role: user
        content: Which?
    evaluators:
      - {name: here, type: llm_judge, prompt: ./judges/tone.md}
      - {name: marked, type: llm_judge, prompt: "file://judges/with blanks.md"}
      - {name: gone, type: llm_judge, prompt: judges/gone.md}
      - {name: away, type: llm_judge, prompt: ../outside.md}
      - {name: words, type: llm_judge, prompt: Is it right?}
"""


def test_a_prompt_in_a_file_is_what_the_file_says(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "judges").mkdir(parents=True)
    (project / "judges" / "tone.md").write_text("Asked {{ question }}\r\nfor {{ criteria }}\n", encoding="utf-8")
    (project / "judges" / "with blanks.md").write_text("Said {{ answer }}", encoding="utf-8")
    (tmp_path / "outside.md").write_text("secret", encoding="utf-8")
    (project / "a.yaml").write_text(FILED, encoding="utf-8")
    deck = open_deck(project / "a.yaml")
    asked = dict(grader_prompts(deck.samples[0], deck.render(deck.samples[0])))
    assert asked["here"].splitlines() == ["Asked Which?", "for Names Paris"]
    assert asked["marked"] == "Said {{ answer }}"
    assert asked["gone"] == "judges/gone.md does not exist"
    assert asked["away"] == "../outside.md lies outside the project and is not read"
    assert asked["words"] == "Is it right?"
