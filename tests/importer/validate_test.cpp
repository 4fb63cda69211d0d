// SPDX-License-Identifier: BSD-2-Clause
// Rules 6 to 8, and what is the same for all rules.
#include "saltus/importer/validate.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "right_fmu.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

Validation validated(const Scratch& scratch, const ZipWriter& archive) {
  archive.save(scratch.file("validated.fmu"));
  Validation validation = validate(scratch.file("validated.fmu"));
  CHECK(scratch.is_clean());
  return validation;
}

}  // namespace

TEST_CASE("a right FMU has no findings", "[validate]") {
  const Scratch scratch;
  const Validation validation = validated(scratch, right_archive(right_description()));
  INFO(all_findings(validation));
  CHECK(validation.findings.empty());
  CHECK(validation.fmi_version == "3.0");
  CHECK_FALSE(validation.has_errors());
}

TEST_CASE("a mistake in the form of the XML is found with its line", "[validate]") {
  const auto mistake = GENERATE(values<Mistake>({
      {" encoding=\"UTF-8\"", "", 6, "xml.declaration", "", Severity::warning},
      {"UTF-8", "ISO-8859-1", 6, "xml.declaration", "", Severity::warning},
      {"modelName=\"right\"", "modelName=\"\xff\"", 6, "xml.encoding"},
      {"stopTime=\"1\"", "stopTime=\"soon\"", 6, "xml.attribute.value"},
      {"stopTime=\"1\"", "endTime=\"1\"", 6, "xml.attribute.unknown"},
      {"hasEventMode=\"true\"", "hasEventMode=\"true\" canInterpolate=\"true\"", 6,
       "xml.attribute.unknown", "", Severity::warning},
      {"causality=\"calculatedParameter\"", "causality=\"calculated\"", 6, "xml.attribute.value"},
      {" modelName=\"right\"", "", 6, "xml.attribute.missing"},
      {"<Category name=\"logAll\"/>", "", 6, "xml.element.missing"},
      {"<Category name=\"logAll\"/>", "<Category name=\"logAll\"/><Catgory/>", 6,
       "xml.element.unknown"},
      {"<DefaultExperiment stopTime=\"1\"/>", "<DefaultExperiment/><DefaultExperiment/>", 6,
       "xml.element.repeated"},
      {"  <DefaultExperiment stopTime=\"1\"/>\n  <ModelVariables>", "  <ModelVariables>", 6,
       "xml.element.order", "<DefaultExperiment/>"},
      {"      <Dimension start=\"2\"/>", "      <Alias name=\"c\"/><Dimension start=\"2\"/>", 6,
       "xml.element.order", "", Severity::error, "xml.element.order"},
      {"fmiVersion=\"3.0\"", "fmiVersion=\"3.01\"", 7, "version.form", "", Severity::error,
       "version.mismatch"},
      {" fmiVersion=\"3.0\"", "", 7, "version.missing"},
  }));
  // A second place for an element that the mistake has taken away.
  const std::string right = mistake.at == "<DefaultExperiment/>"
                                ? with(right_description(), "</fmiModelDescription>",
                                       "<DefaultExperiment/>\n</fmiModelDescription>")
                                : right_description();
  check_mistake(right, mistake);
}

TEST_CASE("another encoding matters where it says something else", "[validate]") {
  const Scratch scratch;
  const std::string text =
      with(right_description(), "modelName=\"right\"", "modelName=\"r\xc3\xa9\"");
  CHECK(all_findings(validated(scratch, right_archive(text))).empty());
  const Validation other = validated(scratch, right_archive(with(text, "UTF-8", "ISO-8859-1")));
  REQUIRE(other.findings.size() == 1);
  CHECK(other.findings[0].id == "xml.declaration");
  CHECK(other.findings[0].severity == Severity::error);
}

TEST_CASE("a description without an interface is found", "[validate]") {
  const Scratch scratch;
  std::string text = right_description();
  const std::size_t begin = text.find("  <ModelExchange");
  text.erase(begin, text.find("  <UnitDefinitions>") - begin);
  const Validation validation = validated(scratch, right_archive(text));
  INFO(all_findings(validation));
  REQUIRE(has_finding(validation, "interface.missing", "modelDescription.xml"));
}

TEST_CASE("attributes of other namespaces are nobody's business", "[validate]") {
  const Scratch scratch;
  const std::string text = with(right_description(), "modelName=",
                                "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                                "xsi:noNamespaceSchemaLocation=\"fmi3.xsd\" modelName=");
  CHECK(all_findings(validated(scratch, right_archive(text))).empty());
}

TEST_CASE("what a newer minor version adds is a note", "[validate]") {
  const Scratch scratch;
  std::string text = with(right_description(), "fmiVersion=\"3.0\"", "fmiVersion=\"3.1\"");
  text = with(text, "stopTime=\"1\"", "stopTime=\"1\" pauseTime=\"0.5\"");
  const Validation validation = validated(
      scratch, right_archive(text, with(right_build_description(), "\"3.0\"", "\"3.1\"")));
  REQUIRE(validation.findings.size() == 1);
  CHECK(validation.findings[0].id == "xml.attribute.unknown");
  CHECK(validation.findings[0].severity == Severity::note);
}

TEST_CASE(
    "XML that is not well-formed is reported with line and column beside the archive's findings",
    "[validate]") {
  const Scratch scratch;
  ZipWriter writer =
      right_archive(with(right_description(), "</ModelVariables>", "</ModelVariable>"));
  writer.add("../evil", "");
  const Validation validation = validated(scratch, writer);
  INFO(all_findings(validation));
  REQUIRE(validation.findings.size() == 2);
  CHECK(validation.findings[0].id == "archive.entry.name");
  const Finding& finding = validation.findings[1];
  CHECK(finding.rule == 6);
  CHECK(finding.id == "xml.malformed");
  CHECK(finding.file == "modelDescription.xml");
  CHECK(finding.line == 58);
  CHECK(finding.column == 5);
  CHECK_THAT(finding.what, Contains("not well-formed"));
}

TEST_CASE("an attribute that is given twice is named", "[validate]") {
  const Scratch scratch;
  const Validation validation = validated(
      scratch, right_archive(with(right_description(), "name=\"z\"", "name=\"z\" name=\"y\"")));
  REQUIRE(validation.findings.size() == 1);
  CHECK(validation.findings[0].id == "xml.malformed");
  CHECK(validation.findings[0].line == 54);
  CHECK_THAT(validation.findings[0].what, Contains("attribute name") && Contains("given twice"));
}

TEST_CASE("all findings are reported, in the order of the lines", "[validate]") {
  const Scratch scratch;
  std::string text = with(right_description(), "valueReference=\"6\" causality=\"parameter\"",
                          "valueReference=\"6\" causality=\"paramter\"");
  text = with(text, "name=\"q\"", "name=\"p\"");
  text = with(text, "stopTime=\"1\"", "stopTime=\"soon\"");
  text =
      with(text, "<EventIndicator valueReference=\"15\"", "<EventIndicator valueReference=\"99\"");
  const Validation validation = validated(scratch, right_archive(text));
  INFO(all_findings(validation));
  CHECK(validation.count(Severity::error) == 4);
  for (std::size_t i = 1; i < validation.findings.size(); ++i) {
    CHECK(validation.findings[i - 1].line <= validation.findings[i].line);
  }
}

TEST_CASE("a finding reads like a line of a compiler", "[validate]") {
  const Finding finding{.rule = 15,
                        .id = "variables.start.missing",
                        .severity = Severity::error,
                        .file = "modelDescription.xml",
                        .line = 17,
                        .what = "\"p\" has no start value",
                        .remedy = "give it one"};
  CHECK(to_string(finding, "a.fmu") ==
        "modelDescription.xml:17: error: \"p\" has no start value; give it one "
        "[15 variables.start.missing]");
  CHECK(to_string(Finding{.rule = 1, .id = "archive.size", .what = "big"}, "a.fmu") ==
        "a.fmu: error: big [1 archive.size]");
}

TEST_CASE("random damage is survived", "[validate]") {
  const Scratch scratch;
  std::minstd_rand random(1);
  for (int i = 0; i < 400; ++i) {
    std::string text = i % 2 == 0 ? right_description() : right_fmi2_description();
    const auto place = [&] { return static_cast<std::size_t>(random()) % text.size(); };
    for (int change = 0; change < 1 + i % 5; ++change) {
      // Words change places, so that most of it stays XML.
      const std::size_t from = text.find_first_of(" \"", place());
      const std::size_t to = text.find_first_of(" \"", place());
      if (from == std::string::npos || to == std::string::npos) continue;
      const std::size_t end = std::min(text.find_first_of(" \"=", from + 1), text.size());
      text.insert(to + 1, text.substr(from + 1, end - from - 1));
    }
    if (i % 7 == 0) text[place()] = static_cast<char>(random() % 256);
    static_cast<void>(validated(scratch, right_archive(text)));
  }
}

TEST_CASE("FMI 1.0 is checked as an archive and as XML", "[validate]") {
  const Scratch scratch;
  const std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiModelDescription fmiVersion=\"1.0\" modelIdentifier=\"one\" guid=\"{1}\"/>\n";
  const Validation right = validated(scratch, ZipWriter().add("modelDescription.xml", text));
  CHECK(all_findings(right).empty());
  CHECK(right.fmi_version == "1.0");
  const Validation wrong =
      validated(scratch, ZipWriter().add("modelDescription.xml", with(text, "/>", ">")));
  CHECK(has_finding(wrong, "xml.malformed", "modelDescription.xml"));
}
