// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "saltus/autodiff/tape.hpp"
#include "saltus/core/derivative_array.hpp"
#include "saltus/core/linearization.hpp"

namespace saltus::modeling {

class SteadyValues;
class TapeSchedule;

/// The equations on a tape, and their derivatives by the unknowns and by time, evaluated.
///
/// Only what is asked for is computed: for each kind of request (values or derivatives, up to which
/// degree, of which rows) the operations needed are put in order at its first use and kept.
/// Derivatives that are constant are not computed anew.
class TapeArray final : public DerivativeArray, public Linearization {
 public:
  /// `unknowns` counts the unknowns, of which the tape need not use all. Equations without a name
  /// are called by their position.
  TapeArray(Tape tape, std::size_t unknowns, std::vector<std::string> equation_names = {});
  ~TapeArray() override;
  TapeArray(TapeArray&& other) noexcept;
  TapeArray& operator=(TapeArray&& other) noexcept;

  /// The values of parameters and discrete variables, by their slots; valid until the next call.
  /// All are zero before the first. Throws `std::invalid_argument` when some are missing.
  void set_numbers(ConstVec numbers);

  std::size_t equations() const override { return tape_.rows().size(); }
  std::size_t unknowns() const override { return unknowns_; }
  std::size_t order() const override { return order_; }
  std::string equation_name(std::size_t i) const override;
  std::span<const Entry> entries() const override { return entries_; }
  std::uint64_t revision() const override { return revision_; }
  ConstVec slope_numbers() const override { return slope_numbers_; }
  Eval values(double t, double scale, std::size_t degree, ConstVec c, Vec F) override;
  Eval values_upto(double t, double scale, std::span<const int> level, ConstVec c, Vec F) override;
  Eval linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) override;
  bool offers_series() const override { return true; }
  /// The result must not outlive the array; it sees the numbers that are set later.
  std::unique_ptr<EquationSeries> series(std::span<const int> equation_offset,
                                         std::span<const int> unknown_offset,
                                         int last_stage) override;

  const Pattern& pattern() override { return pattern_; }
  /// Throws `std::logic_error` when a derivative above the first occurs.
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;

  /// Operations on the tape, and operations done for one evaluation of a kind, for reports.
  std::size_t nodes() const { return tape_.size(); }
  std::size_t operations_for_values(std::size_t degree);
  std::size_t operations_for_derivatives(std::size_t degree);

 private:
  using Schedules = std::vector<std::unique_ptr<TapeSchedule>>;  ///< by degree
  struct Request;

  TapeSchedule& schedule(Schedules& known, std::span<const Tape::Node> wanted, std::size_t degree);
  TapeSchedule& schedule(std::span<const int> level);
  void make_pattern();
  void count_leaves();
  void find_slope_slots();

  Tape tape_;
  std::size_t unknowns_;
  std::size_t order_ = 0;
  std::size_t numbers_ = 0;
  std::vector<double> given_numbers_;
  std::vector<std::size_t> slope_slots_;  ///< of the numbers that entries depend on
  std::vector<double> slope_numbers_;
  std::uint64_t revision_ = 0;
  std::vector<std::string> names_;
  std::vector<Entry> entries_;
  std::vector<Tape::Node> entry_nodes_;
  std::unique_ptr<SteadyValues> steady_;
  Schedules for_values_;
  Schedules for_derivatives_;
  std::vector<Request> requests_;
  Pattern pattern_;
  std::vector<std::size_t> position_;  ///< of each entry in the pattern
  std::vector<double> curve_;          ///< y and y' one after the other
  std::vector<double> slopes_;
};

}  // namespace saltus::modeling
