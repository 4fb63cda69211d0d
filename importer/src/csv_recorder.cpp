// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/csv_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <stdexcept>

namespace saltus::importer {
namespace {

constexpr const char* kSlidingColumn = "sliding_surfaces";

}  // namespace

struct Recorder::State {
  State(const VariableAccess& access, RecorderOptions chosen, std::function<void(double)> before);

  /// Variables that one call reads.
  struct Group {
    VariableType type = VariableType::float64;
    std::vector<ValueReference> references;
    std::vector<std::size_t> columns;
    std::vector<char> is_continuous;  // column by column
    std::vector<double> numbers;
  };
  /// A variable that is read alone.
  struct Single {
    const Variable* variable = nullptr;
    std::size_t first_column = 0;
  };
  void add(const Variable& variable, const std::string& name);
  void read();
  void hide_ticks();
  void read_combined();
  void combine(double weight);

  const VariableAccess* variables;
  RecorderOptions options;
  std::function<void(double)> bring_to;
  std::function<std::string(std::size_t)> indicator_name;
  struct Sliding {
    FmuModel& fmu;
    SlidingModel& model;
    const IntegratedModel& system;
  };
  std::optional<Sliding> sliding;
  std::vector<Group> groups;
  std::vector<Single> singles;
  std::vector<RecordedColumn> columns;
  std::size_t first_more = 0;
  RecordedRun run;
  RunSink* sink;
  std::optional<double> last_time;
  std::vector<double> row_numbers;
  std::vector<std::string> row_texts;
};

Recorder::State::State(const VariableAccess& access, RecorderOptions chosen,
                       std::function<void(double)> before)
    : variables(&access),
      options(std::move(chosen)),
      bring_to(std::move(before)),
      run(options.stream, options.keep),
      sink(options.sink != nullptr ? options.sink : &run) {
  if (options.variables.empty()) options.variables = default_recorded(access.description());
  for (const std::string& name : options.variables) add(access.variable(name), name);
  first_more = columns.size();
  columns.insert(columns.end(), options.more.begin(), options.more.end());
  if (options.mark_sliding) {
    columns.push_back({.name = kSlidingColumn,
                       .unit = "",
                       .description = "switching surfaces on which the motion slides",
                       .type = VariableType::int32,
                       .may_be_nan = false,
                       .values = {},
                       .texts = {}});
  }
  row_numbers.assign(columns.size(), 0.0);
  row_texts.assign(columns.size(), {});
  sink->begin(columns);
}

void Recorder::State::add(const Variable& variable, const std::string& name) {
  variables->hold(variable);
  const std::vector<std::size_t> sizes = variables->sizes(variable);
  const std::size_t count = variables->element_count(variable);
  const std::size_t first = columns.size();
  for (std::size_t i = 0; i < count; ++i) {
    columns.push_back({.name = element_name(name, sizes, i, variable.indices_from_zero),
                       .unit = variable.unit,
                       .description = variable.description,
                       .type = variable.type,
                       .may_be_nan = false,
                       .values = {},
                       .texts = {}});
  }
  if (needs_text(variable.type) || variable.type == VariableType::clock ||
      !variable.clocks.empty()) {
    singles.push_back({.variable = &variable, .first_column = first});
    return;
  }
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const Group& known) { return known.type == variable.type; });
  if (group == groups.end()) {
    groups.push_back({.type = variable.type,
                      .references = {},
                      .columns = {},
                      .is_continuous = {},
                      .numbers = {}});
    group = std::prev(groups.end());
  }
  if (count > 0) group->references.push_back(variable.reference);
  for (std::size_t i = 0; i < count; ++i) group->columns.push_back(first + i);
  group->is_continuous.resize(group->columns.size(),
                              variable.variability == Variability::continuous ? 1 : 0);
  group->numbers.resize(group->columns.size());
}

void Recorder::State::read() {
  for (Group& group : groups) {
    variables->read_numbers(group.type, group.references, group.numbers);
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      row_numbers[group.columns[i]] = group.numbers[i];
    }
  }
  for (const Single& single : singles) {
    const Value value = variables->read(*single.variable);
    for (std::size_t i = 0; i < value.size(); ++i) {
      row_numbers[single.first_column + i] = to_number(value[i]);
      row_texts[single.first_column + i] = format_scalar(value[i]);
    }
  }
}

/// The left limit of an event is not what ticks at it, though it may tick at this very time.
void Recorder::State::hide_ticks() {
  for (const Single& single : singles) {
    if (single.variable->type == VariableType::clock) row_numbers[single.first_column] = 0.0;
  }
}

/// The configuration with the largest weight is read whole and first; the others then pull its
/// continuous variables towards theirs, so that what is the same in all of them stays so bitwise.
void Recorder::State::read_combined() {
  const double t = sliding->system.time();
  Configurations& sides = *sliding->fmu.configurations();
  const Configurations::Slot selected = sides.selected();
  const std::vector<WeightedConfiguration> parts =
      sliding->model.weights(t, sliding->system.unknowns().first(sliding->fmu.shape().states));
  const auto move_to = [&](const WeightedConfiguration& part) {
    sides.select(part.slot);
    sliding->fmu.move_to(t, part.y);
  };
  const auto heaviest =
      std::max_element(parts.begin(), parts.end(),
                       [](const WeightedConfiguration& a, const WeightedConfiguration& b) {
                         return a.weight < b.weight;
                       });
  move_to(*heaviest);
  read();
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == heaviest || part->weight == 0.0) continue;
    move_to(*part);
    combine(part->weight);
  }
  sides.select(selected);
}

void Recorder::State::combine(double weight) {
  for (Group& group : groups) {
    if (std::count(group.is_continuous.begin(), group.is_continuous.end(), 1) == 0) continue;
    const std::vector<double> main = group.numbers;
    variables->read_numbers(group.type, group.references, group.numbers);
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      if (group.is_continuous[i] == 0 || group.numbers[i] == main[i]) continue;
      row_numbers[group.columns[i]] += weight * (group.numbers[i] - main[i]);
    }
    group.numbers = main;
  }
}

Recorder::Recorder(const VariableAccess& variables, RecorderOptions options,
                   std::function<void(double)> bring_to)
    : state_(std::make_unique<State>(variables, std::move(options), std::move(bring_to))) {}

Recorder::Recorder(CoSimulationFmu& fmu, RecorderOptions options)
    : Recorder(fmu.variables(), std::move(options)) {}

Recorder::Recorder(FmuModel& fmu, const IntegratedModel& system, RecorderOptions options)
    : Recorder(fmu.variables(), std::move(options),
               [&fmu, &system](double) { fmu.move_to(system.time(), system.unknowns()); }) {
  state_->indicator_name = [&system](std::size_t i) { return system.indicator_name(i); };
}

Recorder::Recorder(FmuModel& fmu, SlidingModel& sliding, const IntegratedModel& system,
                   RecorderOptions options)
    : Recorder(fmu, system, std::move(options)) {
  if (fmu.configurations() == nullptr) return;
  state_->sliding.emplace(State::Sliding{.fmu = fmu, .model = sliding, .system = system});
}

Recorder::~Recorder() {
  if (state_->options.stream != nullptr) state_->options.stream->flush();
}

void Recorder::sample(double t, Moment moment) {
  State& s = *state_;
  // The end of a run is often a report or an event too, and has been seen then.
  if (moment == Moment::final && s.last_time == t) return;
  // What was set at a communication point shows with the next step.
  if (!s.variables->can_be_read()) return;
  const std::size_t surfaces = s.sliding ? s.sliding->model.surfaces() : 0;
  if (surfaces > 0) {
    s.read_combined();
  } else {
    if (s.bring_to) s.bring_to(t);
    s.read();
  }
  if (s.options.read_more) {
    s.options.read_more(Vec(s.row_numbers).subspan(s.first_more, s.options.more.size()));
  }
  if (moment == Moment::before_event) s.hide_ticks();
  if (s.options.mark_sliding) s.row_numbers.back() = static_cast<double>(surfaces);
  s.sink->row(t, s.row_numbers, s.row_texts, surfaces);
  s.last_time = t;
}

void Recorder::event(const EventRecord& record) {
  RecordedEvent event{.time = record.time,
                      .kind = record.kind,
                      .indicators = {},
                      .changes = {record.changes.begin(), record.changes.end()}};
  if (state_->options.event_time_sensitivities) {
    event.time_sensitivities = state_->options.event_time_sensitivities();
  }
  for (const std::size_t i : record.indicators) {
    event.indicators.push_back(state_->indicator_name ? state_->indicator_name(i)
                                                      : fmt::format("indicator {}", i));
  }
  event.changes.resize(event.indicators.size(), IndicatorChange::unknown);
  state_->sink->event(std::move(event));
}

const RecordedRun& Recorder::run() const { return state_->run; }
ConstVec Recorder::last_row() const { return state_->row_numbers; }

std::vector<std::string> default_recorded(const ModelDescription& description) {
  std::vector<std::string> names;
  const auto add = [&](const Variable& variable) {
    if (std::find(names.begin(), names.end(), variable.name) == names.end()) {
      names.push_back(variable.name);
    }
  };
  for (const Unknown& output : description.structure.outputs) {
    add(description.variables[output.variable]);
  }
  // Those that the model structure forgets are outputs all the same.
  for (const Variable& variable : description.variables) {
    if (variable.causality == Causality::output) add(variable);
  }
  for (const Unknown& derivative : description.structure.continuous_state_derivatives) {
    if (const Variable* state = description.state_of(derivative)) add(*state);
  }
  for (const Variable& variable : description.variables) {
    if (variable.type == VariableType::clock && variable.causality == Causality::input) {
      add(variable);
    }
  }
  return names;
}

}  // namespace saltus::importer
