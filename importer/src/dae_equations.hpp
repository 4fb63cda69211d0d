// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dense_lu.hpp"
#include "instance.hpp"
#include "saltus/core/linearization.hpp"
#include "saltus/importer/dae_manifest.hpp"

namespace saltus::importer {

/// The equations of an FMU in DAE mode (FMI-LS-DAE): residuals, their derivatives, and points at
/// which they hold. The unknowns are y = [states; algebraics]; the rows are x' - f and g, or those
/// of the residuals alone in the fully implicit form.
///
/// "To solve" here means: for the algebraics, and in the implicit form for the slopes too, with the
/// states as they are.
class DaeEquations : public Consistency, public Derivatives, private Linearization {
 public:
  /// Brings the FMU to a time, its inputs and y, without the slopes.
  using Place = std::function<Eval(double t, ConstVec y)>;

  /// The instance is in DAE mode. `nominals` are those of all unknowns, which the owner keeps up to
  /// date; `kept` is what invariants are kept at, `slopes` a guess in the implicit form. All must
  /// outlive this. Throws `FmuError` where sizes do not fit or are too large.
  DaeEquations(Instance& instance, std::shared_ptr<const DaeManifest> manifest,
               const std::vector<double>& nominals, std::vector<double>& kept,
               std::vector<double>& slopes, Place place);

  const DaeManifest& manifest() const { return *manifest_; }
  std::size_t algebraics() const { return names_.size(); }
  const std::string& algebraic_name(std::size_t i) const { return names_.at(i); }
  bool is_implicit() const { return manifest_->form == DaeManifest::Form::fully_implicit; }
  /// Of the algebraics, as far as they are known without the FMU; and those that it holds.
  void append_nominals(std::vector<double>& nominals) const;
  void read_nominals(Vec algebraics);

  /// The manifest orders the states in its own way: nobody knows whether the vectors of the FMU
  /// follow it, so they are exchanged one by one, in the order of modelDescription.xml.
  bool exchanges_states() const { return exchanges_states_; }
  Eval set_states(ConstVec x);
  void get_states(Vec x);

  Eval set_algebraics(ConstVec a);
  void get_algebraics(Vec a);

  void begin(const Experiment& experiment);
  /// Whether to use the derivatives of the FMU; `probe` asks for one, which may throw `ModelError`.
  bool uses_directional_derivatives() const { return directional_; }
  void use_differences() { directional_ = false; }
  void probe_directional_derivatives();

  Eval residual(double t, ConstVec y, ConstVec yp, Vec r);
  /// Solves from the point given, and from nothing else: who was here before does not show. False:
  /// not found, and y is as it was.
  bool solve(double t, Vec y);
  /// Sets the slopes that belong to the point, in the implicit form.
  Eval place_slopes(double t, ConstVec y);

  /// The algebraics before an event: a second guess for those after it.
  void note_left_limit(ConstVec algebraics) { left_.assign(algebraics.begin(), algebraics.end()); }
  /// A phase begins: invariants may have other values.
  void begin_phase() { phase_begins_ = true; }
  /// A step is accepted: in the implicit form its slopes are the guess for those to come.
  void accept(double t, ConstVec y);
  /// Whether invariants have drifted at an accepted point. The next `make_consistent` then mends
  /// it.
  bool has_drifted(double t, ConstVec y);

  // Consistency: throws `DaeError` where there is no consistent point.
  Eval make_consistent(double t, Vec y, Vec yp) override;
  bool projects() const override { return true; }
  Eval project(double t, Vec y) override;
  // Derivatives.
  Linearization* linearization() override { return this; }

 private:
  /// Columns that no row tells apart are found from one evaluation.
  struct Group {
    std::vector<std::size_t> columns;
    std::vector<ValueReference> knowns, slopes;  ///< the variables they belong to
    std::vector<double> seed, slope_seed;
  };
  enum class Rows { all, solved };
  enum class By { value, slope };
  enum class Newton { solved, failed, singular };

  const Variable& variable(std::size_t index) const {
    return instance_.description().variables[index];
  }
  void find_pattern(bool dense);
  std::vector<Group> groups_of(Rows rows) const;
  std::size_t first_solved() const { return is_implicit() ? 0 : states_; }

  Eval rows(double t, ConstVec y, ConstVec xp, Vec r, Rows which);
  Eval product(double t, const Group& group, By by, ConstVec base, Rows which);
  double increment(std::size_t column, double value) const;
  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;
  void verify(double t, ConstVec y, ConstVec yp);
  bool agrees(double t, ConstVec y, ConstVec yp);

  double& solved(std::size_t k) {
    const std::size_t j = first_solved() + k;
    return is_implicit() && j < states_ ? xp_[j] : y_[j];
  }
  std::size_t solved_count() const { return unknowns_ - first_solved(); }
  double solved_scale(std::size_t k) const;
  Eval solved_rows(double t, ConstVec shift, std::vector<double>& r);
  bool factor(double t);
  double correction(const std::vector<double>& r, const std::vector<double>& scale,
                    std::vector<double>& change) const;
  Newton newton(double t, ConstVec shift);
  Newton follow(double t);
  void load(ConstVec y);
  void estimate_slopes(double t, Vec yp);
  [[noreturn]] void refuse(double t, Newton why);

  Eval kept_values(double t, ConstVec y, std::vector<double>& values);
  double kept_size(std::size_t i) const;
  void begin_keeping(double t, ConstVec y);
  Eval mend(double t, Vec y);

  void warn_once(std::string message);

  Instance& instance_;
  std::shared_ptr<const DaeManifest> manifest_;
  const std::vector<double>& nominals_;
  std::vector<double>& kept_;
  std::vector<double>& guess_;
  Place place_;
  Experiment experiment_;

  std::size_t states_ = 0, unknowns_ = 0;
  bool exchanges_states_ = false;
  std::vector<std::string> names_, row_names_;
  std::vector<ValueReference> state_references_, slope_references_, algebraic_references_,
      residual_references_, kept_references_;
  std::vector<double> kept_nominals_;
  std::size_t constraints_ = 0;  ///< the first of what is kept, at zero

  bool directional_ = false;
  bool dense_ = false;
  Pattern pattern_;
  std::vector<Group> groups_, solved_groups_;
  int verifications_ = 0;

  // The point at which something is evaluated, and what comes of it.
  std::vector<double> y_, xp_, products_, increments_, base_;
  std::vector<double> left_;
  DenseLu matrix_;
  bool phase_begins_ = true;
  bool has_drifted_ = false;
};

}  // namespace saltus::importer
