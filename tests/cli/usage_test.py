# SPDX-License-Identifier: BSD-2-Clause
"""Wrong usage: exit code 2, one message that says what is wrong and what may have been meant, and no files."""
from saltus_cli import run_tests


def refused(place, *arguments, mentions):
    before = place.files()
    result = place.run(*arguments)
    assert result.code == 2, result
    assert result.out == "", result
    for words in [mentions] if isinstance(mentions, str) else mentions:
        assert words in result.message(), f"{words!r} wanted:\n{result}"
    assert place.files() == before, place.files()


def test_no_arguments_print_help_on_the_standard_error(place):
    result = place.run()
    assert result.code == 2, result
    assert result.out == "" and "simulate" in result.err and "Exit codes" in result.err, result


def test_help_and_version_are_no_failure(place):
    version = place.run("--version")
    assert version.code == 0 and version.out.startswith("saltus ") and not version.err, version
    for command in [[], ["simulate"], ["info"], ["analyze"], ["list"]]:
        result = place.run(*command, "--help")
        assert result.code == 0 and "Usage: saltus" in result.out and not result.err, result
    text = place.run("simulate", "--help").out
    for option in ["interface-type", "solver", "start-time", "stop-time", "tolerance", "output-interval",
                   "start-value", "output-variable", "input-file", "output-file", "log-fmi-calls", "log-file",
                   "early-return-allowed", "event-mode-used", "logging-on", "show-stats", "plot", "stats-file",
                   "no-plot", "no-output", "quiet", "sensitivity"]:
        assert f"--{option}" in text, f"{option} is not in the help:\n{text}"


def test_unknown_commands_and_options_are_named(place):
    refused(place, "simulat", "liar", mentions=["unknown command simulat", "did you mean \"simulate\""])
    refused(place, "--stop-time", "3", mentions="unknown option --stop-time")
    refused(place, "simulate", "liar", "--stoptime", "3", mentions=["--stoptime", "did you mean \"--stop-time\""])
    refused(place, "simulate", "liar", "--stoptime=3", mentions=["--stoptime", "did you mean \"--stop-time\""])
    refused(place, "info", "liar", "stair", mentions="stair")


def test_missing_things_are_named(place):
    refused(place, "simulate", mentions="FMU is required")
    refused(place, "info", mentions="FMU is required")
    refused(place, "analyze", mentions="FMU is required")
    refused(place, "simulate", "liar", "--output-variable", mentions="--output-variable")


def test_a_wrong_name_gets_suggestions(place):
    refused(place, "simulate", "bouncing_bal", mentions=["bouncing_bal", "did you mean \"bouncing_ball\""])
    refused(place, "info", "bouncing-ball", mentions="did you mean \"bouncing_ball\"")
    refused(place, "simulate", "zzzzzzzzzzzz", mentions=["there are", "bouncing_ball"])
    refused(place, "simulate", "no/such/file.fmu", mentions="no/such/file.fmu")


def test_numbers_are_checked(place):
    for text in ["abc", "1x", "nan", "inf", "0x10", "1,5"]:
        refused(place, "simulate", "liar", f"--stop-time={text}", mentions=["--stop-time", f'"{text}"'])
    refused(place, "simulate", "liar", "--tolerance", "0", mentions=["--tolerance", "positive"])
    refused(place, "simulate", "liar", "--tolerance", "-1e-6", mentions=["--tolerance", "positive"])
    refused(place, "simulate", "liar", "--output-interval", "0", mentions=["--output-interval", "positive"])
    refused(place, "simulate", "liar", "--output-interval", "1e-30", mentions=["--output-interval", "points"])
    refused(place, "simulate", "liar", "--stop-time", "-1", mentions=["stop time -1", "start time 0"])
    refused(place, "simulate", "liar", "--start-time", "5", mentions=["stop time 1", "start time 5"])


def test_choices_are_listed(place):
    refused(place, "simulate", "liar", "--solver", "euler", mentions=["--solver", "euler", "dormand-prince", "radau"])
    refused(place, "simulate", "liar", "--interface-type", "xx", mentions=["--interface-type", "me", "cs", "se"])
    refused(place, "simulate", "liar", "--interface-type", "se", mentions="Model Exchange and Co-Simulation only; use me")
    refused(place, "simulate", "liar", "--event-mode-used=maybe", mentions=["--event-mode-used", "maybe"])
    refused(place, "simulate", "early_return", "--interface-type", "me", mentions="Co-Simulation only")
    refused(place, "simulate", "discarder", "--interface-type", "cs", mentions="Model Exchange only")


def test_what_needs_explicit_equations_is_no_dae(place):
    for option in (["--solver", "dormand-prince"], ["--zeno", "rest"]):
        result = place.run("simulate", place.fmu("neon_lamp"), "--dae", *option)
        assert result.code == 2 and " ".join(option) in result.err and "--dae" in result.err, result
    result = place.run("simulate", place.fmu("neon_lamp"), "--start-value", "as_dae=true")
    assert result.code == 2 and "--dae" in result.err, result


def test_unknown_variables_get_suggestions(place):
    refused(place, "simulate", "liar", "--start-value", "li=1", mentions=["--start-value", '"li"', '"lie"'])
    refused(place, "simulate", "liar", "--output-variable", "tick", mentions=["--output-variable", '"ticks"'])
    refused(place, "simulate", "liar", "--start-value", "lie", mentions="NAME=VALUE")
    refused(place, "simulate", "liar", "--start-value", "lie=many", mentions=['"lie"', '"many"'])
    refused(place, "simulate", "liar", "--start-value", "der(x)=1", mentions='"der(x)"')


def test_limits_and_start_values_are_checked(place):
    for option in ["--call-time-limit", "--memory-limit"]:
        refused(place, "simulate", "liar", option, "-1", mentions=f"{option}: -1 is negative")
        refused(place, "simulate", "liar", option, "nan", mentions=f'{option}: "nan" is not a finite number')
    refused(place, "simulate", "liar", "--memory-limit", "0", mentions="0 is not positive")
    refused(place, "simulate", "liar", "--start-value", "lie=0", "--start-value", "lie", "1",
            mentions='"lie" is given twice')


def test_files_are_checked_before_the_run(place):
    refused(place, "simulate", "liar", "--input-file", "no.csv", mentions="no.csv")
    refused(place, "simulate", "liar", "--input-file", ".", mentions="cannot be read")
    for option in ["--output-file", "--plot", "--stats-file", "--log-file"]:
        refused(place, "simulate", "liar", option, "no/such/folder/file", mentions=[option, "no/such/folder"])
        refused(place, "simulate", "liar", option, ".", mentions=[option, "cannot be written"])
        refused(place, "simulate", place.fmu("liar"), option, place.fmu("liar"), mentions=option)
    refused(place, "simulate", "liar", "--output-file", "a", "--plot", "a", mentions="one file")


def test_an_input_file_has_to_fit(place):
    (place.work / "words.csv").write_text("time,Int32_input\n0,1\n2,one\n")
    refused(place, "simulate", "feedthrough", "--input-file", "words.csv", mentions=["words.csv, line 3", '"one"'])
    (place.work / "state.csv").write_text("time,x\n0,1\n")
    refused(place, "simulate", "liar", "--input-file", "state.csv", mentions=["state.csv", '"x"', "input"])
    (place.work / "unknown.csv").write_text("time,speed\n0,1\n")
    refused(place, "simulate", "liar", "--input-file", "unknown.csv", mentions=["unknown.csv", '"speed"'])


def test_an_older_result_survives_a_refused_run(place):
    (place.work / "liar.csv").write_text("precious\n")
    refused(place, "simulate", "liar", "--output-variable", "nothing", mentions="nothing")
    assert (place.work / "liar.csv").read_text() == "precious\n"


run_tests(globals())
