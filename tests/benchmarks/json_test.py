# SPDX-License-Identifier: BSD-2-Clause
"""What a benchmark prints with --json is one object a line, with the keys that the verification page is made from.

usage: json_test.py PROGRAM
"""
import json
import subprocess
import sys

KEYS = {"problem", "metric", "value", "peer", "peer_value", "bound", "holds"}
RUN_KEYS = {"problem", "tolerance", "events", "expected", "complete", "time_error", "last_error", "rhs", "indicators",
            "steps", "rejected", "failure", "published"}

run = subprocess.run([sys.argv[1], "--json", "--rounds", "1"], stdout=subprocess.PIPE, text=True)
assert run.returncode in (0, 1), run.returncode  # 1: a bound does not hold, which depends on the machine's mood
lines = [json.loads(line) for line in run.stdout.splitlines()]
figures = [line for line in lines if "metric" in line]
runs = [line for line in lines if "metric" not in line]
assert len(figures) >= 2, lines
for line in runs:
    assert set(line) == RUN_KEYS, line
for figure in figures:
    assert set(figure) == KEYS, figure
    assert isinstance(figure["value"], float | int) and isinstance(figure["holds"], bool), figure
# Times are the machine's, accuracy is ours: it holds on any machine and under any load.
errors = [figure for figure in figures if "error" in figure["metric"] and figure["bound"]]
assert errors and all(figure["holds"] for figure in errors), errors
print(f"{len(figures)} figures, {len(runs)} runs")
