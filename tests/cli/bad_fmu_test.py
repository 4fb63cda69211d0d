# SPDX-License-Identifier: BSD-2-Clause
"""Unusable FMUs: exit code 3, one message that names the file and what is wrong with it, nothing written anywhere.
`Place.run` sees to it that the temporary folder is empty again and that nothing was written beside it."""
import re
import stat
import warnings
import zipfile

from saltus_cli import host_platform, run_tests

DESCRIPTION = "modelDescription.xml"


def contents(place, name="liar"):
    with zipfile.ZipFile(place.fmu(name)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist() if not entry.is_dir()}


def pack(place, entries, name="bad.fmu"):
    with zipfile.ZipFile(place.work / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)
    return name


def unusable(place, name, *mentions, commands=("simulate", "info")):
    for command in commands:
        before = place.files()
        result = place.run(command, name)
        assert result.code == 3, result
        assert result.out == "", result
        for words in [str(name), *mentions]:
            assert words in result.message(), f"{words!r} wanted:\n{result}"
        assert place.files() == before, place.files()


def edited(place, pattern, replacement):
    entries = contents(place)
    text, count = re.subn(pattern, replacement, entries[DESCRIPTION].decode(), count=1)
    assert count == 1, pattern
    entries[DESCRIPTION] = text.encode()
    return pack(place, entries)


def test_a_file_that_is_no_archive(place):
    (place.work / "text.fmu").write_text("this is no archive\n" * 100)
    unusable(place, "text.fmu")
    unusable(place, "text.fmu", commands=["list"])
    (place.work / "empty.fmu").write_bytes(b"")
    unusable(place, "empty.fmu")
    unusable(place, ".")


def test_a_truncated_archive(place):
    content = place.fmu("liar").read_bytes()
    for part in [len(content) - 10, len(content) // 2, 30]:
        (place.work / "short.fmu").write_bytes(content[:part])
        unusable(place, "short.fmu")


def test_a_damaged_entry(place):
    content = bytearray(place.fmu("liar").read_bytes())
    with zipfile.ZipFile(place.fmu("liar")) as archive:
        entry = max(archive.infolist(), key=lambda e: e.compress_size)
    middle = entry.header_offset + entry.compress_size // 2
    content[middle:middle + 64] = bytes(64)
    (place.work / "damaged.fmu").write_bytes(content)
    unusable(place, "damaged.fmu", entry.filename)


def test_entries_that_would_be_written_outside(place):
    for entry in ["../evil", "../../evil", "binaries/../../evil", str(place.root / "evil"), "..", "a\\..\\evil"]:
        pack(place, {**contents(place), entry: b"evil"})
        unusable(place, "bad.fmu", entry)
        # The list is still printed, and says what would be refused.
        result = place.run("list", "bad.fmu")
        assert result.code == 3 and DESCRIPTION in result.out and entry in result.message(), result


def test_links(place):
    for target in ["/etc/passwd", "../../evil", "modelDescription.xml"]:
        link = zipfile.ZipInfo("resources/link")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        pack(place, {**contents(place), link: target})
        unusable(place, "bad.fmu", "resources/link", "link")


def test_a_missing_description(place):
    entries = contents(place)
    description = entries.pop(DESCRIPTION)
    pack(place, entries)
    unusable(place, "bad.fmu", DESCRIPTION)
    pack(place, {**entries, f"model/{DESCRIPTION}": description})
    unusable(place, "bad.fmu", DESCRIPTION)


def test_a_malformed_description(place):
    entries = contents(place)
    whole = entries[DESCRIPTION]
    for broken in [b"", b"\x00\xff\x00", b"not XML", whole[:len(whole) // 2], whole.replace(b"</ModelStructure>", b""),
                   b"<?xml version='1.0'?><html/>"]:
        pack(place, {**entries, DESCRIPTION: broken})
        unusable(place, "bad.fmu", DESCRIPTION)


def test_a_description_that_contradicts_itself(place):
    for pattern, replacement, mention in [
            ('<Output valueReference="1"', '<Output valueReference="99"', "99"),
            ('derivative="1"', 'derivative="77"', "77"),
            ('<EventIndicator valueReference="3"', '<EventIndicator valueReference="33"', "33"),
            ('valueReference="4" causality', 'valueReference="3" causality', "3"),
            ('name="ticks"', 'name="x"', '"x"'),
            ('valueReference="1"', 'valueReference="one"', "one"),
            ('causality="parameter"', 'causality="paramter"', "paramter"),
            ('fmiVersion="3.0"', 'fmiVersion="4.0"', "4.0"),
            ('modelIdentifier="liar"', 'modelIdentifier="../liar"', "../liar")]:
        unusable(place, edited(place, pattern, replacement), DESCRIPTION, mention)


def test_no_binary_for_this_platform(place):
    entries = {name.replace(host_platform(), "riscv128-plan9"): content for name, content in contents(place).items()}
    pack(place, entries)
    unusable(place, "bad.fmu", host_platform(), "riscv128-plan9", commands=["simulate"])
    pack(place, {DESCRIPTION: entries[DESCRIPTION]})
    unusable(place, "bad.fmu", host_platform(), commands=["simulate"])


def test_a_binary_that_cannot_be_loaded(place):
    entries = contents(place)
    binary = f"binaries/{host_platform()}/liar.so"
    assert binary in entries
    for broken in [b"", b"this is no library"]:
        pack(place, {**entries, binary: broken})
        unusable(place, "bad.fmu", "liar.so", commands=["simulate"])
    # For another machine, or for 32 bits: ELF's fields e_machine and EI_CLASS.
    for place_in_file, value in [(18, 0xf3), (4, 1)]:
        other = bytearray(entries[binary])
        other[place_in_file] = value
        pack(place, {**entries, binary: bytes(other)})
        unusable(place, "bad.fmu", "liar.so: cannot be loaded: it was made for another machine", commands=["simulate"])
    # The system's loader may crash on what is only half there.
    pack(place, {**entries, binary: entries[binary][:1000]})
    unusable(place, "bad.fmu", commands=["simulate"])


def test_a_wrong_token(place):
    unusable(place, place.fmu("liar_wrong_token"), "token", commands=["simulate"])


def test_a_wrong_version(place):
    unusable(place, place.fmu("liar_wrong_version"), "2.0", commands=["simulate"])


def test_a_missing_symbol(place):
    fmu = place.fmu("liar_missing_function")
    result = place.run("simulate", fmu, "--interface-type", "cs")
    assert result.code == 3 and str(fmu) in result.message() and "fmi3DoStep" in result.message(), result
    assert place.files() == []


def test_more_states_than_described(place):
    pack(place, contents(place))
    name = edited(place, r'<ContinuousStateDerivative[^>]*/>', "")
    unusable(place, name, "states", commands=["simulate"])


def test_an_interface_that_the_binary_refuses(place):
    entries = contents(place)
    text = entries[DESCRIPTION].decode()
    text = re.sub(r"<ModelExchange[^>]*/>", '<ScheduledExecution modelIdentifier="liar"/>', text)
    entries[DESCRIPTION] = re.sub(r"<CoSimulation[^>]*/>", "", text).encode()
    pack(place, entries)
    unusable(place, "bad.fmu", "does not offer the interface that was asked for", commands=["simulate"])
    assert place.run("info", "bad.fmu").code == 0


def test_what_is_odd_about_a_file_is_told(place):
    """The FMU runs, and what of it concerns the run is a warning before it."""
    name = edited(place, 'stopTime="1"', 'stopTime="INF"')
    result = place.run("simulate", name, "--no-plot", "--stats-file", "stats.json")
    assert result.code == 0 and "line 10: the stopTime of the default experiment is INF" in result.message(), result
    assert place.stats("stats.json")["stop_time"] == 1 and place.table("bad.csv")[1][-1][0] == 1
    assert "the stopTime" in place.stats("stats.json")["warnings"][0]["message"]
    name = edited(place, 'name="x" ', 'name="x" min="3" max="2" ')
    assert "line 13: Float64 \"x\" has the range 3 to 2" in place.run("simulate", name).message()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the repetition
        pack(place, contents(place))
        with zipfile.ZipFile(place.work / "bad.fmu", "a") as archive:
            archive.writestr(DESCRIPTION, contents(place)[DESCRIPTION])
    assert f'entry "{DESCRIPTION}": twice in the archive' in place.run("simulate", "bad.fmu").message()
    pack(place, {f"./{entry}": content for entry, content in contents(place).items()})
    for extra in range(20):
        with zipfile.ZipFile(place.work / "bad.fmu", "a") as archive:
            archive.writestr(f"./resources/{extra}", b"")
    lines = place.run("simulate", "bad.fmu").err.splitlines()
    assert len(lines) == 5 and re.search(r"\d+ more of this kind: saltus info shows them", lines[-1]), lines
    for options in [[], ["--in-process"]]:
        result = place.run("simulate", place.fmu("liar_missing_state_function"), "--stats-file", "stats.json", *options)
        assert result.code == 0 and "lacks functions" in result.message() and "fmi3FreeFMUState" in result.err, result
        assert place.stats("stats.json")["outcome"] == "reached_stop"


run_tests(globals())
