"""What shows that a file may be Harbor's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, LogSigns, RunFolder

ENTRY = IndexEntry(
    "harbor",
    modules=("results",),
    result_dialect="harbor",
    row_signs=("trial_name agent_info", "trial_name verifier_result", "schema_version agent steps"),
    log=LogSigns(words=(b'"n_total_trials"', b'"stats"')),
    run_folders=(RunFolder("result.json", ("job.log", "trial.log", "agent/trajectory.json")),),
    files=frozenset({"trial_name", "steps"}),
    transcripts=frozenset({"steps"}),
)
