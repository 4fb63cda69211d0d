// SPDX-License-Identifier: BSD-2-Clause
#include "derivative_check.hpp"

#include <cmath>
#include <vector>

namespace saltus::importer {
namespace {

// Differences of rows that bend differ from derivatives by less than the second; the third is what
// rounding leaves of a quotient of the first width.
constexpr double kWidth = 1e-3, kTrusted = 1e-4, kRounding = 1e-9;

}  // namespace

bool derivatives_agree(const ClaimedDerivatives& claimed,
                       const std::function<Eval(ConstVec y, ConstVec yp, Vec r)>& equations) {
  const std::size_t n = claimed.y.size(), slopes = claimed.slopes;
  const Pattern& pattern = claimed.pattern;
  std::vector<double> along(n), along_slope(slopes, 0.0), expected(n, 0.0), size(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double part = (j % 2 == 0 ? 1.0 : -1.0) * (0.5 + 0.5 / static_cast<double>(j + 1));
    along[j] = part * (std::fabs(claimed.y[j]) + claimed.nominals[j]);
    if (j < slopes) {
      along_slope[j] = -0.7 * part * (std::fabs(claimed.yp[j]) + claimed.nominals[j]);
    }
    for (int k = pattern.first[j]; k < pattern.first[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      const auto i = static_cast<std::size_t>(pattern.row[place]);
      const double change = claimed.by_value[place] * along[j] +
                            (j < slopes ? claimed.by_slope[place] * along_slope[j] : 0.0);
      expected[i] += change;
      size[i] += std::fabs(change);
    }
  }
  std::vector<double> quotients[2], r(n), y(n), yp(claimed.yp.begin(), claimed.yp.end());
  for (const int narrow : {0, 1}) {
    const double width = narrow == 1 ? 0.5 * kWidth : kWidth;
    quotients[narrow].assign(n, 0.0);
    for (const double way : {1.0, -1.0}) {
      for (std::size_t j = 0; j < n; ++j) y[j] = claimed.y[j] + way * width * along[j];
      for (std::size_t j = 0; j < slopes; ++j) {
        yp[j] = claimed.yp[j] + way * width * along_slope[j];
      }
      if (equations(y, yp, r) == Eval::discard) return true;
      for (std::size_t i = 0; i < n; ++i) quotients[narrow][i] += way * r[i] / (2.0 * width);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double wide = quotients[0][i], narrow = quotients[1][i];
    const double found = narrow + (narrow - wide) / 3.0;
    const double doubt = std::fabs(narrow - wide) + kTrusted * (size[i] + std::fabs(found)) +
                         kRounding * std::fabs(r[i]);
    if (!(std::fabs(found - expected[i]) <= doubt)) return false;
  }
  return true;
}

}  // namespace saltus::importer
