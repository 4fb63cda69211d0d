// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/directional.hpp"
#include "saltus/importer/fmu_model.hpp"

namespace saltus::importer {

/// A Model Exchange FMU that is differentiated from outside, for `SensitivityModel` around it.
///
/// Beside the FMU, two more instances of it run for each parameter (or start value): its
/// neighbours, initialised with the parameter a little larger and a little smaller. They are not
/// integrated.
///
/// 1. Between events, neighbours are asked at the point at which the FMU is: differences are the
///    derivatives by the parameter, whatever the FMU has made of it, a fixed parameter or a number
///    that it holds since an event.
/// 2. By its states, the FMU is differentiated by its directional derivatives, which are compared
///    with its equations at the first points, or by central differences.
/// 3. At an event, each neighbour is brought to where this event is with its parameter, to first
///    order, and goes through it by itself. Differences of the results are the derivatives of what
///    the event did, and the announced times of time events those of their instants.
///
/// So nothing is needed of an FMU but that there can be several instances of it. What the FMU and
/// its neighbours do has to be the same but for a little: where one of them takes another way at an
/// event, derivatives are lost, and `loss` says why.
class DifferentiatedFmu final : public modeling::DescribedModel, private Directional {
 public:
  /// An instance for which `changed` will be set before it is initialised.
  using Make = std::function<std::unique_ptr<FmuModel>(const Variable& changed)>;

  /// `motion` is the FMU, or what slides around it; while it slides, there are no derivatives.
  /// Both must outlive this. `start_values` are those of the `InstanceOptions` of the FMU.
  DifferentiatedFmu(FmuModel& fmu, Model& motion, std::string name,
                    const std::map<std::string, std::string>& start_values, Make make);
  ~DifferentiatedFmu() override;

  /// What was written into the FMU from outside.
  void was_written(const Variable& variable, const Value& value);

  const std::string& name() const override { return name_; }
  const modeling::ModelInfo& info() const override { return info_; }
  std::span<const modeling::Variable> variables() const override { return variables_; }
  Shape shape() const override { return motion_.shape(); }
  void nominals(Vec y) const override { motion_.nominals(y); }
  std::string unknown_name(std::size_t i) const override { return motion_.unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return motion_.indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override { return motion_.derivatives(t, y, yp); }
  Eval indicators(double t, ConstVec y, Vec z) override { return motion_.indicators(t, y, z); }
  StepVerdict completed_step(double t, ConstVec y) override { return motion_.completed_step(t, y); }
  void terminate() override;
  Capabilities capabilities() override;

  Eval evaluate(double t, ConstVec y) override;
  double number(std::size_t variable) const override;
  std::int64_t whole(std::size_t) const override { return 0; }
  void set_number(std::size_t variable, double value) override;
  void set_whole(std::size_t variable, std::int64_t value) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;
  bool needs_completed_steps() const override;

 private:
  struct Neighbour {
    /// One pass; `iterates` says whether another is needed.
    void update_discrete_states();

    std::unique_ptr<FmuModel> model;
    const Variable* changed = nullptr;
    double shift = 0.0;             // of the parameter
    double time = 0.0;              // of its last event
    double earliest = 0.0;          // of the present one: it cannot come before the last
    double next = kNever;           // of its next one, as far as it is announced
    double beyond = 0.0;            // how far it was moved on to be behind the surface
    std::vector<double> y;          // its unknowns, at an event
    std::vector<double> y_before;   // where it entered the event; empty at the start
    bool iterates = false;          // its event has not settled
    std::optional<double> waiting;  // a completed step that it has not heard of yet, at `y_step`
    std::vector<double> y_step;
  };
  struct Followed {
    const Variable* variable = nullptr;
    bool is_start = false;
    double size = 1.0;
    bool is_told = false;                  // that rounding shows in its derivatives
    std::span<Neighbour> neighbours = {};  // ahead and behind
    /// The derivative of what differs by `up` in one neighbour and by `down` in the other from what
    /// it is in the FMU; and whether it is one.
    double slope(double up, double down) const;
    bool is_smooth(double up, double down, double of_size) const;
  };
  using Read = std::function<Eval(FmuModel& fmu, double t, ConstVec y, Vec values)>;

  void follow(std::span<const std::size_t> positions) override;
  Eval derivatives_along(double t, ConstVec y, const Direction& direction, Vec rates) override;
  Eval indicators_along(double t, ConstVec y, const Direction& direction, Vec rates) override;
  Eval variables_along(double t, ConstVec y, const Direction& direction, Vec rates) override;
  std::vector<double> clocks_along(double t, ConstVec y, const Direction& direction) override;
  void carry(std::vector<Direction>& directions, ConstVec y) override;
  bool carried() override;
  void accept(double t, ConstVec y, const std::vector<Direction>& directions) override;
  std::optional<Loss> loss() override { return std::exchange(loss_, std::nullopt); }

  void describe();
  double start_of(const Variable& variable) const;
  double scale(ConstVec y, std::size_t i) const;
  void make_neighbours(Followed& p);
  void lose(std::string subject, std::string why);
  template <class Call>
  void attempt(const Neighbour& n, const Call& call);

  // Events.
  void bring_to_event(double t, ConstVec y);
  bool is_same_time(double one, double other) const;
  void meet_clock(Neighbour& n);
  void meet_surface(Neighbour& n);
  void check_meeting(const Followed& p, ConstVec y);
  void take_along(double t, ConstVec y, Followed& p, Direction& along);
  void compare_choices();
  void compare_slopes(double t, ConstVec y);
  void check_rounding(double t, Followed& p, double up, double down, double of_size);

  // Of the FMU itself along time and unknowns, and of the neighbours of a parameter.
  Eval along_motion(double t, ConstVec y, const Direction& direction, Vec rates, const Read& read);
  Eval beside(double t, ConstVec y, Neighbour& n, Vec values, const Read& read);
  Eval between_neighbours(double t, ConstVec y, Followed& p, Vec rates, const Read& read);
  Eval along(double t, ConstVec y, const Direction& direction, Vec rates, const Read& read);
  void verify_slopes(double t, ConstVec y, const Direction& direction, ConstVec claimed);

  FmuModel& fmu_;
  Model& motion_;
  std::string name_;
  Make make_;
  modeling::ModelInfo info_;
  std::vector<modeling::Variable> variables_;
  std::vector<const Variable*> described_;  // beside `variables_`; null: an element of an array
  std::map<const Variable*, Value> written_;
  std::vector<Followed> followed_;
  std::vector<Neighbour> neighbours_;  // of all, two by two
  Read read_values_;
  std::vector<ValueReference> references_;  // of what `read_values_` reads
  std::vector<std::size_t> positions_;      // and where that is in `variables_`
  std::map<VariableType, std::vector<const Variable*>> choices_;  // whole numbers

  Experiment experiment_;
  bool has_begun_ = false;
  bool in_event_ = false;
  bool is_placed_ = false;  // the neighbours are in the present event
  EventUpdate made_;        // by the FMU, in the present event
  bool is_settled_ = false;
  int passes_ = 0;  // that neighbours needed alone
  bool lost_ = false;
  std::optional<Loss> loss_;
  std::vector<Direction>* directions_ = nullptr;
  std::vector<double> nominals_, values_;
  double phase_begin_ = 0.0;
  double next_event_ = kNever;
  std::vector<char> side_;  // of the indicators when the phase began
  // Of the present event, before it.
  std::vector<double> slope_, z_, z_slope_;
  std::vector<std::size_t> changed_;
  bool is_time_event_ = false;
  bool trusts_slopes_along_ = false;
  std::vector<int> comparisons_;  // of these with differences, for each state
};

}  // namespace saltus::importer
