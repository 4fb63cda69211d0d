// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

namespace saltus::benchmarks {

/// One measured number beside its bound and, where there is one, the same number of a peer measured
/// in the same run.
struct Figure {
  enum class Bound { none, at_most, at_least };

  std::string problem;
  std::string metric;
  double value = 0.0;
  std::string peer = "";
  double peer_value = 0.0;
  Bound direction = Bound::none;
  double bound = 0.0;

  bool holds() const;
};

/// What the peers were built with, to stand behind their names: " (Debian's build, not optimised)"
/// or what `SALTUS_PEER_BUILD` says.
std::string peer_build();
/// Bounds on how much faster than a peer we are were set against Debian's build; beside an
/// optimised one the ratio is told without a bound.
Figure::Bound against_peer(Figure::Bound bound);

/// What a benchmark was called with: `--json` for one object a line, `--rounds N` for how often
/// contestants take turns.
struct Arguments {
  bool json = false;
  int rounds = 12;
};
/// Ends the program with 2 on anything else.
Arguments parse_arguments(int argc, char** argv);

/// Prints the figures: one JSON object a line when the program was called with `--json`, else a
/// table. Returns the program's exit code: 1 when a bound does not hold.
int report(const std::vector<Figure>& figures, const Arguments& arguments);

}  // namespace saltus::benchmarks
