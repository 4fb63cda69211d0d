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

How a peer was built stands behind its name. Debian's SUNDIALS is not optimised: bounds on ratios to a peer were set against
it, and an optimised build, which `benchmarks/build_sundials` makes of Debian's sources, takes a fraction of its time; beside
that one, ratios are told without a bound.
"""

NOTES = {
    "event_rate": """An elastic ball falls on a floor ten thousand times; each impact is an event, a restart and a new flight.
The exact times are known. The peer is SUNDIALS on the same model, with its own root finder and a restart after each
root. Its event times err by milliseconds in the end because every root is accepted late by up to a hundred roundings of the time, and the
ball gains speed with each.

Both sides watch the height alone: the model's condition is `h < 0`. Written as `h <= 0 && v < 0`, its indicator has a kink
inside the flight, the quick search by a parabola gives up, and an event takes fifteen indicator evaluations and more than
twice the time; the factor to the peer shrinks accordingly, well below the bound.

The pendulum, theta'' = -sin theta from theta = 1 with an elastic wall at the bottom, takes sixty steps between impacts, so
that what is compared is the integration with its search rather than the restart. The k-th impact is at (2k - 1) K,
with the quarter period K = 1.67499391609261318 s. The best peer is the fastest of the four.

Among ten thousand indicators one is the wall and the others are walls that are never reached; they cost a subtraction each,
so that what is measured is the search. Growth compares runs that differ in size by powers of ten.""",
    "fmu_calls": """The functions of the FMU of the ball, called without an importer in between. In Model Exchange a point is
three calls: the time, the states, the getter; what they cost beyond the model's own equations, which are two, is the same
for models of any size.""",
    "sensitivities": """Derivatives by parameters, in processor time beside that of the solution alone, both with the same tolerance and
no rows between the events: by how many plain solutions each parameter makes the run longer. With control of their errors, steps are
shorter than those of the solution alone wherever derivatives need it; without, they are the same. The differences that the
derivatives are compared with are central ones of runs at 1e-12.""",
    "gradients": """The gradient of one number at the end of a run, by going back along it, in processor time beside that of
the solution alone; run, way back and all. The peer is our own `.sensitivities`, which goes forwards and gives the derivatives of
all variables at all times. Each room has a thermostat and four parameters, and switches some seventy times; the cost is a state.""",
    "modeling": """Equations in the modelling language beside the same function of doubles. What comes on top is that unknowns and
slopes are copied between the integrator's vectors and the members of the model, one by one: some 0.6 ns a state, which shows here
because the equations of the chain take 1 ns a state. The Jacobian is told in evaluations of the model's own equations.""",
    "filippov": """Motion along switching surfaces: dry friction, relays. Every event of these problems is known, with its kind
(crossing, entering and leaving a surface) and its time to twenty digits. DISODE45 is the solver of Calvo, Montijano and
Randez, its numbers are those of its paper, at atol = rtol = tolerance; above 1e-7 its runs of problem 3 use its finest
search for events, because with the default it missed some, and at 1e-3 its run of problem 4 went wrong at 9.228, so that
only events before are compared. GESDA is the solver of Wunderlich's thesis (TU Berlin 2008).
Indicators count their rates of change as well; right-hand sides are those of the model, over all its configurations: on a
surface each stage takes two.

The belt with weakening is also given to CVODE, which cannot slide: with a hysteresis of 1e-4 it switches more than a
hundred thousand times.""",
    "discontinuous": """Switched equations whose motion crosses the surfaces: each event is known in closed form. The narrow
ones have straight-line solutions, so that nothing but the search for events shortens a step. The cost identity: six
right-hand sides a step or attempt, three where an attempt is abandoned, two where an event needs a better curve and one to
check it, one at each restart, one for the first step.

Compere's balls land one after the other within 2.3e-8 s, and in the end farther apart, the farther the livelier the ground;
the print does not give the ground. On the dull one (spring 1e5, damper 100) the row stays within the published region of
concurrency, so that 12 events are to be located; on the lively one (1e4 and 15) it does not, and 18 are, as published. Taken
one by one, an event costs 7.6 right-hand sides here (26 published), so that treating them together saves a smaller factor
although both runs are cheaper than the published ones: on the lively ground 228 right-hand sides would be 40 times fewer,
and the steps, events and restarts that it cannot do without are about that many.""",
    "daes": """Differential-algebraic problems of index 1 to 3, most of them of the test set of the University of Bari
(release 2.4, 2008), with its end values and its measures: scd is minus the logarithm of the largest relative error at the
end, over the unknowns that it names for each problem, mescd that of the error over 1 (or the unknown's scale) plus the
value, over all of them. Saltus is told nothing of an index. rtol = atol. Each solver is run at tighter and tighter
tolerances until it has the digits asked for, or fails; times are compared there, and for a peer that never has them at the
most it got.

The peer is IDA with dense difference quotients, restarted at the kinks of the inputs; where it cannot solve the problem as
it stands, index 3, it is CVODE on an ODE made by hand: constraints differentiated twice on paper, and the linear
system for accelerations and multipliers solved block by block.

The chain is a row of points in the plane held together by rods, index 3, let go from the horizontal; the circuit of index 2
is made of loops of three capacitors; in the switched one 247 pairs of capacitors are connected and separated again, and
share their charge. A start is everything until the first step: the analysis of the index, the search for a consistent point
and the choice of states.""",
}


def number(value):
    return "" if value is None else f"{value:.4g}"


def figure_rows(figures):
    yield "| problem | metric | Saltus | peer | bound | holds |"
    yield "|---|---|---|---|---|---|"
    for figure in figures:
        peer = "" if figure["peer"] is None else f"{figure['peer']}: {number(figure['peer_value'])}"
        bound = "" if figure["bound"] is None else figure["bound"]
        holds = "" if figure["bound"] is None else ("yes" if figure["holds"] else "**no**")
        yield (f"| {figure['problem']} | {figure['metric']} | {number(figure['value'])} | {peer} "
               f"| {bound} | {holds} |")


def run_rows(runs):
    """One line for a problem at a tolerance; in brackets what was published."""
    columns = {"time_error": "worst event time", "last_error": "error at the end", "rhs": "right-hand sides",
               "indicators": "indicators", "steps": "steps", "rejected": "rejected"}
    yield "| problem | tolerance | events | " + " | ".join(columns.values()) + " |"
    yield "|---" * (3 + len(columns)) + "|"
    for run in runs:
        events = f"{run['events']} of {run['expected']}"
        events = events if run["complete"] else f"**{events}**"
        published = run["published"] or {}
        cells = [number(run[key]) + (f" ({number(published[key])})" if key in published else "") for key in columns]
        yield f"| {run['problem']} | {run['tolerance']} | {events} | " + " | ".join(cells) + " |"


def solver_rows(runs):
    """One line for a solver on a problem at a tolerance."""
    columns = ["scd", "mescd", "steps", "residuals", "jacobians", "milliseconds"]
    yield "| problem | solver | tolerance | " + " | ".join(columns) + " |"
    yield "|---" * (3 + len(columns)) + "|"
    for run in runs:
        cells = ["failed" if run["failure"] and key in ("scd", "mescd") else number(run[key]) for key in columns]
        yield f"| {run['problem']} | {run['solver']} | {run['tolerance']} | " + " | ".join(cells) + " |"


def section(name, lines):
    figures = [line for line in lines if "metric" in line]
    solved = [line for line in lines if "scd" in line]
    runs = [line for line in lines if "metric" not in line and "scd" not in line]
    parts = [f"\n## {name}\n", NOTES.get(name, ""), ""] + list(figure_rows(figures))
    if solved:
        parts += ["", *solver_rows(solved)]
    if runs:
        parts += ["", *run_rows(runs)]
    return "\n".join(parts) + "\n"


def main(page, programs):
    text = INTRODUCTION.format(machine=platform.machine())
    for program in programs:
        name = pathlib.Path(program).name
        print(f"running {name}", file=sys.stderr)
        run = subprocess.run([program, "--json"], stdout=subprocess.PIPE, text=True)
        if run.returncode not in (0, 1):  # 1: a bound does not hold, which the page shows
            sys.exit(f"{name} failed with {run.returncode}")
        text += section(name, [json.loads(line) for line in run.stdout.splitlines()])
    pathlib.Path(page).write_text(text)


main(sys.argv[1], sys.argv[2:])
