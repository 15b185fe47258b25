"""Large decks: opened, edited and saved in little time and memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import sampleui
from tests.quick import within

SCRIPT = """
import sys, time
import sampleui

began = time.process_time()
deck = sampleui.open_deck(sys.argv[1])
assert deck.samples[99_999].id == "s99999" and deck.check(50_000) == ()
usable = time.process_time() - began
deck.set(50_000, ("messages", 0, "content"), "new").save()
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(usable, int(peak.split()[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_hundred_thousand_lines(tmp_path):
    path, text = tmp_path / "large.jsonl", "word " * 180
    turn = {"role": "user", "content": text}
    row = json.dumps({"schema_version": "v1", "id": "s%d", "messages": [turn], "references": ["x"]}) + "\n"
    path.write_text("".join(row % index for index in range(100_000)))
    before = path.read_bytes().split(b"\n")
    done = subprocess.run([sys.executable, "-c", SCRIPT, path], capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    assert seconds < 4  # 0.6 on an idle machine
    assert megabytes < 400
    after = path.read_bytes().split(b"\n")
    assert [index for index, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]] == [50_000]


COUNT = 4_000
ROWS = [{"id": f"s{at}", "messages": [{"role": "user", "content": "hi"}]} for at in range(COUNT)]
TOML = '[[samples]]\nid = "s%d"\nmessages = [{ role = "user", content = "hi" }]\n\n'
YAML = "  - id: s%d\n    input:\n      - role: user\n        content: hi\n"
DECKS = {
    "a.toml": "".join(TOML % at for at in range(COUNT)),
    "a.yaml": "tests:\n" + "".join(YAML % at for at in range(COUNT)),
    "a.json": json.dumps(ROWS),
}


@pytest.mark.parametrize("name", DECKS)
def test_a_sample_moves_past_thousands(tmp_path, name):
    (tmp_path / name).write_text(DECKS[name])
    deck = sampleui.open_deck(tmp_path / name)
    order = [f"s{at}" for at in range(COUNT)]
    for index, to in ((0, COUNT - 1), (COUNT - 2, 0), (COUNT // 2, COUNT - 2)):
        with within(2):  # idle 0.1
            deck = deck.move_sample(index, to)
        order.insert(to, order.pop(index))
    assert [sample.id for sample in deck.samples] == order
    deck.save()
