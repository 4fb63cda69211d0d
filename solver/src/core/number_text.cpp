// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

// Burger and Dybvig, "Printing floating-point numbers quickly and accurately", 1996: digits are
// taken from an exact fraction until what is left is less than half the distance to the next
// number.
namespace saltus {
namespace {

/// A whole number of up to 1152 bits: 2^1076 times ten is the largest one that occurs.
class Whole {
 public:
  explicit Whole(std::uint64_t value) {
    limbs_[0] = static_cast<std::uint32_t>(value);
    limbs_[1] = static_cast<std::uint32_t>(value >> 32U);
    size_ = 2;
    trim();
  }
  bool is_zero() const { return size_ == 0; }
  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    if (carry != 0) {
      limbs_[size_++] = static_cast<std::uint32_t>(carry);
    }
  }
  void multiply_by_power(std::uint32_t factor, int exponent) {
    for (; exponent > 0; --exponent) {
      multiply(factor);
    }
  }
  void double_times(int exponent) {
    for (; exponent >= 31; exponent -= 31) {
      multiply(std::uint32_t{1} << 31U);
    }
    multiply(std::uint32_t{1} << static_cast<unsigned>(exponent));
  }
  Whole& operator+=(const Whole& other) {
    size_ = std::max(size_, other.size_);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t{limbs_[i]} + other.limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    if (carry != 0) {
      limbs_[size_++] = static_cast<std::uint32_t>(carry);
    }
    return *this;
  }
  /// How often `divisor` is contained, nine times at most; what remains stays here.
  int take(const Whole& divisor) {
    int times = 0;
    for (; compare(*this, divisor) >= 0; ++times) {
      subtract(divisor);
    }
    return times;
  }
  /// The sign of a - b.
  static int compare(const Whole& a, const Whole& b) {
    if (a.size_ != b.size_) {
      return a.size_ < b.size_ ? -1 : 1;
    }
    for (std::size_t i = a.size_; i-- > 0;) {
      if (a.limbs_[i] != b.limbs_[i]) {
        return a.limbs_[i] < b.limbs_[i] ? -1 : 1;
      }
    }
    return 0;
  }

 private:
  void subtract(const Whole& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint64_t rest = std::uint64_t{limbs_[i]} - other.limbs_[i] - borrow;
      limbs_[i] = static_cast<std::uint32_t>(rest);
      borrow = rest >> 63U;
    }
    trim();
  }
  void trim() {
    while (size_ > 0 && limbs_[size_ - 1] == 0) {
      --size_;
    }
  }

  std::array<std::uint32_t, 36> limbs_{};  // those from size_ on are zero
  std::size_t size_;
};

/// 0.d1d2d3... times ten to the power of `point`.
struct Digits {
  std::string text;
  int point = 0;
};

/// A positive number as rest / unit, and half the distances to its neighbours over the same unit.
struct Fraction {
  Whole rest, unit, up, down;
  bool bounds_belong;  // a text right between two numbers is read as the even one
  int point = 0;       // the next digit is that of ten to the power of point - 1

  bool is_below_first_digit() const {
    Whole sum = rest;
    sum += up;
    return Whole::compare(sum, unit) < (bounds_belong ? 0 : 1);
  }
  void next_place() {
    rest.multiply(10);
    up.multiply(10);
    down.multiply(10);
  }
};

Fraction fraction_of(double value) {
  constexpr int kBits = 53;
  constexpr int kLowest = -1074;
  int exponent = 0;
  const double scaled = std::frexp(value, &exponent);
  exponent = std::max(exponent - kBits, kLowest);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(value, -exponent));
  // Below a power of two the numbers are closer together, but for the smallest ones.
  const int closer = scaled == 0.5 && exponent > kLowest ? 1 : 0;
  Fraction f{.rest = Whole(mantissa),
             .unit = Whole(1),
             .up = Whole(1),
             .down = Whole(1),
             .bounds_belong = mantissa % 2 == 0};
  f.rest.double_times(std::max(exponent, 0) + 1 + closer);
  f.unit.double_times(std::max(-exponent, 0) + 1 + closer);
  f.up.double_times(std::max(exponent, 0) + closer);
  f.down.double_times(std::max(exponent, 0));
  // One less than it is or right.
  f.point = static_cast<int>(std::ceil(std::log10(value) - 1e-10));
  f.unit.multiply_by_power(10, f.point);
  for (Whole* part : {&f.rest, &f.up, &f.down}) {
    part->multiply_by_power(10, -f.point);
  }
  if (f.is_below_first_digit()) {
    f.next_place();
  } else {
    ++f.point;
  }
  return f;
}

Digits shortest_digits(double value) {
  Fraction f = fraction_of(value);
  Digits digits{.text = {}, .point = f.point};
  const int limit = f.bounds_belong ? 1 : 0;
  for (;; f.next_place()) {
    const int digit = f.rest.take(f.unit);
    const bool low = Whole::compare(f.rest, f.down) < limit;
    Whole sum = f.rest;
    sum += f.up;
    const bool high = Whole::compare(sum, f.unit) > -limit;
    if (!low && !high) {
      digits.text += static_cast<char>('0' + digit);
      continue;
    }
    Whole twice = f.rest;
    twice.multiply(2);
    const int half = Whole::compare(twice, f.unit);
    const bool up = low && high ? half > 0 || (half == 0 && digit % 2 == 1) : high;
    digits.text += static_cast<char>('0' + digit + (up ? 1 : 0));
    return digits;
  }
}

std::string exact_digits(double value) {
  Fraction f = fraction_of(value);
  std::string text;
  for (int place = f.point; place > 0; --place, f.next_place()) {
    text += static_cast<char>('0' + f.rest.take(f.unit));
  }
  return text;
}

std::string fixed(const Digits& digits, double value) {
  const int length = static_cast<int>(digits.text.size());
  if (digits.point > length) {
    return exact_digits(value);
  }
  if (digits.point <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-digits.point), '0') + digits.text;
  }
  std::string text = digits.text;
  if (digits.point < length) {
    text.insert(static_cast<std::size_t>(digits.point), 1, '.');
  }
  return text;
}

std::string scientific(const Digits& digits) {
  const int exponent = digits.point - 1;
  const int magnitude = exponent < 0 ? -exponent : exponent;
  std::string text = digits.text.substr(0, 1);
  if (digits.text.size() > 1) {
    text += '.' + digits.text.substr(1);
  }
  text += exponent < 0 ? "e-" : "e+";
  return text + (magnitude < 10 ? "0" : "") + std::to_string(magnitude);
}

}  // namespace

std::string number_text(double value) {
  const std::string sign = std::signbit(value) ? "-" : "";
  value = std::fabs(value);
  if (std::isnan(value)) {
    return sign + "nan";
  }
  if (std::isinf(value)) {
    return sign + "inf";
  }
  if (value == 0.0) {
    return sign + "0";
  }
  const Digits digits = shortest_digits(value);
  const std::string as_power = scientific(digits);
  // A number of many places is not written out to find that this is longer.
  constexpr int kFar = 30;
  if (std::abs(digits.point) > kFar) {
    return sign + as_power;
  }
  const std::string written_out = fixed(digits, value);
  return sign + (written_out.size() <= as_power.size() ? written_out : as_power);
}

}  // namespace saltus
