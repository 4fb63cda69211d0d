// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>

#include "saltus/core/error.hpp"

namespace saltus::importer {

/// An FMU that cannot be used: a broken archive, a description that contradicts itself, a binary
/// that does not load. One bad input makes exactly one of these, for the first problem found, and
/// leaves nothing behind on disk.
///
/// The message reads `path: thing, line n: what is wrong; what to try`.
class FmuError : public Error {
 public:
  FmuError(std::string path, std::string thing, std::size_t line, const std::string& reason);

  /// The file that was to be opened.
  const std::string& path() const { return path_; }
  /// The part of it that is to blame: an entry of the archive, an XML element with its name, a
  /// symbol of the binary. Empty when it is the file as a whole.
  const std::string& thing() const { return thing_; }
  /// Where in the XML it stands, from 1; 0 where lines have no meaning.
  std::size_t line() const { return line_; }
  /// What is wrong and what to try, without the place.
  const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::string thing_;
  std::size_t line_;
  std::string reason_;
};

/// A file of input values that cannot be used. Line and column count from 1, the header is line 1;
/// 0 stands for "the whole file" and "the whole line".
class InputError : public Error {
 public:
  InputError(std::string path, std::size_t line, std::size_t column, const std::string& reason);
  const std::string& path() const { return path_; }
  std::size_t line() const { return line_; }
  std::size_t column() const { return column_; }

 private:
  std::string path_;
  std::size_t line_;
  std::size_t column_;
};

}  // namespace saltus::importer
