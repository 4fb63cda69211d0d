# SPDX-License-Identifier: BSD-2-Clause
"""FMUs with clocks: what is recorded, driven and told."""
from saltus_cli import run_tests

INPUTS = "time,trigger,u\n0,0,1\n0.25,1,2\n0.55,1,3\n2,0,3\n"


def is_quiet(result):
    """The FMU of these tests has the functions that it needs, which is told; nothing else may be."""
    return all("lacks functions that every FMU must export" in line for line in result.err.splitlines())


def test_every_interface_ticks_at_the_same_times(place):
    (place.work / "inputs.csv").write_text(INPUTS, encoding="utf-8")
    for interface, method in [("me", "Model Exchange"), ("cs", "Co-Simulation"), ("se", "Scheduled Execution")]:
        fmu = place.fmu("clocks")
        if interface == "se":  # which knows no local clocks (FMI 3.0, 2.2.9)
            fmu = without_local_clock(place, fmu)
        result = place.run("simulate", fmu, "--interface-type", interface, "--input-file", "inputs.csv", "--output-interval",
                           "0.5", "--output-file", "clocks.csv", "--stats-file", "stats.json")
        assert result.code == 0 and is_quiet(result) and method in result.out, result
        header, rows = place.table("clocks.csv")
        column = {name: [row[i] for row in rows] for i, name in enumerate(header)}

        def ticks(clock):
            return [t for t, active in zip(column["time"], column[clock]) if active]

        assert ticks("tenth") == [k / 10 for k in range(11)], ticks("tenth")
        assert ticks("third") == [k / 3 for k in range(4)], ticks("third")
        assert ticks("planned") == [0.5, 0.75, 1.0], ticks("planned")
        assert ticks("changing") == [0.1, 0.3, 0.6, 1.0], ticks("changing")
        assert ticks("trigger") == [0.25, 0.55], ticks("trigger")
        assert ticks("countdown") == [0.5, 0.8], ticks("countdown")
        assert ticks("alarm") == [0.4, 0.5, 0.8, 0.9], ticks("alarm")
        assert column["n_tenth"][-1] == 11 and column["sample"][-1] == 3, rows[-1]
        stats = place.stats("stats.json")
        assert stats["interface"] == interface and len(stats["warnings"]) == 1, stats


def without_local_clock(place, fmu):
    import zipfile
    target = place.work / "clocks.fmu"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(target, "w") as archive:
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename == "modelDescription.xml":
                gone = [b'"inner"', b'_inner"', b'"31"']
                data = b"\n".join(line for line in data.split(b"\n") if not any(word in line for word in gone))
            archive.writestr(entry, data)
    return target


def test_info_lists_clocks(place):
    result = place.run("info", place.fmu("clocks"))
    assert result.code == 0 and not result.err, result
    rows = [line.split() for line in result.out.splitlines()]
    for words in ["tenth input constant 0.1 3 n_tenth, p_tenth, u, sample, control",
                  "third input constant 1/3 4 n_third, p_third",
                  "planned input fixed 0.25 0.5 2 n_planned, p_planned",
                  "own_fixed input fixed asked from the FMU 5 n_own_fixed, p_own_fixed",
                  "trigger input triggered by the input file 1 n_trigger, p_trigger, u, sample",
                  "alarm output triggered by the FMU n_alarm, p_alarm"]:
        assert words.split() in rows, f"{words!r} wanted:\n{result}"


def test_what_never_ticks_is_told(place):
    result = place.run("simulate", "clocks", "--no-plot")
    assert result.code == 0 and "trigger: the clock never ticks" in result.err, result
    result = place.run("simulate", "clocks", "--no-plot", "--interface-type", "cs", "--event-mode-used=false")
    assert result.code == 0 and "needs event mode, which is switched off" in result.err, result


def test_the_interval_of_a_clock_can_be_given(place):
    result = place.run("simulate", "clocks", "--quiet", "--start-value", "planned=0.2", "--output-variable", "planned",
                       "--output-file", "planned.csv")
    assert result.code == 0 and not result.err, result
    _, rows = place.table("planned.csv")
    assert [t for t, active in rows if active] == [0.5, 0.7, 0.9], rows
    result = place.run("simulate", "clocks", "--start-value", "tenth=0.2")
    assert result.code == 2 and "a clock of kind constant" in result.message(), result


def test_options_without_effect_in_scheduled_execution_are_told(place):
    result = place.run("simulate", without_local_clock(place, place.fmu("clocks")), "--interface-type", "se", "--no-plot",
                       "--solver", "radau", "--event-mode-used")
    assert result.code == 0, result
    assert "--solver has no effect: in Scheduled Execution nothing is integrated" in result.err, result
    assert "--event-mode-used has no effect: the run uses Scheduled Execution" in result.err, result


run_tests(globals())
