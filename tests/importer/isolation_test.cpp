// SPDX-License-Identifier: BSD-2-Clause
// An instance in a process of its own answers as one in this process does, and what it breaks is
// its own.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cfenv>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/driven_fmu.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/importer/input_table.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;

namespace {

std::string shipped(const std::string& name) {
  return std::string(SALTUS_SHIPPED_FMU_DIR) + "/" + name + ".fmu";
}

/// All that is seen of a run. Numbers are written so that equal texts are equal bits.
struct Seen {
  std::string rows;
  std::vector<std::string> calls;
  std::vector<std::string> messages;
};
Seen seen(const std::string& path, const DriveOptions& drive, InstanceOptions options,
          double stop) {
  Seen result;
  RecordedCalls calls;
  options.call_log = &calls;
  options.logging = true;
  options.on_message = [&](const LogMessage& message) {
    result.messages.push_back(message.status + message.category + message.text);
  };
  std::ostringstream rows;
  {
    Fmu fmu = Fmu::open(path);
    DrivenFmu driven(fmu, "it", drive, options);
    const auto recorder = driven.recorder({.stream = &rows});
    ModeController controller(driven.system(), {.report_interval = stop / 20.0});
    controller.add(*recorder);
    controller.run({.stop = stop, .tolerance = 1e-6});
  }
  result.rows = rows.str();
  for (const std::string& line : calls.lines()) {
    result.calls.push_back(line.substr(0, line.find("esource")));  // where folders differ
  }
  return result;
}

void check_equal(const std::string& path, const DriveOptions& drive, double stop) {
  INFO(path << (drive.co_simulation ? ", cs" : ", me"));
  const Seen here = seen(path, drive, {}, stop);
  const Seen there = seen(path, drive, {.isolated = true}, stop);
  CHECK(here.rows.size() > 100);
  CHECK(here.rows == there.rows);
  CHECK(here.messages == there.messages);
  CHECK(here.calls.size() > 10);
  CHECK(here.calls.front() == there.calls.front());
  CHECK(here.calls.back() == there.calls.back());
}

#if defined(SALTUS_SABOTEUR_FMU)
/// What the FMU is to do, see tests/cli/saboteur.
class Wish {
 public:
  explicit Wish(const char* wish) { ::setenv("SALTUS_SABOTAGE", wish, 1); }
  Wish(const Wish&) = delete;
  Wish& operator=(const Wish&) = delete;
  ~Wish() { ::unsetenv("SALTUS_SABOTAGE"); }
};

void run_saboteur(bool co_simulation) {
  seen(SALTUS_SABOTEUR_FMU, {.co_simulation = co_simulation},
       {.isolated = true, .call_time_limit = 1.0}, 1.0);
}
#endif

}  // namespace

TEST_CASE("an isolated FMU computes what it computes here, bit by bit", "[isolation]") {
  check_equal(shipped("bouncing_ball"), {}, 2.0);
  check_equal(shipped("bouncing_ball"), {.co_simulation = true}, 2.0);
  check_equal(SALTUS_FMI2_FMU, {}, 1.0);
  check_equal(SALTUS_FMI2_FMU, {.co_simulation = true}, 1.0);
  check_equal(plain_fmu("step_event"), {}, 2.0);
  check_equal(plain_fmu("early_return"), {.co_simulation = true}, 2.0);
  check_equal(shipped("feedthrough"), {.co_simulation = true}, 2.0);
}

TEST_CASE("an isolated FMU slides: its states are saved and restored there", "[isolation]") {
  check_equal(shipped("stick_slip_pair"), {.method = Method::dormand_prince}, 5.0);
  check_equal(plain_fmu("chatter_pair"), {.method = Method::dormand_prince}, 5.0);
}

TEST_CASE("a run of an isolated FMU can be saved and gone on with", "[isolation]") {
  const auto end = [](bool isolated) {
    auto run = simulation_of(plain_fmu("chatter_pair"), {.stop = 4.0},
                             {.instance = {.isolated = isolated}});
    run.start();
    run.advance_to(2.0);
    const auto saved = run.save();
    run.advance_to(3.0);
    const double first = run.value("v1");
    run.restore(saved);
    run.advance_to(3.0);
    CHECK(first == run.value("v1"));
    return first;
  };
  CHECK(end(true) == end(false));
}

TEST_CASE("texts, binaries and arrays cross, also large ones", "[isolation]") {
  const std::string large(200000, 'x');
  const auto values = [&](bool isolated) {
    Fmu fmu = Fmu::open(shipped("feedthrough"));
    const auto model = fmu.instantiate_co_simulation("it", {.isolated = isolated});
    std::vector<Value> all;
    for (const Variable& variable : fmu.description().variables) {
      if (variable.type == VariableType::string && variable.causality == Causality::input) {
        model->initialize({.stop = 1.0});
        model->variables().write(variable, {large});
        all.push_back(model->variables().read(variable));
        CHECK(std::get<std::string>(all.back().front()) == large);
      }
    }
    for (const Variable& variable : fmu.description().variables) {
      if (variable.type != VariableType::clock) all.push_back(model->variables().read(variable));
    }
    return all;
  };
  const auto there = values(true);
  CHECK(there.size() > 5);
  CHECK(there == values(false));
}

TEST_CASE("an isolated FMU calls back between communication points", "[isolation]") {
  const InputTable table = InputTable::parse("time,u[1]\n0,0\n2,2\n", "in.csv");
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  std::vector<double> times;
  const auto cs = fmu.instantiate_co_simulation(
      "cs", {.isolated = true, .intermediate_update = true, .on_intermediate = [&](double t) {
               times.push_back(t);
             }});
  cs->set_inputs(&table);
  cs->initialize({.stop = 2.0});
  while (cs->update_discrete_states().iterate) {
  }
  cs->leave_event_mode();
  (void)cs->advance({.report = 1.0, .barrier = 2.0});
  CHECK(times.size() == 10);
  CHECK(to_number(cs->variables().read(cs->variables().variable("u")).at(0)) == 1.0);
}

TEST_CASE("two isolated FMUs at once, beside the threads of this process", "[isolation]") {
  std::atomic<bool> done = false;
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([&] {
      while (!done) std::vector<char>(1000).swap(*std::make_unique<std::vector<char>>(10));
    });
  }
  const Seen here = seen(shipped("bouncing_ball"), {}, {}, 1.0);
  std::vector<Seen> there(4);
  std::vector<std::thread> runs;
  for (Seen& one : there) {
    runs.emplace_back(
        [&one] { one = seen(shipped("bouncing_ball"), {}, {.isolated = true}, 1.0); });
  }
  for (std::thread& run : runs) run.join();
  done = true;
  for (std::thread& thread : busy) thread.join();
  for (const Seen& one : there) CHECK(one.rows == here.rows);
}

TEST_CASE("a child that drops an FMU of its parent leaves the files", "[isolation]") {
  const Scratch scratch;
  auto fmu = std::make_unique<Fmu>(Fmu::open(shipped("bouncing_ball")));
  const pid_t child = ::fork();
  if (child == 0) {
    fmu.reset();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(std::filesystem::exists(fmu->folder()));
  fmu.reset();
  CHECK(scratch.is_clean());
}

TEST_CASE("a program that is killed leaves neither the process of its FMU nor the files",
          "[isolation]") {
  const Scratch scratch;
  std::array<int, 2> ready = {};
  REQUIRE(::pipe(ready.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    Fmu fmu = Fmu::open(shipped("bouncing_ball"));
    const auto ball = fmu.instantiate_model_exchange("ball", {.isolated = true});
    const bool told = ::write(ready[1], "1", 1) == 1;
    ::pause();
    ::_exit(told ? 0 : 1);
  }
  ::close(ready[1]);
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  ::close(ready[0]);
  CHECK_FALSE(scratch.is_clean());
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  bool clean = false;
  for (int i = 0; i < 500 && !clean; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    clean = scratch.is_clean();
  }
  CHECK(clean);
}

#if defined(SALTUS_SABOTEUR_FMU)
TEST_CASE("of calls that are made at once each is looked at by itself", "[isolation]") {
  const auto rows_of_run = [](std::vector<std::string>& messages) {
    InstanceOptions options;
    options.on_message = [&](const LogMessage& message) { messages.push_back(message.text); };
    std::ostringstream rows;
    Fmu fmu = Fmu::open(SALTUS_SABOTEUR_FMU);
    DrivenFmu driven(fmu, "it", {}, options);
    const auto recorder = driven.recorder({.stream = &rows});
    ModeController controller(driven.system(), {.report_interval = 0.1});
    controller.add(*recorder);
    controller.run({.stop = 1.0, .tolerance = 1e-6});
    return rows.str();
  };
  std::vector<std::string> messages;
  const std::string honest = rows_of_run(messages);
  for (const std::string function :
       {"fmi3SetTime", "fmi3SetContinuousStates", "fmi3GetContinuousStateDerivatives"}) {
    INFO(function);
    messages.clear();
    {
      const Wish wish((function + ":round_up:7").c_str());
      const std::string rows = rows_of_run(messages);
      CHECK(std::fegetround() == FE_TONEAREST);
      REQUIRE(!messages.empty());
      CHECK_THAT(messages.front(), Contains(function + " left another rounding mode"));
      // The calls behind it compute as they always do.
      if (function.starts_with("fmi3Set")) CHECK(rows == honest);
    }
    const Wish wish((function + ":error:7").c_str());
    try {
      rows_of_run(messages);
      FAIL("the error went unnoticed");
    } catch (const ModelError& error) {
      CHECK(error.function() == function);
    }
  }
}

TEST_CASE("what an isolated FMU does is an exception that names the call", "[isolation]") {
  const Scratch scratch;
  const auto message = [](const char* wish, bool co_simulation) {
    const Wish wished(wish);
    try {
      run_saboteur(co_simulation);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(message("fmi3DoStep:segv:t0.5", true), Contains("fmi3DoStep") && Contains("SIGSEGV"));
  CHECK_THAT(message("fmi3DoStep:exit0:t0.5", true), Contains("fmi3DoStep") && Contains("exit(0)"));
  CHECK_THAT(message("fmi3DoStep:kill:t0.5", true), Contains("fmi3DoStep") && Contains("SIGKILL"));
  CHECK_THAT(message("fmi3DoStep:loop:t0.5", true),
             Contains("fmi3DoStep") && Contains("did not return within 1 s"));
  CHECK_THAT(message("fmi3DoStep:stop:t0.5", true),
             Contains("fmi3DoStep") && Contains("did not return within 1 s"));
  CHECK_THAT(message("fmi3GetContinuousStateDerivatives:overrun_by_one:t0.5", false),
             Contains("fmi3GetContinuousStateDerivatives") && Contains("SIGSEGV"));
  CHECK_THAT(message("fmi3GetInt32:overrun:t0.5", true),
             Contains("fmi3GetInt32") && Contains("SIGSEGV"));
  CHECK_THAT(message("fmi3InstantiateCoSimulation:abort", true),
             Contains("fmi3InstantiateCoSimulation") && Contains("SIGABRT"));
  CHECK_THAT(message("load:segv", false), Contains("dlopen") && Contains("SIGSEGV"));
  CHECK(message("fmi3DoStep:scribble:t0.5", true) != "");
  (void)message("fmi3DoStep:scribble_zeros:t0.5", true);  // the next answer may mend it all
  CHECK(message("fmi3FreeInstance:segv", true) == "");
  CHECK(message("fmi3FreeInstance:loop", true) == "");
  CHECK_THAT(message("fmi3Terminate:crash_meanwhile", true),
             Contains("fmi3Terminate") && Contains("SIGSEGV"));
  CHECK(message("fmi3FreeInstance:crash_meanwhile", true) == "");
  for (const char* handler : {"load:atexit_segv", "load:atexit_exit3", "load:atexit_loop",
                              "load:on_exit_segv", "load:kept_atexit_segv"}) {
    INFO(handler);
    CHECK(message(handler, true) == "");
  }
  CHECK(message("fmi3DoStep:close_all_files", true) == "");
  CHECK(message("fmi3DoStep:thread_that_lives", true) == "");
  CHECK(scratch.is_clean());
}

TEST_CASE("the kind of an isolated FMU's failure depends on when it fails", "[isolation]") {
  {
    const Wish wish("fmi3InstantiateModelExchange:segv");
    CHECK_THROWS_AS(run_saboteur(false), FmuError);
  }
  const Wish wish("fmi3SetTime:segv:t0.5");
  CHECK_THROWS_AS(run_saboteur(false), ModelError);
}
#endif
