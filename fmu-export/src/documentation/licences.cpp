// SPDX-License-Identifier: BSD-2-Clause
#include "documentation/licences.hpp"

#include <array>

#include "documentation/html.hpp"
#include "licence_of_saltus.hpp"

namespace saltus::fmu_export {
namespace {

struct Part {
  const char* name;
  const char* what;
  const char* licence;
};

constexpr std::array kParts{
    Part{"Saltus " SALTUS_VERSION, "integrators, events, FMI's functions",
         "BSD 2-Clause License (BSD-2-Clause)"},
    Part{"Eigen " SALTUS_EIGEN_VERSION,
         "parts of its linear algebra, unchanged; https://eigen.tuxfamily.org",
         "Mozilla Public License 2.0 (MPL-2.0), https://mozilla.org/MPL/2.0/"},
    Part{"libstdc++ and libgcc",
         "the runtime of C++, linked into the binaries; https://gcc.gnu.org",
         "GNU General Public License 3 with the GCC Runtime Library Exception 3.1 "
         "(GPL-3.0-or-later WITH GCC-exception-3.1)"},
};

}  // namespace

std::string licence_text() {
  std::string text =
      "The model itself is under the licence of its authors, of which this file knows nothing.\n"
      "Its binaries, and its sources where there are any, contain besides:\n\n";
  for (const Part& part : kParts) {
    text += std::string(part.name) + ": " + part.what + "\n    " + part.licence + "\n";
  }
  return text + "\nThe licence of Saltus\n\n" + std::string(embedded::licence_of_saltus("LICENSE"));
}

std::string licence_table() {
  std::string text =
      "<table>\n<thead><tr><th>part</th><th>what it "
      "is</th><th>licence</th></tr></thead>\n<tbody>\n";
  for (const Part& part : kParts) {
    text += "<tr><td>" + html(part.name) + "</td><td>" + html(part.what) + "</td><td>" +
            html(part.licence) + "</td></tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

}  // namespace saltus::fmu_export
