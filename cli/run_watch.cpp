// SPDX-License-Identifier: BSD-2-Clause
#include "run_watch.hpp"

#include <utility>

#include "rescue.hpp"
#include "run_end.hpp"
#include "saltus/importer/fmu_process.hpp"

namespace saltus::cli {
namespace {

using namespace std::chrono_literals;

// A run that is done sooner needs no progress line.
constexpr auto kFirstLine = 500ms;
constexpr auto kBetweenLines = 200ms;

}  // namespace

RunWatch::RunWatch(const Experiment& experiment, bool show_progress,
                   std::function<void()> once_a_second)
    : time_(experiment.start),
      show_progress_(show_progress && ProgressLine::is_possible()),
      progress_(experiment),
      once_a_second_(std::move(once_a_second)),
      next_line_(Clock::now() + kFirstLine),
      next_second_(Clock::now() + 1s) {}

void RunWatch::sample(double t, Moment /*moment*/) {
  importer::end_if_copy();
  if (Rescue::is_perishing()) Rescue::await_the_end();
  if (Rescue::request() != 0) throw Interrupted();
  look(t, events_);
}

void RunWatch::look(double t, std::size_t events) {
  events_ = events;
  time_ = t;
  const Clock::time_point now = Clock::now();
  if (show_progress_ && now >= next_line_) {
    progress_.draw(t, events_);
    next_line_ = now + kBetweenLines;
  }
  if (now >= next_second_) {
    once_a_second_();
    next_second_ = now + 1s;
  }
}

void RunWatch::event(const EventRecord& /*record*/) { ++events_; }

}  // namespace saltus::cli
