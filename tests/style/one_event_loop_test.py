# SPDX-License-Identifier: BSD-2-Clause
"""There is one event loop: exactly one place of the product iterates the discrete update, the mode controller.

Usage: one_event_loop_test.py ROOT     looks at the sources
       one_event_loop_test.py          tests this test

A call of the update (by any of its names, ours or FMI's) is an iteration when it stands inside a loop: in its body, its
condition, or its header. A function that passes the update on without a loop (a wrapper, an adapter, a function of
FMI's) becomes one more name of it, so that a loop around the wrapper is found as well. Going once through several
components is no iteration: a range-based for whose variable the update is called on.

The sources are read as text, not compiled, and the names are taken without their classes. That errs on the strict side:
a loop around some other function that bears such a name is reported too, and wants another name anyway.
"""
import os
import re
import sys
import unittest

from project_files import cpp_files

PARTS = ("solver", "importer", "fmu-export", "cli")
HOME = os.path.join("solver", "src", "control", "mode_controller.cpp")
# These make calls, one by one, for what is looked at itself: for another process, which asks for them; for a check of the
# validator, which repeats those of a run that the mode controller has driven; for derivatives in Event Mode, two passes on
# a copy of a model that no run sees; for a saved FMU state, which repeats those that the importer made in its event; and
# for Scheduled Execution, where a tick of a model without conditions comes to rest and nobody watches for events, and
# one to find out whether a model has time events.
SERVERS = (os.path.join("importer", "src", "instance_server.cpp"), os.path.join("importer", "src", "validate", "script.cpp"),
           os.path.join("fmu-export", "src", "difference_derivatives.cpp"),
           os.path.join("fmu-export", "src", "event_record.cpp"), os.path.join("fmu-export", "src", "se_instance.cpp"),
           os.path.join("fmu-export", "src", "check_scheduled.cpp"))
UPDATES = frozenset(
    {"update_discrete_states", "fmi3UpdateDiscreteStates", "fmi2NewDiscreteStates", "fmi1EventUpdate"})

# Words in front of a parenthesis that make no function of it.
NO_FUNCTION = frozenset({
    "if", "for", "while", "switch", "catch", "return", "sizeof", "alignof", "decltype", "noexcept", "requires",
    "static_assert", "alignas", "explicit", "throw", "new", "delete", "constexpr", "assert", "defined"})

TOKEN = re.compile(r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<raw>R"(?P<fence>[^\s()\\]*)\(.*?\)(?P=fence)")
    | (?P<string>"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
    | (?P<word>[A-Za-z_]\w*)
    | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
    | (?P<mark>->|::|[^\s\\])
""", re.DOTALL | re.VERBOSE)


def tokens(text):
    """The words and marks of a source, each with its line; comments and literals are left out."""
    result, line, counted = [], 1, 0
    for match in TOKEN.finditer(text):
        if match.lastgroup in ("word", "mark"):
            line += text.count("\n", counted, match.start())
            counted = match.start()
            result.append((match.group(), line))
    return result


def matching(words, start):
    """The index behind the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(words)):
        depth += words[i] in ("(", "{", "[")
        depth -= words[i] in (")", "}", "]")
        if depth == 0:
            return i + 1
    return len(words)


def statement_end(words, start):
    """The index behind the statement that begins at start."""
    if start >= len(words):
        return start
    if words[start] == "{":
        return matching(words, start)
    if words[start] == "do":
        body = statement_end(words, start + 1)
        return statement_end(words, body)  # while (...);
    if words[start] in ("if", "for", "while", "switch"):
        header = start + 1
        while header < len(words) and words[header] != "(":
            header += 1  # if constexpr
        end = statement_end(words, matching(words, header))
        if words[start] == "if" and end < len(words) and words[end] == "else":
            end = statement_end(words, end + 1)
        return end
    i = start
    while i < len(words) and words[i] != ";":
        i = matching(words, i) if words[i] in ("(", "{", "[") else i + 1
    return i + 1


def loops(words):
    """Each loop as (begin, end, variable): what it covers, and what a range-based for calls its element."""
    found = []
    for i, word in enumerate(words):
        if word == "do":
            found.append((i, statement_end(words, i), None))
        elif word in ("for", "while") and i + 1 < len(words) and words[i + 1] == "(":
            behind = matching(words, i + 1)
            header = words[i + 2:behind - 1]
            variable = None
            if word == "for" and ":" in header and ";" not in header:
                variable = header[header.index(":") - 1]
            found.append((i, statement_end(words, i), variable))
    return found


def functions(words):
    """Each function body as (begin, end, name), outer ones first: a name, its parameters, then a brace."""
    found = []
    for i, word in enumerate(words):
        if word != "(" or i == 0 or words[i - 1] in NO_FUNCTION or not re.match(r"[A-Za-z_]", words[i - 1]):
            continue
        k = matching(words, i)
        # Between the parameters and the body stand qualifiers, a return type, or a constructor's initialisers.
        if k < len(words) and words[k] == ":":
            while k < len(words) and words[k] != ";":
                if words[k] == "{" and (words[k - 1] in (")", "}")):
                    break
                k = matching(words, k) if words[k] in ("(", "{") else k + 1
        while k < len(words) and (words[k] in ("const", "override", "final", "noexcept", "&", "->", "::", "<", ">")
                                  or (k > 0 and words[k - 1] in ("->", "::", "<") and words[k].isidentifier())):
            k += 1
        if k < len(words) and words[k] == "{":
            found.append((k, matching(words, k), words[i - 1]))
    return found


def is_call(words, i):
    """Whether the name at i is called, not declared or defined: what stands before it is no type."""
    if i + 1 >= len(words) or words[i + 1] != "(":
        return False
    before = words[i - 1] if i else ";"
    if before == "::":
        # Either a qualified definition (Update Type::name() {), or a qualified call (Base::name();).
        k = i - 1
        while k > 0 and words[k] == "::":
            k -= 2
        before = words[k] if k >= 0 else ";"
    return not (re.match(r"[A-Za-z_]", before) and before not in ("return", "co_return", "else", "do", "throw")
                or before in ("*", "&", ">", "~"))


def object_of(words, i):
    """The first word of the expression that the call at i is made on."""
    k = i
    while k >= 2 and words[k - 1] in (".", "->", "::"):
        k -= 2
        while words[k] in (")", "]"):  # parts[3].update(), part().update()
            depth = 0
            while k >= 0:
                depth += words[k] in (")", "]")
                depth -= words[k] in ("(", "[")
                if depth == 0:
                    break
                k -= 1
            k -= 1
    return words[k]


def calls(text, names):
    """Each call of one of the names as (line, whether it is iterated, the functions around it)."""
    listed = tokens(text)
    words = [word for word, _ in listed]
    all_loops, all_functions = loops(words), functions(words)
    for i, word in enumerate(words):
        if word not in names or not is_call(words, i):
            continue
        around = [function for function in all_functions if function[0] < i < function[1]]
        owner = object_of(words, i)
        iterated = any(begin < i < end and variable != owner for begin, end, variable in all_loops)
        yield listed[i][1], iterated, [name for _, _, name in around]


def iterations(sources):
    """The places "path:line" of sources {path: text} that iterate the update."""
    names = set(UPDATES)
    while True:
        found, wrappers = [], set()
        for path, text in sources.items():
            for line, iterated, around in calls(text, names):
                if iterated:
                    found.append(f"{path}:{line}")
                else:
                    wrappers.update(around)
        if wrappers <= names:
            return sorted(set(found))
        names |= wrappers


class ThisTest(unittest.TestCase):
    def expect(self, text, count):
        self.assertEqual(len(iterations({"a.cpp": text})), count, text)

    def test_finds_every_kind_of_loop(self):
        self.expect("void f() { for (;;) { u = s.update_discrete_states(); } }", 1)
        self.expect("void f() { for (int i = 0; i < 3; ++i) s->update_discrete_states(t, y); }", 1)
        self.expect("void f() { while (again) if (x) { u = update_discrete_states(); } else g(); }", 1)
        self.expect("void f() { do { u = s.update_discrete_states(); } while (u.iterate); }", 1)
        self.expect("void f() { do {} while (s.update_discrete_states().iterate); }", 1)
        self.expect("void f() { while (s.update_discrete_states().iterate) {} }", 1)
        self.expect("void f() { for (u = s.update_discrete_states(); u.iterate; u = s.update_discrete_states()) {} }", 1)
        self.expect("void f() { while (again) status = table.fmi3UpdateDiscreteStates(i, &again); }", 1)
        self.expect("void f() { while (again) { run([&] { return s.update_discrete_states(); }); } }", 1)

    def test_knows_what_is_no_loop(self):
        self.expect("Update S::update_discrete_states() { return model_.update_discrete_states(t, y); }", 0)
        self.expect("void f() { for (;;) { g(); } s.update_discrete_states(); }", 0)
        self.expect("void f() { for (;;) g(); s.update_discrete_states(); }", 0)
        self.expect("void f() { do { g(); } while (x); s.update_discrete_states(); }", 0)
        self.expect("// while (x) s.update_discrete_states();\n", 0)
        self.expect('void f() { while (x) log("update_discrete_states()"); }', 0)
        self.expect("struct S { virtual Update update_discrete_states(double t, Vec y) = 0; };", 0)

    def test_follows_wrappers(self):
        self.expect("Update once() { return m.update_discrete_states(); }\n"
                    "void f() { while (x) { once(); } }", 1)
        self.expect("Update A::once() const { return m.update_discrete_states(); }\n"
                    "Update B::twice() { return a.once(); }\n"
                    "void f() { while (x) { b.twice(); } }", 1)
        self.expect("Update once() { return m.update_discrete_states(); }\n"
                    "void f() { while (x) { g(); } once(); }", 0)

    def test_lets_components_be_gone_through_once(self):
        self.expect("Update update_discrete_states() { for (auto& part : parts) part->update_discrete_states(); }", 0)
        self.expect("void f() { for (auto& part : parts) other->update_discrete_states(); }", 1)
        self.expect("void f() { while (x) { for (auto& p : parts) p.update_discrete_states(); } }", 1)

    def test_is_not_confused_by_literals(self):
        self.expect("void f() { auto n = 1'000; char c = '{'; while (x) { g(); } s.update_discrete_states(); }", 0)
        self.expect('void f() { auto r = R"(while (x) {)"; s.update_discrete_states(); }', 0)


def main(root):
    sources = {}
    for path in cpp_files(root):
        if path.startswith(tuple(part + os.sep for part in PARTS)) and path not in SERVERS:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                sources[path] = file.read()
    found = iterations(sources)
    for place in found:
        print(f"iterates the discrete update: {place}")
    if len(found) == 1 and found[0].startswith(HOME + ":"):
        return 0
    print(f"expected exactly one place, in {HOME}: whatever needs its events handled is driven by the ModeController")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else unittest.main())
