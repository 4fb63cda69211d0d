// SPDX-License-Identifier: BSD-2-Clause
#include "documentation/page.hpp"

#include <cstdio>

#include "description_parts.hpp"
#include "documentation/curves.hpp"
#include "documentation/html.hpp"
#include "documentation/licences.hpp"
#include "exported.hpp"
#include "fmi_words.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/equation_texts.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::EquationLines;
using modeling::EquationTexts;
using modeling::Variable;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
pre { background: #8881; padding: .7rem 1rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid #8884; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.note { color: #777; }
.wide { overflow-x: auto; }
svg { width: 100%; height: auto; font: 130px system-ui, sans-serif; fill: currentColor; }
svg rect { fill: none; stroke: #8888; stroke-width: 10; }
svg path { fill: none; stroke: #36c; stroke-width: 25; stroke-linejoin: round; }
)";

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "<h2>" + html(title) + "</h2>\n" + content;
}
std::string paragraph(const std::string& text) { return "<p>" + html(text) + "</p>\n"; }
std::string note(const std::string& text) { return "<p class=\"note\">" + html(text) + "</p>\n"; }
std::string block(const EquationLines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return "<pre>" + html(text) + "</pre>\n";
}

// Of the equations, what integers do to them is not known.
bool has_integers(const modeling::DescribedModel& model) {
  for (const Variable& v : model.variables()) {
    if (v.type != Variable::Type::float64 && v.type != Variable::Type::boolean) return true;
  }
  return false;
}

std::string equations(const modeling::DescribedModel& model) {
  EquationTexts texts;
  saltus_exported_equations(texts, model.info().start);
  std::string text = block(texts.lines);
  for (const EquationTexts::Other& other : texts.others) {
    text += "<h3>Where " + html(other.where) + "</h3>\n";
    if (!other.failure.empty()) text += note("They are not known there: " + other.failure);
    if (!other.lines.empty()) text += block(other.lines);
    if (!other.instead_of.empty()) {
      text += note(other.lines.empty() ? "These are missing there:" : "This is in place of:");
      text += block(other.instead_of);
    }
  }
  std::string notes =
      "The equations as the program reads them at the start values: what the source computes in "
      "between stands where it is used.";
  if (!texts.others.empty()) {
    notes +=
        " Each condition, and each Boolean variable, was turned alone; several together may give "
        "other equations.";
  }
  if (has_integers(model)) {
    notes += " Equations that depend on integer variables are those of their start values.";
  }
  if (texts.incomplete) notes += " There are more of these than are shown.";
  if (texts.cut) notes += " Expressions that end with \"...\" are longer than that.";
  return text + note(notes);
}

std::string conditions(const modeling::DescribedModel& model, const DefaultRun& run) {
  std::string text;
  const std::size_t count = model.shape().indicators;
  if (count > 0) {
    text = "<ul>\n";
    for (std::size_t i = 0; i < count; ++i) {
      text += "<li><code>" + html(model.indicator_name(i)) + "</code></li>\n";
    }
    text += "</ul>\n";
  }
  if (count == 0 && run.time_events == 0) return paragraph("The model has no event conditions.");
  if (run.time_events > 0) text += paragraph("There are events at times known in advance.");
  return text + note("What an event changes stands in the source of the model.");
}

std::string start_of(const Variable& v) {
  if (!has_start(v) && !has_guess(v)) return "";
  if (v.is_number()) return number_text(v.start);
  if (v.type == Variable::Type::boolean) return v.start_integer != 0 ? "true" : "false";
  return std::to_string(v.start_integer);
}

std::string variables(const modeling::DescribedModel& model) {
  std::string text =
      "<div class=\"wide\"><table>\n<thead><tr><th>name</th><th>causality</th><th>variability</th>"
      "<th>unit</th><th>start</th><th>description</th></tr></thead>\n<tbody>\n";
  for (const Variable& v : model.variables()) {
    text += "<tr><td><code>" + html(v.name) + "</code></td><td>" + causality_word(v) + "</td><td>" +
            variability_word(v) + "</td><td>" + html(v.unit) + "</td><td class=\"number\">" +
            html(start_of(v)) + (has_guess(v) ? " (guess)" : "") + "</td><td>" +
            html(v.description) + "</td></tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string experiment(const modeling::ModelInfo& info, const DefaultRun& run) {
  std::string what = "From t = " + number_text(info.start) + " to " + number_text(info.stop) +
                     ", with a relative tolerance of " + number_text(info.tolerance);
  if (info.step_size > 0.0) what += ", reported every " + number_text(info.step_size);
  what += ". " + run.end;
  if (!run.time.empty()) {
    what += " State events: " + std::to_string(run.state_events) +
            ", time events: " + std::to_string(run.time_events) + ".";
  }
  return paragraph(what) + curves(run) +
         note("Run by Saltus when the FMU was made, with inputs at their start values.");
}

std::string analysis(const DocumentedModel& documented) {
  std::string text = "<pre>" + html(documented.index) + "</pre>\n";
  if (documented.dae.form.empty()) return text;
  char largest[32];
  std::snprintf(largest, sizeof largest, "%.1e", documented.self_test.largest);
  return text +
         paragraph(
             "In FMI 3.0 the FMU offers these equations as a DAE as well, by FMI-LS-DAE. When it "
             "was made, both modes were run from the start along the default experiment and "
             "compared at " +
             std::to_string(documented.self_test.points) +
             " points: derivatives, algebraic variables and residuals differ by at most " +
             largest + " of their size.");
}

}  // namespace

std::string documentation_page(const DocumentedModel& documented) {
  ExportedModel exported;
  saltus_exported_model(exported);
  const modeling::DescribedModel& model = *exported.model;
  const std::string name = html(model.name());
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      name + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + name + "</h1>\n";
  if (*model.info().description != '\0') text += paragraph(model.info().description);
  text += section("Equations", equations(model));
  text += section("Events", conditions(model, documented.run));
  text += section("Default experiment", experiment(model.info(), documented.run));
  text += section("Variables", variables(model));
  text += section("Analysis", analysis(documented));
  text += section(
      "Licences",
      paragraph("The model is under the licence of its authors. Its binaries contain:") +
          licence_table() + "<p>The texts: <a href=\"licenses/license.txt\">license.txt</a></p>\n");
  return text + note("Written by Saltus " SALTUS_VERSION ".") + "</body>\n</html>\n";
}

}  // namespace saltus::fmu_export
