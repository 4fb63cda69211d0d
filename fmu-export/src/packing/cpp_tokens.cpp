// SPDX-License-Identifier: BSD-2-Clause
#include "packing/cpp_tokens.hpp"

#include <algorithm>
#include <cctype>

namespace saltus::fmu_export {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Reads a source from its beginning to its end.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  /// An empty token at the end.
  CppToken next() {
    while (skip_space() || skip_comment() || skip_include()) {
    }
    const std::size_t begin = at_;
    if (at_ == source_.size()) return {};
    const char c = source_[at_];
    if (c == 'R' && source_.substr(at_).starts_with("R\"")) {
      skip_raw_text();
    } else if (begins_name(c)) {
      while (at_ < source_.size() && continues_name(source_[at_])) ++at_;
      return {source_.substr(begin, at_ - begin), true};
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      skip_number();
    } else if (c == '"' || c == '\'') {
      skip_text(c);
    } else {
      ++at_;
    }
    begins_line_ = false;
    return {source_.substr(begin, at_ - begin), false};
  }

 private:
  bool skip_space() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && std::isspace(static_cast<unsigned char>(source_[at_])) != 0) {
      begins_line_ = begins_line_ || source_[at_] == '\n';
      ++at_;
    }
    return at_ != begin;
  }
  bool skip_comment() {
    const std::string_view rest = source_.substr(at_);
    if (rest.starts_with("//")) {
      at_ = std::min(source_.find('\n', at_), source_.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = source_.find("*/", at_ + 2);
      at_ = end == source_.npos ? source_.size() : end + 2;
    } else {
      return false;
    }
    return true;
  }
  bool skip_include() {
    if (!begins_line_ || at_ == source_.size() || source_[at_] != '#') return false;
    std::size_t word = source_.find_first_not_of(" \t", at_ + 1);
    if (word == source_.npos || !source_.substr(word).starts_with("include")) return false;
    at_ = std::min(source_.find('\n', at_), source_.size());
    return true;
  }
  void skip_number() {
    while (at_ < source_.size() &&
           (continues_name(source_[at_]) || source_[at_] == '.' || source_[at_] == '\'' ||
            ((source_[at_] == '-' || source_[at_] == '+') &&
             std::string_view("eEpP").find(source_[at_ - 1]) != std::string_view::npos))) {
      ++at_;
    }
  }
  void skip_text(char quote) {
    for (++at_; at_ < source_.size() && source_[at_] != quote; ++at_) {
      if (source_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, source_.size());
  }
  void skip_raw_text() {
    const std::size_t bracket = source_.find('(', at_);
    const std::string end = ")" + std::string(source_.substr(at_ + 2, bracket - at_ - 2)) + "\"";
    const std::size_t last = source_.find(end, bracket);
    at_ = last == source_.npos ? source_.size() : last + end.size();
  }

  std::string_view source_;
  std::size_t at_ = 0;
  bool begins_line_ = true;
};

// Whether the name at a place is that of a member, or of something in a namespace that is named.
bool is_qualified(const std::vector<CppToken>& tokens, std::size_t place) {
  const auto before = [&](std::size_t distance) {
    return distance > place ? std::string_view() : tokens[place - distance].text;
  };
  return (before(1) == ">" && before(2) == "-") || (before(1) == ":" && before(2) == ":") ||
         (before(1) == "." && before(2) != ".");
}

}  // namespace

std::vector<CppToken> tokens_of(std::string_view source) {
  std::vector<CppToken> tokens;
  Scanner scanner(source);
  for (CppToken token = scanner.next(); !token.text.empty(); token = scanner.next()) {
    tokens.push_back(token);
  }
  return tokens;
}

std::string renamed(std::string_view source, const std::map<std::string, std::string>& names) {
  std::string text;
  std::size_t copied = 0;
  const std::vector<CppToken> tokens = tokens_of(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is_name || is_qualified(tokens, i)) continue;
    const auto found = names.find(std::string(tokens[i].text));
    if (found == names.end()) continue;
    const auto begin = static_cast<std::size_t>(tokens[i].text.data() - source.data());
    text += source.substr(copied, begin - copied);
    text += found->second;
    copied = begin + tokens[i].text.size();
  }
  return text.append(source.substr(copied));
}

std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> includes;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = source.substr(at, end - at);
    at = end + 1;
    std::size_t place = line.find_first_not_of(" \t");
    if (place == line.npos || line[place] != '#') continue;
    place = line.find_first_not_of(" \t", place + 1);
    if (place == line.npos || !line.substr(place).starts_with("include")) continue;
    place = line.find_first_not_of(" \t", place + std::string_view("include").size());
    const char quote = place == line.npos ? ' ' : line[place];
    const std::size_t last =
        quote == '"' || quote == '<' ? line.find(quote == '"' ? '"' : '>', place + 1) : line.npos;
    if (last == line.npos) {
      includes.push_back({.line = line, .file = "", .in_quotes = false});
    } else {
      includes.push_back({.line = line,
                          .file = std::string(line.substr(place + 1, last - place - 1)),
                          .in_quotes = quote == '"'});
    }
  }
  return includes;
}

}  // namespace saltus::fmu_export
