// SPDX-License-Identifier: BSD-2-Clause
#include "resource_folder.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "saltus/fmu_export/resources.hpp"

// What every FMU contains is the copy of a text; the rest is for those that ask.
namespace saltus::fmu_export {
namespace {

// Of a binary, which belongs to one FMU: instances may be made in several threads, and are told the
// same location by every importer that there is. Where it is another one all the same, the old text
// stays for those who are reading it.
struct Location {
  std::atomic<char*> text = nullptr;
  ~Location() { std::free(text.load()); }
};
Location location;

int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// RFC 3986, 2.1.
std::string decoded(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    path += is_code ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
    if (is_code) i += 2;
  }
  return path;
}

// RFC 8089: file:/folder and file:///folder; the slash before a drive's letter is no part of the
// path. Empty where it is a folder of another machine.
std::string path_of(std::string_view uri) {
  uri.remove_prefix(uri.starts_with("file:///") ? 7 : 5);
  if (uri.starts_with("//")) return "";
  if (uri.size() > 2 && uri[2] == ':') uri.remove_prefix(1);
  return decoded(uri);
}

}  // namespace

void note_resources(const char* given) {
  char* const known = location.text.load();
  if (given == nullptr || (known != nullptr && std::strcmp(known, given) == 0)) return;
  const std::size_t size = std::strlen(given) + 1;
  if (auto* const copy = static_cast<char*>(std::malloc(size)); copy != nullptr) {
    std::memcpy(copy, given, size);
    location.text.store(copy);
  }
}

std::string resource_folder() {
  const char* const text = location.text.load();
  const std::string_view given = text == nullptr ? "" : text;
  std::string path = given.starts_with("file:/") ? path_of(given) : std::string(given);
  if (!path.empty() && path.back() != '/' && path.back() != '\\') path += '/';
  return path;
}

}  // namespace saltus::fmu_export
