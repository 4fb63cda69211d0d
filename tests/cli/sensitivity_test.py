# SPDX-License-Identifier: BSD-2-Clause
"""Runs that are differentiated by parameters and start values."""
import math
import zipfile

from saltus_cli import run_tests

G, E, H = 9.81, 0.7, 1.0
FALL = math.sqrt(2 * H / G)


def near(one, other):
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


def check_ball(place, result, fmu):
    assert result.code == 0 and result.err == "", (fmu, result)
    header, rows = place.table("rows.csv")
    assert header == ["time", "h", "v", "d(h)/d(e)", "d(v)/d(e)", "d(h)/d(start(h))", "d(v)/d(start(h))"], header
    last = dict(zip(header, rows[-1]))
    since, speed = last["time"] - FALL, math.sqrt(2 * G * H)
    assert near(last["d(v)/d(e)"], speed) and near(last["d(h)/d(e)"], speed * since), (fmu, last)
    moved = FALL / (2 * H)
    assert near(last["d(v)/d(start(h))"], E * speed / (2 * H) + G * moved), (fmu, last)
    assert dict(zip(header, rows[0]))["d(h)/d(start(h))"] == 1
    event, = place.stats("stats.json")["events"]
    assert near(event["time_sensitivities"]["start(h)"], moved) and near(event["time_sensitivities"]["e"], 0), event
    assert "dt/d(e)" in result.out and "dt/d(start(h))" in result.out and f"{moved:.6g}"[:7] in result.out, result
    page = (place.work / "page.html").read_text(encoding="utf-8")
    assert '"d(h)/d(start(h))"' in page and '"by start(h)"' in page and '"by e"' in page
    assert '"notesOfEvent":[["dt/d(e) = ' in page


def test_a_run_is_differentiated_through_its_events(place):
    fmu2 = place.fmu("bouncing_ball").parent / "fmi2" / "bouncing_ball.fmu"
    for fmu in ["bouncing_ball", fmu2]:
        for how in [[], ["--in-process"]]:
            result = place.run("simulate", fmu, "--stop-time", "0.9", "--tolerance", "1e-9", "--sensitivity", "e",
                               "--sensitivity", "start(h)", "--output-file", "rows.csv", "--stats-file", "stats.json",
                               "--plot", "page.html", *how)
            check_ball(place, result, fmu)


def test_columns_can_be_chosen(place):
    place.run("simulate", "bouncing_ball", "--stop-time", "0.3", "--sensitivity", "g", "--output-variable", "v", "--quiet")
    assert place.table("bouncing_ball.csv")[0] == ["time", "v", "d(v)/d(g)"]
    place.run("simulate", "bouncing_ball", "--stop-time", "0.3", "--sensitivity", "g", "--output-variable", "v",
              "--output-variable", "d(h)/d(g)", "--quiet")
    header, rows = place.table("bouncing_ball.csv")
    assert header == ["time", "v", "d(h)/d(g)"] and near(rows[-1][2], -0.5 * 0.3 ** 2), rows[-1]


def test_a_foreign_fmu_is_differentiated(place):
    # Written in C, with a reset that nobody can look into.
    result = place.run("simulate", place.fmu("ball2"), "--stop-time", "0.9", "--tolerance", "1e-9", "--sensitivity", "g",
                       "--output-file", "rows.csv", "--stats-file", "stats.json")
    assert result.code == 0, result
    event = next(each for each in place.stats("stats.json")["events"] if each["kind"] == "state")
    assert near(event["time_sensitivities"]["g"], -FALL / (2 * G)), event


def test_fmus_of_fmi_1_are_differentiated(place):
    result = place.run("simulate", place.fmu("ball1_me"), "--stop-time", "0.9", "--tolerance", "1e-9", "--sensitivity", "e",
                       "--output-variable", "h", "--output-file", "rows.csv")
    assert result.code == 0, result
    last = place.table("rows.csv")[1][-1]
    assert near(last[2], math.sqrt(2 * G * H) * (last[0] - FALL)), last


def test_an_fmu_that_wants_a_process_for_each_instance_gets_it(place):
    with zipfile.ZipFile(place.fmu("bouncing_ball")) as given, zipfile.ZipFile(place.work / "once.fmu", "w") as made:
        for entry in given.infolist():
            content = given.read(entry)
            if entry.filename == "modelDescription.xml":
                assert b"OncePerProcess" not in content
                content = content.replace(b"<ModelExchange ",
                                          b'<ModelExchange canBeInstantiatedOnlyOncePerProcess="true" ')
            made.writestr(entry, content)
    results = []
    for fmu in ["bouncing_ball", "once.fmu"]:
        result = place.run("simulate", fmu, "--stop-time", "0.9", "--sensitivity", "e", "--output-file", "rows.csv")
        assert result.code == 0 and result.err == "", result
        results.append(place.table("rows.csv"))
    assert results[0] == results[1]


def test_derivatives_that_do_not_exist_are_told(place):
    speed = 0.7 * math.sqrt(2 * G)
    result = place.run("simulate", "bouncing_ball", "--start-value", f"v_min={speed!r}", "--stop-time", "1",
                       "--sensitivity", "e", "--tolerance", "1e-9")
    assert result.code == 0 and "sensitivities are not a number from here on" in result.err, result
    assert "says NaN" not in result.err, result
    assert "nan" in (place.work / "bouncing_ball.csv").read_text(encoding="utf-8").splitlines()[-1].lower()


def test_what_cannot_be_is_refused(place):
    def refused(*arguments, mentions):
        result = place.run("simulate", *arguments)
        assert result.code == 2 and all(words in result.message() for words in mentions), result

    refused("bouncing_ball", "--sensitivity", "gg", mentions=["--sensitivity", 'no variable "gg"', '"g"'])
    refused("bouncing_ball", "--sensitivity", "resting", mentions=["--sensitivity", "neither a real parameter"])
    refused("bouncing_ball", "--sensitivity", "g", "--interface-type", "cs",
            mentions=["--sensitivity", "brings its own solver", "--interface-type me"])
    refused("bouncing_ball", "--sensitivity", "g", "--zeno", "rest", mentions=["--sensitivity", "--zeno rest"])
    refused("bouncing_ball", "--sensitivity", "g", "--hysteresis", "0.1", mentions=["--sensitivity", "--hysteresis"])
    assert place.files() == [], place.files()


run_tests(globals())
