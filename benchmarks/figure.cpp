// SPDX-License-Identifier: BSD-2-Clause
#include "figure.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace saltus::benchmarks {
namespace {

// Names here are ours: no character in them needs escaping.
void print_json(const Figure& f) {
  std::printf("{\"problem\": \"%s\", \"metric\": \"%s\", \"value\": ", f.problem.c_str(),
              f.metric.c_str());
  if (std::isfinite(f.value)) {
    std::printf("%.6g, ", f.value);
  } else {
    std::printf("null, ");  // JSON has no number for it
  }
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

std::string peer_build() { return " (" SALTUS_PEER_BUILD ")"; }

Figure::Bound against_peer(Figure::Bound bound) {
  return peer_build().find("not optimised") != std::string::npos ? bound : Figure::Bound::none;
}

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

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--json") {
      arguments.json = true;
    } else if (argument == "--rounds" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      arguments.rounds = std::atoi(argv[++i]);
    } else {
      std::fprintf(stderr, "usage: %s [--json] [--rounds N]\n", argv[0]);
      std::exit(2);
    }
  }
  return arguments;
}

int report(const std::vector<Figure>& figures, const Arguments& arguments) {
  bool all_hold = true;
  for (const Figure& figure : figures) {
    arguments.json ? print_json(figure) : print_row(figure);
    all_hold = all_hold && figure.holds();
  }
  return all_hold ? 0 : 1;
}

}  // namespace saltus::benchmarks
