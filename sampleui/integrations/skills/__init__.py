"""What shows that a file has evals of a skill, or a folder its runs. At every start it is read: nothing is slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "skills",
    modules=(
        "dialect",
        "rules",
        "prompts",
        "results",
        "conversion",
        "grading",
        "run_files",
    ),
    dialects=("skills", "skill-triggers"),
    signs=("skill_name", "evals prompt", "evals input", "query should_trigger"),
    broken_signs=("skill_name", "should_trigger"),
    result_dialect="skills",
    row_signs=("skill_run", "eval_id configuration"),
    folders=r"iteration-(\d{1,9})",
    files=frozenset({"skill_run"}),
    takes_verdicts=True,
)
