// SPDX-License-Identifier: BSD-2-Clause
// Importers that take every liberty that FMI leaves them, on FMUs that slide: the motion has to be
// the right one all the same.
#include <catch2/catch.hpp>
#include <cmath>

#include "problems/belt_oscillator.hpp"
#include "problems/curved_belt.hpp"
#include "problems/pounding.hpp"
#include "problems/relay_feedback.hpp"
#include "problems/stick_slip_pair.hpp"
#include "problems/two_masses.hpp"
#include "saltus/importer/fmu.hpp"

namespace saltus::test {
namespace {

struct Importer {
  double step = 1e-3;
  bool euler = false;           ///< and events are handled where a step ends, wherever that is
  double early = 0.0;           ///< how long before an indicator's zero it stops
  bool phantom_visits = false;  ///< to Event Mode, after each step
};

struct Outcome {
  std::size_t events = 0;
  std::vector<double> last;
};

class Run {
 public:
  Run(const std::string& path, const Importer& importer)
      : model_(importer::Fmu::open(path).instantiate_model_exchange("hostile")),
        importer_(importer),
        y_(model_->shape().unknowns()),
        z_(model_->shape().indicators) {}

  Outcome to(double stop) {
    model_->initialize({.stop = stop, .tolerance = 1e-8}, y_);
    iterate_events();
    while (t_ < stop) {
      const double h = std::min(importer_.step, stop - t_);
      signs_at(t_, y_, before_);
      std::vector<double> next = stepped(h);
      if (!changed(t_ + h, next)) {
        go(t_ + h, next);
        if (importer_.phantom_visits) visit();
        continue;
      }
      ++events_;
      REQUIRE(events_ < 1000);
      if (importer_.euler) {
        go(t_ + h, next);
      } else {
        double low = 0.0, high = h;
        while (high - low > 1e-15) {
          const double middle = 0.5 * (low + high);
          (changed(t_ + middle, stepped(middle)) ? high : low) = middle;
        }
        const double until = std::max(0.0, high - importer_.early);
        go(t_ + until, stepped(until));
      }
      visit();
    }
    return {events_, y_};
  }

 private:
  void iterate_events() {
    while (model_->update_discrete_states(t_, y_).iterate) {
    }
    model_->enter_continuous_mode(t_, y_);
  }
  void visit() {
    model_->enter_event_mode(t_, y_);
    iterate_events();
  }
  void go(double t, std::vector<double> y) {
    t_ = t;
    y_ = std::move(y);
  }
  void signs_at(double t, ConstVec y, std::vector<char>& signs) {
    REQUIRE(model_->indicators(t, y, z_) == Eval::ok);
    signs.clear();
    for (const double z : z_) signs.push_back(z > 0.0 ? 1 : 0);
  }
  bool changed(double t, const std::vector<double>& y) {
    signs_at(t, y, after_);
    return after_ != before_;
  }
  std::vector<double> slope(double t, ConstVec y) {
    std::vector<double> f(y.size());
    REQUIRE(model_->derivatives(t, y, f) == Eval::ok);
    return f;
  }
  static std::vector<double> moved(ConstVec y, double h, ConstVec f) {
    std::vector<double> result(y.begin(), y.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += h * f[i];
    return result;
  }
  std::vector<double> stepped(double h) {
    const auto k1 = slope(t_, y_);
    if (importer_.euler) return moved(y_, h, k1);
    const auto k2 = slope(t_ + h / 2, moved(y_, h / 2, k1));
    const auto k3 = slope(t_ + h / 2, moved(y_, h / 2, k2));
    const auto k4 = slope(t_ + h, moved(y_, h, k3));
    return moved(moved(moved(moved(y_, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }

  std::unique_ptr<importer::FmuModel> model_;
  Importer importer_;
  double t_ = 0.0;
  std::vector<double> y_, z_;
  std::vector<char> before_, after_;
  std::size_t events_ = 0;
};

struct Fmu {
  std::string path;
  problems::Problem truth;
  double step = 1e-3;
  double margin = 1e-6;
};

// The damper of the pounding building begins with the fourth root of the depth, where a method with
// fixed steps is of order one and a quarter.
std::vector<Fmu> fmus() {
  return {{SALTUS_FMU_DIR "/stick_slip_pair.fmu", problems::stick_slip_pair()},
          {SALTUS_FMU_DIR "/belt_oscillator.fmu", problems::gesda_belt()},
          {SALTUS_FMU_DIR "/relay_feedback.fmu", problems::relay_feedback()},
          {SALTUS_FMU_DIR "/pounding.fmu", problems::pounding(), 2e-5, 1e-5},
          {SALTUS_TEST_FMU_DIR "/curved_belt.fmu", problems::curved_belt()},
          {SALTUS_TEST_FMU_DIR "/two_masses.fmu", problems::two_masses()}};
}

// Where Euler's method leaves a curved surface along its tangent, it comes back once or twice.
void check(Importer importer) {
  for (const Fmu& fmu : fmus()) {
    DYNAMIC_SECTION(fmu.truth.name) {
      importer.step = fmu.step;
      const Outcome outcome = Run(fmu.path, importer).to(fmu.truth.stop);
      if (!importer.euler) CHECK(outcome.events == fmu.truth.events.size());
      for (std::size_t i = 0; i < outcome.last.size(); ++i) {
        CHECK(outcome.last[i] ==
              Approx(fmu.truth.last[i]).margin(importer.euler ? 5e-2 : fmu.margin).epsilon(0));
      }
    }
  }
}

}  // namespace

TEST_CASE("an importer that stops before the zero gets the same events", "[agreement]") {
  check({.early = 1e-12});
}

TEST_CASE("an importer that visits event mode for nothing gets the same events", "[agreement]") {
  check({.phantom_visits = true});
}

TEST_CASE("an importer that stops early and visits for nothing gets the same events",
          "[agreement]") {
  check({.early = 1e-12, .phantom_visits = true});
}

TEST_CASE("Euler's method follows the right motion, with events where its steps end",
          "[agreement]") {
  check({.euler = true});
}

}  // namespace saltus::test
