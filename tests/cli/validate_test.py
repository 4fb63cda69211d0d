# SPDX-License-Identifier: BSD-2-Clause
"""saltus validate: findings as lines and as JSON, exit codes, and no findings in the FMUs of this project."""
import json
import pathlib
import re
import zipfile

from saltus_cli import run_tests

DESCRIPTION = "modelDescription.xml"
ROOT = pathlib.Path(__file__).parents[2]
# These are wrong on purpose: their binary lacks a function.
LACKING = {"liar_missing_function": "fmi3DoStep", "liar_missing_state_function": "fmi3FreeFMUState",
           "clocks": "fmi3SetDebugLogging"}


def edited(place, *changes):
    """liar.fmu with changes of its description."""
    with zipfile.ZipFile(place.fmu("liar")) as source, zipfile.ZipFile(place.work / "bad.fmu", "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == DESCRIPTION:
                for before, after in changes:
                    assert before.encode() in content, before
                    content = content.replace(before.encode(), after.encode(), 1)
            target.writestr(entry.filename, content)
    return "bad.fmu"


def findings(place, *arguments):
    result = place.run("validate", *arguments, "--json")
    assert not result.err, result
    report = json.loads(result.out)
    assert result.code == (0 if report["valid"] else 3), result
    assert report["valid"] == (report["errors"] == 0), result
    return report


def test_all_fmus_of_the_project_are_valid(place):
    checked = 0
    for folder in place.fmus:
        for fmu in sorted(folder.glob("*.fmu")):
            result = place.run("validate", fmu)
            if fmu.stem in LACKING:
                assert result.code == 3 and LACKING[fmu.stem] in result.out, result
                assert "1 error, 0 warnings, 0 notes" in result.out, result
            else:
                assert result.code == 0 and not result.err, result
                versions = {"ball2": "2.0", "ball1_me": "1.0", "ball1_cs": "1.0"}
                version = versions.get(fmu.stem, "3.0")
                assert result.out == f"{fmu} (FMI {version}): 0 errors, 0 warnings, 0 notes\n", result
            checked += 1
    assert checked >= 10, checked


def test_a_shipped_model_is_known_by_name(place):
    result = place.run("validate", "bouncing_ball")
    assert result.code == 0 and "0 errors" in result.out, result


def test_findings_read_like_those_of_a_compiler(place):
    fmu = edited(place, ('causality="parameter"', 'causality="paramter"'), ('stopTime="1"', 'stopTime="one"'))
    result = place.run("validate", fmu)
    assert result.code == 3 and not result.err, result
    lines = result.out.splitlines()
    assert len(lines) == 3 and lines[-1] == "bad.fmu (FMI 3.0): 2 errors, 0 warnings, 0 notes", result
    assert all(re.match(r"modelDescription\.xml:\d+: error: .*\[6 xml\.attribute\.value\]$", line) for line in lines[:-1])
    assert any('did you mean "parameter"?' in line for line in lines), result


def test_json_has_one_object_with_stable_names(place):
    report = findings(place, edited(place, ('variability="fixed"', 'variability="continuous"')))
    assert list(report) == ["fmu", "fmi_version", "valid", "complete", "errors", "warnings", "notes", "findings"], report
    assert (report["fmu"], report["fmi_version"], report["valid"], report["errors"]) == ("bad.fmu", "3.0", False, 2), report
    first = report["findings"][0]
    assert list(first) == ["rule", "id", "severity", "file", "line", "column", "message", "remedy"], first
    assert {finding["id"] for finding in report["findings"]} == {"variables.pair", "variables.continuous"}, report
    assert all(finding["file"] == DESCRIPTION and finding["line"] > 0 and finding["column"] is None
               for finding in report["findings"]), report
    assert findings(place, place.fmu("liar"))["findings"] == []


def test_warnings_alone_end_with_0(place):
    report = findings(place, edited(place, ("<CoSimulation ", '<CoSimulation vendorFlag="true" ')))
    assert report["valid"] and report["warnings"] == 1, report
    assert report["findings"][0]["severity"] == "warning", report


def test_xml_that_is_not_well_formed_has_line_and_column(place):
    report = findings(place, edited(place, ("</ModelVariables>", "</ModelVariable>")))
    assert [finding["id"] for finding in report["findings"]] == ["xml.malformed"], report
    assert report["findings"][0]["line"] > 1 and report["findings"][0]["column"] > 0, report


def test_a_file_that_is_no_archive_is_a_finding(place):
    (place.work / "text.fmu").write_text("this is no archive\n")
    report = findings(place, "text.fmu")
    assert [finding["id"] for finding in report["findings"]] == ["archive.unreadable"], report
    assert report["findings"][0]["file"] == "" and report["findings"][0]["line"] is None, report


def test_wrong_usage_ends_with_2(place):
    for arguments in [["validate"], ["validate", "nowhere.fmu"], ["validate", "bouncing_ball", "--jsn"]]:
        result = place.run(*arguments)
        assert result.code == 2 and result.out == "" and result.message(), result
    assert '"--json"' in place.run("validate", "bouncing_ball", "--jsn").message()


def test_names_cannot_steer_the_terminal(place):
    result = place.run("validate", edited(place, ('name="ticks"', 'name="x&#27;[2J"'), ('name="x"', 'name="x&#27;[2J"')))
    assert result.code == 3 and "\x1b" not in result.out and "x?[2J" in result.out, result


def test_a_run_is_looked_at(place):
    for name in ["bouncing_ball", "stair", "liar"]:
        result = place.run("validate", name, "--run")
        assert result.code == 0 and "0 errors, 0 warnings, 0 notes" in result.out, result
    # Its derivatives are the rests of larger terms, and vanish but for rounding.
    result = place.run("validate", place.fmu("rubbing_bead"), "--run")
    assert result.code == 0 and "run.derivative" not in result.out, result
    report = findings(place, place.fmu("liar_wrong_token"), "--run")
    assert [finding["id"] for finding in report["findings"]] == ["run.refused"], report


def test_a_run_that_hangs_is_an_error_and_not_checked_to_the_end(place):
    saboteur = place.fmu("saboteur")
    for call in ["load", "fmi3EnterInitializationMode", "fmi3DoStep"]:
        result = place.run("validate", saboteur, "--run", "--check-time-limit", "0.5", SALTUS_SABOTAGE=f"{call}:loop")
        assert result.code == 3 and not result.err, result
        assert re.search(r"error: the run as .*did not return within .*; let the call come to an end, or allow it more "
                         r"time \[35 run\.hangs\]", result.out), result
        assert result.out.endswith("; not checked to the end\n"), result
    # Given up between calls: nobody is to blame.
    result = place.run("validate", "bouncing_ball", "--run", "--check-time-limit", "1e-9")
    assert result.code == 0 and "was given up" in result.out, result
    assert result.out.endswith("; not checked to the end\n"), result
    report = findings(place, "bouncing_ball", "--run", "--check-time-limit", "1e-9")
    assert report["valid"] and not report["complete"], report
    assert findings(place, "bouncing_ball", "--run")["complete"]
    for wrong in ["-1", "nan", "soon"]:
        assert place.run("validate", "bouncing_ball", "--run", "--check-time-limit", wrong).code == 2


def test_every_id_is_in_the_documentation(place):
    page = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    sources = sorted((ROOT / "importer" / "src" / "validate").glob("*.cpp"))
    ids = {word for source in sources for word in re.findall(r'"([a-z0-9_]+(?:\.[a-z_]+)+)"', source.read_text())
           if not word.endswith((".hpp", ".xml", ".h"))}
    assert len(ids) > 100 and not [word for word in ids if f"`{word}`" not in page], ids
    assert not [word for word in re.findall(r"`([a-z]+(?:\.[a-z_]+)+)`", page) if word not in ids], page


run_tests(globals())
