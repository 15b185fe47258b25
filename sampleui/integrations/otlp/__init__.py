"""What shows that a file may be one of OpenTelemetry's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, LogSigns

SIGNS = LogSigns(
    begins=r"""(?x)
        (?: \{ \s* "data" \s* : \s* )? (?: \[ \s* )?
        \{ (?:
            \s* "resource_?(?: [Ss]pans | [Ll]ogs | [Mm]etrics )"
            | [^{}]* "context" \s* : \s* \{ \s* "(?: trace | span )_id"
        )
        """,
)
ENTRY = IndexEntry(
    "otlp",
    modules=("results",),
    result_dialect="otlp",
    row_signs=("otlp id",),
    log=SIGNS,
    opens_folders=True,
)
