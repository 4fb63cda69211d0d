// SPDX-License-Identifier: BSD-2-Clause
// States saved while a model slides, before, after and in the middle of its events: a run that is
// restored goes on as the first one did, bit by bit.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "content_hash.hpp"
#include "exported.hpp"
#include "rig.hpp"
#include "saved.hpp"
#include "snapshot.hpp"

using rig::Fmu;
using rig::Saved;

namespace {

constexpr double kStop = 12.0;
constexpr double kStep = 1.0 / 128;

// An importer with Euler's method that handles events where its steps end.
class Euler {
 public:
  explicit Euler(const Fmu& fmu) : fmu_(fmu) {
    size_t states = 0, indicators = 0;
    REQUIRE(fmi3GetNumberOfContinuousStates(fmu.instance(), &states) == fmi3OK);
    REQUIRE(fmi3GetNumberOfEventIndicators(fmu.instance(), &indicators) == fmi3OK);
    x_.resize(states);
    slope_.resize(states);
    z_.resize(indicators);
    next_z_.resize(indicators);
  }
  /// One step to k + 1; true if an event is to be handled there.
  bool step(int k) {
    REQUIRE(fmi3GetContinuousStates(fmu_.instance(), x_.data(), x_.size()) == fmi3OK);
    REQUIRE(fmi3GetContinuousStateDerivatives(fmu_.instance(), slope_.data(), x_.size()) == fmi3OK);
    REQUIRE(fmi3GetEventIndicators(fmu_.instance(), z_.data(), z_.size()) == fmi3OK);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += kStep * slope_[i];
    REQUIRE(fmi3SetTime(fmu_.instance(), (k + 1) * kStep) == fmi3OK);
    REQUIRE(fmi3SetContinuousStates(fmu_.instance(), x_.data(), x_.size()) == fmi3OK);
    REQUIRE(fmi3GetEventIndicators(fmu_.instance(), next_z_.data(), z_.size()) == fmi3OK);
    for (std::size_t i = 0; i < z_.size(); ++i) {
      if ((z_[i] > 0.0) != (next_z_[i] > 0.0)) return true;
    }
    return false;
  }
  void look() { REQUIRE(fmi3GetEventIndicators(fmu_.instance(), z_.data(), z_.size()) == fmi3OK); }
  std::vector<double> run(int from, int to) {
    std::vector<double> rows;
    for (int k = from; k < to; ++k) {
      if (step(k)) {
        REQUIRE(fmi3EnterEventMode(fmu_.instance()) == fmi3OK);
        fmu_.settle_and_leave();
      }
      const std::vector<double> row = fmu_.everything();
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
  }

 private:
  const Fmu& fmu_;
  std::vector<double> x_, slope_, z_, next_z_;
};

Fmu started() {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  return fmu;
}

}  // namespace

TEST_CASE("a model exchange run is saved and goes on anywhere, sliding or not", "[fmu_state]") {
  const Fmu fmu = started();
  Euler importer(fmu);
  const int last = static_cast<int>(kStop / kStep);
  for (int k = 0; k + 16 <= last; k += 16) {
    const Saved saved(fmu);
    const std::vector<double> once = importer.run(k, k + 16);
    INFO("saved at " << k * kStep);
    saved.into(fmu);
    REQUIRE(rig::difference(importer.run(k, k + 16), once) == "");
    const Fmu other = Fmu::model_exchange();
    saved.as_bytes_into(other);
    REQUIRE(rig::difference(Euler(other).run(k, k + 16), once) == "");
  }
}

TEST_CASE("each event that begins, ends or crosses sliding can be saved and handled again",
          "[fmu_state]") {
  const Fmu fmu = started();
  Euler importer(fmu);
  const int last = static_cast<int>(kStop / kStep) - 16;
  int events = 0;
  for (int k = 0; k < last; ++k) {
    if (!importer.step(k)) continue;
    ++events;
    INFO("event at " << (k + 1) * kStep);
    const Saved before(fmu);
    REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
    const Saved inside(fmu);
    fmu.settle_and_leave();
    const Saved after(fmu);
    const std::vector<double> once = importer.run(k + 1, k + 17);

    const Fmu other = Fmu::model_exchange();
    Euler second(other);
    before.as_bytes_into(other);
    REQUIRE(fmi3EnterEventMode(other.instance()) == fmi3OK);
    // Saved where the first one was: an implicit model begins anew there, to the last bit.
    const Saved inside_too(other);
    other.settle_and_leave();
    const Saved after_too(other);
    REQUIRE(rig::difference(second.run(k + 1, k + 17), once) == "");
    inside.as_bytes_into(other);
    other.settle_and_leave();
    const Saved after_again(other);
    REQUIRE(rig::difference(second.run(k + 1, k + 17), once) == "");
    after.as_bytes_into(other);
    REQUIRE(rig::difference(second.run(k + 1, k + 17), once) == "");
    after.into(fmu);
  }
  CHECK(events >= 3);
}

TEST_CASE("a co-simulation is saved and goes on anywhere, sliding or not", "[fmu_state]") {
  for (const rig::CoSimulation& way :
       {rig::CoSimulation{}, rig::CoSimulation{.event_mode = true, .early_return = true}}) {
    const auto begun = [&] {
      Fmu fmu = Fmu::co_simulation(way);
      fmu.initialize();
      if (way.event_mode) fmu.settle_and_leave();
      return fmu;
    };
    const Fmu fmu = begun();
    for (double t = 0.0; t < kStop; t += 0.25) {
      const Saved saved(fmu);
      const std::vector<double> once = fmu.run(t, t + 0.25, 0.0625);
      INFO("saved at " << t << ", event mode " << way.event_mode);
      saved.into(fmu);
      REQUIRE(rig::difference(fmu.run(t, t + 0.25, 0.0625), once) == "");
      const Fmu other = begun();
      saved.as_bytes_into(other);
      REQUIRE(rig::difference(other.run(t, t + 0.25, 0.0625), once) == "");
    }
  }
}

TEST_CASE("one update more than needed changes nothing, in free motion and while sliding",
          "[fmu_state]") {
  const Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  const auto iterate_events = [&] {
    rig::Update last = fmu.update();
    while (last.iterate) last = fmu.update();
    const std::vector<double> settled = fmu.everything();
    for (int k = 0; k < 2; ++k) {
      const rig::Update more = fmu.update();
      CHECK_FALSE((more.iterate || more.terminate || more.states));
      CHECK(more.defined == last.defined);
      CHECK(rig::difference(fmu.everything(), settled) == "");
    }
    REQUIRE(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3OK);
  };
  iterate_events();
  Euler importer(fmu);
  for (int k = 0; k < static_cast<int>(kStop / kStep); ++k) {
    if (importer.step(k)) {
      REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
      iterate_events();
    }
  }
}

TEST_CASE("event indicators read in Event Mode leave no trace, in free motion and while sliding",
          "[fmu_state]") {
  const auto run = [](bool looks) {
    const Fmu fmu = Fmu::model_exchange();
    Euler importer(fmu);
    fmu.initialize();
    const auto settle = [&] {
      if (looks) importer.look();
      while (fmu.update().iterate) {
        if (looks) importer.look();
      }
      if (looks) importer.look();
      REQUIRE(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3OK);
    };
    settle();
    std::vector<double> rows;
    for (int k = 0; k < static_cast<int>(kStop / kStep); ++k) {
      if (importer.step(k)) {
        REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
        settle();
      }
      const std::vector<double> row = fmu.everything();
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
  };
  const std::vector<double> seen = run(true), unseen = run(false);
  using namespace saltus::fmu_export;
  if (!exported_model(Interface::model_exchange).is_implicit) {
    CHECK(rig::difference(seen, unseen) == "");
  }
  // Points that are solved for depend on the guess in their last digits.
  REQUIRE(seen.size() == unseen.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    largest = std::max(largest, std::fabs(seen[i] - unseen[i]) / (1.0 + std::fabs(unseen[i])));
  }
  CHECK(largest < 1e-12);
}

TEST_CASE("a forged beginning of an event is refused", "[fmu_state]") {
  for (const bool co_simulation : {false, true}) {
    Fmu fmu = co_simulation ? Fmu::co_simulation({.event_mode = true}) : Fmu::model_exchange();
    fmu.initialize();
    const std::vector<fmi3Byte> good = Saved(fmu).bytes();
    // From the end: the checksum, no activations of tasks, no intervals of clocks, whether the
    // outside ticks them, the mode reached, no texts, and the one thing that was done.
    const std::size_t first =
        good.size() - 8 - 8 - 8 - 1 - 1 - 8 - sizeof(saltus::fmu_export::EventAction);
    const auto restored = [&](saltus::fmu_export::EventAction::What what) {
      std::vector<fmi3Byte> bytes = good;
      std::memcpy(&bytes[first], &what, sizeof what);
      const std::size_t content = bytes.size() - sizeof(std::uint64_t);
      const std::uint64_t sum =
          saltus::fmu_export::content_hash(std::as_bytes(std::span(bytes).first(content)));
      std::memcpy(&bytes[content], &sum, sizeof sum);
      fmi3FMUState state = nullptr;
      fmi3Status status =
          fmi3DeserializeFMUState(fmu.instance(), bytes.data(), bytes.size(), &state);
      if (status == fmi3OK) status = fmi3SetFMUState(fmu.instance(), state);
      if (state != nullptr) fmi3FreeFMUState(fmu.instance(), &state);
      return status;
    };
    using What = saltus::fmu_export::EventAction::What;
    CHECK(restored(What::exit_initialization) == fmi3OK);
    for (const What what : {What::enter_event_mode, What::update, What::terminate}) {
      CHECK(restored(what) == fmi3Error);
      CHECK_THAT(fmu.messages(), Catch::Matchers::Contains("what cannot be done in an event"));
    }
  }
}
