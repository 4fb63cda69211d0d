# SPDX-License-Identifier: BSD-2-Clause
"""Runs that succeed: what they print and what they leave in the working folder."""
import math
import re
import zipfile

from saltus_cli import run_tests

# The tolerance of a run is relative and local; ten times as much bounds the error of these short, smooth ones.
TOLERANCE = 1e-6
NEAR = 10 * TOLERANCE


def succeeds(place, *arguments, **changes):
    result = place.run("simulate", *arguments, **changes)
    assert result.code == 0 and result.err == "", result
    return result


def test_a_name_is_enough(place):
    result = succeeds(place, "bouncing_ball")
    assert place.files() == ["bouncing_ball.csv", "bouncing_ball.html"], place.files()
    for words in ["Model Exchange", "reached the stop time 3", "11 state", "0.451523640", "1.083656738",
                  "bouncing_ball.csv", "bouncing_ball.html", "steps", "323 rows"]:
        assert words in result.out, f"{words!r} wanted:\n{result}"
    assert "<html" in (place.work / "bouncing_ball.html").read_text(encoding="utf-8")


def test_the_table_has_both_limits_of_every_event(place):
    succeeds(place, "bouncing_ball", "--output-variable", "h", "--output-variable", "v")
    header, rows = place.table("bouncing_ball.csv")
    assert header == ["time", "h", "v"]
    times = [row[0] for row in rows]
    assert times == sorted(times) and times[0] == 0 and times[-1] == 3
    pairs = [(left, right) for left, right in zip(rows, rows[1:]) if left[0] == right[0]]
    assert len(pairs) == 11
    left, right = pairs[0]
    assert math.isclose(left[0], math.sqrt(2 / 9.81), rel_tol=NEAR)
    assert math.isclose(right[2], -0.7 * left[2], rel_tol=NEAR) and left[2] < 0 < right[2]


def changed(place, change):
    """early_return.fmu with another description."""
    with zipfile.ZipFile(place.fmu("early_return")) as source, zipfile.ZipFile(place.work / "changed.fmu", "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            target.writestr(entry, change(content) if entry.filename == "modelDescription.xml" else content)
    return "changed.fmu"


def without_outputs(place):
    """Its outputs become local variables."""
    return changed(place, lambda text: re.sub(rb"<Output [^>]*/>", b"",
                                              text.replace(b'causality="output"', b'causality="local"')))


def test_rows_are_internal_steps_apart_if_nobody_says_how_often(place):
    for internal, count in [("0.1", 25), ("0.0001", 500), ("10", 500)]:
        fmu = changed(place, lambda text: text.replace(b'stepSize="0.25"', b"").replace(
            b"<CoSimulation ", f'<CoSimulation fixedInternalStepSize="{internal}" '.encode()))
        succeeds(place, fmu, "--event-mode-used=false", "--output-file", "rows.csv")
        times = [row[0] for row in place.table("rows.csv")[1]]
        assert len(times) == count + 1 and times[-1] == 2.5, times


def test_a_table_of_the_time_alone_is_told(place):
    fmu = without_outputs(place)
    result = place.run("simulate", fmu, "--output-file", "rows.csv")
    assert result.code == 0 and place.table("rows.csv")[0] == ["time"], result
    assert "warning: no variable is recorded: the FMU declares no outputs; name some with --output-variable" in result.err
    succeeds(place, fmu, "--output-variable", "x", "--output-file", "rows.csv")
    assert place.table("rows.csv")[0] == ["time", "x"]
    succeeds(place, fmu, "--no-output", "--no-plot")


def test_a_start_value_that_cannot_be_is_told(place):
    # The rod has length 1.
    result = place.run("simulate", "pendulum", "--start-value", "x=3", "--stop-time", "0.1")
    assert result.code == 0 and "warning: at t = 0: x: the start value 3 became 1" in result.err, result
    assert re.search(r"Warnings +.* at t = 0: x: the start value 3 became 1", result.out, re.DOTALL), result
    quiet = succeeds(place, "pendulum", "--start-value", "x=3", "--stop-time", "0.1", "--quiet", "--stats-file",
                     "stats.json", "--plot", "page.html")
    assert quiet.out == "", quiet
    *said, warning = place.stats("stats.json")["warnings"]
    assert any(re.search("the FMU says: .* x: its start value 3 was moved to 1:", each["message"]) for each in said), said
    assert warning["subject"] == "x" and warning["time"] == 0 and warning["count"] == 1, warning
    assert warning["message"] in (place.work / "page.html").read_text(encoding="utf-8")
    succeeds(place, "pendulum", "--start-value", "x=0.6", "--start-value", "y=-0.8", "--stop-time", "0.1")


def test_a_failed_guess_at_the_working_folder_is_not_made(place):
    succeeds(place, place.fmu("liar"), "--output-file", "rows.csv")
    assert place.files() == ["rows.csv"]
    succeeds(place, place.fmu("liar"), "--plot", "page.html")
    assert place.files() == ["page.html", "rows.csv"]
    succeeds(place, place.fmu("liar"), "--no-output", "--no-plot")
    assert place.files() == ["page.html", "rows.csv"]
    succeeds(place, place.fmu("liar"), "--no-plot")
    assert place.files() == ["liar.csv", "page.html", "rows.csv"]


def test_quiet_is_quiet(place):
    result = succeeds(place, "liar", "--quiet")
    assert result.out == "" and place.files() == ["liar.csv", "liar.html"]


def test_the_statistics_are_complete_json(place):
    succeeds(place, "liar", "--stats-file", "stats.json", "--no-plot")
    stats = place.stats("stats.json")
    assert stats["outcome"] == "reached_stop" and stats["error"] is None and stats["time"] == 1
    assert stats["interface"] == "me" and stats["solver"] == "auto"
    assert [choice["method"] for choice in stats["methods"]] == ["dormand-prince"], stats["methods"]
    assert stats["rows"] == len(place.table("liar.csv")[1]) == 14
    for name in ["steps", "rhs_evaluations", "indicator_evaluations", "restarts"]:
        assert isinstance(stats[name], int) and stats[name] > 0, name
    assert stats["rejected"] >= 0
    time_event, state_event = stats["events"]
    assert time_event == {"time": 0.5, "kind": "time", "indicators": []}
    assert state_event["kind"] == "state" and state_event["indicators"] == ["indicator"]
    assert math.isclose(state_event["time"], math.log(2), rel_tol=NEAR)


def test_the_same_run_makes_the_same_files(place):
    arguments = ["bouncing_ball", "--output-file", "rows", "--plot", "page", "--stats-file", "stats", "--quiet"]
    succeeds(place, *arguments)
    first = [(place.work / name).read_bytes() for name in place.files()]
    succeeds(place, *arguments)
    assert first == [(place.work / name).read_bytes() for name in place.files()]


def test_co_simulation_tells_events_but_no_steps(place):
    result = succeeds(place, "early_return", "--stats-file", "stats.json")
    assert "Co-Simulation, with event mode" in result.out
    stats = place.stats("stats.json")
    assert stats["interface"] == "cs" and stats["solver"] is None and stats["steps"] is None
    times = [event["time"] for event in stats["events"]]
    assert len(times) == 4 and all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(times, [0.3, 0.7, 1.1, 1.9]))
    header, rows = place.table("early_return.csv")
    assert math.isclose(rows[-1][header.index("x")], 1.5, rel_tol=1e-12)  # exact but for rounding
    assert rows[-1][header.index("ticks")] == 4


def test_event_mode_and_early_return_can_be_switched_off(place):
    result = succeeds(place, "early_return", "--event-mode-used=false", "--early-return-allowed=false")
    assert "without event mode" in result.out and "Events    none" in result.out, result
    header, rows = place.table("early_return.csv")
    assert math.isclose(rows[-1][header.index("x")], 1.5, rel_tol=1e-12)
    succeeds(place, "early_return", "--event-mode-used", "--early-return-allowed")


def test_an_option_without_effect_is_a_warning(place):
    result = place.run("simulate", "liar", "--event-mode-used")
    assert result.code == 0 and "warning: --event-mode-used has no effect" in result.message(), result
    result = place.run("simulate", "liar", "--interface-type", "cs", "--solver", "auto")
    assert result.code == 0 and "warning: --solver has no effect" in result.message(), result


def test_model_exchange_is_the_default_and_co_simulation_a_choice(place):
    succeeds(place, "bouncing_ball", "--quiet", "--output-file", "me.csv")
    succeeds(place, "bouncing_ball", "--quiet", "--output-file", "cs.csv", "--interface-type", "cs")
    header, exchange = place.table("me.csv")
    assert place.table("cs.csv")[0] == header
    cosimulation = place.table("cs.csv")[1]
    assert len(exchange) == len(cosimulation)
    for a, b in zip(exchange, cosimulation):
        assert all(math.isclose(x, y, rel_tol=NEAR, abs_tol=NEAR) for x, y in zip(a, b)), (a, b)


def test_the_experiment_can_be_chosen(place):
    succeeds(place, "dahlquist", "--start-time", "-1", "--stop-time=1", "--output-interval", "0.5",
             "--tolerance", "1e-9", "--stats-file", "stats.json", "--output-variable", "x")
    assert [row[0] for row in place.table("dahlquist.csv")[1]] == [-1, -0.5, 0, 0.5, 1]
    stats = place.stats("stats.json")
    assert (stats["start_time"], stats["stop_time"], stats["tolerance"]) == (-1, 1, 1e-9)
    x = [row[1] for row in place.table("dahlquist.csv")[1]]
    assert math.isclose(x[-1], x[0] * math.exp(-2), rel_tol=1e-8)
    succeeds(place, "dahlquist", "--stop-time", "0", "--output-variable", "x")
    assert len(place.table("dahlquist.csv")[1]) == 1


def stiff_run(place, *options):
    result = succeeds(place, "van_der_pol", "--start-value", "mu=1000", "--stop-time", "100", "--output-interval", "100",
                      "--output-file", "rows.csv", "--stats-file", "stats.json", *options)
    return result, place.stats("stats.json"), place.table("rows.csv")[1][-1]


def test_stiff_equations_change_the_method(place):
    _, plain, expected = stiff_run(place, "--solver", "dormand-prince")
    assert plain["solver"] == "dormand-prince" and plain["methods"] == [], plain
    result, automatic, row = stiff_run(place)
    assert 100 * automatic["steps"] < plain["steps"], (automatic["steps"], plain["steps"])
    first, second = automatic["methods"]
    assert (first["time"], first["method"], second["method"]) == (0, "dormand-prince", "radau"), automatic["methods"]
    assert 0 < second["time"] < 1 and "stiff" in second["why"], second
    assert "Chosen" in result.out and "radau: the equations are stiff" in result.out, result
    assert all(math.isclose(a, b, rel_tol=NEAR) for a, b in zip(row, expected)), (row, expected)
    result, radau, row = stiff_run(place, "--solver", "radau", "--show-stats")
    assert radau["solver"] == "radau" and radau["methods"] == [] and radau["factorizations"] > 0, radau
    assert 100 * radau["steps"] < plain["steps"] and "factorisations" in result.out, result
    assert all(math.isclose(a, b, rel_tol=NEAR) for a, b in zip(row, expected)), (row, expected)


def test_the_automatic_method_leaves_other_runs_as_they_are(place):
    succeeds(place, "bouncing_ball", "--quiet", "--output-file", "auto.csv")
    succeeds(place, "bouncing_ball", "--quiet", "--output-file", "plain.csv", "--solver", "dormand-prince")
    assert (place.work / "auto.csv").read_bytes() == (place.work / "plain.csv").read_bytes()


def test_an_implicit_method_slides_too(place):
    times = {}
    for solver in ["dormand-prince", "radau"]:
        succeeds(place, "relay_feedback", "--solver", solver, "--stats-file", "stats.json", "--no-output", "--no-plot")
        times[solver] = [event["time"] for event in place.stats("stats.json")["events"]]
    assert len(times["radau"]) == len(times["dormand-prince"]) > 0, times
    for a, b in zip(times["radau"], times["dormand-prince"]):
        assert math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-3), times


def test_an_fmu_runs_as_a_dae_where_it_can(place):
    result = place.run("simulate", place.fmu("neon_lamp"), "--dae", "--stats-file", "dae.json")
    assert result.code == 0 and "Model Exchange in DAE mode" in result.out and not result.err, result
    stats = place.stats("dae.json")
    assert stats["dae"] is True and stats["methods"][0]["method"] == "radau", stats
    result = place.run("simulate", place.fmu("neon_lamp"), "--stats-file", "ode.json")
    assert result.code == 0 and place.stats("ode.json")["dae"] is False, result
    result = place.run("simulate", "bouncing_ball", "--dae")
    assert result.code == 0 and "runs as an ODE: it has no manifest of FMI-LS-DAE" in result.err, result


def test_a_start_value_may_be_two_words(place):
    result = place.run("simulate", "bouncing_ball", "--start-value", "h", "2", "--no-plot")
    assert result.code == 0 and place.table("bouncing_ball.csv")[1][0][1] == 2.0, result


def test_start_values_are_set(place):
    succeeds(place, "bouncing_ball", "--start-value", "h=2", "--start-value=e=0.5", "--output-file", "rows.csv",
             "--stats-file", "stats.json", "--output-variable", "h")
    assert place.table("rows.csv")[1][0] == [0, 2]
    first, second = [event["time"] for event in place.stats("stats.json")["events"]][:2]
    assert math.isclose(first, math.sqrt(4 / 9.81), rel_tol=NEAR)
    assert math.isclose(second, 2 * first, rel_tol=NEAR)  # up and down again at half the speed takes as long as the fall


def test_inputs_follow_their_table(place):
    (place.work / "inputs.csv").write_text(
        "time,Float64_continuous_input,Int32_input,Boolean_input\n0,0,1,false\n1,2,1,true\n1,5,7,true\n2,5,7,true\n")
    for interface in ["me", "cs"]:
        succeeds(place, "feedthrough", "--input-file", "inputs.csv", "--output-interval", "0.25", "--output-file",
                 "rows.csv", "--interface-type", interface, "--stats-file", "stats.json")
        header, rows = place.table("rows.csv")
        column = header.index("Float64_continuous_output")
        seen = [(row[0], row[column], row[header.index("Int32_output")]) for row in rows]
        assert (1, 5, 7) in seen and (1.5, 5, 7) in seen, (interface, seen)
        if interface == "me":  # in co-simulation an input stands still during a step
            assert (0.5, 1, 1) in seen and (1, 2, 1) in seen, seen
        assert 1 in [event["time"] for event in place.stats("stats.json")["events"]]


def test_a_model_may_end_the_run(place):
    result = succeeds(place, "stair", "--stats-file", "stats.json")
    assert "the model ended the run at t = 9" in result.out, result
    assert place.stats("stats.json")["outcome"] == "terminated_by_model"
    assert place.table("stair.csv")[1][-1][0] == 9


def test_many_events_are_cut_short_on_the_terminal_only(place):
    result = succeeds(place, "step_event", "--stop-time", "30.5", "--stats-file", "stats.json")
    assert "... 10 more, see --stats-file" in result.out, result
    assert len(place.stats("stats.json")["events"]) == 30


def test_an_fmu_that_chatters_slides(place):
    result = succeeds(place, "chatter_pair", "--tolerance", "1e-8", "--start-value", "hysteresis=0", "--mark-sliding",
                      "--stats-file", "stats.json")
    for words in ["3 enter_sliding, 3 exit_sliding", "4 phases, 4.121 of 10 time units", 'sliding on "z"']:
        assert words in result.out, f"{words!r} wanted:\n{result}"
    stats = place.stats("stats.json")
    assert stats["sliding"] == "auto" and stats["steps"] <= 250
    assert [event["kind"] for event in stats["events"]] == ["exit_sliding", "enter_sliding"] * 3
    assert math.isclose(stats["events"][0]["time"], math.asin(0.8), abs_tol=1e-8)
    assert [phase["surfaces"] for phase in stats["sliding_phases"]] == [1] * 4
    assert stats["sliding_phases"][1]["begin"] == stats["events"][1]["time"]
    header, rows = place.table("chatter_pair.csv")
    assert header[-1] == "sliding_surfaces" and {row[-1] for row in rows} == {0, 1}
    assert math.isclose(rows[-1][header.index("friction")], math.sin(10) / 2, abs_tol=1e-8)
    assert '"sliding":[[0,0.927' in (place.work / "chatter_pair.html").read_text(encoding="utf-8")


def test_reluctant_switches_instead_of_sliding(place):
    chattering = ["chatter_pair", "--start-value", "hysteresis=0", "--stats-file", "s.json", "--no-output", "--no-plot"]
    succeeds(place, *chattering, "--hysteresis", "0.003")
    stats = place.stats("s.json")
    # 394 from the side that the FMU begins on; the first when sin t + 0.8 has moved w by 0.003.
    assert len(stats["events"]) == 394 and {event["kind"] for event in stats["events"]} == {"state"}
    assert abs(stats["events"][0]["time"] - 0.003741251907) < 1e-8 and stats["hysteresis"] == 0.003
    succeeds(place, *chattering, "--dwell", "0.05")
    stats = place.stats("s.json")
    # A switch, or the end of a dwell without one: no more than two in a dwell time.
    times = [event["time"] for event in stats["events"]]
    assert stats["dwell"] == 0.05 and 50 < len(times) <= 2 * 10 / 0.05, len(times)
    assert all(b - a > 0.05 - 1e-9 for a, b in zip(times, times[2:])), times
    result = place.run("simulate", *chattering, "--dwell", "0.05", "--sliding", "auto")
    assert "warning: --sliding has no effect" in result.message(), result


def test_what_slides_by_itself_is_told_where_options_ask_for_something_else(place):
    for fmu in ["stick_slip_pair", place.fmu("fmi2/stick_slip_pair")]:
        run = [fmu, "--interface-type", "me", "--stop-time", "0.5", "--no-output", "--no-plot"]
        succeeds(place, *run)
        for option in ["--hysteresis", "--dwell"]:
            result = place.run("simulate", *run, option, "0.01")
            assert result.code == 0, result
            assert f"warning: {option} does not reach surfaces on which the FMU slides by itself" in result.message(), result
            assert f"SimulationOptions::{option[2:]}" in result.message(), result
        result = place.run("simulate", *run, "--sliding", "off")
        assert "warning: --sliding has no effect: the FMU slides by itself" in result.message(), result
    # Conditions that only act do not slide: a band reaches them.
    succeeds(place, "bouncing_ball", "--hysteresis", "0.001", "--stop-time", "0.5")


def test_impacts_that_accumulate_end_in_rest_where_asked(place):
    ball = ["bouncing_ball", "--start-value", "v_min=0", "--stats-file", "s.json", "--no-plot"]
    result = place.run("simulate", *ball)
    assert result.code == 1 and "Zeno" in result.message(), result
    succeeds(place, *ball, "--zeno", "rest")
    stats = place.stats("s.json")
    assert [event["kind"] for event in stats["events"]].count("zeno") == 1 and stats["zeno"] == "rest"
    # Accumulation at t1 (1 + e) / (1 - e) with t1 = sqrt(2 / 9.81), e = 0.7.
    assert abs(stats["events"][-1]["time"] - 2.558633965585808) < 1e-6
    header, rows = place.table("bouncing_ball.csv")
    assert rows[-1][0] == 3.0 and abs(rows[-1][header.index("h")]) < 1e-9


def test_sliding_can_be_switched_off(place):
    succeeds(place, "chatter_pair", "--sliding", "off", "--start-value", "hysteresis=0.003", "--stats-file", "s.json",
             "--log-fmi-calls", "--log-file", "calls.txt")
    stats = place.stats("s.json")
    assert stats["sliding"] == "off" and stats["sliding_phases"] == []
    assert [event["kind"] for event in stats["events"]] == ["state"] * 395
    assert "FMUState" not in (place.work / "calls.txt").read_text()
    result = place.run("simulate", "chatter_pair", "--sliding", "off", "--start-value", "hysteresis=1e-14")
    assert result.code == 1 and "chattering" in result.message() and "--sliding" not in result.err, result


def test_an_fmu_that_cannot_slide_says_why(place):
    chattering = ["chatter_pair_without_states", "--start-value", "hysteresis=1e-14"]
    result = place.run("simulate", *chattering)
    assert result.code == 1 and "chattering" in result.message(), result
    assert "canGetAndSetFMUState" in result.message(), result
    result = place.run("simulate", *chattering, "--sliding", "auto", "--quiet")
    assert result.code == 1, result
    result = place.run("simulate", "chatter_pair_without_states", "--start-value", "hysteresis=0.003", "--sliding", "auto")
    assert result.code == 0 and "warning: --sliding has no effect" in result.message(), result


def test_calls_and_messages_are_logged(place):
    result = place.run("simulate", "liar", "--log-fmi-calls", "--quiet")
    assert result.code == 0 and "[FMI] fmi3InstantiateModelExchange(" in result.err, result
    assert result.err.rstrip().endswith("[FMI] fmi3FreeInstance()"), result
    succeeds(place, "liar", "--log-fmi-calls", "--logging-on", "--log-file", "calls.txt", "--quiet",
             "--start-value", "lie=10")
    lines = (place.work / "calls.txt").read_text().splitlines()
    assert any(line.startswith("[FMI] fmi3EnterInitializationMode(") for line in lines)
    assert any(line.startswith("[FMU] fmi3Warning") and "harmless" in line for line in lines)


def test_statistics_are_shown_on_request(place):
    result = succeeds(place, "liar", "--show-stats")
    for words in ["accepted", "rejected", "restarts", "of the indicators", "located"]:
        assert words in result.out, f"{words!r} wanted:\n{result}"


run_tests(globals())
