"""What shows that a file may be AgentV's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.agentv.fields import BESIDE, FIELDS
from sampleui.integrations.entry import IndexEntry, RunFolder
from sampleui.sample.dialects.field import telling

ENTRY = IndexEntry(
    "agentv",
    modules=(
        "dialect",
        "rules",
        "conversion",
        "references",
        "prompts",
        "grading",
        "results",
        "joining",
        "rerun",
        "run_files",
        "transcripts",
        "trajectories",
    ),
    dialects=("agentv",),
    signs=(*telling(FIELDS), *telling(BESIDE), "evalcases", "tests", "cases", "eval_cases"),
    containers=("eval_cases",),
    broken_signs=("tests", *telling(FIELDS, all_of_it=True)),
    result_dialect="agentv",
    row_signs=(
        *("score", "scores", "evaluator_results", "evaluatorResults", "graders", "evaluators"),
        *("component_results", "candidate_answer", "candidateAnswer", "answer", "output", "output_messages"),
        *("outputMessages", "text", "assertions", "error", "execution_status", "trace", "trace_ref"),
    ),
    reads_others=3,
    run_folders=(RunFolder(".internal/index.jsonl"), RunFolder("index.jsonl")),
    files=frozenset(
        """
        grading_path output_path answer_path response_path metrics_path timing_path transcript_raw_path
        transcript_path trace_path input_path artifact_dir samples transcript task_dir test_dir
        """.split()  # noqa: SIM905
    ),
    transcripts=frozenset({"message_index", "trace", "spans", "turns"}),
    takes_verdicts=True,
    settings_folder=".agentv",
    style="agentv-4",
    checks=("tool-trajectory",),
    judges_runs=True,
)
