# SPDX-License-Identifier: BSD-2-Clause
"""Runs that fail on the way: exit code 1, one message with the time, every row until then, and the statistics.
The lies are explained in reference-fmus/plain_c/liar/README.md; all but the first two begin at t = 0.5."""
from saltus_cli import run_tests

MODEL_EXCHANGE = {
    3: "fmi3GetContinuousStateDerivatives",
    4: "fmi3GetEventIndicators",
    5: "fmi3CompletedIntegratorStep",
    6: "fmi3UpdateDiscreteStates",
    7: "fmi3GetFloat64",
    8: "fmi3Fatal",
    9: "42",
    11: "cannot be evaluated",
    12: "cannot be evaluated",
    13: "indicators discard",
    14: "cannot be evaluated",
    15: "did not settle",
    16: "next event",
    17: "1000 events",
    18: '"indicator"',
    21: '"x"',
}
CO_SIMULATION = {
    30: "fmi3DoStep",
    31: "fmi3DoStep",
    32: "fmi3DoStep",
    35: "fmi3DoStep",
    36: "fmi3DoStep",
}


def fails(place, lie, interface, mention):
    result = place.run("simulate", "liar", "--interface-type", interface, "--start-value", f"lie={lie}",
                       "--stats-file", "stats.json")
    assert result.code == 1, f"lie {lie}: {result}"
    message = result.message()
    assert "liar.fmu" in message and "t = 0." in message and mention in message, f"lie {lie}: {result}"
    assert "failed after t = 0." in result.out, f"lie {lie}: {result}"
    header, rows = place.table("liar.csv")
    assert header == ["time", "x", "ticks"]
    assert [row[0] for row in rows[:5]] == [k * 0.1 for k in range(5)], f"lie {lie}: {rows}"
    stats = place.stats("stats.json")
    assert stats["outcome"] == "failed" and mention in stats["error"] and stats["rows"] == len(rows), stats
    assert 0.4 <= stats["time"] < 0.6, stats
    assert (place.work / "liar.html").stat().st_size > 0


def test_failures_of_model_exchange(place):
    for lie, mention in MODEL_EXCHANGE.items():
        fails(place, lie, "me", mention)


def test_failures_of_co_simulation(place):
    for lie, mention in CO_SIMULATION.items():
        fails(place, lie, "cs", mention)


def test_failures_before_the_first_row(place):
    for lie, function in {1: "fmi3EnterInitializationMode", 2: "fmi3ExitInitializationMode"}.items():
        for interface in ["me", "cs"]:
            result = place.run("simulate", "liar", "--interface-type", interface, "--start-value", f"lie={lie}",
                               "--stats-file", "stats.json")
            assert result.code == 1 and function in result.message(), result
            assert place.table("liar.csv") == (["time", "x", "ticks"], [])
            assert place.stats("stats.json")["outcome"] == "failed"


def test_quiet_failures_still_say_why(place):
    result = place.run("simulate", "liar", "--start-value", "lie=3", "--quiet")
    assert result.code == 1 and result.out == "" and "fails on request" in result.message(), result


def test_harmless_oddities_are_no_failure(place):
    for lie, interface in [(0, "me"), (0, "cs"), (10, "me"), (10, "cs"), (20, "me"), (33, "cs"), (34, "cs")]:
        result = place.run("simulate", "liar", "--interface-type", interface, "--start-value", f"lie={lie}")
        assert result.code == 0 and not result.err, f"lie {lie}: {result}"
        assert place.table("liar.csv")[1][-1][2] == 2, f"lie {lie}: both ticks wanted"


def test_an_fmu_may_end_the_run(place):
    for lie, interface in [(19, "me"), (37, "cs")]:
        result = place.run("simulate", "liar", "--interface-type", interface, "--start-value", f"lie={lie}")
        assert result.code == 0 and "the model ended the run" in result.out, result
        assert place.table("liar.csv")[1][-1][0] >= 0.5


def test_a_disk_that_is_full_is_noticed(place):
    result = place.run("simulate", "liar", "--output-file", "/dev/full", "--quiet")
    assert result.code == 1 and "/dev/full" in result.message(), result


run_tests(globals())
