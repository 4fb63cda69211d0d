// SPDX-License-Identifier: BSD-2-Clause
#include "fmu_files.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

namespace saltus::importer {
namespace {

// RFC 3986: what is no letter, digit or one of a few signs is written as %XX.
std::string uri_of(const std::filesystem::path& folder) {
  std::string uri = "file://";
  for (const char c : folder.string()) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/-._~", c) != nullptr) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace

std::string FmuFiles::resource_path() const {
  return (directory->path() / "resources" / "").string();
}

std::string FmuFiles::resource_uri() const { return uri_of(directory->path() / "resources"); }

std::string FmuFiles::folder_uri() const { return uri_of(directory->path()); }

std::string FmuFiles::prefix() const {
  return description->major_version == 1 ? "fmi" : fmt::format("fmi{}", description->major_version);
}

const char* FmuFiles::token_name() const {
  return description->major_version >= 3 ? "instantiationToken" : "guid";
}

}  // namespace saltus::importer
