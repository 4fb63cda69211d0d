// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/html_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "plot_encoding.hpp"
#include "plot_page.hpp"

namespace saltus::importer {
namespace {

void check(const Plot& plot) {
  const auto is_finite = [](double t) { return std::isfinite(t); };
  if (!std::all_of(plot.time.begin(), plot.time.end(), is_finite)) {
    throw std::invalid_argument("plot: a time is not finite");
  }
  const auto drop = std::is_sorted_until(plot.time.begin(), plot.time.end());
  if (drop != plot.time.end()) {
    throw std::invalid_argument(fmt::format("plot: time decreases from {} to {} in row {}",
                                            *std::prev(drop), *drop, drop - plot.time.begin()));
  }
  for (const PlotSeries& series : plot.series) {
    if (series.values.size() != plot.time.size()) {
      throw std::invalid_argument(fmt::format("plot: series \"{}\" has {} values for {} times",
                                              series.name, series.values.size(), plot.time.size()));
    }
  }
  for (const PlotEvent& event : plot.events) {
    if (!std::isfinite(event.time)) {
      throw std::invalid_argument(
          fmt::format("plot: an event of kind \"{}\" has the time {}", event.kind, event.time));
    }
  }
  double end = -std::numeric_limits<double>::infinity();
  for (const PlotSliding& phase : plot.sliding) {
    if (!(phase.begin >= end && phase.end >= phase.begin &&
          std::isfinite(phase.end - phase.begin))) {
      throw std::invalid_argument(
          fmt::format("plot: sliding from {} to {} is out of order", phase.begin, phase.end));
    }
    end = phase.end;
  }
}

// Nothing to see: the values are all the same, or all NaN.
bool is_constant(std::span<const double> values) {
  const auto differ = [](double a, double b) {
    return a != b && !(std::isnan(a) && std::isnan(b));
  };
  return std::adjacent_find(values.begin(), values.end(), differ) == values.end();
}

// Strings that recur in many events, each stored once and then called by its number.
class NameTable {
 public:
  std::size_t number_of(const std::string& name) {
    const auto [entry, is_new] = numbers_.try_emplace(name, numbers_.size());
    if (is_new) json_.push_back(json_string(name));
    return entry->second;
  }

  std::string json() const { return fmt::format("[{}]", fmt::join(json_, ",")); }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> json_;
};

std::vector<const PlotEvent*> in_order_of_time(const std::vector<PlotEvent>& events) {
  std::vector<const PlotEvent*> ordered;
  ordered.reserve(events.size());
  for (const PlotEvent& event : events) ordered.push_back(&event);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const PlotEvent* a, const PlotEvent* b) { return a->time < b->time; });
  return ordered;
}

// Everything but the numbers; data.js reads it.
std::string description(const Plot& plot, const std::vector<const PlotEvent*>& events) {
  std::vector<std::string> series;
  for (const PlotSeries& one : plot.series) {
    series.push_back(fmt::format("\n{{\"name\":{},\"unit\":{},\"description\":{},\"constant\":{}}}",
                                 json_string(one.name), json_string(one.unit),
                                 json_string(one.description), is_constant(one.values)));
  }
  NameTable kinds;
  NameTable indicators;
  std::vector<std::size_t> kind_of_event;
  std::vector<std::string> indicators_of_event;
  for (const PlotEvent* event : events) {
    kind_of_event.push_back(kinds.number_of(event->kind));
    std::vector<std::size_t> numbers;
    for (const std::string& name : event->indicators) numbers.push_back(indicators.number_of(name));
    indicators_of_event.push_back(fmt::format("[{}]", fmt::join(numbers, ",")));
  }
  std::vector<std::string> notes_of_event;
  bool has_notes = false;
  for (const PlotEvent* event : events) {
    std::vector<std::string> notes;
    for (const std::string& note : event->notes) notes.push_back(json_string(note));
    has_notes = has_notes || !notes.empty();
    notes_of_event.push_back(fmt::format("[{}]", fmt::join(notes, ",")));
  }
  if (!has_notes) notes_of_event.clear();
  std::vector<std::string> sliding;
  for (const PlotSliding& phase : plot.sliding) {
    sliding.push_back(fmt::format("[{},{},{}]", phase.begin, phase.end, phase.surfaces));
  }
  std::vector<std::string> warnings;
  for (const std::string& warning : plot.warnings) warnings.push_back(json_string(warning));
  return fmt::format(
      "{{\"title\":{},\"subtitle\":{},\"series\":[{}],\n\"kinds\":{},\"kindOfEvent\":[{}],\n"
      "\"indicators\":{},\"indicatorsOfEvent\":[{}],\n\"notesOfEvent\":[{}],\n\"sliding\":[{}],\n"
      "\"warnings\":[{}]}}",
      json_string(plot.title), json_string(plot.subtitle), fmt::join(series, ","), kinds.json(),
      fmt::join(kind_of_event, ","), indicators.json(), fmt::join(indicators_of_event, ","),
      fmt::join(notes_of_event, ","), fmt::join(sliding, ","), fmt::join(warnings, ","));
}

void write_column(std::ostream& out, std::string_view name, std::span<const double> values) {
  std::string text = fmt::format("<script type=\"text/plain\" id=\"column-{}\">", name);
  append_base64(text, values);
  out << text << "</script>\n";
}

void write_columns(std::ostream& out, const Plot& plot,
                   const std::vector<const PlotEvent*>& events) {
  std::vector<double> event_times;
  event_times.reserve(events.size());
  for (const PlotEvent* event : events) event_times.push_back(event->time);
  write_column(out, "time", plot.time);
  write_column(out, "events", event_times);
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    write_column(out, std::to_string(k), plot.series[k].values);
  }
}

// The last line of a minified file names its source map. A browser's debugger would look for it on
// disk.
std::string_view without_source_map(std::string_view text) {
  const std::size_t mark = text.rfind("# sourceMappingURL=");
  return mark == std::string_view::npos ? text : text.substr(0, text.rfind('\n', mark));
}

// Writes the template; each {{name}} in it is a part of the plot or an embedded file.
void write_page(std::ostream& out, const Plot& plot) {
  const std::vector<const PlotEvent*> events = in_order_of_time(plot.events);
  std::string_view rest = embedded::plot_page("page.html.in");
  for (;;) {
    const std::size_t open = rest.find("{{");
    out << rest.substr(0, open);
    if (open == std::string_view::npos) return;
    const std::size_t close = rest.find("}}", open);
    const std::string_view name = rest.substr(open + 2, close - open - 2);
    if (name == "title") {
      out << html_text(plot.title);
    } else if (name == "description") {
      out << description(plot, events);
    } else if (name == "columns") {
      write_columns(out, plot, events);
    } else {
      out << without_source_map(embedded::plot_page(name));
    }
    rest.remove_prefix(close + 2);
  }
}

}  // namespace

void write_html_plot(std::ostream& out, const Plot& plot) {
  check(plot);
  write_page(out, plot);
}

void write_html_plot(const std::filesystem::path& file, const Plot& plot) {
  check(plot);
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (out) write_page(out, plot);
  out.close();
  if (!out) {
    const int reason = errno != 0 ? errno : EIO;
    throw std::filesystem::filesystem_error("cannot write the plot", file,
                                            std::error_code(reason, std::generic_category()));
  }
}

}  // namespace saltus::importer
