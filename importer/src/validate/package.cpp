// SPDX-License-Identifier: BSD-2-Clause
// Rule 1, and the part of rule 6 that is about bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "../archive.hpp"
#include "../archive_rules.hpp"
#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

/// The length of the UTF-8 sequence at the beginning of `text`, 0 if there is none (RFC 3629, 4).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80U) return 1;
  const std::size_t length = lead >= 0xf0U ? 4 : lead >= 0xe0U ? 3 : 2;
  if (lead < 0xc2U || lead > 0xf4U || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  const bool is_overlong = (lead == 0xe0U && byte(1) < 0xa0U) || (lead == 0xf0U && byte(1) < 0x90U);
  const bool is_surrogate = lead == 0xedU && byte(1) >= 0xa0U;
  const bool is_beyond = lead == 0xf4U && byte(1) >= 0x90U;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// What the XML declaration says of the encoding; nothing if it says nothing.
std::string declared_encoding(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (!text.starts_with("<?xml")) return {};
  text = text.substr(0, text.find("?>"));
  const std::size_t place = text.find("encoding");
  if (place == std::string_view::npos) return {};
  const std::size_t open = text.find_first_of("\"'", place);
  if (open == std::string_view::npos) return {};
  const std::size_t close = text.find(text[open], open + 1);
  return std::string(text.substr(open + 1, close - open - 1));
}

}  // namespace

void Package::index_names() {
  by_name.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) by_name.emplace(entries[i].name, i);
}

std::string Package::content(const std::string& name) const {
  const auto found = by_name.find(name);
  if (found == by_name.end()) throw FmuError(fmu, name, 0, "not in the archive");
  return archive.content(found->second, entries[found->second]);
}

std::unique_ptr<XmlFile> Package::parse(const std::string& name, Findings& findings) const {
  Finding finding{.rule = 6, .id = "xml.malformed", .file = name, .what = {}, .remedy = {}};
  try {
    std::string text = content(name);
    check_encoding(name, text, findings);
    return std::make_unique<XmlFile>(fmu, name, std::move(text));
  } catch (const XmlError& error) {
    finding.line = error.line();
    finding.column = error.column();
    finding.what = error.fault();
  } catch (const FmuError& error) {
    finding.line = error.line();
    // The element and the attribute, if it is about one.
    const std::string prefix = name + ", ";
    const bool has_place = error.thing().starts_with(prefix);
    finding.what = (has_place ? error.thing().substr(prefix.size()) + ": " : "") + error.reason();
  }
  findings.add(std::move(finding));
  return nullptr;
}

void check_encoding(const std::string& entry, const std::string& text, Findings& findings) {
  const std::string encoding = declared_encoding(text);
  if (lower(encoding) != "utf-8") {
    // Without a declaration XML is UTF-8, and ASCII is the same in all that is declared instead.
    const bool is_harmless = encoding.empty() || std::all_of(text.begin(), text.end(), [](char c) {
                               return static_cast<unsigned char>(c) < 0x80U;
                             });
    findings.add({.rule = 6,
                  .id = "xml.declaration",
                  .severity = is_harmless ? Severity::warning : Severity::error,
                  .file = entry,
                  .line = 1,
                  .what = encoding.empty() ? "the first line does not declare the encoding"
                                           : fmt::format("the encoding is {}", encoding),
                  .remedy = "begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>"});
  }
  std::size_t line = 1;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      findings.add({.rule = 6,
                    .id = "xml.encoding",
                    .file = entry,
                    .line = line,
                    .what = fmt::format("the byte {:#04x} is not UTF-8",
                                        static_cast<unsigned char>(rest.front())),
                    .remedy = "save the file as UTF-8"});
      return;
    }
    if (rest.front() == '\n') ++line;
    rest.remove_prefix(length);
  }
}

bool check_archive(const Package& package, Findings& findings) {
  for (const ArchiveEntry& entry : package.entries) {
    if (!entry.problem.empty()) {
      const bool is_name = entry.problem == name_problem(entry.name);
      findings.add({1, is_name ? "archive.entry.name" : "archive.entry.kind"}, Severity::error,
                   entry.name, entry.problem);
    } else if (entry.is_repeated) {
      findings.add({1, "archive.entry.repeated"}, Severity::warning, entry.name, entry.warning,
                   "pack the archive anew");
    } else if (!entry.warning.empty()) {
      findings.add({1, "archive.entry.name"}, Severity::error, "./" + entry.name, entry.warning,
                   "pack the archive anew, without the folder itself");
    } else if (entry.name.starts_with('.')) {
      findings.add({1, "archive.entry.hidden"}, Severity::note, entry.name,
                   "the name begins with a dot, and some importers refuse that",
                   "leave the file out");
    }
  }
  bool is_small_enough = true;
  try {
    package.archive.check_sizes(package.entries);
  } catch (const FmuError& error) {
    is_small_enough = false;
    findings.add({1, "archive.size"}, Severity::error, std::string(), error.reason());
  }
  if (!lower(package.fmu).ends_with(".fmu")) {
    findings.add({1, "archive.extension"}, Severity::warning, std::string(),
                 "the name of the file does not end in .fmu", "rename it");
  }
  if (!package.has("modelDescription.xml")) {
    findings.add({1, "archive.description.missing"}, Severity::error, std::string(),
                 "there is no modelDescription.xml at the top of the archive",
                 "pack the content of the folder, not the folder");
  }
  return is_small_enough;
}

}  // namespace saltus::importer::validation
