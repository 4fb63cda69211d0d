// SPDX-License-Identifier: BSD-2-Clause
// Rule 40: manifests of FMI-LS-DAE, as files and on running FMUs.
#include <algorithm>
#include <catch2/catch.hpp>

#include "right_fmu.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

constexpr const char* kFile = "fmi-ls-manifest.xml";
constexpr const char* kEntry = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml";

struct WrongManifest {
  const char* from;
  const char* to;
  const char* id;
  Severity severity = Severity::error;
};

const Finding* find(const Validation& validation, const std::string& id) {
  const auto found = std::find_if(validation.findings.begin(), validation.findings.end(),
                                  [&](const Finding& finding) { return finding.id == id; });
  return found == validation.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("FMUs that are right as ODEs and as DAEs have no findings", "[validate]") {
  const Scratch scratch;
  for (const char* name : {"robertson_dae", "neon_lamp", "cubic_slope", "pendulum_energy"}) {
    const Validation still = validate(plain_fmu(name));
    INFO(name << "\n" << all_findings(still));
    CHECK(still.findings.empty());
    const Validation run = validate(plain_fmu(name), {.run = true});
    INFO(all_findings(run));
    CHECK(find(run, "run.dae.residual") == nullptr);
    CHECK(find(run, "run.dae.refused") == nullptr);
    CHECK(find(run, "run.dae.failed") == nullptr);
    CHECK(find(run, "run.dae.differs") == nullptr);
    CHECK(find(run, "run.dae.skipped") == nullptr);
  }
  CHECK(scratch.is_clean());
}

TEST_CASE("a manifest that cannot be used is found", "[validate]") {
  const auto wrong = GENERATE(values<WrongManifest>({
      {"</fmiDAEManifest>", "", "dae.manifest"},
      {"<EnableDAEParameter valueReference=\"1\"/>", "<EnableDAEParameter valueReference=\"2\"/>",
       "dae.manifest"},
      {"<AlgebraicVariable valueReference=\"6\"/>", "<AlgebraicVariable valueReference=\"66\"/>",
       "dae.manifest"},
      {"<Residual valueReference=\"7\" dependencies=\"2 4 6\"/>", "", "dae.manifest"},
      {"<Residual valueReference=\"7\" dependencies=\"2 4 6\"/>",
       "<Residual valueReference=\"7\" dependencies=\"2 4\"/>", "dae.manifest.oddity",
       Severity::warning},
      {"1.0.0-alpha.1", "7.0", "dae.manifest.oddity", Severity::warning},
  }));
  const Scratch scratch;
  INFO(wrong.from << " -> " << wrong.to);
  const Validation validation =
      validate(repack(scratch, plain_fmu("robertson_dae"), wrong.from, wrong.to, kFile));
  INFO(all_findings(validation));
  const Finding* const finding = find(validation, wrong.id);
  REQUIRE(finding != nullptr);
  CHECK(finding->rule == 40);
  CHECK(finding->severity == wrong.severity);
  CHECK(finding->file == kEntry);
}

TEST_CASE("a residual that does not vanish while the FMU runs as an ODE is found", "[validate]") {
  const Scratch scratch;
  const auto file = repack(scratch, plain_fmu("robertson_dae"),
                           "<Residual valueReference=\"7\" dependencies=\"2 4 6\"/>",
                           "<Residual valueReference=\"3\" dependencies=\"2 4 6\"/>", kFile);
  const Validation validation = validate(file, {.run = true});
  INFO(all_findings(validation));
  const Finding* const finding = find(validation, "run.dae.residual");
  REQUIRE(finding != nullptr);
  CHECK(finding->rule == 40);
  CHECK(finding->file == "modelDescription.xml");
  CHECK_THAT(finding->what, Contains("\"der(y1)\" reaches 0.04"));
  // It has no y3 that makes it vanish at the start, where y2 is zero.
  CHECK(find(validation, "run.dae.failed") != nullptr);
}

TEST_CASE("a DAE with other equations than the ODE is found", "[validate]") {
  const Scratch scratch;
  const auto file =
      repack(scratch, plain_fmu("robertson_dae"), "stopTime=\"4e10\"", "stopTime=\"400\"");
  const Validation validation = validate(file, {.run = true, .start_values = {{"manners", "5"}}});
  INFO(all_findings(validation));
  CHECK(find(validation, "run.dae.residual") == nullptr);
  const Finding* const finding = find(validation, "run.dae.differs");
  REQUIRE(finding != nullptr);
  CHECK(finding->rule == 40);
  CHECK(finding->severity == Severity::error);
  CHECK_THAT(finding->what, Contains("as a DAE"));
}

TEST_CASE("a manifest beside a description that cannot be read is not judged", "[validate]") {
  const Scratch scratch;
  const Validation validation =
      validate(repack(scratch, plain_fmu("robertson_dae"), "name=\"y2\" valueReference=\"4\"",
                      "name=\"y2\" valueReference=\"2\""));
  INFO(all_findings(validation));
  REQUIRE(find(validation, "dae.manifest.skipped") != nullptr);
  CHECK(find(validation, "dae.manifest.skipped")->severity == Severity::note);
  CHECK(find(validation, "dae.manifest") == nullptr);
}
