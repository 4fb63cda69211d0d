// SPDX-License-Identifier: BSD-2-Clause
#include "tape_series.hpp"

#include <algorithm>

#include "saltus/autodiff/tape_array.hpp"

namespace saltus::modeling {
namespace {

// One degree more than is needed first: above degree 0 the schedule computes pairs together.
std::vector<int> raised(std::span<const int> offset) {
  std::vector<int> level(offset.begin(), offset.end());
  for (int& value : level) {
    ++value;
  }
  return level;
}

}  // namespace

TapeSeries::TapeSeries(const Tape& tape, const SteadyValues& steady,
                       std::span<const int> equation_offset, std::span<const int> unknown_offset,
                       int last_stage)
    : schedule_(tape, steady, tape.rows(), raised(equation_offset), last_stage),
      steady_(steady),
      unknown_offset_(unknown_offset.begin(), unknown_offset.end()) {
  const int highest =
      unknown_offset.empty() ? 0 : *std::max_element(unknown_offset.begin(), unknown_offset.end());
  room_ = static_cast<std::size_t>(last_stage + highest) + 1;
  unknown_.assign(unknown_offset.size() * room_, 0.0);
  for (const TapeSchedule::Load& load : schedule_.loads_) {
    const int lead = load.degree - 1;
    leaves_.push_back(
        {static_cast<std::uint32_t>(load.unknown * room_) + static_cast<std::uint32_t>(load.order),
         load.out, load.order, lead, load.unknown,
         lead + load.order == unknown_offset[load.unknown]});
  }
  for (const TapeSchedule::Store& store : schedule_.stores_) {
    rows_.push_back({store.place, store.from, store.degree - 1, store.steady});
  }
  find_corrections();
}

bool TapeSeries::is_linear(Code code) {
  switch (code) {
    case Code::lift:
    case Code::negate:
    case Code::add:
    case Code::add_steady:
    case Code::subtract:
    case Code::subtract_steady:
    case Code::steady_minus:
    case Code::scale:
    case Code::divide_steady:
      return true;
    default:
      return false;
  }
}

// The recurrence uses earlier coefficients of its own result.
bool TapeSeries::looks_back(Code code) { return !is_linear(code) && code != Code::multiply; }

bool TapeSeries::has_two_operands(Code code) {
  switch (code) {
    case Code::add:
    case Code::subtract:
    case Code::multiply:
    case Code::divide:
    case Code::power:
    case Code::atan2:
    case Code::asin:
    case Code::acos:
    case Code::atan:
      return true;
    default:
      return false;
  }
}

// Whose coefficients are looked at again at a later stage, by themselves or by others.
void TapeSeries::mark_needed(std::span<const int> lead, std::vector<char>& needed) const {
  const auto slot = [this](std::uint32_t place) { return place / schedule_.stride_; };
  const Operands* next = schedule_.operands_.data() + schedule_.operands_.size();
  for (auto run = schedule_.runs_.rbegin(); run != schedule_.runs_.rend(); ++run) {
    if (run->code == Code::lift) {
      next -= run->count;
      continue;
    }
    const std::size_t outputs = TapeSchedule::makes_two(run->code) ? 2 : 1;
    for (std::uint32_t i = run->count; i-- > 0;) {
      const Operands& o = *--next;
      const std::size_t out = slot(run->out) + i * outputs;
      for (std::size_t k = 0; k < outputs; ++k) {
        needed[out + k] = needed[out + k] != 0 || looks_back(run->code) ? 1 : 0;
      }
      const auto use = [&](std::size_t operand) {
        if (!is_linear(run->code) || needed[out] != 0 || lead[operand] > lead[out]) {
          needed[operand] = 1;
        }
      };
      use(slot(o.a));
      if (has_two_operands(run->code)) {
        use(slot(o.b));
      }
    }
  }
}

void TapeSeries::find_corrections() {
  const auto stride = static_cast<std::uint32_t>(schedule_.stride_);
  const std::size_t slots = schedule_.values_.size() / stride;
  const auto unchanged = static_cast<std::uint32_t>(slots);
  std::vector<int> lead(slots, 0);
  std::vector<char> changes(slots, 0);
  for (const Leaf& leaf : leaves_) {
    lead[leaf.out / stride] = leaf.lead;
    changes[leaf.out / stride] = leaf.is_new ? 1 : 0;
  }
  for (const Run& run : schedule_.runs_) {
    const std::size_t results = run.count * (TapeSchedule::makes_two(run.code) ? 2U : 1U);
    std::fill_n(lead.begin() + run.out / stride, results, run.degree - 1);
  }
  std::vector<char> needed(slots, 0);
  mark_needed(lead, needed);
  std::uint32_t instruction = 0;
  for (std::uint32_t r = 0; r < schedule_.runs_.size(); ++r) {
    const Run& run = schedule_.runs_[r];
    const std::uint32_t outputs = TapeSchedule::makes_two(run.code) ? 2 : 1;
    for (std::uint32_t i = 0; i < run.count; ++i, ++instruction) {
      if (run.code == Code::lift) {
        continue;
      }
      const Operands& o = schedule_.operands_[instruction];
      const std::uint32_t first = run.out / stride + i * outputs;
      const auto moved = [&](std::uint32_t place) {
        const std::uint32_t slot = place / stride;
        return changes[slot] != 0 && lead[slot] == lead[first] ? slot : unchanged;
      };
      const std::uint32_t a = moved(o.a);
      const std::uint32_t b = has_two_operands(run.code) ? moved(o.b) : unchanged;
      if (a == unchanged && b == unchanged) {
        continue;
      }
      for (std::uint32_t k = 0; k < outputs; ++k) {
        changes[first + k] = 1;
        if (needed[first + k] != 0) {
          corrections_.push_back(
              {.a = a,
               .b = b,
               .out = first + k,
               .value = (first + k) * stride + static_cast<std::uint32_t>(lead[first]),
               .run = r,
               .instruction = instruction,
               .second = k == 1});
        }
      }
    }
  }
  change_.assign(slots + 1, 0.0);
}

void TapeSeries::begin(double t, double scale) {
  scale_ = scale;
  std::fill(unknown_.begin(), unknown_.end(), 0.0);
  if (schedule_.time_out_ >= 0) {
    double* const time = schedule_.values_.data() + schedule_.time_out_;
    std::fill_n(time, schedule_.stride_, 0.0);
    time[0] = t;
    time[1] = scale;
  }
}

void TapeSeries::give(int stage, ConstVec x) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const int degree = stage + unknown_offset_[j];
    if (degree >= 0) {
      unknown_[j * room_ + static_cast<std::size_t>(degree)] = x[j];
    }
  }
}

// Coefficient `degree` of x^(order) is this times coefficient degree + order of x.
double TapeSeries::factor(int degree, int order) const {
  double product = 1.0;
  for (int q = 1; q <= order; ++q) {
    product *= (degree + q) / scale_;
  }
  return product;
}

void TapeSeries::evaluate(int stage, Vec rest) {
  double* const values = schedule_.values_.data();
  for (const Leaf& leaf : leaves_) {
    const int k = stage + leaf.lead;
    if (k >= 0) {
      const auto at = static_cast<std::size_t>(k);
      values[leaf.out + at] = factor(k, leaf.order) * unknown_[leaf.from + at];
    }
  }
  const Operands* next = schedule_.operands_.data();
  for (const Run& run : schedule_.runs_) {
    const int k = stage + run.degree - 1;
    if (k == 0) {
      schedule_.execute_values(run, next, steady_.data());
    } else if (k > 0) {
      coefficient(run, next, k);
    }
    next += run.count;
  }
  for (const Row& row : rows_) {
    const int k = stage + row.offset;
    if (k >= 0) {
      rest[row.place] = row.rests ? (k == 0 ? steady_.data()[row.from] : 0.0)
                                  : values[row.from + static_cast<std::size_t>(k)];
    }
  }
}

void TapeSeries::linearize() {
  for (Correction& correction : corrections_) {
    partials(correction);
  }
}

void TapeSeries::correct(int stage, ConstVec x) {
  give(stage, x);
  double* const values = schedule_.values_.data();
  double* const change = change_.data();
  for (const Leaf& leaf : leaves_) {
    if (leaf.is_new) {
      const int k = stage + leaf.lead;
      const double value = factor(k, leaf.order) * x[leaf.unknown];
      change[leaf.out / schedule_.stride_] = value;
      values[leaf.out + static_cast<std::size_t>(k)] = value;
    }
  }
  double* const at_stage = values + stage;
  for (const Correction& c : corrections_) {
    const double moved = c.by_a * change[c.a] + c.by_b * change[c.b];
    change[c.out] = moved;
    at_stage[c.value] += moved;
  }
}

// Here, so that FMUs whose models need no series do not contain them.
std::unique_ptr<EquationSeries> TapeArray::series(std::span<const int> equation_offset,
                                                  std::span<const int> unknown_offset,
                                                  int last_stage) {
  return std::make_unique<TapeSeries>(tape_, *steady_, equation_offset, unknown_offset, last_stage);
}

}  // namespace saltus::modeling
