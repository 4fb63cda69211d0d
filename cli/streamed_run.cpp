// SPDX-License-Identifier: BSD-2-Clause
#include "streamed_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>

#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "saltus/importer/fmu_process.hpp"

namespace saltus::cli {
namespace {

/// Why a run cannot begin.
enum class Refusal : std::uint32_t { usage, input, fmu, model, other };

class StreamedRows : public importer::RunSink {
 public:
  explicit StreamedRows(RunStream& stream) : stream_(stream) {}

  void begin(const std::vector<importer::RecordedColumn>& columns) override {
    stream_.put(Streamed::columns);
    stream_.put(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      stream_.put_text(columns[i].name);
      stream_.put_text(columns[i].unit);
      stream_.put_text(columns[i].description);
      stream_.put(columns[i].type);
      stream_.put(columns[i].may_be_nan);
      if (importer::needs_text(columns[i].type)) text_columns_.push_back(i);
    }
    stream_.send();
  }
  void row(double t, ConstVec numbers, std::span<const std::string> texts,
           std::size_t surfaces) override {
    stream_.put(Streamed::row);
    stream_.put(t);
    stream_.put(surfaces);
    stream_.put_all(numbers);
    for (const std::size_t i : text_columns_) stream_.put_text(texts[i]);
    stream_.send();
  }
  void event(importer::RecordedEvent event) override {
    stream_.put(Streamed::event);
    stream_.put(event.time);
    stream_.put(event.kind);
    stream_.put(event.indicators.size());
    for (const std::string& name : event.indicators) stream_.put_text(name);
    stream_.put_all(std::span<const IndicatorChange>(event.changes));
    stream_.put_all(std::span<const double>(event.time_sensitivities));
    stream_.send();
  }

 private:
  RunStream& stream_;
  std::vector<std::size_t> text_columns_;
};

class StreamedCalls : public importer::CallLog {
 public:
  explicit StreamedCalls(RunStream& stream) : stream_(stream) {}
  void call(std::string_view line) override {
    stream_.put(Streamed::call);
    stream_.put_text(line);
    stream_.send();
  }

 private:
  RunStream& stream_;
};

/// Says how far the run is, and stops it where it is asked to.
class StreamedWatch : public Observer {
 public:
  explicit StreamedWatch(RunStream& stream) : shared_(stream.shared()) {}
  void sample(double t, Moment /*moment*/) override {
    importer::end_if_copy();
    if (shared_.stop_request != 0) throw Interrupted();
    shared_.time = t;
  }
  void event(const EventRecord& /*record*/) override { ++shared_.events; }

 private:
  RunStream::Shared& shared_;
};

void put_refusal(RunStream& stream) {
  const std::string thrower = call_name(*importer::call_under_way);
  const auto put = [&](Refusal kind, std::string text) {
    if (!thrower.empty()) {  // not ours, whatever its type
      kind = Refusal::fmu;
      text = left_by_exception(thrower, text);
    }
    stream.put(Streamed::refused);
    stream.put(kind);
    stream.put_text(text);
  };
  try {
    throw;
  } catch (const UsageError& error) {
    put(Refusal::usage, error.what());
  } catch (const importer::InputError& error) {
    put(Refusal::input, error.what());
  } catch (const importer::FmuError& error) {
    put(Refusal::fmu, error.what());
  } catch (const ModelError& error) {
    put(Refusal::model, error.what());
  } catch (const std::exception& error) {
    put(Refusal::other, error.what());
  } catch (...) {
    put(Refusal::other, "");
  }
  stream.send();
  stream.ring();
}

void put_end(RunStream& stream, const RunEnd& end) {
  stream.put(Streamed::end);
  stream.put(end.outcome);
  stream.put(end.exit_code);
  stream.put_text(end.error);
  stream.put(end.is_dae);
  stream.put(end.uses_event_mode);
  stream.put(end.cost.has_value());
  if (end.cost) stream.put(*end.cost);
  stream.put(end.methods.size());
  for (const MethodChoice& choice : end.methods) {
    stream.put(choice.time);
    stream.put(choice.method);
    stream.put_text(choice.why);
  }
  stream.send();
  stream.ring();
}

}  // namespace

void throw_refusal(RunStream& stream) {
  const auto kind = stream.get<Refusal>();
  const std::string text = stream.get_text();
  if (kind == Refusal::usage || kind == Refusal::input) throw UsageError(text);
  if (kind == Refusal::fmu) throw UnusableFmu(text);
  throw RunRefused(text);
}

RunEnd get_end(RunStream& stream) {
  RunEnd end;
  end.outcome = stream.get<RunRecord::Outcome>();
  end.exit_code = stream.get<int>();
  const bool is_done = end.outcome == RunRecord::Outcome::reached_stop ||
                       end.outcome == RunRecord::Outcome::terminated_by_model;
  if (is_done != (end.exit_code == kDone) || end.outcome > RunRecord::Outcome::interrupted) {
    throw DamagedStream();
  }
  end.error = stream.get_text();
  end.is_dae = stream.get<bool>();
  end.uses_event_mode = stream.get<bool>();
  if (stream.get<bool>()) end.cost = stream.get<RunCost>();
  end.methods.resize(stream.get_count());
  for (MethodChoice& choice : end.methods) {
    choice.time = stream.get<double>();
    choice.method = stream.get<Method>();
    choice.why = stream.get_text();
  }
  return end;
}

importer::InstanceOptions StreamedRun::instance_options(importer::CallLog& calls) {
  importer::InstanceOptions instance = ports_.instance;
  if (instance.call_log != nullptr) instance.call_log = &calls;
  instance.on_message = [this](const importer::LogMessage& message) {
    stream_.put(Streamed::message);
    stream_.put_text(message.status);
    stream_.put_text(message.category);
    stream_.put_text(message.text);
    stream_.send();
  };
  return instance;
}

namespace {

/// Beside the one that runs the FMU and the one that looks after the parent, threads are the FMU's.
bool fmu_has_threads() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return error || std::distance(begin(threads), end(threads)) > 2;
}

}  // namespace

void StreamedRun::run() {
  importer::call_under_way = &stream_.shared().call;
  StreamedCalls calls(stream_);
  StreamedRows rows(stream_);
  StreamedWatch watch(stream_);
  RunPlan plan = ports_.plan;
  plan.experiment.warnings = std::make_shared<Warnings>();
  plan.experiment.warnings->listen([this](const Warning& warning) {
    stream_.put(Streamed::warning);
    stream_.put(warning.time);
    stream_.put_text(warning.subject);
    stream_.put_text(warning.message);
    stream_.send();
  });
  std::unique_ptr<Simulation> simulation;
  try {
    simulation =
        std::make_unique<Simulation>(ports_.fmu, plan, instance_options(calls), ports_.inputs);
    simulation->check_recordable(ports_.options.output_variables);
    simulation->record({.variables = ports_.options.output_variables,
                        .mark_sliding = plan.mark_sliding,
                        .sink = &rows});
  } catch (...) {
    put_refusal(stream_);
    return;
  }
  RunStream::Shared& shared = stream_.shared();
  put_end(stream_, run_to_the_end(
                       *simulation, plan, watch, [&] { return shared.stop_request.load(); },
                       [&] { return shared.time.load(); }));
  simulation.reset();
  // Threads that live on would run into code that is gone, as those of a pool do that has done
  // nothing wrong.
  if (!fmu_has_threads()) ports_.fmu.unload();
}

}  // namespace saltus::cli
