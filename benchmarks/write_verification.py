# SPDX-License-Identifier: BSD-2-Clause
"""Runs benchmark programs with --json and writes their figures as one page.

usage: write_verification.py PAGE PROGRAM...
"""
import json
import pathlib
import platform
import subprocess
import sys

INTRODUCTION = """# Verification

What Saltus measures of itself, beside published figures or peers in the same run. The page is made by

    cmake --build build/release --target verification

on whatever machine one has ({machine} here); ratios travel between machines, microseconds do not. Every program behind it
is at `build/release/benchmarks/NAME` and prints the same figures, as a table or with `--json`.
"""

NOTES = {
    "event_rate": """An elastic ball falls on a floor ten thousand times; each impact is an event, a restart and a new flight.
The exact times are known. The peer is Debian's SUNDIALS on the same model, with its own root finder and a restart after
each root; that package is built without optimisation, an optimised build is four to eight times faster. Its event
times err by milliseconds in the end because every root is accepted late by up to a hundred roundings of the time, and the
ball gains speed with each.

Both sides watch the height alone: the model's condition is `h < 0`. Written as `h <= 0 && v < 0`, its indicator has a kink
inside the flight, the quick search by a parabola gives up, and an event takes fifteen indicator evaluations and more than
twice the time; the factor to the peer shrinks accordingly, well below the bound.

The pendulum, theta'' = -sin theta from theta = 1 with an elastic wall at the bottom, takes sixty steps between impacts, so
that what is compared is the integration with its search rather than the restart. The k-th impact is at (2k - 1) K,
with the quarter period K = 1.67499391609261318 s. The best peer is the fastest of the four.

Among ten thousand indicators one is the wall and the others are walls that are never reached; they cost a subtraction each,
so that what is measured is the search. Growth compares runs that differ in size by powers of ten.""",
}


def number(value):
    return f"{value:.4g}"


def rows(lines):
    yield "| problem | metric | Saltus | peer | bound | holds |"
    yield "|---|---|---|---|---|---|"
    for figure in lines:
        peer = "" if figure["peer"] is None else f"{figure['peer']}: {number(figure['peer_value'])}"
        bound = "" if figure["bound"] is None else figure["bound"]
        holds = "" if figure["bound"] is None else ("yes" if figure["holds"] else "**no**")
        yield (f"| {figure['problem']} | {figure['metric']} | {number(figure['value'])} | {peer} "
               f"| {bound} | {holds} |")


def main(page, programs):
    text = INTRODUCTION.format(machine=platform.machine())
    for program in programs:
        name = pathlib.Path(program).name
        print(f"running {name}", file=sys.stderr)
        run = subprocess.run([program, "--json"], stdout=subprocess.PIPE, text=True)
        if run.returncode not in (0, 1):  # 1: a bound does not hold, which the page shows
            sys.exit(f"{name} failed with {run.returncode}")
        figures = [json.loads(line) for line in run.stdout.splitlines()]
        text += f"\n## {name}\n\n{NOTES.get(name, '')}\n\n" + "\n".join(rows(figures)) + "\n"
    pathlib.Path(page).write_text(text)


main(sys.argv[1], sys.argv[2:])
