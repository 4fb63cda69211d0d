// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "dae_mode.hpp"
#include "dialect.hpp"
#include "mode.hpp"
#include "saltus/core/described_model.hpp"
#include "snapshot.hpp"

namespace saltus::fmu_export {

/// A value reference, which is the same number in all versions of FMI.
using Reference = std::uint32_t;
using References = std::span<const Reference>;

/// The state of affairs in which variables are read or set.
struct Situation {
  Interface interface = Interface::model_exchange;
  Mode mode = Mode::instantiated;
  double time = 0.0;
  ConstVec y;
  Vec settable_y;  ///< the same, for whoever may set a state
  Experiment experiment;
  References intermediate;         ///< what may be touched in Intermediate Update Mode
  bool started = false;            ///< initialisation has come to its end
  const DaeSwitch* dae = nullptr;  ///< of an FMU that has one

  /// Before that values are start values, after an error too.
  bool starting() const { return !started; }
};

template <class T>
inline constexpr auto kTypeOf =
    std::is_same_v<T, double>         ? modeling::Variable::Type::float64
    : std::is_same_v<T, std::int32_t> ? modeling::Variable::Type::int32
    : std::is_same_v<T, std::int64_t> ? modeling::Variable::Type::int64
                                      : modeling::Variable::Type::boolean;

/// The variables of an instance by value reference: 0 is the time, then come the model's variables
/// in their order, then its event indicators.
///
/// Reading is pure: values are functions of the situation. Outputs are evaluated when the first of
/// them is read after something changed, and what changes something says so by `outdate`.
class Values {
 public:
  /// What a call to `set` has changed; setting a variable to the value it has changes nothing.
  struct Change {
    bool any = false;
    bool discrete = false;  ///< a discrete input: an event
  };

  Values(modeling::DescribedModel& model, const Dialect& dialect);

  /// `T` is double, std::int32_t, std::int64_t or bool; a variable of another type is an error, and
  /// so is one that may not be touched now. Then nothing has been set.
  template <class T>
  Eval get(const Situation& now, References references, std::span<T> values);
  template <class T>
  Change set(const Situation& now, References references, std::span<const T> values);

  void outdate() {
    evaluated_ = indicated_ = false;
    ++revision_;
  }
  /// How often something has changed: never zero.
  std::uint64_t revision() const { return revision_; }
  /// Brings `number` and `whole` of the model up to date.
  Eval evaluate(const Situation& now);
  /// The state derivatives outside Continuous-Time Mode, where decisions are not frozen.
  Eval derivatives(const Situation& now, Vec yp);
  /// The event indicators; the view lives as long as this object.
  Eval indicators(const Situation& now, ConstVec& z);
  /// After the model was restored before the end of initialisation: reads its start values again,
  /// the states into `y`.
  void reread_starts(const Experiment& experiment, Vec y);

  /// What the values set since `forget_overwritten` have replaced.
  const std::vector<Overwritten>& overwritten() const { return overwritten_; }
  void set_overwritten(const std::vector<Overwritten>& values) { overwritten_ = values; }
  void forget_overwritten() { overwritten_.clear(); }
  /// Swaps the old values with those that the model has now.
  void exchange(std::vector<Overwritten>& values);

  /// "variable 3 \"h\"", for messages.
  std::string described(Reference reference) const;
  /// Null for the time, for an indicator, and for what does not exist.
  const modeling::Variable* variable(Reference reference) const;
  bool is_indicator(Reference reference) const {
    return exists(reference) && reference > model_->variables().size();
  }

 private:
  bool exists(Reference reference) const;
  template <class T>
  Eval read(const Situation& now, Reference reference, T& value);
  void check_type(Reference reference, modeling::Variable::Type expected) const;
  void check_intermediate(const Situation& now, Reference reference) const;
  void check_settable(const Situation& now, Reference reference) const;
  static void check_count(std::size_t references, std::size_t values);
  template <class T>
  bool repeats_input(const Situation& now, Reference reference, T value) const;
  template <class T>
  bool holds(const Situation& now, std::size_t position, T value) const;
  Overwritten present(std::size_t position) const;
  void remember(std::size_t position);
  template <class T>
  bool write(const Situation& now, std::size_t position, T value);

  modeling::DescribedModel* model_;
  const Dialect* dialect_;
  std::vector<std::size_t> derivatives_;  ///< positions, in the order of the states
  std::vector<double> z_;
  // Start values of discrete variables: what they read before the end of initialisation, whatever
  // an event at the start will make of them.
  std::vector<double> start_numbers_;
  std::vector<std::int64_t> start_wholes_;
  std::vector<Overwritten> overwritten_;
  void prepare(const Situation& now);

  bool evaluated_ = false;
  bool indicated_ = false;
  std::uint64_t revision_ = 1;
};

}  // namespace saltus::fmu_export
