// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "content_hash.hpp"
#include "rig.hpp"

using rig::Fmu;

namespace {

/// A saved FMU state, given back at the end.
class Saved {
 public:
  explicit Saved(const Fmu& fmu) : fmu_(fmu) {
    REQUIRE(fmi3GetFMUState(fmu.instance(), &state_) == fmi3OK);
  }
  Saved(const Fmu& fmu, const std::vector<fmi3Byte>& bytes) : fmu_(fmu) {
    REQUIRE(fmi3DeserializeFMUState(fmu.instance(), bytes.data(), bytes.size(), &state_) == fmi3OK);
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved() { fmi3FreeFMUState(fmu_.instance(), &state_); }

  void into(const Fmu& fmu) const { REQUIRE(fmi3SetFMUState(fmu.instance(), state_) == fmi3OK); }
  std::vector<fmi3Byte> bytes() const {
    size_t size = 0;
    REQUIRE(fmi3SerializedFMUStateSize(fmu_.instance(), state_, &size) == fmi3OK);
    std::vector<fmi3Byte> bytes(size);
    REQUIRE(fmi3SerializeFMUState(fmu_.instance(), state_, bytes.data(), size) == fmi3OK);
    return bytes;
  }

 private:
  const Fmu& fmu_;
  fmi3FMUState state_ = nullptr;
};

// A small importer of its own: Euler steps, and an event wherever an indicator has changed its
// side.
std::vector<double> euler(const Fmu& fmu, double from, int steps) {
  std::vector<double> rows;
  double x[2];
  double slope[2];
  double z[4];
  double next_z[4];
  constexpr double kStep = 1.0 / 256;
  for (int k = 1; k <= steps; ++k) {
    REQUIRE(fmi3GetContinuousStates(fmu.instance(), x, 2) == fmi3OK);
    REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), slope, 2) == fmi3OK);
    REQUIRE(fmi3GetEventIndicators(fmu.instance(), z, 4) == fmi3OK);
    x[0] += kStep * slope[0];
    x[1] += kStep * slope[1];
    const double t = from + k * kStep;
    REQUIRE(fmi3SetTime(fmu.instance(), t) == fmi3OK);
    REQUIRE(fmi3SetContinuousStates(fmu.instance(), x, 2) == fmi3OK);
    REQUIRE(fmi3GetEventIndicators(fmu.instance(), next_z, 4) == fmi3OK);
    const auto is_positive = [](double each) { return each > 0.0; };
    const bool state_event = !std::equal(
        z, z + 4, next_z, [&](double a, double b) { return is_positive(a) == is_positive(b); });
    if (state_event || k % 64 == 0) {
      REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
      fmu.settle_and_leave();
    }
    const std::vector<double> row = fmu.everything();
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

const std::vector<rig::CoSimulation> kWays{
    {}, {.event_mode = true}, {.event_mode = true, .early_return = true}};

Fmu started(const rig::CoSimulation& way) {
  Fmu fmu = Fmu::co_simulation(way);
  REQUIRE(fmu.set("e", 0.8) == fmi3OK);
  fmu.initialize();
  if (way.event_mode) {
    fmu.settle_and_leave();
  }
  return fmu;
}

}  // namespace

TEST_CASE("a model exchange run goes on from a saved state with the same bits", "[fmu_state]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  euler(fmu, 0.0, 150);  // beyond the first bounce
  const Saved saved(fmu);
  const std::vector<double> once = euler(fmu, 150.0 / 256, 200);
  saved.into(fmu);
  CHECK(rig::difference(euler(fmu, 150.0 / 256, 200), once) == "");

  Fmu other = Fmu::model_exchange();
  const Saved copied(other, saved.bytes());
  copied.into(other);
  CHECK(rig::difference(euler(other, 150.0 / 256, 200), once) == "");
  saved.into(other);
  CHECK(rig::difference(euler(other, 150.0 / 256, 200), once) == "");
}

TEST_CASE("a state saved in event mode brings the event back", "[fmu_state]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const double landed[] = {-1e-9, -3.0};
  REQUIRE(fmi3SetTime(fmu.instance(), 0.25) == fmi3OK);
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), landed, 2) == fmi3OK);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  const Saved before(fmu);
  const rig::Update first = fmu.update();
  CHECK(first.iterate);
  CHECK(first.states);
  const Saved between(fmu);
  fmu.settle_and_leave();
  const std::vector<double> after = fmu.everything();

  between.into(fmu);
  CHECK(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3Error);  // not yet settled, as then
  between.into(fmu);
  fmu.settle_and_leave();
  CHECK(rig::difference(fmu.everything(), after) == "");
  const Saved copied(fmu, before.bytes());
  copied.into(fmu);
  CHECK(fmu.whole("ticks") == 8);  // what the event will do
  CHECK(fmu.number("v") == -3.0);
  CHECK(fmu.update().states);
  fmu.settle_and_leave();
  CHECK(rig::difference(fmu.everything(), after) == "");
}

TEST_CASE("start values that were set are part of a state saved before the run", "[fmu_state]") {
  const bool initializing = GENERATE(false, true);
  Fmu fmu = Fmu::model_exchange();
  REQUIRE(fmu.set("h", 2.0) == fmi3OK);
  REQUIRE(fmu.set_whole("bounces", 5) == fmi3OK);
  REQUIRE(fmu.set("last_speed", -1.5) == fmi3OK);
  if (initializing) {
    fmu.enter_initialization(1.0);
  }
  const std::vector<double> values = fmu.everything();
  const Saved saved(fmu);
  REQUIRE(fmu.set("h", 0.5) == fmi3OK);
  REQUIRE(fmu.set_whole("bounces", 1) == fmi3OK);
  saved.into(fmu);
  CHECK(rig::difference(fmu.everything(), values) == "");
  if (!initializing) {
    fmu.enter_initialization(1.0);
  }
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  fmu.settle_and_leave();
  CHECK(fmu.number("h") == 2.0);
  CHECK(fmu.whole("bounces") == 5);
  CHECK(fmu.number("last_speed") == -1.5);
}

TEST_CASE("a co-simulation goes on from a saved state with the same bits", "[fmu_state]") {
  for (const rig::CoSimulation& way : kWays) {
    Fmu fmu = started(way);
    fmu.run(0.0, 0.7, 0.1);
    const Saved saved(fmu);
    const std::vector<double> once = fmu.run(0.7, 2.4, 0.1);
    INFO("event mode " << way.event_mode << ", early return " << way.early_return);
    saved.into(fmu);
    CHECK(rig::difference(fmu.run(0.7, 2.4, 0.1), once) == "");
    Fmu other = Fmu::co_simulation(way);
    const Saved copied(other, saved.bytes());
    copied.into(other);
    CHECK(rig::difference(other.run(0.7, 2.4, 0.1), once) == "");
    CHECK(fmi3Reset(other.instance()) == fmi3OK);
    copied.into(other);
    CHECK(rig::difference(other.run(0.7, 2.4, 0.1), once) == "");
  }
}

TEST_CASE("saving a state disturbs nothing", "[fmu_state]") {
  for (const rig::CoSimulation& way : kWays) {
    Fmu plain = started(way);
    Fmu saving = started(way);
    for (int k = 0; k < 12; ++k) {
      const Saved saved(saving);
      const std::vector<double> expected = plain.run(k * 0.125, (k + 1) * 0.125, 0.125);
      REQUIRE(rig::difference(saving.run(k * 0.125, (k + 1) * 0.125, 0.125), expected) == "");
    }
  }
}

TEST_CASE(
    "a state saved between an event and event mode, and inside event mode, continues with the same "
    "bits",
    "[fmu_state]") {
  Fmu fmu = started({.event_mode = true, .early_return = true});
  double t = 0.0;
  while (fmu.number("h") > 1e-9) {  // up to the left limit of the first bounce
    const rig::Step step = fmu.step(t, 1.0 - t);
    REQUIRE(step.event);
    t = step.time;
    if (fmu.number("h") > 1e-9) {
      REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
      fmu.settle_and_leave();
    }
  }
  const Saved reported(fmu);
  const auto rest = [&](const Fmu& one) {
    REQUIRE(fmi3EnterEventMode(one.instance()) == fmi3OK);
    one.settle_and_leave();
    return one.run(t, 2.0, 0.1);
  };
  const std::vector<double> once = rest(fmu);
  reported.into(fmu);
  CHECK(rig::difference(rest(fmu), once) == "");
  Fmu other = Fmu::co_simulation({.event_mode = true, .early_return = true});
  reported.into(other);
  CHECK(rig::difference(rest(other), once) == "");
  reported.into(fmu);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  const Saved inside(fmu);
  inside.into(other);
  other.settle_and_leave();
  CHECK(rig::difference(other.run(t, 2.0, 0.1), once) == "");
}

TEST_CASE("a state saved after an input was set still knows what the input was before",
          "[fmu_state]") {
  for (const rig::CoSimulation& way : kWays) {
    Fmu fmu = started(way);
    fmu.run(0.0, 0.6, 0.1);
    REQUIRE(fmu.set("pull", 5.0) == fmi3OK);
    REQUIRE(fmu.set("pull", 6.0) == fmi3OK);
    REQUIRE(fmu.set_whole("lamp", 1) == fmi3OK);
    const Saved saved(fmu);
    const std::vector<double> once = fmu.run(0.6, 1.5, 0.1);
    saved.into(fmu);
    CHECK(fmu.number("pull") == 6.0);
    CHECK(rig::difference(fmu.run(0.6, 1.5, 0.1), once) == "");
    Fmu other = Fmu::co_simulation(way);
    const Saved copied(other, saved.bytes());
    copied.into(other);
    CHECK(rig::difference(other.run(0.6, 1.5, 0.1), once) == "");
  }
}

TEST_CASE("a reset run repeats the first one with the same bits", "[fmu_state]") {
  for (const rig::CoSimulation& way : kWays) {
    Fmu fmu = started(way);
    const std::vector<double> once = fmu.run(0.0, 2.0, 0.1);
    REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
    REQUIRE(fmu.set("e", 0.8) == fmi3OK);
    fmu.initialize();
    if (way.event_mode) {
      fmu.settle_and_leave();
    }
    CHECK(rig::difference(fmu.run(0.0, 2.0, 0.1), once) == "");
  }
}

TEST_CASE("a saved state is overwritten in place, restored often, and freed to null",
          "[fmu_state]") {
  Fmu fmu = started({});
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(fmu.instance(), &state) == fmi3OK);
  const fmi3FMUState handle = state;
  fmu.step(0.0, 0.1);
  REQUIRE(fmi3GetFMUState(fmu.instance(), &state) == fmi3OK);
  CHECK(state == handle);
  const double h = fmu.number("h");
  for (int k = 0; k < 3; ++k) {
    fmu.step(0.1, 0.2);
    REQUIRE(fmi3SetFMUState(fmu.instance(), state) == fmi3OK);
    CHECK(fmu.number("h") == h);
  }
  REQUIRE(fmi3FreeFMUState(fmu.instance(), &state) == fmi3OK);
  CHECK(state == nullptr);
  CHECK(fmi3FreeFMUState(fmu.instance(), &state) == fmi3OK);
}

TEST_CASE("a state leads back from an error", "[fmu_state]") {
  Fmu fmu = started({});
  fmu.step(0.0, 0.1);
  const Saved saved(fmu);
  CHECK(fmi3EnterStepMode(fmu.instance()) == fmi3Error);
  CHECK(fmi3EnterInitializationMode(fmu.instance(), fmi3False, 0.0, 0.0, fmi3False, 0.0) ==
        fmi3Error);
  saved.into(fmu);
  CHECK(fmu.step(0.1, 0.1).time == Approx(0.2));
}

TEST_CASE("bytes that are no state of this FMU are refused with a reason", "[fmu_state]") {
  const Fmu source = started({});
  source.run(0.0, 0.5, 0.1);
  const std::vector<fmi3Byte> good = Saved(source).bytes();
  const auto refused = [](const Fmu& /*keeps the instance alive*/ fmu,
                          const std::vector<fmi3Byte>& bytes) {
    fmi3FMUState state = nullptr;
    const fmi3Status status =
        fmi3DeserializeFMUState(fmu.instance(), bytes.data(), bytes.size(), &state);
    CHECK(state == nullptr);
    return status == fmi3Error;
  };
  // As an attacker would, with the right checksum.
  const auto sign = [](std::vector<fmi3Byte>& bytes) {
    const std::uint64_t sum = saltus::fmu_export::content_hash(
        std::as_bytes(std::span(bytes).first(bytes.size() - sizeof(std::uint64_t))));
    std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
  };
  SECTION("every truncation") {
    for (std::size_t size = 0; size < good.size(); ++size) {
      Fmu fmu = Fmu::co_simulation();
      std::vector<fmi3Byte> bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
      REQUIRE(refused(fmu, bytes));
      REQUIRE_FALSE(fmu.messages().empty());
      if (size >= 28) {
        REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
        sign(bytes);
        REQUIRE(refused(fmu, bytes));
      }
    }
  }
  SECTION("every damaged byte") {
    for (std::size_t i = 0; i < good.size(); ++i) {
      Fmu fmu = Fmu::co_simulation();
      std::vector<fmi3Byte> bytes = good;
      bytes[i] = static_cast<fmi3Byte>(bytes[i] ^ 0x40U);
      REQUIRE(refused(fmu, bytes));
    }
  }
  SECTION("every forged byte is refused or harmless") {
    for (std::size_t i = 0; i + 8 < good.size(); ++i) {
      for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
        Fmu fmu = Fmu::co_simulation();
        std::vector<fmi3Byte> bytes = good;
        bytes[i] = static_cast<fmi3Byte>(bytes[i] ^ flip);
        sign(bytes);
        fmi3FMUState state = nullptr;
        if (fmi3DeserializeFMUState(fmu.instance(), bytes.data(), bytes.size(), &state) == fmi3OK) {
          fmi3SetFMUState(fmu.instance(), state);  // whatever it answers
          CHECK(fmi3FreeFMUState(fmu.instance(), &state) == fmi3OK);
          CHECK(fmi3Reset(fmu.instance()) == fmi3OK);
          fmu.initialize();
        }
      }
    }
  }
  SECTION("what no integrator remembers") {
    // Behind the head, the mode and the times, and the length of what follows: two numbers of the
    // system; then the method's name (after its length) and its numbers (after theirs).
    constexpr std::size_t kSystem = 20 + 7 + 5 * 8 + 8 + 1 + 8 + 8 + 8;
    const std::string name = "DormandPrince";
    const auto at = std::search(good.begin(), good.end(), name.begin(), name.end());
    REQUIRE(at != good.end());
    const std::size_t numbers = static_cast<std::size_t>(at - good.begin()) + name.size() + 8;
    struct Forgery {
      std::size_t at;
      double value;
    };
    // What rounding left of the time, the step after an approach; then the step, its error, the
    // spread of first steps, the begin of the phase, a rest, the opening, what is known of a phase.
    for (const Forgery& forgery :
         {Forgery{kSystem, 0.5}, Forgery{kSystem + 8, -1.0}, Forgery{numbers, -1.0},
          Forgery{numbers + 8, -1.0}, Forgery{numbers + 16, 7.0}, Forgery{numbers + 24, 1e9},
          Forgery{numbers + 32, NAN}, Forgery{numbers + 40, -1.0}, Forgery{numbers + 48, NAN}}) {
      Fmu fmu = Fmu::co_simulation();
      std::vector<fmi3Byte> bytes = good;
      std::memcpy(&bytes[forgery.at], &forgery.value, sizeof forgery.value);
      sign(bytes);
      INFO("at " << forgery.at - numbers);
      CHECK(refused(fmu, bytes));
      CHECK(fmu.messages().find("the serialized FMU state is forged") != std::string::npos);
    }
  }
  SECTION("another format version, another FMU, another interface, too long") {
    struct Forgery {
      std::size_t at;
      const char* message;
    };
    for (const Forgery& forgery :
         {Forgery{0, "no serialized FMU state of a Saltus FMU"}, Forgery{8, "format version"},
          Forgery{12, "belongs to another FMU"}}) {
      Fmu fmu = Fmu::co_simulation();
      std::vector<fmi3Byte> bytes = good;
      bytes[forgery.at] = static_cast<fmi3Byte>(bytes[forgery.at] ^ 0xffU);
      sign(bytes);
      CHECK(refused(fmu, bytes));
      CHECK(fmu.messages().find(forgery.message) != std::string::npos);
    }
    Fmu me = Fmu::model_exchange();
    CHECK(refused(me, good));
    CHECK(me.messages().find("saved from the other interface") != std::string::npos);
    Fmu fmu = Fmu::co_simulation();
    std::vector<fmi3Byte> longer = good;
    longer.insert(longer.end() - 8, 8, fmi3Byte{0});
    sign(longer);
    CHECK(refused(fmu, longer));
    CHECK(fmu.messages().find("bytes too many") != std::string::npos);
  }
}

TEST_CASE(
    "a state of one interface does not fit the other, and a buffer has to have the right size",
    "[fmu_state]") {
  Fmu me = Fmu::model_exchange();
  Fmu cs = Fmu::co_simulation();
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(me.instance(), &state) == fmi3OK);
  CHECK(fmi3SetFMUState(cs.instance(), state) == fmi3Error);
  CHECK(cs.messages().find("saved from an instance for Model Exchange") != std::string::npos);
  fmi3Byte byte = 0;
  CHECK(fmi3SerializeFMUState(me.instance(), state, &byte, 1) == fmi3Error);
  CHECK(fmi3FreeFMUState(me.instance(), &state) == fmi3OK);
}
