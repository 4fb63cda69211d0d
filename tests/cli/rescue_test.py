# SPDX-License-Identifier: BSD-2-Clause
"""FMUs that end the process or never return, and people who lose their patience: rows, plot and statistics are
there all the same, no temporary files are left, and the exit code is never 0."""
import os
import signal

from saltus_cli import run_tests


def check_results(place, model, outcome):
    # How many there are depends on the steps: a long one may meet the FMU's end from far before it.
    rows = place.table(f"{model}.csv")[1]
    times = [row[0] for row in rows]
    assert len(times) > 1 and times[:5] == [k * 0.1 for k in range(min(5, len(times)))], rows
    stats = place.stats("stats.json")
    assert stats["outcome"] == outcome and stats["rows"] == len(rows), stats
    assert (place.work / f"{model}.html").stat().st_size > 0


def killed(place, model, parameter, interface, mention):
    result = place.run("simulate", place.fmu(model), "--start-value", parameter, "--interface-type", interface,
                       "--stats-file", "stats.json")
    assert result.code == 1, result
    assert mention in result.message() and f"{model}.fmu" in result.message(), result
    check_results(place, model, "failed")


def test_an_fmu_that_calls_exit(place):
    killed(place, "quitter", "how=1", "me", "called exit(")
    killed(place, "quitter", "how=1", "cs", "called exit(")


def test_an_fmu_that_aborts(place):
    killed(place, "liar", "lie=22", "me", "SIGABRT")
    killed(place, "liar", "lie=22", "cs", "SIGABRT")


def test_an_fmu_that_touches_foreign_memory(place):
    killed(place, "quitter", "how=2", "me", "SIGSEGV")
    killed(place, "quitter", "how=2", "cs", "SIGSEGV")


def test_an_fmu_that_overflows_the_stack(place):
    killed(place, "quitter", "how=3", "me", "SIGSEGV")


def test_an_fmu_that_divides_by_zero(place):
    killed(place, "quitter", "how=4", "me", "SIGFPE")


def interrupt(place, signals, *arguments):
    """Sends the signals once the run is under way, which the log of its calls tells."""
    process = place.start("simulate", *arguments, "--log-fmi-calls", "--stats-file", "stats.json")
    while "fmi3ExitInitializationMode" not in process.stderr.readline():
        assert process.poll() is None, place.finish(process)
    for number in signals:
        os.kill(process.pid, number)
    return place.finish(process)


def test_a_run_can_be_interrupted(place):
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1, signal.SIGXCPU]:
        # The calls of so long a run would fill any log: it is far from its end when the signal comes.
        result = interrupt(place, [number], "liar", "--stop-time", "1e6", "--output-interval", "1e-2")
        assert result.code == 128 + number, result.code
        assert "saltus: " in result.err.splitlines()[-1] or "fmi3FreeInstance" in result.err.splitlines()[-1], result.err[-300:]
        stats = place.stats("stats.json")
        assert stats["outcome"] == "interrupted" and "interrupted" in stats["error"], stats
        assert stats["rows"] == len(place.table("liar.csv")[1])


def test_an_fmu_that_never_returns_can_be_interrupted(place):
    for interface in ["me", "cs"]:
        for signals in [[signal.SIGINT], [signal.SIGINT, signal.SIGINT]]:
            result = interrupt(place, signals, "liar", "--interface-type", interface, "--start-value", "lie=23")
            assert result.code == 128 + signal.SIGINT, result.code
            assert place.stats("stats.json")["outcome"] == "interrupted"


def test_an_interrupted_end_takes_nothing_from_complete_results(place):
    for call, shown in [("fmi3FreeInstance", "fmi3FreeInstance"), ("unload", "dlclose")]:
        process = place.start("simulate", place.fmu("saboteur"), "--log-fmi-calls", "--stats-file", "stats.json",
                              SALTUS_SABOTAGE=f"{call}:loop")
        while "fmi3Terminate" not in process.stderr.readline():
            assert process.poll() is None, place.finish(process)
        os.kill(process.pid, signal.SIGINT)
        result = place.finish(process)
        assert result.code == 0 and place.stats("stats.json")["outcome"] == "reached_stop", result
        assert shown in result.err and "was ended by SIGINT; the results are complete" in result.err, result
        assert place.table_text("saboteur.csv").splitlines()[-1].startswith("1,"), result


def test_a_run_that_is_killed_leaves_no_files(place):
    for interface in ["me", "cs"]:
        for arguments in [["--stop-time", "1e6", "--output-interval", "1e-2"], ["--start-value", "lie=23"]]:
            result = interrupt(place, [signal.SIGKILL], "liar", "--interface-type", interface, *arguments)
            assert result.code == -signal.SIGKILL, result.code
            assert "liar.csv.part" in place.files(), place.files()


def test_a_run_without_a_terminal_goes_on(place):
    process = place.start("simulate", "liar", "--log-fmi-calls", "--quiet", ignore=signal.SIGHUP)
    process.stderr.readline()
    os.kill(process.pid, signal.SIGHUP)
    assert place.finish(process).code == 0
    assert place.table("liar.csv")[1][-1][0] == 1


def test_output_that_nobody_reads_is_no_failure(place):
    process = place.start("info", "bouncing_ball")
    process.stdout.close()
    process.wait()
    assert process.returncode == 0 and process.stderr.read() == ""
    process.stderr.close()
    assert not list(place.temporary.iterdir())


run_tests(globals())
