// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dae_mode.hpp"
#include "dialect.hpp"
#include "mode.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/core/whole_values.hpp"
#include "snapshot.hpp"
#include "watched_conditions.hpp"

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
  /// What may be touched in Intermediate Update Mode, as the description lists it.
  References intermediate;
  bool started = false;            ///< initialisation has come to its end
  const DaeSwitch* dae = nullptr;  ///< of an FMU that has one

  /// Before that values are start values, after an error too.
  bool starting() const { return !started; }
};

/// An array of strings or binaries, and of their variables, as an importer has them.
struct TextArray {
  modeling::Variable::Type type;
  const Reference* references = nullptr;
  std::size_t number_of_references = 0;
  void* values = nullptr;  ///< pointers to characters or bytes, each `const` or not
  std::size_t count = 0;
  std::size_t* sizes = nullptr;  ///< of binaries
};

/// An array of values that are not numbers, of whatever type: what `Variable::is_whole`.
struct WholeArray {
  using Type = modeling::Variable::Type;
  Type served;  ///< the type whose function was called, see `Dialect`
  Type stored;  ///< what the values are
  void* first = nullptr;
  std::size_t count = 0;

  std::size_t size = 0;  ///< of one of them

  modeling::Whole operator[](std::size_t i) const {
    return {static_cast<std::byte*>(first) + i * size, stored};
  }
};

/// What an importer asks clocks for, besides whether they tick.
struct ClockCall {
  enum What { interval, shift, interval_fraction, shift_fraction, set } what;
  /// As FMI numbers its qualifiers of intervals.
  enum News : std::uint8_t { not_yet_known, unchanged, changed };
  double* lengths = nullptr;
  void* qualifiers = nullptr;  ///< of intervals
  void (*qualify)(void* qualifiers, std::size_t i, News news) = nullptr;
  std::uint64_t* counters = nullptr;  ///< of fractions
  std::uint64_t* resolutions = nullptr;
  References clocks = {};
};

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
    bool discrete = false;  ///< what changes at events alone: an event
  };

  Values(modeling::DescribedModel& model, const Dialect& dialect);

  /// A variable of another type is an error, and so is one that may not be touched now, or a value
  /// that it cannot have. Then nothing has been set.
  Eval get(const Situation& now, References references, std::span<double> values);
  Eval get(const Situation& now, References references, const WholeArray& values);
  Change set(const Situation& now, References references, std::span<const double> values);
  Change set(const Situation& now, References references, const WholeArray& values);
  /// Of strings and binaries; in `text_values.cpp`, which FMUs without them lack.
  Eval get_text(const Situation& now, modeling::Variable::Type type, Reference reference,
                std::string& text);
  Change set_texts(const Situation& now, modeling::Variable::Type type, References references,
                   std::span<const std::string_view> texts);

  /// Throws `CallError`: there are as many values as variables, here all of them scalars.
  static void check_count(std::size_t references, std::size_t values);

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
  std::size_t number_of_indicators() const { return z_.size(); }
  /// Those of Continuous-Time Mode.
  Eval frozen_indicators(double t, ConstVec y, Vec z) {
    return own_indicators_ == z.size() ? model_->indicators(t, y, z)
                                       : watch_conditions(*model_, t, y, z);
  }
  /// The event indicators; the view lives as long as this object.
  Eval indicators(const Situation& now, ConstVec& z);
  /// After the model was restored before the end of initialisation: reads its start values again,
  /// the states into `y`.
  void reread_starts(const Experiment& experiment, Vec y);
  /// After the model was restored from bytes of whatever origin: what nobody but the importer sets
  /// has to be what it could have set, and before the end of initialisation is what it starts with.
  /// Throws `CallError` naming what is not.
  void check_restored(bool started);

  /// Start values as they are set.
  double start_number(std::size_t position) const { return start_numbers_[position]; }
  std::int64_t start_whole(std::size_t position) const { return start_wholes_[position]; }

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
  /// Throws `CallError` where it is none.
  const modeling::Variable& clock(Reference reference) const {
    check_type(reference, modeling::Variable::Type::clock);
    return *variable(reference);
  }
  bool is_indicator(Reference reference) const {
    return exists(reference) && reference > model_->variables().size();
  }

 private:
  bool exists(Reference reference) const;
  Eval read(const Situation& now, Reference reference, double& value);
  Eval read(const Situation& now, const modeling::Variable& v, std::size_t position,
            std::int64_t& value);
  // What a value belongs to is computed, unless it is given or a start value.
  Eval come_to(const Situation& now, const modeling::Variable& v, bool& is_start);
  void check_type(Reference reference, modeling::Variable::Type function) const;
  void check_intermediate(const Situation& now, Reference reference) const;
  void check_settable(const Situation& now, Reference reference) const;
  void check_target(const Situation& now, Reference reference, bool repeats) const;
  bool holds(const Situation& now, std::size_t position, double value) const;
  bool holds(const Situation& now, std::size_t position, std::int64_t value) const;
  Overwritten present(std::size_t position) const;
  void remember(std::size_t position);
  void write(const Situation& now, std::size_t position, double value);
  void write(const Situation& now, std::size_t position, std::int64_t value);
  void note(Change& change, std::size_t position) const;

  modeling::DescribedModel* model_;
  const Dialect* dialect_;
  std::vector<std::size_t> derivatives_;  ///< positions, in the order of the states
  std::vector<double> z_;
  std::size_t own_indicators_;  ///< without what `watch_conditions` adds
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
