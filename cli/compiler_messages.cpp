// SPDX-License-Identifier: BSD-2-Clause
#include "compiler_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <utility>

#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostErrors = 4;
constexpr std::size_t kMostRawLines = 15;
constexpr std::size_t kMostColumns = 160;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A line of the form "file:line:column: what"; empty where it has another.
struct Located {
  std::string file;
  int line = 0;
  std::string text;
};
Located located(const std::string& line) {
  static const std::regex form(R"(^([^:\s][^:]*):(\d+):(?:\d+:)?\s*(.*)$)");
  std::smatch match;
  if (line.size() > 4000 || !std::regex_match(line, match, form)) return {};
  return {match[1], std::stoi(match[2].str().substr(0, 9)), match[3]};
}

/// One of the sources, or a header of the author: not ours, and none of the system.
bool is_authors(const std::string& file, const std::vector<fs::path>& sources) {
  std::error_code error;
  const bool is_source = std::any_of(sources.begin(), sources.end(), [&](const fs::path& source) {
    return fs::equivalent(file, source, error);
  });
  if (is_source) return true;
  const std::string path = fs::weakly_canonical(file, error).string();
  return fs::is_regular_file(path, error) && !path.starts_with("/usr/") &&
         path.find("/include/saltus/") == std::string::npos &&
         path.find("/include/c++/") == std::string::npos &&
         path.find("/fmu-export/src/") == std::string::npos;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

/// The scalars by the name that the author gave them.
std::string in_authors_words(std::string text) {
  replace_all(text, "saltus::modeling::", "");
  for (const char* scalar :
       {"Number<WatchedTruth>", "Number<LockedTruth>", "Tangent", "Recorded", "Symbolic"}) {
    replace_all(text, scalar, "Real");
  }
  // "[with Real = Real]" says nothing any more.
  static const std::regex with(R"(\s*\[with [^\]]*\])");
  return std::regex_replace(text, with, "");
}

std::string source_line(const std::string& file, int number) {
  std::ifstream stream(file);
  std::string line;
  for (int i = 0; i < number && std::getline(stream, line); ++i) {
  }
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? "" : line.substr(first);
}

/// Of functions that models do not have.
std::string remedy(const std::string& source) {
  static const std::regex standard(
      R"(std::(fdim|fma|frexp|ilogb|ldexp|lerp|lgamma|llrint|llround|logb|lrint|lround|midpoint|modf|scalbn|signbit|tgamma)\s*\()");
  std::smatch match;
  if (!std::regex_search(source, match, standard)) return "";
  return fmt::format("a model has no {0}: write it with sqrt, exp, log, pow, sin and the others",
                     match[1].str());
}

struct Message {
  Located place;
  std::string text;
};

/// The errors, each with the place in a source that it belongs to: its own, or the one from which
/// what failed was instantiated. Compilers tell of that before the error (GCC) or behind (Clang).
std::vector<Message> errors_in(const std::vector<std::string>& lines,
                               const std::vector<fs::path>& sources) {
  std::vector<Message> errors;
  Located from;          // the last "required from" in a source
  bool waiting = false;  // the last error has no place yet
  for (const std::string& line : lines) {
    const Located here = located(line);
    if (here.file.empty()) continue;
    const bool in_source = is_authors(here.file, sources);
    const std::size_t is_error = here.text.find("error: ");
    if (is_error != std::string::npos) {
      const std::string what = here.text.substr(is_error + std::string_view("error: ").size());
      errors.push_back({in_source ? here : from, what});
      waiting = !in_source && from.file.empty();
      from = {};
    } else if (in_source && waiting) {
      errors.back().place = here;
      waiting = false;
    } else if (in_source) {
      from = here;
    }
  }
  return errors;
}

}  // namespace

std::string compiler_messages(std::string_view output, const std::vector<fs::path>& sources) {
  const std::vector<std::string> lines = lines_of(output);
  std::string text;
  std::set<std::pair<std::string, int>> told;
  for (const Message& error : errors_in(lines, sources)) {
    const std::string source = source_line(error.place.file, error.place.line);
    // Where all of the model is instantiated, errors end that begin elsewhere.
    const bool is_echo = !told.empty() && source.starts_with("SALTUS_EXPORT_FMU");
    if (error.place.file.empty() || is_echo || told.size() == kMostErrors ||
        !told.insert({error.place.file, error.place.line}).second) {
      continue;
    }
    const std::string hint = remedy(source);
    text += fmt::format("{}:{}: {}\n", printable(error.place.file), error.place.line,
                        shortened(printable(in_authors_words(error.text)), kMostColumns));
    text += fmt::format("    {}\n", shortened(printable(source), kMostColumns));
    if (!hint.empty()) text += fmt::format("    {}\n", hint);
  }
  if (!text.empty()) return text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostRawLines); ++i) {
    text += shortened(printable(lines[i]), kMostColumns) + "\n";
  }
  return text;
}

}  // namespace saltus::cli
