// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/events/integrated_model.hpp"

namespace saltus::test {

/// Writes down the variables of a native model as a `Recorder` does those of an FMU: a row a look,
/// an event with its time.
class NativeRecord : public Observer {
 public:
  NativeRecord(modeling::DescribedModel& model, const IntegratedModel& system,
               const std::vector<std::string>& names)
      : model_(model), system_(system) {
    for (const std::string& name : names) {
      std::size_t i = 0;
      while (model.variables()[i].name != name) {
        ++i;
      }
      variables_.push_back(i);
    }
  }
  void sample(double t, Moment) override {
    if (model_.evaluate(t, system_.unknowns()) == Eval::discard) {
      throw std::runtime_error("not evaluable at a point of rest");
    }
    times.push_back(t);
    auto& row = rows.emplace_back();
    for (const std::size_t i : variables_) {
      row.push_back(model_.variables()[i].is_number() ? model_.number(i)
                                                      : static_cast<double>(model_.whole(i)));
    }
  }
  void event(const EventRecord& record) override { events.push_back(record.time); }

  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  std::vector<double> events;

 private:
  modeling::DescribedModel& model_;
  const IntegratedModel& system_;
  std::vector<std::size_t> variables_;
};

}  // namespace saltus::test
