"""How its tests refer to values elsewhere: what `$ref` and files stand for, and the samples that scenarios make."""

from __future__ import annotations

from sampleui.integrations.integration import References
from sampleui.integrations.promptfoo.followed import place_in, with_references
from sampleui.integrations.promptfoo.meaning import as_meant
from sampleui.integrations.promptfoo.scenarios import with_made_samples

REFERENCES = References(with_references, place_in, with_made_samples=with_made_samples, meant=as_meant)
