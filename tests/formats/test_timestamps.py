"""Plain scalars that are dates to js-yaml: vectors of js-yaml 5.4.1, as promptfoo 0.123.1 sets it up."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Table, same
from sampleui.formats.timestamps import Moment, holds_moments
from sampleui.formats.yaml.document import YamlDocument


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2026-01-05", "2026-01-05T00:00:00.000Z"),
        ("2026-1-5", None),
        ("2026-01-05T10:00:00.123456+02:00", "2026-01-05T08:00:00.123Z"),
        ("2026-01-05 10:00:00", "2026-01-05T10:00:00.000Z"),
        ("2026-01-05 10:00:00 -5", "2026-01-05T15:00:00.000Z"),
        ("2020-02-30", None),
        ("2026-1-5t1:02:03", "2026-01-05T01:02:03.000Z"),
        ("0005-01-01", "0005-01-01T00:00:00.000Z"),
        ("2026-01-05 10:00:00.5 +1", "2026-01-05T09:00:00.500Z"),
        ("2026-01-05 25:00:00", None),
        ("2026-01-05 20:00:00 +25", None),
        ("2026-01-05T10:00:00. Z", "2026-01-05T10:00:00.000Z"),
        ("'2026-01-05'", None),
        ("!!str 2026-01-05", None),
    ],
)
def test_what_is_a_date_to_some_readers_is_a_text_that_tells_it(written: str, iso: str | None) -> None:
    value = YamlDocument.parse(f"- day: {written}\n").read(0)["day"]
    assert value == written.removeprefix("!!str ").strip("'")
    assert (value.iso if isinstance(value, Moment) else None) == iso


def test_a_date_in_quotes_is_the_same_text() -> None:
    plain, quoted = (YamlDocument.parse(f"- {{a: [{day}]}}\n").read(0) for day in ("2026-01-05", "'2026-01-05'"))
    assert same(plain, quoted)
    assert holds_moments(plain)
    assert not holds_moments(quoted)


def test_a_sample_with_a_date_can_be_put_into_another_file() -> None:
    sample: Table = YamlDocument.parse("- {id: a, day: 2026-01-05}\n").read(0)
    other = YamlDocument.parse("- {id: b, day: x}\n")
    after = other.apply(other.insert_sample(1, sample))
    assert after.read(1) == {"id": "a", "day": "2026-01-05"}
