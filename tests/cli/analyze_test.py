# SPDX-License-Identifier: BSD-2-Clause
"""saltus analyze."""
import zipfile

from saltus_cli import run_tests

INDEX = "extra/saltus/index.txt"


def test_explicit_equations_have_index_zero(place):
    result = place.run("analyze", "bouncing_ball")
    assert result.code == 0 and not result.err, result
    for words in ["BouncingBall", "2 (h, v)", "Event indicators", "ordinary differential equations, index 0"]:
        assert words in result.out, f"{words!r} wanted:\n{result}"


def test_foreign_fmus_are_explicit_or_silent(place):
    with zipfile.ZipFile(place.fmu("liar")) as archive:
        assert INDEX not in archive.namelist()
    result = place.run("analyze", place.fmu("liar"))
    assert result.code == 0 and "ordinary differential equations, index 0" in result.out, result
    result = place.run("analyze", place.fmu("early_return"))
    assert result.code == 0 and "not known" in result.out, result


def test_exported_fmus_carry_their_analysis(place):
    with zipfile.ZipFile(place.fmu("bouncing_ball")) as archive:
        assert archive.read(INDEX) == b"ordinary differential equations, index 0\n"


def test_a_pendulum_in_cartesian_coordinates_has_index_three(place):
    result = place.run("analyze", "pendulum")
    assert result.code == 0 and not result.err, result
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    for line in ["unknowns 5", "equations 5", "strangeness index mu 2 at most", "differentiation index 3 at most",
                 "differential equations d 2", "algebraic equations a 3", "undetermined unknowns u 0",
                 "redundant equations v 0", 'differentiated twice "x*x + y*y = length*length"']:
        assert line in lines, f"{line!r} wanted:\n{result}"
    assert any(line.startswith("states ") and line.count(",") == 1 for line in lines), result


def test_an_input_whose_derivative_is_needed_is_named(place):
    result = place.run("analyze", place.fmu("driven_capacitor"))
    assert result.code == 0 and not result.err, result
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert 'derivative taken as zero of the input voltage, in "v = voltage"' in lines, result
    assert "of the input load" not in result.out, result
    for interface in ["me", "cs"]:
        result = place.run("simulate", place.fmu("driven_capacitor"), "--interface-type", interface, "--no-plot")
        assert result.code == 0, result
        for words in ["warning: ", "derivative of the input voltage is needed", "taken as zero"]:
            assert words in result.err, f"{words!r} wanted:\n{result}"
        assert "load" not in result.err, result


def test_the_analysis_that_an_fmu_carries_is_shown(place):
    with zipfile.ZipFile(place.fmu("liar")) as source, zipfile.ZipFile(place.work / "implicit.fmu", "w") as target:
        target.writestr("modelDescription.xml", source.read("modelDescription.xml"))
        target.writestr("binaries/riscv128-plan9/liar.so", b"?")
        target.writestr(INDEX, "differential-algebraic equations\nstrangeness index mu   2\nstates  a\x1b[2Jb\n")
    result = place.run("analyze", "implicit.fmu")
    assert result.code == 0 and not result.err, result
    for words in ["differential-algebraic equations", "strangeness index mu   2", "states  a?[2Jb"]:
        assert words in result.out, f"{words!r} wanted:\n{result}"
    assert "ordinary" not in result.out, result


run_tests(globals())
