"""Which test a row of AgentV's is about: with several prompts, the id of a test has that of a prompt behind it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256

from sampleui.formats.data import Plain, as_table
from sampleui.integrations.agentv.filling import filling_of
from sampleui.integrations.integration import Joining
from sampleui.integrations.javascript import stringify, trim
from sampleui.prompt.templates import is_conversation
from sampleui.review.samples.lookup import Answering, ByValues
from sampleui.sample.model import Sample
from sampleui.text.confined import SCHEME
from sampleui.text.limits import MAX_TESTS_OF_SAMPLE

_BETWEEN = "__prompt_"
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 48
_HASHED = 12


class ByPrompts:
    """The tests of a deck by their ids and those of its prompts; by values as the samples of any deck."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._by_values = ByValues(samples)

    def find(self, record: Answering) -> int | None:
        """Return the test that a record is about; None if there is none or no telling which."""
        if (index := self._by_values.find(record)) is not None:
            return index
        return self._asked.get(record.sample_id)

    @cached_property
    def _asked(self) -> dict[str, int]:
        """The tests by what their records are called."""
        found: dict[str, set[int]] = {}
        names: tuple[Plain, list[str]] = (None, [])
        for index, sample in enumerate(self._samples):
            prompts = sample.context.get("prompts")
            if names[0] is not prompts:
                several = isinstance(prompts, list) and len(prompts) > 1 and not is_conversation(prompts)
                names = (prompts, [*_names(prompts)] if isinstance(prompts, list) and several else [])
            for test_id in _ids(sample):
                for called in [f"{test_id}{_BETWEEN}{name}" for name in names[1]] or [test_id]:
                    found.setdefault(called, set()).add(index)
        return {name: next(iter(indexes)) for name, indexes in found.items() if len(indexes) == 1}


def _ids(sample: Sample) -> Iterator[str]:
    """Yield what a test is called once its id is filled in, for each value of variables that are lists of texts."""
    filling = filling_of(sample.data, sample.context) if "{" in sample.id else None
    if filling is None:
        yield sample.id
        return
    own = as_table(filling.variables["vars"])
    lists = {
        name: value
        for name, value in own.items()
        if isinstance(value, list) and value and isinstance(value[0], str)
    }
    for chosen in itertools.islice(itertools.product(*lists.values()), MAX_TESTS_OF_SAMPLE):
        variables = {**own, **dict(zip(lists, chosen, strict=True))}
        each = replace(filling, variables={**variables, "vars": variables}, notes=[])
        name = each.text(sample.id)
        if not any("is left as written" in note for note in each.notes):
            yield name


def _names(prompts: Sequence[Plain]) -> Iterator[str]:
    """Yield what prompts are called in the ids of tests, where that is known (`parsePromptDefinition`)."""
    for prompt in prompts:
        if (name := _name(prompt)) is not None:
            safe = _UNSAFE.sub("-", trim(name)).strip("-")
            yield safe[:_LONGEST] or _hash(name)


def _name(prompt: Plain) -> str | None:
    """Return the id of a prompt: its own, the file that it is kept in, or what is made of its text."""
    if isinstance(prompt, str):
        return prompt.removeprefix(SCHEME) if prompt.startswith(SCHEME) else f"prompt-{_hash(prompt)}"
    if not isinstance(prompt, dict):
        return f"chat-{_hash(prompt)}"
    prompt_id = prompt.get("id")
    if isinstance(prompt_id, str) and trim(prompt_id):
        return trim(prompt_id)
    for key in ("function_file", "function", "file"):
        if isinstance(named := prompt.get(key), str):
            return named.removeprefix(SCHEME)
    for key, kind in (("messages", "chat"), ("prompt", "string"), ("raw", "string")):
        if key in prompt:
            return f"{'chat' if isinstance(prompt[key], list) else kind}-{_hash(prompt[key])}"
    return f"chat-{_hash(prompt)}" if "role" in prompt else None


def _hash(value: Plain) -> str:
    return sha256(stringify(value).encode()).hexdigest()[:_HASHED]


JOINING = Joining(ByPrompts)
