// SPDX-License-Identifier: BSD-2-Clause
// The rules that FMI 2.0 has, too.
#include <catch2/catch.hpp>

#include "right_fmu.hpp"

using namespace saltus::importer;

namespace {

std::string findings_of(const Scratch& scratch, const ZipWriter& archive) {
  archive.save(scratch.file("validated.fmu"));
  return all_findings(validate(scratch.file("validated.fmu")));
}

}  // namespace

TEST_CASE("a right FMU of FMI 2.0 has no findings", "[validate]") {
  const Scratch scratch;
  CHECK(findings_of(scratch, right_archive(right_fmi2_description(), "")).empty());
}

TEST_CASE("a mistake in a description of FMI 2.0 is found with its line", "[validate]") {
  const std::string color =
      "name=\"color\" valueReference=\"0\" causality=\"parameter\" variability=\"fixed\"";
  const auto mistake = GENERATE_COPY(values<Mistake>({
      {"modelIdentifier=\"right\" canGet", "modelIdentifier=\"a-b\" canGet", 4,
       "interface.identifier"},
      {"guid=\"{1}\"", "guid=\"{1}\" instantiationToken=\"{1}\"", 6, "xml.attribute.unknown"},
      {"canGetAndSetFMUstate=\"true\" ", "", 34, "flags.serialize"},
      {"<VendorAnnotations><Tool name=\"test\"/></VendorAnnotations>",
       "<VendorAnnotations/><LogCategories><Category name=\"a\"/></LogCategories>", 6,
       "xml.element.order"},
      {"<File name=\"right.c\"/>", "<File name=\"wrong.c\"/>", 9, "build.file.missing"},
      {"fmiVersion=\"2.0\"", "fmiVersion=\"2.1\"", 7, "version.form"},
      {"name=\"p\"", "name=\"x\"", 10, "names.repeated"},
      {"variability=\"fixed\">\n      <Real/>",
       "variability=\"fixed\" initial=\"approx\">\n      "
       "<Real start=\"1\"/>",
       11, "references.alias.start", "<Real start=\"1\"/>"},
      {"<Real/></ScalarVariable>", "<Real start=\"0\"/></ScalarVariable>", 12, "independent.start"},
      {"causality=\"parameter\" variability=\"fixed\">\n      <Real",
       "causality=\"parameter\">\n"
       "      <Real",
       13, "variables.pair"},
      {"causality=\"input\">", "causality=\"input\" initial=\"exact\">", 14, "variables.initial"},
      {"causality=\"input\"><Real start=\"0\"/>", "causality=\"input\"><Real/>", 15,
       "variables.start.missing"},
      {"<Real derivative=\"2\"/>", "<Real derivative=\"2\" start=\"0\"/>", 16,
       "variables.start.forbidden"},
      {"start=\"0.5\"", "start=\"half\"", 17, "variables.start.value"},
      {"declaredType=\"Length\" start=\"1\"", "declaredType=\"Length\" start=\"11\"", 17,
       "variables.start.range", "", Severity::warning},
      {"name=\"text\" valueReference=\"0\" variability=\"discrete\"",
       "name=\"text\" valueReference=\"0\" variability=\"continuous\"", 18, "variables.continuous"},
      {"name=\"text\" valueReference=\"0\" variability=\"discrete\"",
       "name=\"text\" valueReference=\"0\"", 18, "variables.continuous", "", Severity::warning},
      {"declaredType=\"Length\"", "declaredType=\"Color\"", 20, "types.declared.kind"},
      {"displayUnit=\"mm\"", "displayUnit=\"cm\"", 21, "units.display.unknown"},
      {"derivative=\"2\"", "derivative=\"9\"", 23, "derivative.unknown", "", Severity::error,
       "reinit.state dependencies.known"},
      {"<Real start=\"0\"/>", "<Real start=\"0\" reinit=\"true\"/>", 24, "reinit.state"},
      {"<Outputs><Unknown index=\"2\"/></Outputs>", "", 28, "structure.output.missing",
       "name=\"x\""},
      {"<Unknown index=\"6\"/>", "", 29, "structure.initial.missing", "name=\"same\""},
      {"<Unknown index=\"6\"/>", "<Unknown index=\"6\"/><Unknown index=\"5\"/>", 29,
       "structure.initial.extra", "", Severity::error, "structure.initial.order"},
      {"<Unknown index=\"3\" dependencies=\"2\"/>\n      <Unknown index=\"6\"/>",
       "<Unknown index=\"6\"/>\n<Unknown index=\"3\" dependencies=\"2\"/>", 29,
       "structure.initial.order", "<Unknown index=\"3\" dependencies=\"2\"/>", Severity::warning},
      {"<Derivatives><Unknown index=\"3\"", "<Derivatives><Unknown index=\"0\"", 30,
       "structure.reference", "", Severity::error,
       "reinit.state structure.initial.extra dependencies.known"},
      {"dependencies=\"2 4\"", "dependencies=\"2 9\"", 33, "dependencies.unknown"},
      {color, "name=\"color\" valueReference=\"0\" causality=\"structuralParameter\"", 6,
       "xml.attribute.value", "", Severity::error, "variables.continuous variables.pair"},
  }));
  const Scratch scratch;
  check_mistake(right_fmi2_description(), mistake);
}

TEST_CASE("platforms of FMI 2.0 have other names", "[validate]") {
  const Scratch scratch;
  const std::string text =
      with(right_fmi2_description(), "<SourceFiles><File name=\"right.c\"/></SourceFiles>", "");
  const auto with_binary = [&](const std::string& name) {
    return findings_of(scratch, ZipWriter().add("modelDescription.xml", text).add(name, "x"));
  };
  CHECK(with_binary("binaries/win64/right.dll").empty());
  CHECK(with_binary("binaries/darwin64/right.dylib").empty());
  using Catch::Matchers::Contains;
  CHECK_THAT(with_binary("binaries/win64/right.so"), Contains("[3 binaries.file.missing]"));
  CHECK_THAT(with_binary("binaries/x86_64-windows/right.dll"), Contains("[3 binaries.platform]"));
  CHECK_THAT(with_binary("resources/right.dll"), Contains("[2 implementation.missing]"));
}
