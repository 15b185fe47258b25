"""Runs Inspect on plans, by an interpreter that has it: a line in is {out, tests, repeat}, a line out {done}.

The log is written once more as JSON beside the folder it is in, by Inspect's own means. A solver answers by the id
of the sample and its epoch; an answer that begins with "!" is an error. Each sample has scores by three scorers, of
which the first decides.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    """Run each plan of the input."""
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.log import write_eval_log
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Score, includes, match, mean, scorer
    from inspect_ai.solver import solver

    @solver
    def answering(answers: dict):
        async def solve(state, generate):
            said = answers[str(state.sample_id)][(state.epoch - 1) % len(answers[str(state.sample_id)])]
            if said.startswith("!"):
                raise ValueError(said)
            state.output = ModelOutput.from_content("mock", said)
            return state

        return solve

    @scorer(metrics=[mean()])
    def share():
        async def score(state, target):
            return Score(value=round(min(1.0, len(state.output.completion) / 20), 2))

        return score

    for line in sys.stdin:
        plan = json.loads(line)
        samples = [Sample(id=test["id"], input=test["q"], target=test["target"]) for test in plan["tests"]]
        answers = {test["id"]: test["answers"] for test in plan["tests"]}
        task = inspect_ai.Task(
            dataset=samples, solver=answering(answers), scorer=[includes(), share(), match()], name="task"
        )
        folder = Path(plan["out"])
        (log,) = inspect_ai.eval(
            task,
            model="mockllm/model",
            epochs=plan["repeat"],
            fail_on_error=False,
            log_dir=str(folder.parent),
            log_format=folder.suffix[1:],
            display="none",
            max_samples=1,
            log_level="error",
        )
        made = Path(log.location.removeprefix("file://"))
        write_eval_log(log, str(folder.parent.with_suffix(".json")), format="json")
        made.rename(folder)
        print(json.dumps({"done": str(folder)}), flush=True)


main()
