// SPDX-License-Identifier: BSD-2-Clause
#include "clocked.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "saltus/control/mode_controller.hpp"
#include "saltus/importer/driven_fmu.hpp"
#include "zip_writer.hpp"

namespace fs = std::filesystem;
using namespace saltus;
using namespace saltus::importer;

namespace {

std::string attribute(const std::string& line, const std::string& name) {
  const std::size_t begin = line.find(" " + name + "=\"");
  if (begin == std::string::npos) return {};
  const std::size_t value = begin + name.size() + 3;
  return line.substr(value, line.find('"', value) - value);
}

/// Leaves out clocks, variables that belong to no other, and their entries in the structure.
std::string with_clocks(const std::string& description, const std::vector<std::string>& clocks) {
  std::istringstream lines(description);
  std::set<std::string> gone;
  std::string result;
  for (std::string line; std::getline(lines, line); result += line + "\n") {
    const std::string reference = attribute(line, "valueReference");
    const bool is_clock = line.find("<Clock ") != std::string::npos;
    const std::string belongs = attribute(line, "clocks");
    bool is_gone = is_clock &&
                   std::find(clocks.begin(), clocks.end(), attribute(line, "name")) == clocks.end();
    if (!belongs.empty()) {
      std::istringstream references(belongs);
      std::string left;
      for (std::string one; references >> one;) {
        if (!gone.contains(one)) left += (left.empty() ? "" : " ") + one;
      }
      line = with(line, "clocks=\"" + belongs, "clocks=\"" + left);
      is_gone = left.empty();
    }
    is_gone = is_gone || (!reference.empty() && gone.contains(reference));
    if (!is_gone) continue;
    gone.insert(reference);
    line.clear();
  }
  return result;
}

}  // namespace

fs::path clock_fmu(const Scratch& scratch, const std::vector<std::string>& clocks,
                   const std::vector<std::pair<std::string, std::string>>& changes) {
  const Fmu opened = Fmu::open(plain_fmu("clocks"));
  ZipWriter writer;
  for (const auto& entry : fs::recursive_directory_iterator(opened.folder())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (entry.path().filename() == "modelDescription.xml") {
      content = with_clocks(content, clocks);
      for (const auto& [from, to] : changes) content = with(content, from, to);
    }
    writer.add(fs::relative(entry.path(), opened.folder()).string(), content);
  }
  const fs::path file = scratch.file("some_clocks.fmu");
  writer.save(file);
  return file;
}

std::vector<double> ClockRun::ticks(const std::string& clock) const {
  std::vector<double> found;
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (columns.at(clock)[row] != 0.0) found.push_back(times[row]);
  }
  return found;
}

std::vector<double> ClockRun::at_ticks(const std::string& clock, const std::string& column) const {
  std::vector<double> found;
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (columns.at(clock)[row] != 0.0) found.push_back(columns.at(column)[row]);
  }
  return found;
}

bool ClockRun::warns_of(const std::string& subject, const std::string& words) const {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& warning) {
    return warning.subject == subject && warning.message.find(words) != std::string::npos;
  });
}

ClockRun run_clocks(const fs::path& path, const std::string& interface,
                    const ClockRunOptions& options) {
  Fmu fmu = Fmu::open(path);
  const InputTable table = options.inputs.empty() ? InputTable::parse("time\n0\n", "none")
                                                  : InputTable::parse(options.inputs, "inputs");
  DrivenFmu driven(fmu, "clocks",
                   {.co_simulation = interface == "cs", .scheduled_execution = interface == "se"},
                   {.start_values = options.start_values,
                    .call_log = options.calls,
                    .event_mode = options.event_mode,
                    .step_size = options.step_size},
                   options.inputs.empty() ? nullptr : &table);
  const auto recorder = driven.recorder({.variables = options.variables});
  ModeController controller(driven.system(), {.report_interval = options.report_interval});
  controller.add(*recorder);
  const RunResult result = controller.run({.start = options.start, .stop = options.stop});
  ClockRun run{.times = {recorder->times().begin(), recorder->times().end()},
               .columns = {},
               .warnings = result.warnings};
  for (const RecordedColumn& column : recorder->columns()) run.columns[column.name] = column.values;
  return run;
}
