# SPDX-License-Identifier: BSD-2-Clause
"""FMUs that leave something for later: threads that fail while another call is under way or when all is done, handlers
for the end of the process, timers. A complete result is never reported as failed, nor an incomplete one as complete.

The ways are those of saboteur/late.h."""
from saltus_cli import run_tests
from sabotage_test import DONE_OR_FAILED, Kind, run_all

COMPLETE = "the results are complete"
DELAYS = [0, 50, 100, 200, 500, 1000, 2000, 5000, 20000]  # microseconds
DONE = {"segv": "SIGSEGV", "abort": "SIGABRT", "exit3": "exit(3)", "_exit7": "exit(7)"}


def threads_within_a_call():
    for interface in ["me", "cs"]:
        for way, words in [("crash_meanwhile", "SIGSEGV"), ("exit_meanwhile", "exit(3)")]:
            call = {"me": "fmi3CompletedIntegratorStep", "cs": "fmi3DoStep"}[interface]
            yield Kind(call, way, interface, 1, [call, words, "--log-fmi-calls"], "t0.5")
            yield Kind("fmi3Terminate", way, interface, 1, ["fmi3Terminate", words, "--log-fmi-calls"], "t1")
            yield Kind("fmi3FreeInstance", way, interface, 0, ["fmi3FreeInstance", words, COMPLETE])
            if way == "crash_meanwhile":  # what is being unloaded cannot call exit
                yield Kind("unload", way, interface, 0, ["dlclose", words, COMPLETE])


def handlers():
    for interface in ["me", "cs"]:
        for call in ["load", {"me": "fmi3ExitInitializationMode", "cs": "fmi3DoStep"}[interface], "fmi3FreeInstance"]:
            for deed, words in DONE.items():
                yield Kind(call, f"atexit_{deed}", interface, 0, ["dlclose", "atexit", words, COMPLETE])
            for deed in ["print", "exit0", "_exit0"]:
                yield Kind(call, f"atexit_{deed}", interface, 0)
        for deed in ["loop", "sleep"]:
            yield Kind("load", f"atexit_{deed}", interface, 0, ["dlclose", "atexit", "does not end", COMPLETE], None,
                       ["--call-time-limit", "0.5"])
        # Nobody calls these: the process of the FMU ends without them.
        for kind in ["kept_atexit", "on_exit", "key"]:
            for deed in ["segv", "exit3", "loop"]:
                yield Kind("load", f"{kind}_{deed}", interface, 0)


def handlers_of_an_early_end():
    for interface, call in [("me", "fmi3CompletedIntegratorStep"), ("cs", "fmi3DoStep")]:
        for deed, words in [("segv", "SIGSEGV"), ("print", "exit(3)"), ("exit0", "exit(0)"), ("_exit0", "exit(0)"),
                            ("_exit7", "exit(7)")]:
            yield Kind(call, f"exit_over_{deed}", interface, 1, [call, words, "--log-fmi-calls"], "t0.5")
        yield Kind(call, "exit_over_loop", interface, 1, [call, "did not return within 0.5 s", "--call-time-limit"],
                   "t0.5", ["--call-time-limit", "0.5"])
    for deed, words in [("print", "exit(3)"), ("_exit0", "exit(0)")]:
        yield Kind("fmi3InstantiateCoSimulation", f"exit_over_{deed}", "cs", 3, ["fmi3InstantiateCoSimulation", words])


def test_a_thread_fails_within_another_call(place):
    run_all(place, threads_within_a_call())


def test_handlers_for_the_end_of_the_process(place):
    run_all(place, handlers())


def test_handlers_run_by_an_fmu_that_ends_its_process(place):
    run_all(place, handlers_of_an_early_end())


def test_a_timer_disturbs_nothing(place):
    kinds = [Kind(call, "timer", interface, 0) for interface in ["me", "cs"] for call in ["load", "fmi3FreeInstance"]]
    run_all(place, kinds, lambda kind, rows, honest: [] if rows == honest else [f"other numbers: {rows}"])


def test_a_thread_crashes_at_any_time(place):
    """In the last call, between the calls, when the results are sent, when the process ends."""
    run_all(place, [Kind(call, f"crash_after_{delay}", interface, DONE_OR_FAILED, ["SIGSEGV", "--log-fmi-calls"], None,
                         ["--no-plot"])
                    for interface in ["me", "cs"] for call in ["fmi3Terminate", "fmi3FreeInstance"]
                    for delay in DELAYS])


def test_in_process(place):
    """What is complete stays so; what comes after it is a warning, or is not called at all."""
    options = ["--in-process"]
    kinds = [Kind(call, way, interface, 0, [words, COMPLETE], None, options)
             for interface in ["me", "cs"]
             for call, way, words in [("fmi3FreeInstance", "segv", "SIGSEGV"), ("fmi3FreeInstance", "exit3", "exit("),
                                      ("fmi3FreeInstance", "crash_meanwhile", "SIGSEGV"),
                                      ("fmi3FreeInstance", "exit_meanwhile", "exit("), ("unload", "segv", "SIGSEGV"),
                                      ("load", "atexit_segv", "SIGSEGV"), ("load", "atexit_abort", "SIGABRT"),
                                      ("load", "atexit_exit3", "exit("), ("load", "atexit_exit0", "exit("),
                                      ("load", "atexit__exit7", "exit("), ("fmi3FreeInstance", "_exit0", "exit(")]]
    kinds += [Kind("load", way, "cs", 0, [], None, options)
              for way in ["atexit_print", "kept_atexit_segv", "kept_atexit_exit3", "kept_atexit_loop", "on_exit_segv",
                          "on_exit_exit3", "on_exit_loop", "key_segv", "timer"]]
    kinds += [Kind("fmi3DoStep", way, "cs", 1, [words], "t0.5", options)
              for way, words in [("crash_meanwhile", "SIGSEGV"), ("exit_meanwhile", "exit("),
                                 ("exit_over_segv", "SIGSEGV"), ("exit_over_print", "exit("), ("exit_over__exit7", "exit(")]]
    kinds += [Kind("fmi3Terminate", "crash_meanwhile", "cs", 1, ["SIGSEGV"], "t1", options)]
    run_all(place, kinds)


if __name__ == "__main__":
    run_tests(globals())
