"""The fields of AgentV's eval cases. Its entry reads them at every start, so this imports nothing slow."""

from sampleui.sample.dialects.field import MESSAGE, Edited, Field, Tells, unoffered

CRITERIA = ("expected_outcome", "criteria", "outcome")
"""Keys of what makes an answer good, in words."""

FIELDS = {
    "id": Field("name", required=True, purpose="Unique id of the case", returns=False),
    "input_messages": Field("turns", purpose="The conversation", tells=Tells.ALL, returns=False, holds=MESSAGE),
    "input": Field("conversation", purpose="The conversation, or one user text", tells=Tells.MUCH, returns=False),
    "input_files": Field("texts", purpose="Files attached before a text input", tells=Tells.MUCH, returns=False),
    "vars": Field("variables", purpose="Values for the prompts; input is the conversation", tells=Tells.MUCH),
    "expected_messages": Field(
        "answers", purpose="The reference answer", tells=Tells.ALL, returns=False, holds=MESSAGE
    ),
    "expected_output": Field(
        "any", purpose="The reference answer: a text, a table or messages", tells=Tells.MUCH, returns=False
    ),
    "expected_outcome": Field("text", purpose="What makes an answer good", tells=Tells.ALL, returns=False),
    "criteria": Field("text", purpose="What makes an answer good", tells=Tells.MUCH, returns=False),
    "outcome": Field("text", purpose="What makes an answer good", tells=Tells.MUCH, returns=False),
    "description": Field("text", purpose="What the case is about"),
    "conversation_id": Field(
        "text", purpose="The conversation this case is a part of", tells=Tells.ALL, edited=Edited.LINE
    ),
    "execution": Field("table", purpose="Target and evaluators of this case", tells=Tells.MUCH),
    "rubrics": Field("rubrics", purpose="Points to grade by", tells=Tells.MUCH),
    "evaluators": Field("rubrics", purpose="Evaluators of this case, by name or in full", tells=Tells.ALL),
    "assertions": Field("rubrics", purpose="What must hold of the answer", tells=Tells.ALL),
    "assert": Field("rubrics", purpose="What must hold of the answer", tells=Tells.MUCH),
    "metadata": Field("table", purpose="Whatever else is to be kept with the case", returns=False),
    **unoffered("evaluator", Tells.MUCH),
    **unoffered(
        """
        name suite workspace depends_on on_dependency_failure mode turns aggregation on_turn_failure
        window_size provider prompts threshold run note
        """
    ),
}

BESIDE = {
    "description": Field("text", purpose="What the file is about"),
    "target": Field("text", purpose="The target to run against by default", tells=Tells.MUCH),
    "execution": Field("table", purpose="Target and evaluators of all cases", tells=Tells.MUCH),
    **unoffered("$schema prompts providers default_test evaluators assertions", Tells.MUCH),
    **unoffered(
        """
        name category version author tags license requires input input_files preprocessors workspace metadata
        governance assert evaluator threshold workers targets env
        """
    ),
}
"""Keys beside the samples."""
