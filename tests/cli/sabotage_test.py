# SPDX-License-Identifier: BSD-2-Clause
"""FMUs that misbehave in every call and in every way: each run ends in time, with the exit code and the message that it
should, keeps its rows, and leaves no files and no processes behind.

The saboteur does what SALTUS_SABOTAGE says: CALL:WAY:FROM, see saboteur/saboteur.c."""
import concurrent.futures
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import zipfile

from saltus_cli import Place, run_tests

SECONDS = 60  # for one run, on a machine that has other things to do
AT_A_TIME = 4

# How a process dies, and what is said of it.
DEATHS = {"segv": "SIGSEGV", "abort": "SIGABRT", "exit0": "exit(0)", "exit3": "exit(3)", "_exit0": "exit(0)",
          "quick_exit": "exit(0)", "overflow": "SIGSEGV", "fpe": "SIGFPE", "bus": "SIGBUS", "ill": "SIGILL",
          "trap": "SIGTRAP", "kill": "SIGKILL", "throw": "an exception left the FMU"}
FEW_DEATHS = ["segv", "exit0", "kill"]
HANGS = ["loop", "sleep", "deadlock", "deaf_loop", "stop"]

# Call -> the first time at which it is made; None: before the run has begun.
ME_CALLS = {"load": None, "fmi3GetVersion": None, "fmi3InstantiateModelExchange": None, "fmi3SetFloat64": 0,
            "fmi3EnterInitializationMode": 0, "fmi3ExitInitializationMode": 0, "fmi3UpdateDiscreteStates": 0,
            "fmi3EnterContinuousTimeMode": 0, "fmi3SetTime": 0.5, "fmi3SetContinuousStates": 0.5,
            "fmi3GetContinuousStateDerivatives": 0.5, "fmi3GetEventIndicators": 0.5, "fmi3GetContinuousStates": 0,
            "fmi3GetNominalsOfContinuousStates": 0, "fmi3GetNumberOfContinuousStates": None,
            "fmi3GetNumberOfEventIndicators": None, "fmi3GetFloat64": 0.5, "fmi3GetInt32": 0.5, "fmi3GetString": 0.5,
            "fmi3EnterEventMode": 0.5, "fmi3GetFMUState": 0.5, "fmi3SetFMUState": 0.5, "fmi3FreeFMUState": 0,
            "fmi3CompletedIntegratorStep": 0.5, "fmi3Terminate": 1}
CS_CALLS = {"load": None, "fmi3InstantiateCoSimulation": None, "fmi3SetFloat64": 0, "fmi3EnterInitializationMode": 0,
            "fmi3ExitInitializationMode": 0, "fmi3UpdateDiscreteStates": 0, "fmi3EnterStepMode": 0, "fmi3DoStep": 0.5,
            "fmi3GetFloat64": 0.5, "fmi3GetInt32": 0.5, "fmi3GetString": 0.5, "fmi3EnterEventMode": 0.5,
            "fmi3Terminate": 1}
AFTER_THE_RUN = {"fmi3FreeInstance": "fmi3FreeInstance", "unload": "dlclose"}
SHOWN = {"load": "dlopen"}
DONE_OR_FAILED = -1  # for an exit code: which one depends on the moment, and the rest on it


class Kind:
    """One way to misbehave, and what has to come of it."""

    def __init__(self, call, way, interface, code, mentions=(), start=None, options=(), outcome=None, whole=False):
        self.call, self.way, self.interface, self.code = call, way, interface, code
        self.mentions, self.start, self.options = mentions, start, options
        self.outcome = outcome or {0: "reached_stop", 1: "failed", 3: None, DONE_OR_FAILED: None}[code]
        self.whole = whole or (code == 0 and self.outcome == "reached_stop")

    def __str__(self):
        return f"{self.interface} {self.wish()} {' '.join(self.options)}".strip()

    def with_code(self, code):
        """Of a run that may have been done or have failed, what its exit code says."""
        if self.code != DONE_OR_FAILED:
            return self
        mentions = self.mentions if code else []
        return Kind(self.call, self.way, self.interface, 1 if code else 0, mentions, self.start, self.options)

    def wish(self):
        return f"{self.call}:{self.way}" + (f":{self.start}" if self.start else "")


def start_of(first):
    return f"t{first}" if first else None


def deaths():
    for interface, calls in [("me", ME_CALLS), ("cs", CS_CALLS)]:
        for call, first in calls.items():
            thorough = call in ["fmi3GetContinuousStateDerivatives", "fmi3DoStep", "load",
                                "fmi3InstantiateModelExchange"]
            for way in DEATHS if thorough else FEW_DEATHS:
                if call == "load" and way == "throw":
                    continue  # the loader has no frames that an exception could pass
                yield Kind(call, way, interface, 3 if first is None else 1, [SHOWN.get(call, call), DEATHS[way]],
                           start_of(first))


def hangs():
    for call, first in [("load", None), ("fmi3InstantiateModelExchange", None), ("fmi3EnterInitializationMode", 0),
                        ("fmi3GetContinuousStateDerivatives", 0.5), ("fmi3CompletedIntegratorStep", 0.5)]:
        for way in HANGS if call == "fmi3GetContinuousStateDerivatives" else HANGS[:1]:
            yield Kind(call, way, "me", 3 if first is None else 1,
                       [SHOWN.get(call, call), "did not return within 0.5 s", "--call-time-limit"],
                       start_of(first), ["--call-time-limit", "0.5"])
    for call, first in [("fmi3DoStep", 0.5), ("fmi3GetFloat64", 0.5), ("fmi3Terminate", 1)]:
        for way in HANGS if call == "fmi3DoStep" else HANGS[1:2]:
            yield Kind(call, way, "cs", 1, [call, "did not return within 0.5 s", "--call-time-limit"], start_of(first),
                       ["--call-time-limit", "0.5"])
    yield Kind("fmi3DoStep", "shout_for_ever", "cs", 1, ["fmi3DoStep", "did not return within 0.5 s"], "t0.5",
               ["--call-time-limit", "0.5", "--quiet"])
    yield Kind("fmi3DoStep", "shout_for_ever", "cs", 1, ["fmi3DoStep", "did not return within 0.5 s"], "t0.5",
               ["--call-time-limit", "0.5", "--quiet", "--log-file", "log.txt"])


def ends():
    """The run is done: it is worth a warning."""
    for interface in ["me", "cs"]:
        for call, shown in AFTER_THE_RUN.items():
            for way in ["segv", "abort", "exit3", "kill", "overflow"]:
                yield Kind(call, way, interface, 0, [shown, DEATHS[way], "the results are complete"])
            for way in ["loop", "deaf_loop"]:
                yield Kind(call, way, interface, 0, [shown, "does not end", "the results are complete"], None,
                           ["--call-time-limit", "0.5"])
        yield Kind("fmi3FreeInstance", "exit0", interface, 0)  # an end without a complaint is one


def answers():
    for interface, calls in [("me", ME_CALLS), ("cs", CS_CALLS)]:
        for call, first in calls.items():
            if first is None:
                continue
            ways = {"error": "fmi3Error", "fatal": "fmi3Fatal", "status17": "17", "status-1": "-1"}
            for way in ways if call in ["fmi3DoStep", "fmi3GetContinuousStateDerivatives"] else ["error"]:
                yield Kind(call, way, interface, 1, [call, ways[way]], start_of(first))
            yield Kind(call, "warning", interface, 0, [], start_of(first))
    for call in ["fmi3GetContinuousStateDerivatives", "fmi3SetTime", "fmi3SetContinuousStates"]:
        yield Kind(call, "discard", "me", 1, [], "t0.5")
    yield Kind("fmi3DoStep", "discard", "cs", 1, ["fmi3DoStep"], "t0.5")
    for interface in ["me", "cs"]:
        yield Kind("fmi3GetFloat64", "discard", interface, 1, ["the call that reads variables", "fmi3Discard"], "t0.5")
    for way in ["nan", "inf"]:
        for call in ["fmi3GetContinuousStateDerivatives", "fmi3GetEventIndicators", "fmi3GetContinuousStates"]:
            yield Kind(call, way, "me", 1, [], "t0.5" if call != "fmi3GetContinuousStates" else None)
        # A model may have variables that are no numbers for a while: the run goes on, and says so.
        yield Kind("fmi3GetFloat64", way, "cs", 0, ["warning: at t = ", "x: the FMU says NaN or infinity"], "t0.5")
    for way in ["null", "other", "empty"]:
        yield Kind("fmi3GetVersion", way, "me", 3, ["fmi3GetVersion"])
    for interface, call in [("me", "fmi3InstantiateModelExchange"), ("cs", "fmi3InstantiateCoSimulation")]:
        yield Kind(call, "null", interface, 3, ["refuses to be instantiated"])
    for call in ["fmi3GetNumberOfContinuousStates", "fmi3GetNumberOfEventIndicators"]:
        for way in ["one_more", "none", "huge"]:
            yield Kind(call, way, "me", 3, ["the FMU has", "modelDescription.xml describes"])
    yield Kind("fmi3GetFMUState", "null", "me", 1, ["saboteur.fmu: fmi3GetFMUState: ", "--sliding off"], "t0.5")
    for way in ["update_for_ever", "event_in_the_past", "event_at_nan", "event_at_once", "events_without_end"]:
        for interface in ["me", "cs"]:
            yield Kind("fmi3UpdateDiscreteStates", way, interface, 1, [], "t0.2")
    for way in ["plans_from_its_announcement", "leaves_its_announcement"]:
        yield Kind("fmi3UpdateDiscreteStates", way, "me", 0)
    yield Kind("fmi3CompletedIntegratorStep", "event_always", "me", 0)
    for way in ["early_return_without_progress", "event_without_progress", "last_time_nan", "last_time_infinite",
                "last_time_in_the_future", "last_time_in_the_past"]:
        yield Kind("fmi3DoStep", way, "cs", 1, [], "t0.5")
    for interface, call in [("me", "fmi3UpdateDiscreteStates"), ("cs", "fmi3DoStep")]:
        yield Kind(call, "terminate", interface, 0, [], "t0.5", outcome="terminated_by_model")
    for interface in ["me", "cs"]:
        for way in ["null", "broken_text"]:
            yield Kind("fmi3GetString", way, interface, 0, [], "t0.5")
        yield Kind("fmi3GetString", "bad_pointer", interface, 1, ["SIGSEGV"], "t0.5")


def damage():
    for call in ["fmi3GetContinuousStateDerivatives", "fmi3GetEventIndicators", "fmi3GetFloat64"]:
        for way in ["overrun", "overrun_by_one"]:
            yield Kind(call, way, "me", 1, [call, "SIGSEGV"], "t0.5")
    for call in ["fmi3GetContinuousStates", "fmi3GetNominalsOfContinuousStates"]:
        yield Kind(call, "overrun_by_one", "me", 1, [call, "SIGSEGV"])
    yield Kind("fmi3GetFloat64", "overrun_by_one", "cs", 1, ["fmi3GetFloat64", "SIGSEGV"], "t0.5")
    yield Kind("fmi3GetInt32", "overrun", "cs", 1, ["fmi3GetInt32", "SIGSEGV"], "t0.5")
    for way in ["scribble", "scribble_zeros"]:
        for interface, call in [("me", "fmi3GetContinuousStateDerivatives"), ("cs", "fmi3DoStep")]:
            yield Kind(call, way, interface, 1, ["damaged what it was to send"], "t0.5")
    yield Kind("fmi3DoStep", "pthread_exit", "cs", 1, ["fmi3DoStep", "SIGABRT"], "t0.5")
    yield Kind("fmi3DoStep", "allocate", "cs", 1, ["fmi3DoStep", "SIGABRT", "MiB", "--memory-limit"], "t0.5",
               ["--memory-limit", "0.3"])
    yield Kind("fmi3DoStep", "reserve", "cs", 1, ["fmi3DoStep", "SIGABRT"], "t0.5", ["--memory-limit", "1"])
    yield Kind("fmi3InstantiateCoSimulation", "allocate", "cs", 3,
               ["fmi3InstantiateCoSimulation", "SIGABRT", "MiB", "--memory-limit"], None, ["--memory-limit", "0.3"])


HARMLESS = ["close_files", "ignore_signals", "round_up", "round_to_zero", "flush_to_zero", "trap_numbers",
            "thread_that_lives", "threads", "child", "daemon", "term", "interrupt", "shout", "repeat", "shout_at_length",
            "print", "close_all_files", "double", "elsewhere", "child_that_crashes"]


def harmless():
    """What costs the run nothing: its numbers are those of an honest one."""
    for way in HARMLESS:
        for interface, call in [("me", "fmi3GetContinuousStateDerivatives"), ("cs", "fmi3DoStep")]:
            # The step of Co-Simulation computes, and what it computes is its own affair.
            yield Kind("fmi3GetString" if "round" in way else call, way, interface, 0, [], None, ["--quiet"])
        if way not in ["shout", "repeat", "shout_at_length"]:
            yield Kind("load", way, "me", 0, [], None, ["--quiet"])
    yield Kind("fmi3DoStep", "shout", "cs", 0, [], "3", ["--quiet", "--log-file", "log.txt"])


class Runner:
    def __init__(self, place):
        self.program, self.fmu, self.fmus = place.program, place.fmu("saboteur"), place.fmus
        self.honest = {interface: self.run(Kind("none", "none", interface, 0))[1] for interface in ["me", "cs"]}

    def run(self, kind, *more):
        """What is wrong with this run, and its table."""
        with tempfile.TemporaryDirectory(prefix="saltus-sabotage-") as root:
            place = Place(self.program, self.fmus, root)
            return self.judge(kind, place, more)

    def judge(self, kind, place, more):
        environment = place.environment(SALTUS_SABOTAGE=kind.wish())
        arguments = [self.program, "simulate", self.fmu, "--interface-type", kind.interface, "--start-value", "p=1",
                     "--stats-file", "stats.json", *kind.options, *more]
        begin = time.monotonic()
        process = subprocess.Popen(arguments, cwd=place.work, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                   start_new_session=True)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            end_session(process.pid)
            process.communicate()
            return ["does not end"], None
        faults = []
        kind = kind.with_code(process.returncode)
        took = time.monotonic() - begin
        if took > 20:
            faults.append(f"took {took:.1f} s")
        if kind.way.startswith("scribble"):  # what it has destroyed may include the news of its beginning
            # Nothing may be lost in silence; if all was read before, and is written anew, nothing is lost.
            kind = Kind(kind.call, kind.way, kind.interface, process.returncode, kind.mentions)
            kind.outcome, kind.code = None, process.returncode if process.returncode in [1, 3] else 1
            if process.returncode == 0:
                kind.outcome, kind.code, kind.mentions, kind.whole = "reached_stop", 0, [], True
        if process.returncode != kind.code:
            faults.append(f"exit code {process.returncode} instead of {kind.code}")
        faults += [f"does not say {words}" for words in kind.mentions if words not in err]
        if kind.code != 0 and not [line for line in err.splitlines() if line.startswith("saltus: ") and "warning" not in line]:
            faults.append("no message")
        if len(err) > 500000:
            faults.append(f"{len(err)} characters of messages")
        left = sorted(p.name for p in place.temporary.iterdir())
        if left:
            faults.append(f"left behind: {left}")
        # A process that the FMU has made, and that is about to end, has two seconds for it.
        deadline = time.monotonic() + 2.0
        while (processes := processes_of(process.pid, str(place.root))) and time.monotonic() < deadline:
            time.sleep(0.02)
        if processes:
            faults.append(f"processes left: {processes}")
            for number in processes:
                os.kill(number, 9)
        rows = None
        if kind.outcome:
            try:
                faults_of_rows, rows = self.look_at_results(kind, place)
                faults += faults_of_rows
            except Exception as error:  # a file that cannot be read is a fault like others
                faults.append(f"results: {error!r}")
        elif kind.code == 3 and set(place.files()) - {"log.txt"}:
            faults.append(f"wrote {place.files()}")
        return [f"{fault}\n{err[-400:]}" for fault in faults], rows

    def look_at_results(self, kind, place):
        faults = []
        stats = place.stats("stats.json")
        if stats["outcome"] != kind.outcome:
            faults.append(f"outcome {stats['outcome']}")
        data = (place.work / "saboteur.csv").read_bytes()
        if not data.endswith(b"\n"):
            faults.append("a broken last row")
        text = data.decode("utf-8", "replace")
        if kind.way == "broken_text":
            return faults, None
        rows = [line.split(",") for line in text.splitlines()[1:]]
        if stats["rows"] != len(rows):
            faults.append(f"{len(rows)} rows, and {stats['rows']} in the statistics")
        if any(len(row) != 5 for row in rows):
            faults.append("broken rows")
        times = [float(row[0]) for row in rows]
        if kind.whole and (not times or times[-1] != 1):
            faults.append(f"not complete: {times}")
        if kind.start in ["t0.5", "t1"] and [round(t, 9) for t in times[:3]] != [0, 0.1, 0.2]:
            faults.append(f"rows lost: {times}")
        return faults, rows


def processes_of(session, folder):
    """What still runs of this session, or in this folder."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if fields[0] != "Z" and (int(fields[3]) == session or os.readlink(entry / "cwd").startswith(folder)):
                found.append(int(entry.name))
        except (OSError, IndexError):
            continue
    return found


def end_session(session):
    for number in processes_of(session, "/nowhere"):
        os.kill(number, 9)


def run_all(place, kinds, check=None):
    runner = Runner(place)
    kinds = list({str(kind): kind for kind in kinds}.values())
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        results = list(pool.map(runner.run, kinds))
    failed = []
    for kind, (faults, rows) in zip(kinds, results):
        if check and not faults:
            faults = check(kind, rows, runner.honest[kind.interface])
        failed += [f"{kind}: {fault}" for fault in faults]
    print(f"        {len(kinds)} kinds")
    assert not failed, "\n" + "\n".join(failed)


def test_an_fmu_that_ends_its_process(place):
    run_all(place, deaths())


def test_an_fmu_that_never_returns(place):
    run_all(place, hangs())


def test_an_fmu_that_fails_when_all_is_done(place):
    run_all(place, ends())


def test_an_fmu_that_answers_nonsense(place):
    run_all(place, answers())


def test_an_fmu_that_damages_what_it_reaches(place):
    run_all(place, damage())


def test_what_does_no_harm_changes_no_number(place):
    run_all(place, harmless(), lambda kind, rows, honest: [] if rows == honest else [f"other numbers: {rows}"])


def test_event_mode_that_is_refused_is_not_said_to_be_used(place):
    result = place.run("simulate", place.fmu("saboteur"), "--interface-type", "cs",
                       SALTUS_SABOTAGE="fmi3InstantiateCoSimulation:no_event_mode")
    assert result.code == 0 and "Co-Simulation, without event mode" in result.out, result
    assert "warning: at t = 0: event mode, which the description declares, was refused" in result.err, result
    later = place.run("simulate", place.fmu("saboteur"), "--interface-type", "cs", "--start-time", "1e-5",
                      SALTUS_SABOTAGE="fmi3InstantiateCoSimulation:no_event_mode")
    assert later.code == 0 and "warning: at t = 1e-05: event mode" in later.err, later


def test_a_call_before_the_run_can_be_interrupted(place):
    for call in ["load", "fmi3InstantiateModelExchange"]:
        process = place.start("simulate", place.fmu("saboteur"), SALTUS_SABOTAGE=f"{call}:loop")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not children.read_text():
            assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        result = place.finish(process)
        assert result.code == 128 + signal.SIGINT and "interrupted" in result.message(), result
        assert not place.files(), place.files()


def test_a_full_disk_is_noticed_while_the_run_goes_on(place):
    result = place.run("simulate", place.fmu("saboteur"), "--output-file", "/dev/full", "--plot", "plot.html",
                       "--stats-file", "stats.json", "--stop-time", "1e7", "--output-interval", "1e-2", "--quiet")
    assert result.code == 1 and "/dev/full cannot be written: No space left" in result.message(), result
    assert place.stats("stats.json")["outcome"] == "failed" and place.files() == ["plot.html", "stats.json"]
    result = place.run("simulate", place.fmu("saboteur"), "--stats-file", "/dev/full", "--quiet")
    assert result.code == 1 and "/dev/full cannot be written: No space left" in result.message(), result
    assert place.table_text("saboteur.csv").count("\n") > 10


def test_a_file_that_may_not_grow_is_a_full_disk(place):
    import resource
    enough = place.fmu("saboteur").stat().st_size * 10  # for what is unpacked

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (enough, enough))

    process = subprocess.Popen([place.program, "simulate", place.fmu("saboteur"), "--stop-time", "1e7", "--output-interval",
                                "1e-2", "--quiet", "--output-file", "rows.csv"], cwd=place.work, text=True,
                               env=place.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
    result = place.finish(process)
    assert result.code == 1 and "rows.csv cannot be written: File too large" in result.message(), result


def test_two_runs_with_one_file_do_not_mix(place):
    arguments = [place.fmu("saboteur"), "--output-file", "one.csv", "--plot", "one.html", "--output-interval", "1e-3",
                 "--quiet"]
    first = [place.start("simulate", *arguments, "--stop-time", str(stop)) for stop in [20, 21, 22]]
    assert [process.communicate()[1] for process in first] == ["", "", ""]
    assert [process.returncode for process in first] == [0, 0, 0]
    assert place.files() == ["one.csv", "one.html"], place.files()
    rows = place.table_text("one.csv")
    stop = rows.splitlines()[-1].split(",")[0]
    assert stop in ["20", "21", "22"], stop
    assert place.run("simulate", *arguments, "--stop-time", stop).code == 0 and place.table_text("one.csv") == rows
    # What a run that was killed has left is in nobody's way.
    (place.work / "one.csv.part").write_text("half a row")
    assert place.run("simulate", *arguments).code == 0 and place.files() == ["one.csv", "one.html"]


def test_results_get_their_names_when_they_are_complete(place):
    old = place.work / "old.csv"
    old.write_text("what was there\n")
    place.run("simulate", place.fmu("saboteur"), "--output-file", "old.csv", SALTUS_SABOTAGE="load:segv")
    assert old.read_text() == "what was there\n" and place.files() == ["old.csv"]
    (place.work / "link.csv").symlink_to("old.csv")
    assert place.run("simulate", place.fmu("saboteur"), "--output-file", "link.csv", "--quiet").code == 0
    assert (place.work / "link.csv").is_symlink() and old.read_text().startswith("time,x,y")
    for one, other in [("a.csv", "./a.csv"), ("link.csv", "old.csv"), ("old.csv", str(old))]:
        for option in ["--plot", "--stats-file", "--log-file"]:
            result = place.run("simulate", place.fmu("saboteur"), "--output-file", one, option, other)
            assert result.code == 2 and "two results go to one file" in result.message(), result
    result = place.run("simulate", place.fmu("saboteur"), "--output-file", "/dev/stdout", "--quiet")
    assert result.code == 0 and result.out.startswith("time,x,y"), result


def test_in_process(place):
    """Without isolation the program rescues what it can."""
    kinds = [Kind(call, way, interface, 1, ["exit(" if "exit" in way else DEATHS[way]], "t0.5", ["--in-process"])
             for interface, call in [("me", "fmi3GetContinuousStateDerivatives"), ("cs", "fmi3DoStep")]
             for way in ["segv", "abort", "exit0", "_exit0", "quick_exit", "overflow", "fpe", "bus", "ill", "throw"]]
    run_all(place, kinds)
    harmless = [Kind(call, way, interface, 0, [], None, ["--in-process", "--quiet"])
                for interface, call in [("me", "fmi3GetContinuousStateDerivatives"), ("cs", "fmi3DoStep")]
                for way in ["double", "elsewhere", "child_that_crashes"]]
    run_all(place, harmless, lambda kind, rows, honest: [] if rows == honest else [f"other numbers: {rows}"])


def test_threads_many_times(place):
    kind = Kind("fmi3DoStep", "threads", "cs", 0, [], None, ["--quiet", "--no-plot"])
    runner = Runner(place)
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        results = list(pool.map(runner.run, [kind] * 100))
    assert all(not faults and rows == runner.honest["cs"] for faults, rows in results), results


def test_an_fmu_with_openmp(place):
    with zipfile.ZipFile(place.fmu("saboteur")) as archive:
        binaries = [name for name in archive.namelist() if name.endswith(".so")]
        if not any(b"GOMP_parallel" in archive.read(name) for name in binaries):
            print("        skipped: the compiler of this build has no OpenMP")
            return
    runner = Runner(place)
    for interface, call in [("me", "fmi3GetContinuousStateDerivatives"), ("cs", "fmi3DoStep")]:
        kind = Kind(call, "openmp", interface, 0, [], None, ["--no-plot"])
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            results = list(pool.map(runner.run, [kind] * 5))
        assert all(not faults and rows == runner.honest[interface] for faults, rows in results), results


if __name__ == "__main__":
    run_tests(globals())
