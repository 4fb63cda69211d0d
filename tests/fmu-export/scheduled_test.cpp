// SPDX-License-Identifier: BSD-2-Clause
// Scheduled Execution, called as an importer does and as none should.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "content_hash.hpp"
#include "exported.hpp"
#include "fmi3/description.hpp"
#include "rig.hpp"
#include "saltus/core/described_model.hpp"

using Catch::Matchers::Contains;
using rig::reference;

namespace {

/// How deep preemption is locked, and how often it was: the callbacks know no instance.
int locked = 0, deepest = 0, sections = 0;

class Tasks {
 public:
  explicit Tasks(bool with_callbacks = true) : about_(std::make_unique<About>()) {
    const auto log = [](fmi3InstanceEnvironment to, fmi3Status, fmi3String, fmi3String text) {
      static_cast<About*>(to)->log += std::string(text) + "\n";
      CHECK(locked == 0);  // nobody is called from within a section
    };
    const auto update = [](fmi3InstanceEnvironment to) {
      CHECK(locked == 0);
      auto& about = *static_cast<About*>(to);
      ++about.updates;
      if (about.on_update) about.on_update();
    };
    const auto lock = [] {
      deepest = std::max(deepest, ++locked);
      ++sections;
    };
    const auto unlock = [] { --locked; };
    about_->instance = fmi3InstantiateScheduledExecution(
        "tasks", rig::token().c_str(), nullptr, false, true, about_.get(), log,
        with_callbacks ? fmi3ClockUpdateCallback(update) : nullptr,
        with_callbacks ? fmi3LockPreemptionCallback(lock) : nullptr,
        with_callbacks ? fmi3UnlockPreemptionCallback(unlock) : nullptr);
    REQUIRE(about_->instance != nullptr);
  }
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  ~Tasks() {
    fmi3FreeInstance(about_->instance);
    CHECK(locked == 0);
  }
  fmi3Instance instance() const { return about_->instance; }
  std::string messages() const { return std::exchange(about_->log, {}); }
  int updates() const { return about_->updates; }
  void on_update(std::function<void()> call) const { about_->on_update = std::move(call); }

  void initialize(double start = 0.0) const {
    REQUIRE(fmi3EnterInitializationMode(instance(), false, 0.0, start, true, start + 10.0) ==
            fmi3OK);
    REQUIRE(fmi3ExitInitializationMode(instance()) == fmi3OK);
  }
  fmi3Status activate(const std::string& clock, double time) const {
    return fmi3ActivateModelPartition(instance(), reference(clock), time);
  }
  void run(const std::string& clock, double time) const {
    REQUIRE(activate(clock, time) == fmi3OK);
  }
  double number(const std::string& name) const {
    const fmi3ValueReference vr = name == "time" ? 0 : reference(name);
    double value = 0.0;
    REQUIRE(fmi3GetFloat64(instance(), &vr, 1, &value, 1) == fmi3OK);
    return value;
  }
  int whole(const std::string& name) const {
    const fmi3ValueReference vr = reference(name);
    fmi3Int32 value = 0;
    REQUIRE(fmi3GetInt32(instance(), &vr, 1, &value, 1) == fmi3OK);
    return value;
  }
  fmi3Status set(const std::string& name, double value) const {
    const fmi3ValueReference vr = reference(name);
    return fmi3SetFloat64(instance(), &vr, 1, &value, 1);
  }
  bool ticks(const std::string& name) const {
    const fmi3ValueReference vr = reference(name);
    fmi3Clock value = false;
    REQUIRE(fmi3GetClock(instance(), &vr, 1, &value) == fmi3OK);
    return value;
  }
  std::pair<fmi3IntervalQualifier, double> interval(const std::string& name) const {
    const fmi3ValueReference vr = reference(name);
    fmi3IntervalQualifier qualifier{};
    double length = -1.0;
    REQUIRE(fmi3GetIntervalDecimal(instance(), &vr, 1, &length, &qualifier) == fmi3OK);
    return {qualifier, length};
  }

 private:
  struct About {
    fmi3Instance instance = nullptr;
    std::string log;
    int updates = 0;
    std::function<void()> on_update;
  };
  std::unique_ptr<About> about_;
};

TEST_CASE("the description offers Scheduled Execution") {
  const auto exported =
      saltus::fmu_export::exported_ode(saltus::fmu_export::Interface::model_exchange);
  const std::string xml = saltus::fmu_export::fmi3::model_description(exported, {}, {});
  CHECK_THAT(xml, Contains("<ScheduledExecution modelIdentifier=\"ThreeTasks\" "
                           "canGetAndSetFMUState=\"true\""));
  CHECK_THAT(xml, Contains("priority=\"3\" intervalVariability=\"constant\"") &&
                      Contains("priority=\"2\" intervalVariability=\"changing\"") &&
                      Contains("priority=\"4\" intervalVariability=\"countdown\"") &&
                      Contains("priority=\"1\" intervalVariability=\"triggered\""));
}

TEST_CASE("partitions act when they are activated") {
  for (const bool with_callbacks : {true, false}) {
    const Tasks fmu(with_callbacks);
    fmu.initialize();
    CHECK(fmu.number("y") == 0.0);
    for (int n = 0; n < 10; ++n) {
      fmu.run("sample", 0.1 * n);
      CHECK(fmu.number("y") == 1.0 - std::pow(0.5, n + 1));
      CHECK(fmu.number("scaled") == 2.0 * fmu.number("y"));
      CHECK(fmu.number("time") == 0.1 * n);
    }
    CHECK(fmu.whole("samples") == 10);
    CHECK(fmu.set("u", 5.0) == fmi3OK);
    CHECK(fmu.set("gain", 3.0) == fmi3OK);
    CHECK(fmu.number("scaled") == 3.0 * fmu.number("y"));
    const double before = fmu.number("y");
    // A less urgent task may be late: its time is that of its activation.
    fmu.run("late", 0.85);
    CHECK(fmu.number("noted") == before);
    CHECK(fmu.number("noted_at") == 0.85);
    fmu.run("sample", 1.0);
    CHECK(fmu.number("y") == before + 0.5 * (5.0 - before));
    fmu.run("reset", 1.0);
    CHECK(fmu.number("y") == 0.0);
    CHECK(fmi3Terminate(fmu.instance()) == fmi3OK);
    CHECK(fmu.messages().empty());
  }
}

TEST_CASE("output clocks and countdowns are announced by clockUpdate") {
  const Tasks fmu;
  fmu.initialize();
  std::vector<std::string> heard;
  fmu.on_update([&] {
    if (fmu.ticks("told")) heard.emplace_back("told");
    const auto [qualifier, length] = fmu.interval("late");
    if (qualifier == fmi3IntervalChanged) heard.push_back("late " + std::to_string(length));
  });
  fmu.run("sample", 0.0);
  CHECK(heard.empty());
  CHECK(fmu.updates() == 0);
  CHECK(fmu.interval("late").first == fmi3IntervalNotYetKnown);
  fmu.run("slower", 0.1);
  CHECK(heard == std::vector<std::string>{"told"});
  CHECK_FALSE(fmu.ticks("told"));  // it is asked once
  CHECK(fmu.interval("slower").first == fmi3IntervalChanged);
  CHECK(fmu.interval("slower").second == Approx(0.2));
  fmu.run("sample", 0.1);
  CHECK(heard == std::vector<std::string>{"told", "late 0.030000"});
  CHECK(fmu.interval("late").first == fmi3IntervalUnchanged);
  fmu.run("late", 0.13);
  CHECK(fmu.updates() == 2);
  CHECK(fmu.interval("late").first == fmi3IntervalNotYetKnown);
}

TEST_CASE("an output clock stays ticked until it is asked") {
  const Tasks fmu(false);
  fmu.initialize();
  CHECK_FALSE(fmu.ticks("told"));
  fmu.run("slower", 0.1);
  fmu.run("sample", 0.1);
  CHECK(fmu.ticks("told"));
  CHECK_FALSE(fmu.ticks("told"));
}

TEST_CASE("every access to the model is a section that is not preempted") {
  const Tasks fmu;
  fmu.initialize();
  deepest = sections = 0;
  fmu.run("sample", 0.0);
  CHECK(sections == 1);
  CHECK(deepest == 1);
  fmu.number("y");
  fmu.whole("samples");
  fmu.set("u", 2.0);
  fmu.ticks("told");
  fmu.interval("late");
  CHECK(sections == 6);
  CHECK(deepest == 1);
  // One that fails is left, too.
  CHECK(fmu.activate("sample", 0.0) == fmi3Error);
  CHECK(locked == 0);
  CHECK(sections == 7);
}

TEST_CASE("what no importer of Scheduled Execution does is refused, by name") {
  const auto refused = [](const auto& call, const std::string& why) {
    const Tasks fmu;
    fmu.initialize();
    fmu.run("sample", 0.5);
    CHECK(call(fmu) == fmi3Error);
    CHECK_THAT(fmu.messages(), Contains(why));
  };
  refused([](auto& fmu) { return fmu.activate("sample", 0.5); },
          "\"sample\" is not behind its last one, 0.5");
  refused([](auto& fmu) { return fmu.activate("sample", 0.4); }, "is not behind its last one");
  refused([](auto& fmu) { return fmu.activate("told", 0.6); },
          "\"told\" is a clock that the FMU ticks");
  refused([](auto& fmu) { return fmu.activate("y", 0.6); }, "\"y\" is of type Float64, not Clock");
  refused([](auto& fmu) { return fmu.activate("reset", -0.1); }, "before the start time 0");
  refused([](auto& fmu) { return fmu.activate("reset", 11.0); }, "beyond the stop time 10");
  refused([](auto& fmu) { return fmu.activate("reset", std::nan("")); }, "the activation time");
  refused(
      [](auto& fmu) {
        const fmi3ValueReference vr = reference("sample");
        const fmi3Clock active = true;
        return fmi3SetClock(fmu.instance(), &vr, 1, &active);
      },
      "not offered in Scheduled Execution");
  refused([](auto& fmu) { return fmi3EnterEventMode(fmu.instance()); },
          "not offered in Scheduled Execution");
  refused([](auto& fmu) { return fmi3SetTime(fmu.instance(), 0.6); },
          "not offered in Scheduled Execution");
  refused([](auto& fmu) { return fmu.set("y", 1.0); }, "cannot be set in Clock Activation Mode");
}

TEST_CASE("partitions are activated in Clock Activation Mode alone") {
  const Tasks fmu;
  CHECK(fmu.activate("sample", 0.0) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("not allowed in Instantiated of Scheduled Execution"));
  const rig::Fmu other = rig::Fmu::co_simulation({.event_mode = true});
  other.initialize();
  CHECK(fmi3ActivateModelPartition(other.instance(), reference("sample"), 0.0) == fmi3Error);
}

std::vector<fmi3Byte> saved(const Tasks& fmu) {
  fmi3FMUState state = nullptr;
  size_t size = 0;
  REQUIRE(fmi3GetFMUState(fmu.instance(), &state) == fmi3OK);
  REQUIRE(fmi3SerializedFMUStateSize(fmu.instance(), state, &size) == fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  REQUIRE(fmi3SerializeFMUState(fmu.instance(), state, bytes.data(), size) == fmi3OK);
  REQUIRE(fmi3FreeFMUState(fmu.instance(), &state) == fmi3OK);
  return bytes;
}
fmi3Status restore(const Tasks& fmu, const std::vector<fmi3Byte>& bytes) {
  fmi3FMUState state = nullptr;
  fmi3Status status = fmi3DeserializeFMUState(fmu.instance(), bytes.data(), bytes.size(), &state);
  if (status == fmi3OK) status = fmi3SetFMUState(fmu.instance(), state);
  if (state != nullptr) fmi3FreeFMUState(fmu.instance(), &state);
  return status;
}

TEST_CASE("tasks go on from a saved state") {
  const Tasks one(false);
  one.initialize();
  one.run("sample", 0.0);
  one.run("slower", 0.1);
  one.run("sample", 0.1);
  one.set("u", 4.0);
  const std::vector<fmi3Byte> bytes = saved(one);
  const Tasks other(false);
  REQUIRE(restore(other, bytes) == fmi3OK);
  for (const Tasks* fmu : {&one, &other}) {
    CHECK(fmu->ticks("told"));
    CHECK(fmu->interval("late").first == fmi3IntervalChanged);
    CHECK(fmu->interval("late").second == Approx(0.03));
    fmu->run("sample", 0.2);
    CHECK(fmu->number("y") == 0.75 + 0.5 * (4.0 - 0.75));
    CHECK(fmu->whole("steps") == 1);
  }
  REQUIRE(restore(other, bytes) == fmi3OK);
  CHECK(other.number("y") == 0.75);
  CHECK(other.activate("slower", 0.1) == fmi3Error);  // when it was activated last is part of it
  CHECK(fmi3Reset(other.instance()) == fmi3OK);
  other.initialize();
  other.run("slower", 0.1);
  CHECK(other.whole("steps") == 1);
}

TEST_CASE("states of the other interfaces are refused") {
  const Tasks one;
  one.initialize();
  const rig::Fmu me = rig::Fmu::model_exchange();
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(one.instance(), &state) == fmi3OK);
  CHECK(fmi3SetFMUState(me.instance(), state) == fmi3Error);
  fmi3FreeFMUState(one.instance(), &state);
}

// Every number in it is put far off; whatever that is taken for, the next activations come back.
TEST_CASE("a forged state of tasks is refused or goes on") {
  const Tasks one(false);
  one.initialize();
  one.run("slower", 0.1);
  one.run("sample", 0.1);
  const std::vector<fmi3Byte> good = saved(one);
  const std::size_t content = good.size() - sizeof(std::uint64_t);
  int refused = 0, went_on = 0;
  for (std::size_t place = 0; place + sizeof(double) <= content; ++place) {
    for (const double far : {-1e300, 1e-300, std::nan("")}) {
      std::vector<fmi3Byte> bytes = good;
      std::memcpy(&bytes[place], &far, sizeof far);
      const std::uint64_t sum =
          saltus::fmu_export::content_hash(std::as_bytes(std::span(bytes).first(content)));
      std::memcpy(&bytes[content], &sum, sizeof sum);
      const Tasks other(false);
      fmi3Status status = restore(other, bytes);
      if (status == fmi3OK) status = other.activate("sample", 0.2);
      if (status == fmi3OK) status = other.activate("slower", 0.3);
      ++(status == fmi3OK ? went_on : refused);
    }
  }
  CHECK(refused > 0);
  CHECK(went_on > 0);
}

}  // namespace
