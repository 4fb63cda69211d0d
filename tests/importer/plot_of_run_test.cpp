// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "saltus/importer/html_plot.hpp"
#include "saltus/simulation.hpp"

namespace {

using namespace saltus::modeling;

// It sticks from the start, comes loose at asin(2/3), and sticks again for a while.
template <class Real>
struct Sledge {
  static constexpr ModelInfo info{.stop = 6.0, .tolerance = 1e-8};
  State<Real> v{"v", {.unit = "m/s", .description = "speed"}};
  Output<Real> force{"force", {.unit = "N"}};
  void equations(Equations<Real>& eq) {
    force = v > 0.0 ? -1.0 : 1.0;
    der(v) = 1.5 * sin(eq.time) + force;
  }
};

}  // namespace

TEST_CASE("a native run becomes a page with its events and where it slides", "[html_plot]") {
  const auto run = saltus::simulate<Sledge>();
  const saltus::importer::Plot plot = saltus::importer::plot_of(run);
  CHECK(plot.title == "Sledge");
  CHECK(plot.time.size() == run.rows());
  REQUIRE(plot.series.size() == run.names().size());
  CHECK(plot.series[0].name == "v");
  CHECK(plot.series[0].unit == "m/s");
  CHECK(plot.series[0].description == "speed");
  REQUIRE(plot.events.size() == 3);
  REQUIRE(plot.sliding.size() == 2);
  CHECK(plot.sliding[0].begin == 0.0);
  CHECK(std::fabs(plot.sliding[0].end - std::asin(2.0 / 3.0)) < 1e-8);
  CHECK(plot.sliding[1].begin == run.events()[1].time);
  CHECK(plot.sliding[1].end == run.events()[2].time);
  const auto file = std::filesystem::temp_directory_path() / "saltus_plot_of_run_test.html";
  write_html_plot(file, plot);
  std::ifstream in(file);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page.find("Sledge") != std::string::npos);
  std::filesystem::remove(file);
}
