// SPDX-License-Identifier: BSD-2-Clause
#include "archive_rules.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>

namespace saltus::importer {
namespace {

constexpr std::size_t kMaxNameLength = 1024;
constexpr std::size_t kMaxComponentLength = 255;

// Methods of the ZIP format.
constexpr unsigned kStored = 0;
constexpr unsigned kDeflated = 8;

}  // namespace

std::string name_problem(const std::string& name) {
  if (name.empty()) return "its name is empty";
  if (name.size() > kMaxNameLength) return "its name is too long";
  if (name.front() == '/') return "an absolute path, which would be written outside the FMU";
  if (name.find('\\') != std::string::npos) {
    return "a backslash in its name; FMI 3.0 demands forward slashes (2.5), pack it again";
  }
  if (name.size() > 1 && name[1] == ':') return "a drive letter, which is an absolute path";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "a control character in its name";
  }
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view component = std::string_view(name).substr(begin, end - begin);
    if (component == "..") return "\"..\" in its path, which would be written outside the FMU";
    if (component.empty() || component == ".") return "an empty or \".\" component in its path";
    if (component.size() > kMaxComponentLength) return "its name is too long";
    begin = end + 1;
  }
  return {};
}

std::string kind_problem(std::uint32_t mode) {
  switch (mode & S_IFMT) {
    case 0:
    case S_IFREG:
    case S_IFDIR:
      return {};
    case S_IFLNK:
      return "a symbolic link, which FMI 3.0 forbids (2.5) and which could lead outside the FMU";
    default:
      return "neither a file nor a folder";
  }
}

std::string storage_problem(unsigned method, bool is_encrypted) {
  if (is_encrypted) {
    return "encrypted, which FMI 3.0 forbids (2.5); ask for a copy without a password";
  }
  if (method != kStored && method != kDeflated) {
    return fmt::format(
        "compressed with method {}; FMI 3.0 allows only deflate and none (2.5), pack it again",
        method);
  }
  return {};
}

}  // namespace saltus::importer
