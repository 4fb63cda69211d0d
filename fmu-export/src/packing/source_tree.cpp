// SPDX-License-Identifier: BSD-2-Clause
#include "packing/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "packing/cpp_tokens.hpp"

namespace saltus::fmu_export {
namespace {

namespace fs = std::filesystem;

// ISO C++20, tables 24 and 25 (16.4.2.3), and POSIX's name for the mathematical constants of
// <cmath>.
constexpr std::string_view kStandardHeaders =
    " algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex "
    "concepts"
    " condition_variable coroutine deque exception execution filesystem format forward_list fstream"
    " functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits"
    " list locale map memory memory_resource mutex new numbers numeric optional ostream queue "
    "random"
    " ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream"
    " stack stdexcept stop_token streambuf string string_view strstream syncstream system_error"
    " thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray"
    " variant vector version cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath"
    " csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype"
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h "
    "math.h"
    " setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h "
    "stdlib.h"
    " string.h tgmath.h time.h uchar.h wchar.h wctype.h ";

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::invalid_argument("there is no file " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

// Whether it declares functions of C, which say nothing of their visibility.
bool is_of_c(const std::string& header) {
  return header.ends_with(".h") || is_standard_header(header.substr(1) + ".h");
}

std::string relative_place(const std::string& to, const std::string& from) {
  return fs::path(to).lexically_relative(fs::path(from).parent_path()).generic_string();
}

std::string explanation(const fs::path& file, const Include& include) {
  const std::string what =
      file.filename().string() + " says " + std::string(include.line) + ", which ";
  if (include.file.empty()) return what + "depends on a macro: write the name of the file";
  return what +
         "is neither found nor a header of the C++ standard library: who compiles the sources of "
         "the FMU would miss it. Name the folder it stands in as an include directory of the "
         "model, or leave the sources out of the FMU";
}

}  // namespace

bool is_standard_header(const std::string& name) {
  return kStandardHeaders.find(" " + name + " ") != std::string_view::npos;
}

const SourceRoot* SourceTree::root_of(const fs::path& file, SourceRoot::Of of) const {
  const SourceRoot* longest = nullptr;
  for (const SourceRoot& root : roots_) {
    if (root.of != of || !is_inside(file, root.folder)) continue;
    if (longest == nullptr || root.folder.string().size() > longest->folder.string().size()) {
      longest = &root;
    }
  }
  return longest;
}

std::string SourceTree::place_of(const fs::path& file, SourceRoot::Of of) {
  const SourceRoot* root = root_of(file, of);
  if (root == nullptr) {
    // Beside the folders that were named: one more of them.
    roots_.push_back({.folder = file.parent_path(),
                      .name = "model/" + std::to_string(roots_.size()),
                      .of = SourceRoot::Of::model});
    root = &roots_.back();
  }
  return (fs::path(root->name) / file.lexically_relative(root->folder)).generic_string();
}

fs::path SourceTree::found(const std::string& name, bool in_quotes, const fs::path& from,
                           SourceRoot::Of of) const {
  const fs::path neighbour = (from.parent_path() / name).lexically_normal();
  if (in_quotes && fs::is_regular_file(neighbour)) return neighbour;
  // The exporter replaces parts of the solver, and knows these from inside.
  const auto beside = of == SourceRoot::Of::fmu_export ? SourceRoot::Of::solver : of;
  for (const SourceRoot::Of owner : {of, SourceRoot::Of::everybody, beside}) {
    for (const SourceRoot& root : roots_) {
      if (root.of != owner) continue;
      const fs::path file = (root.folder / name).lexically_normal();
      if (name.starts_with(root.prefix) && fs::is_regular_file(file)) return file;
    }
  }
  return {};
}

std::string SourceTree::add(const fs::path& given, SourceRoot::Of of) {
  const fs::path file = fs::absolute(given).lexically_normal();
  // What is public is public, whoever includes it.
  if (root_of(file, of) == nullptr && root_of(file, SourceRoot::Of::everybody) != nullptr) {
    of = SourceRoot::Of::everybody;
  } else if (of == SourceRoot::Of::fmu_export && root_of(file, of) == nullptr) {
    of = SourceRoot::Of::solver;
  }
  if (const auto known = places_.find(file); known != places_.end()) return known->second;
  const std::string place = place_of(file, of);
  places_.emplace(file, place);
  const std::string original = text_of(file);
  std::string text = original;
  std::vector<std::string> included;
  for (const Include& include : includes_of(original)) {
    const fs::path other = found(include.file, include.in_quotes, file, of);
    if (other.empty() || include.file.empty()) {
      if (of == SourceRoot::Of::model && !is_standard_header(include.file)) {
        throw std::invalid_argument(explanation(file, include));
      }
      if (is_standard_header(include.file) &&
          (!place.starts_with("Eigen/") || is_of_c(include.file))) {
        system_headers_.insert(include.file);
      }
      continue;
    }
    const std::string there = add(other, of);
    included.push_back(there);
    const std::string relative = relative_place(there, place);
    if (include.in_quotes && relative == include.file) continue;
    const std::string line(include.line);
    const std::size_t at = text.find(line);
    text.replace(at, line.size(), "#include \"" + relative + "\"");
  }
  texts_[place] = std::move(text);
  included_[place] = std::move(included);
  return place;
}

}  // namespace saltus::fmu_export
