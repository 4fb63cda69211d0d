# SPDX-License-Identifier: BSD-2-Clause
"""saltus info and saltus list."""
import zipfile

from saltus_cli import host_platform, run_tests


def test_info_tells_what_the_description_says(place):
    result = place.run("info", place.fmu("liar"))
    assert result.code == 0 and not result.err, result
    for words in ["liar", "3.0", "Exponential decay that misbehaves on request", "written by hand", host_platform(),
                  "Model Exchange", "needsCompletedIntegratorStep", "Co-Simulation", "mightReturnEarlyFromDoStep",
                  "1 (x)", "1 (indicator)", "start 0, stop 1, tolerance 1e-06, step size 0.1"]:
        assert words in result.out, f"{words!r} wanted:\n{result}"
    rows = [line.split() for line in result.out.splitlines()]
    assert ["lie", "Int32", "parameter", "fixed", "0", "which", "misbehaviour;", "0:", "none"] in rows, result
    assert ["x", "Float64", "output", "continuous", "1", "exp(-t)"] in rows, result


def test_info_knows_shipped_models_by_name(place):
    result = place.run("info", "bouncing_ball")
    assert result.code == 0 and "A ball dropped on a floor" in result.out, result


def test_info_tells_where_documentation_and_sources_are(place):
    result = place.run("info", "bouncing_ball")
    rows = [line.split() for line in result.out.splitlines()]
    assert ["Documentation", "documentation/index.html", "in", "the", "FMU"] in rows, result
    assert "Sources" not in result.out, result
    assert "Documentation" not in place.run("info", place.fmu("liar")).out


def test_info_needs_no_binary_for_this_machine(place):
    with zipfile.ZipFile(place.fmu("liar")) as source, zipfile.ZipFile(place.work / "other.fmu", "w") as target:
        target.writestr("modelDescription.xml", source.read("modelDescription.xml"))
        target.writestr("binaries/riscv128-plan9/liar.so", b"?")
    result = place.run("info", "other.fmu")
    assert result.code == 0 and "riscv128-plan9" in result.out, result


def test_names_cannot_steer_the_terminal(place):
    with zipfile.ZipFile(place.fmu("liar")) as source, zipfile.ZipFile(place.work / "escape.fmu", "w") as target:
        text = source.read("modelDescription.xml").decode()
        target.writestr("modelDescription.xml", text.replace('description="exp(-t)"', 'description="a&#155;b&#127;c"'))
    result = place.run("info", "escape.fmu")
    assert result.code == 0 and "a?b?c" in result.out, result


def test_info_tells_what_fmi_ls_dae_offers(place):
    result = place.run("info", place.fmu("robertson_dae"))
    assert result.code == 0 and not result.err, result
    rows = [line.split() for line in result.out.splitlines()]
    for row in [["Manifest", "1.0.0-alpha.1"], ["Form", "semi-explicit"], ["Switch", "as_dae"],
                ["Algebraic", "variables", "y3"], ["Residuals", "balance"]]:
        assert row in rows, f"{row} wanted:\n{result}"
    assert "FMI-LS-DAE" not in place.run("info", "bouncing_ball").out


def test_list_shows_the_files_of_an_fmu(place):
    result = place.run("list", place.fmu("liar"))
    assert result.code == 0 and not result.err, result
    sizes = {line.split()[-1]: line.split()[0] for line in result.out.splitlines()}
    with zipfile.ZipFile(place.fmu("liar")) as archive:
        for entry in archive.infolist():
            assert entry.filename in sizes, f"{entry.filename} wanted:\n{result}"
            assert entry.is_dir() or sizes[entry.filename] == str(entry.file_size), result


def test_list_without_a_file_shows_the_shipped_models(place):
    result = place.run("list")
    assert result.code == 0 and not result.err, result
    assert any(line.split(maxsplit=1) == ["bouncing_ball", "A ball dropped on a floor"]
               for line in result.out.splitlines()), result


def test_the_search_path_comes_first(place):
    folder = place.work / "mine"
    folder.mkdir()
    (folder / "bouncing_ball.fmu").write_bytes(place.fmu("stair").read_bytes())
    (folder / "broken.fmu").write_text("this is no archive")
    result = place.run("info", "bouncing_ball", SALTUS_FMU_PATH=f"/no/such/folder:{folder}")
    assert result.code == 0 and "A counter that steps up" in result.out, result
    result = place.run("list", SALTUS_FMU_PATH=folder)
    assert result.code == 0 and "unusable" in result.out and "dahlquist" in result.out, result


run_tests(globals())
