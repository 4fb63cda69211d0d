// SPDX-License-Identifier: BSD-2-Clause
#include "figure.hpp"

#include <cstdio>
#include <string_view>

namespace saltus::benchmarks {
namespace {

// Names here are ours: no character in them needs escaping.
void print_json(const Figure& f) {
  std::printf("{\"problem\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, ", f.problem.c_str(),
              f.metric.c_str(), f.value);
  if (f.peer.empty()) {
    std::printf("\"peer\": null, \"peer_value\": null, ");
  } else {
    std::printf("\"peer\": \"%s\", \"peer_value\": %.6g, ", f.peer.c_str(), f.peer_value);
  }
  if (f.direction == Figure::Bound::none) {
    std::printf("\"bound\": null, \"holds\": true}\n");
  } else {
    std::printf("\"bound\": \"%s %g\", \"holds\": %s}\n",
                f.direction == Figure::Bound::at_most ? "<=" : ">=", f.bound,
                f.holds() ? "true" : "false");
  }
}

void print_row(const Figure& f) {
  std::printf("%-22s %-44s %12.5g", f.problem.c_str(), f.metric.c_str(), f.value);
  if (!f.peer.empty()) {
    std::printf("   %s: %.5g", f.peer.c_str(), f.peer_value);
  }
  if (f.direction != Figure::Bound::none) {
    std::printf("   (%s %g: %s)", f.direction == Figure::Bound::at_most ? "at most" : "at least",
                f.bound, f.holds() ? "holds" : "DOES NOT HOLD");
  }
  std::printf("\n");
}

}  // namespace

bool Figure::holds() const {
  switch (direction) {
    case Bound::at_most:
      return value <= bound;
    case Bound::at_least:
      return value >= bound;
    case Bound::none:
      return true;
  }
  return false;
}

int report(const std::vector<Figure>& figures, int argc, char** argv) {
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  bool all_hold = true;
  for (const Figure& figure : figures) {
    json ? print_json(figure) : print_row(figure);
    all_hold = all_hold && figure.holds();
  }
  return all_hold ? 0 : 1;
}

}  // namespace saltus::benchmarks
