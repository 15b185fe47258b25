"""What can be scrolled on the page has the name of its heading, each another one."""

from __future__ import annotations

import html
import re

from tests.command import ran


def test_each_table_is_in_a_region_with_the_name_of_its_heading(tmp_path):
    rows = "\n".join(
        f'{{"test_id": "t{number}", "target": "{target}", "score": 1, "execution_status": "ok",'
        f' "scores": [{{"name": "a", "score": 1, "verdict": "pass"}}]}}'
        for number in range(3)
        for target in ("one", "two")
    )
    path = tmp_path / "run.jsonl"
    path.write_text(rows)
    page = ran("report", path, "--format", "html").out
    sections = [part.split("</section>")[0] for part in page.split("<section")[1:]]
    named = []
    for section in sections:
        heading = re.search(r"<h2>(.*?)</h2>", section)
        for region in re.findall(r'<div[^>]*role="region"[^>]*aria-label="([^"]*)"', section):
            assert heading is not None
            assert html.unescape(region).startswith(html.unescape(heading[1]))
            named.append(region)
    assert len(named) > 1
    assert len(set(named)) == len(named)
