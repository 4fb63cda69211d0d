// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/html_plot.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using saltus::importer::Plot;
using saltus::importer::write_html_plot;

// A file name of this test alone, gone at its end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              (std::to_string(std::hash<const void*>()(this)) + name)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string page_of(const Plot& plot) {
  const TemporaryFile file("_plot.html");
  write_html_plot(file.path(), plot);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::size_t count(std::string_view text, std::string_view wanted) {
  std::size_t found = 0;
  for (std::size_t k = text.find(wanted); k != std::string_view::npos;
       k = text.find(wanted, k + 1)) {
    ++found;
  }
  return found;
}

// What stands between `<script ... id="ID">` and the end of that script, as a browser reads it.
std::string script(const std::string& page, const std::string& id) {
  const std::size_t mark = page.find(" id=\"" + id + "\">");
  REQUIRE(mark != std::string::npos);
  const std::size_t begin = page.find('>', mark) + 1;
  return page.substr(begin, page.find("</script", begin) - begin);
}

// The inverse of the page's encoding, written independently of it: bits, six at a time.
std::vector<double> column(const std::string& page, const std::string& name) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int length = 0;
  for (const char c : script(page, "column-" + name)) {
    if (c == '=') break;
    REQUIRE(kDigits.find(c) != std::string_view::npos);
    bits = (bits << 6U) | static_cast<std::uint32_t>(kDigits.find(c));
    length += 6;
    if (length >= 8) {
      length -= 8;
      bytes.push_back(static_cast<std::uint8_t>(bits >> static_cast<unsigned>(length)));
    }
  }
  REQUIRE(bytes.size() % 8 == 0);
  std::vector<double> values;
  for (std::size_t k = 0; k < bytes.size(); k += 8) {
    std::uint64_t pattern = 0;
    for (std::size_t byte = 8; byte > 0; --byte) pattern = (pattern << 8U) | bytes[k + byte - 1];
    values.push_back(std::bit_cast<double>(pattern));
  }
  return values;
}

bool have_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// One bounce: h in m, v in m/s, both limits at the event.
Plot bounce() {
  constexpr double kBounce = 0.4515236409857309;
  Plot plot;
  plot.title = "Bouncing ball";
  plot.time = {0.0, kBounce, kBounce, 0.5};
  plot.series.push_back({"h", "m", "height", {1.0, 0.0, 0.0, 0.1387881841}});
  plot.series.push_back({"v", "m/s", "", {0.0, -4.4294469180700204, 3.100612842649014, 2.6250595}});
  plot.events.push_back({kBounce, "state", {"h <= 0"}});
  return plot;
}

}  // namespace

TEST_CASE("an HTML plot holds the doubles of the run, bit by bit", "[importer][html_plot]") {
  using Limits = std::numeric_limits<double>;
  Plot plot = bounce();
  plot.time = {-0.0, 0.1, 0.1, 0.1 + 0.2, 1e300};
  plot.series[0].values = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                           Limits::denorm_min(), Limits::max()};
  // One, two and three doubles past a multiple of three bytes end the base64 text in three ways.
  const std::size_t rows = GENERATE(0U, 1U, 2U, 3U, 4U, 5U);
  plot.time.resize(rows);
  plot.series.resize(1);
  plot.series[0].values.resize(rows);

  const std::string page = page_of(plot);
  CHECK(have_same_bits(column(page, "time"), plot.time));
  CHECK(have_same_bits(column(page, "0"), plot.series[0].values));
}

TEST_CASE("an HTML plot names its series and events", "[importer][html_plot]") {
  Plot plot = bounce();
  plot.events.push_back({0.25, "time", {}});
  plot.events.push_back({0.3, "state", {"v < 0", "h <= 0"}});
  const std::string page = page_of(plot);
  const std::string description = script(page, "description");
  CHECK(page.find("<title>Bouncing ball</title>") != std::string::npos);
  CHECK(count(description, R"({"name":"v","unit":"m/s","description":"","constant":false})") == 1);
  CHECK(have_same_bits(column(page, "events"), {0.25, 0.3, 0.4515236409857309}));
  CHECK(count(description, R"("kinds":["time","state"],"kindOfEvent":[0,1,1])") == 1);
  CHECK(count(description, R"("indicators":["v \u003c 0","h \u003c= 0"])") == 1);
  CHECK(count(description, R"("indicatorsOfEvent":[[],[0,1],[1]])") == 1);
}

TEST_CASE("an HTML plot shades where the motion slides", "[importer][html_plot]") {
  Plot plot = bounce();
  CHECK(count(script(page_of(plot), "description"), R"("sliding":[],)") == 1);
  plot.sliding = {{0.1, 0.2, 1}, {0.2, 0.4515236409857309, 2}};
  plot.events.push_back({0.1, "enter_sliding", {"v"}});
  const std::string page = page_of(plot);
  CHECK(count(script(page, "description"),
              R"("sliding":[[0.1,0.2,1],[0.2,0.4515236409857309,2]],)") == 1);
  for (const std::string_view kind : {"enter_sliding: {", "exit_sliding: {", "zeno: {"}) {
    CHECK(count(page, kind) == 1);
  }
}

TEST_CASE("an HTML plot shows its warnings", "[importer][html_plot]") {
  Plot plot = bounce();
  CHECK(count(script(page_of(plot), "description"), R"("warnings":[]})") == 1);
  plot.warnings = {"at t = 0: h: it was \"moved\""};
  CHECK(count(script(page_of(plot), "description"),
              R"("warnings":["at t = 0: h: it was \"moved\""]})") == 1);
}

TEST_CASE("no name breaks out of an HTML plot", "[importer][html_plot]") {
  const std::string attack = "</script></title><script>alert(1)</script><!--<img src=x onerror=a>";
  const std::string awkward =
      "a\"b\\c'&amp;\n\t\x01\xE2\x80\xA8 Gr\xC3\xB6\xC3\x9F"
      "e {{page.js}}";
  Plot plot = bounce();
  const std::string harmless = page_of(plot);
  plot.title = plot.subtitle = attack;
  plot.series[0].name = plot.series[0].unit = plot.series[0].description = attack;
  plot.series[1].name = awkward;
  plot.events[0] = {0.1, attack, {attack, awkward}};
  plot.warnings = {attack, awkward};

  const std::string page = page_of(plot);
  for (const std::string_view markup :
       {"<script", "</script", "<title", "</title", "<img", "<!--"}) {
    INFO(markup);
    CHECK(count(page, markup) == count(harmless, markup));
  }
  const std::string description = script(page, "description");
  CHECK(description.find_first_of("<>&") == std::string::npos);
  const std::string tamed = R"(a\"b\\c'\u0026amp;\u000a\u0009\u0001\u2028 Größe {{page.js}})";
  CHECK(count(description, tamed) == 3);
}

TEST_CASE("an HTML plot is complete and asks the network for nothing", "[importer][html_plot]") {
  const std::string page = page_of(bounce());
  const std::regex fetch(R"((src|href|url)\s*[=(]\s*["']?\s*(https?:)?//)", std::regex::icase);
  std::smatch found;
  const bool fetches = std::regex_search(page, found, fetch);
  INFO((fetches ? found.str() : ""));
  CHECK_FALSE(fetches);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("sourceMappingURL") == std::string::npos);
  CHECK(page.find("Dygraph=") != std::string::npos);
  CHECK(page.find("Permission is hereby granted, free of charge") != std::string::npos);
  CHECK_FALSE(std::regex_search(page, std::regex(R"(\{\{[a-z_.]+\}\})")));
  CHECK(page.substr(page.size() - 8) == "</html>\n");
}

TEST_CASE("an HTML plot that cannot be written names its path", "[importer][html_plot]") {
  const std::string path = "no/such/directory/ball.html";
  CHECK_THROWS_WITH(write_html_plot(path, bounce()), Catch::Contains(path));
  if (std::filesystem::exists("/dev/full")) {
    // The file opens, and the disk fills up later.
    CHECK_THROWS_WITH(write_html_plot("/dev/full", bounce()), Catch::Contains("/dev/full"));
  }
}

TEST_CASE("an HTML plot refuses rows that do not fit together", "[importer][html_plot]") {
  Plot plot = bounce();
  const TemporaryFile file("_refused.html");
  SECTION("a series that is too short") {
    plot.series[1].values.pop_back();
    CHECK_THROWS_WITH(write_html_plot(file.path(), plot),
                      Catch::Contains("\"v\" has 3 values for 4"));
  }
  SECTION("time that runs backwards") {
    plot.time[3] = 0.25;
    CHECK_THROWS_AS(write_html_plot(file.path(), plot), std::invalid_argument);
  }
  SECTION("a time that is no number") {
    plot.time[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(write_html_plot(file.path(), plot), std::invalid_argument);
  }
  SECTION("an event that never happens") {
    plot.events[0].time = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(write_html_plot(file.path(), plot), std::invalid_argument);
  }
  SECTION("sliding that overlaps") {
    plot.sliding = {{0.1, 0.3, 1}, {0.2, 0.4, 1}};
    CHECK_THROWS_AS(write_html_plot(file.path(), plot), std::invalid_argument);
  }
  SECTION("sliding without an end") {
    plot.sliding = {{0.1, std::numeric_limits<double>::infinity(), 1}};
    CHECK_THROWS_AS(write_html_plot(file.path(), plot), std::invalid_argument);
  }
  CHECK_FALSE(std::filesystem::exists(file.path()));
}
