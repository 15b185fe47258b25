"""How its tests refer to values elsewhere: what `$ref` and files stand for, and the samples that scenarios make."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sampleui.formats.data import Plain, as_list
from sampleui.integrations.integration import References
from sampleui.integrations.named_files import text_of, yaml_in
from sampleui.integrations.promptfoo.followed import place_in, with_references
from sampleui.integrations.promptfoo.prompts import from_file
from sampleui.integrations.promptfoo.scenarios import with_made_samples
from sampleui.integrations.promptfoo.variables import variables_of
from sampleui.prompt.library import Library
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed
from sampleui.text.confined import SCHEME

_READ = (".txt", ".json", ".yaml", ".yml")


def as_meant(sample: Sample) -> Sample:
    """Return a test with the text of files in the place of their paths; of those that are not read these stay."""
    followed = as_followed(sample)
    library = Library(sample.folder, looks_above=False)
    data = {key: value for key, value in followed.data.items() if key not in sample.columns}
    data |= {key: _variable(value, library) for key, value in followed.data.items() if key in sample.columns}
    variables = variables_of(followed, {}, library, [])
    if "vars" in data and variables is not None:
        data["vars"] = {name: _variable(value, library) for name, value in variables.of_test.items()}
    if isinstance(data.get("assert"), list):
        data["assert"] = [_asserted(item, library) for item in as_list(data["assert"])]
    return replace(sample, data={key: data[key] for key in followed.data})


def _variable(value: Plain, library: Library) -> Plain:
    named = isinstance(value, str) and value.startswith(SCHEME)
    return from_file("", str(value), library.read, []) if named else value


def _asserted(item: Plain, library: Library) -> Plain:
    if not isinstance(item, dict):
        return item
    value = item.get("value")
    read = partial(_value, library=library)
    if isinstance(value, list):
        return {**item, "value": [*map(read, value)]}
    members = item.get("assert")
    if isinstance(members, list):
        item = {**item, "assert": [_asserted(member, library) for member in members]}
    return item if value is None else {**item, "value": read(value)}


def _value(value: Plain, library: Library) -> Plain:
    """Return the value of an assertion, read from its file as promptfoo reads it (`processFileReference`)."""
    if not (isinstance(value, str) and value.startswith(SCHEME) and value.endswith(_READ)):
        return value
    path = value.removeprefix(SCHEME)
    text = text_of(path, library.read, [])
    content = text if text is None or path.endswith(".txt") else yaml_in(path, text, [])
    if content is None:
        return value
    return content.strip() if isinstance(content, str) else content


REFERENCES = References(with_references, place_in, with_made_samples=with_made_samples, meant=as_meant)
