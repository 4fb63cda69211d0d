// SPDX-License-Identifier: BSD-2-Clause
#include "isolated_run.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "output_file.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "streamed_run.hpp"

namespace saltus::cli {
namespace {

using namespace std::chrono_literals;
using Outcome = RunRecord::Outcome;

constexpr auto kLook = 5ms;
// Then it is time to look at the clock and for requests again.
constexpr std::size_t kMostAtOnce = 1000;
constexpr auto kGraceForStopping = 800ms;
constexpr auto kMostForFreeing = 10s;
// Who does not look at the clock for so long was stopped, and the FMU may have been too.
constexpr auto kPause = 1s;
constexpr int kMostRounds = 100;

}  // namespace

RunEnd IsolatedRun::run() {
  // Whatever the FMU leaves behind becomes ours, and ends with the run.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  stream_.shared().time = ports_.plan.experiment.start;  // for what is said before the first row
  const double gigabytes = ports_.options.memory_limit;
  process_.emplace([this] { StreamedRun(stream_, ports_).run(); },
                   gigabytes > 0.0 ? static_cast<std::uint64_t>(gigabytes * 1e9)
                                   : importer::default_memory_limit(),
                   -1, ports_.fmu.folder());
  try {
    while (!end_) look();
    await_the_end();
  } catch (const DamagedStream& damage) {
    process_->end();
    end_.reset();
    report_death(damage.what());
  } catch (...) {
    process_->end();
    end_what_is_left();
    throw;
  }
  end_what_is_left();
  return *end_;
}

void IsolatedRun::look() {
  const bool received = receive();
  if (!end_) watch_process();
  try {
    ports_.look(stream_.shared().time, stream_.shared().events);
  } catch (const std::filesystem::filesystem_error& error) {
    process_->end();
    end_ = RunEnd{.error = explain(error)};
  }
  heed_stop_request();
  if (!end_ && !received) stream_.wait(kLook);
}

/// Processes that the FMU has started and that have outlived their parent are our children now.
void IsolatedRun::end_what_is_left() {
  for (int rounds = 0; rounds < kMostRounds; ++rounds) {
    std::ifstream children(fmt::format("/proc/self/task/{}/children", ::getpid()));
    pid_t child = 0;
    bool found = false;
    while (children >> child) {
      found = true;
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    if (!found) return;
  }
}

/// Whether there was anything.
bool IsolatedRun::receive() {
  std::size_t received = 0;
  while (received < kMostAtOnce && stream_.receive()) {
    ++received;
    take(stream_.get<std::uint32_t>());
  }
  return received > 0;
}

void IsolatedRun::take(std::uint32_t kind) {
  switch (static_cast<Streamed>(kind)) {
    case Streamed::columns: {
      std::vector<importer::RecordedColumn> columns(stream_.get_count());
      text_columns_.clear();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].name = stream_.get_text();
        columns[i].unit = stream_.get_text();
        columns[i].description = stream_.get_text();
        columns[i].type = stream_.get<importer::VariableType>();
        columns[i].may_be_nan = stream_.get<bool>();
        if (importer::needs_text(columns[i].type)) text_columns_.push_back(i);
      }
      texts_.assign(columns.size(), {});
      has_begun_ = true;
      ports_.begin();
      ports_.rows.begin(columns);
      break;
    }
    case Streamed::row: {
      const auto t = stream_.get<double>();
      const auto surfaces = stream_.get<std::size_t>();
      stream_.get_all<double>(numbers_);
      for (const std::size_t i : text_columns_) texts_[i] = stream_.get_text();
      if (numbers_.size() != texts_.size()) throw DamagedStream();
      ports_.rows.row(t, numbers_, texts_, surfaces);
      break;
    }
    case Streamed::event: {
      importer::RecordedEvent event;
      event.time = stream_.get<double>();
      event.kind = stream_.get<EventKind>();
      event.indicators.resize(stream_.get_count());
      for (std::string& name : event.indicators) name = stream_.get_text();
      stream_.get_all<IndicatorChange>(event.changes);
      event.changes.resize(event.indicators.size(), IndicatorChange::unknown);
      stream_.get_all<double>(event.time_sensitivities);
      ports_.rows.event(std::move(event));
      break;
    }
    case Streamed::warning: {
      Warning warning;
      warning.time = stream_.get<double>();
      warning.subject = stream_.get_text();
      warning.message = stream_.get_text();
      ports_.warn(warning);
      break;
    }
    case Streamed::call:
      ports_.log.call(stream_.get_text());
      break;
    case Streamed::message: {
      importer::LogMessage message;
      message.status = stream_.get_text();
      message.category = stream_.get_text();
      message.text = stream_.get_text();
      if (ports_.instance.on_message) ports_.instance.on_message(message);
      break;
    }
    case Streamed::refused:
      throw_refusal(stream_);
    case Streamed::end:
      if (!has_begun_) throw DamagedStream();
      end_ = get_end(stream_);
      if (end_->outcome == Outcome::interrupted) {
        const int signal = ports_.stop_request();
        if (signal == 0) throw DamagedStream();
        end_->exit_code = kEndedBySignal + signal;
      }
      break;
    default:
      throw DamagedStream();
  }
}

std::string IsolatedRun::where() const {
  const std::string function = call_name(stream_.shared().call);
  if (function.empty()) return "between two calls of the FMU";
  return function == "dlclose" ? "dlclose, which calls what the FMU left with atexit" : function;
}

void IsolatedRun::watch_process() {
  if (process_->has_ended()) {
    while (receive()) {  // what it had written before
    }
    if (!end_) report_death(process_->how());
    return;
  }
  const RunStream::Shared& shared = stream_.shared();
  const std::uint64_t count = shared.call.count;
  const double limit = ports_.options.call_time_limit;
  const auto now = Clock::now();
  if (now - last_look_ > kPause) last_change_ += now - last_look_;
  last_look_ = now;
  if (count != last_count_ || shared.call.function == nullptr) {
    last_count_ = count;
    last_change_ = now;
  } else if (limit > 0.0 && std::chrono::duration<double>(now - last_change_).count() > limit) {
    process_->end();
    while (receive()) {
    }
    if (!end_)
      report_death(fmt::format("did not return within {} s (see --call-time-limit)", limit));
  }
}

/// The run is asked first, and ended where it does not listen.
void IsolatedRun::heed_stop_request() {
  const int signal = ports_.stop_request();
  if (signal == 0 || end_) return;
  stream_.shared().stop_request = signal;
  if (!asked_to_stop_) asked_to_stop_ = Clock::now();
  if (Clock::now() - *asked_to_stop_ < kGraceForStopping) return;
  process_->end();
  while (receive()) {
  }
  if (!end_) {
    end_ = RunEnd{.outcome = Outcome::interrupted,
                  .exit_code = kEndedBySignal + signal,
                  .error = fmt::format("interrupted by SIG{} after t = {}", ::sigabbrev_np(signal),
                                       stream_.shared().time.load())};
  }
}

void IsolatedRun::report_death(const std::string& how) {
  // While it is loaded there are no calls before it.
  const bool has_calls = !ports_.options.log_fmi_calls && where() != "dlopen";
  const char* remedy = process_->was_short_of_memory() ? " (see --memory-limit)"
                       : has_calls ? "; --log-fmi-calls shows the calls before it"
                                   : "";
  if (!has_begun_) {
    throw importer::FmuError(ports_.fmu.path().string(), where(), 0, "the FMU " + how + remedy);
  }
  end_ = RunEnd{.error = fmt::format("{} after t = {}: the FMU {}{}", where(),
                                     stream_.shared().time.load(), how, remedy)};
}

/// The results are whole; what the FMU says while it is freed is still heard, and what it does
/// there is worth a warning.
void IsolatedRun::await_the_end() {
  std::chrono::duration<double> most = kMostForFreeing;
  if (ports_.options.call_time_limit > 0.0) {
    most = std::min(most, std::chrono::duration<double>(ports_.options.call_time_limit));
  }
  const auto deadline = Clock::now() + most;
  std::optional<Clock::time_point> asked;
  const auto is_patient = [&] {
    if (!asked && ports_.stop_request() != 0) asked = Clock::now();
    return Clock::now() < deadline && (!asked || Clock::now() < *asked + kGraceForStopping);
  };
  while (!process_->has_ended() && is_patient()) {
    if (!receive()) stream_.wait(1ms);
  }
  std::string problem;
  if (!process_->has_ended()) {
    problem = asked ? fmt::format("was ended by SIG{}", ::sigabbrev_np(ports_.stop_request()))
                    : fmt::format("does not end, and was given {} s", most.count());
    process_->end();
  } else if (!process_->ended_well()) {
    problem = process_->how();
  }
  while (receive()) {
  }
  if (problem.empty() || end_->exit_code != kDone) return;
  ports_.warn(
      {.time = stream_.shared().time,
       .subject = "",
       .message = fmt::format("{}: the FMU {}; the results are complete", where(), problem)});
}

}  // namespace saltus::cli
