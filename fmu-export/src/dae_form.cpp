// SPDX-License-Identifier: BSD-2-Clause
#include "dae_form.hpp"

#include <bit>
#include <cstdint>

namespace saltus::fmu_export {
namespace {

// One list of the parts, in their order, for writing and reading.
template <class Form, class Visitor>
void visit_form(Form& form, Visitor&& part) {
  part(form.switched);
  part(form.combinations, [&](auto& sum) {
    part(sum.equation), part(sum.added);
    part(sum.factor);
  });
  part(form.levels, [&](auto& level) { part(level); });
  part(form.algebraics, [&](auto& a) { part(a.unknown), part(a.order); });
  part(form.residuals, [&](auto& row) { part(row.equation), part(row.level); });
  part(form.invariants, [&](auto& row) { part(row.equation), part(row.level); });
  part(form.computed, [&](auto& c) {
    part(c.row.equation), part(c.row.level);
    part(c.derivative.unknown), part(c.derivative.order);
    part(c.layer);
  });
}

class FormWriter {
 public:
  void operator()(const int& number) { numbers.push_back(static_cast<unsigned>(number)); }
  void operator()(const bool& flag) { numbers.push_back(flag ? 1 : 0); }
  void operator()(const double& number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    numbers.push_back(static_cast<unsigned>(bits >> 32U));
    numbers.push_back(static_cast<unsigned>(bits & 0xffffffffU));
  }
  template <class T, class Each>
  void operator()(const std::vector<T>& list, const Each& each) {
    numbers.push_back(static_cast<unsigned>(list.size()));
    for (const T& one : list) each(one);
  }
  std::vector<unsigned> numbers;
};

class FormReader {
 public:
  explicit FormReader(const unsigned* numbers) : next_(numbers) {}
  void operator()(int& number) { number = static_cast<int>(*next_++); }
  void operator()(bool& flag) { flag = *next_++ != 0; }
  void operator()(double& number) {
    const std::uint64_t high = *next_++;
    number = std::bit_cast<double>(high << 32U | *next_++);
  }
  template <class T, class Each>
  void operator()(std::vector<T>& list, const Each& each) {
    list.resize(*next_++);
    for (T& one : list) each(one);
  }

 private:
  const unsigned* next_;
};

}  // namespace

std::vector<unsigned> numbers_of(const DaeForm& form) {
  FormWriter write;
  visit_form(form, write);
  return write.numbers;
}

DaeForm dae_form_of(const unsigned* numbers) {
  DaeForm form;
  visit_form(form, FormReader(numbers));
  return form;
}

}  // namespace saltus::fmu_export
