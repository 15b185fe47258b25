"""What shows that a file may be DeepEval's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "deepeval",
    modules=(
        "dialect",
        "rerun",
    ),
    dialects=("deepeval",),
    signs=(
        *("input retrieval_context", "input additional_metadata", "input expected_tools", "input source_file"),
        *("input context", "input actual_output", "scenario turns", "scenario expected_outcome"),
    ),
    result_dialect="deepeval",
    row_signs=("metricsData name", "metricsMetadata", "actualOutput success", "metrics_data success"),
    run_files=(r"test_run_\d{8}_\d{6}(?:_\d+)?\.json",),
)
