// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/units.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace saltus::modeling {
namespace {

struct Symbol {
  std::string_view name;
  BaseUnits meaning;
  bool takes_prefixes = true;
};

// The SI's base units and derived units with names of their own, units that are used with it (BIPM:
// The International System of Units, 9th edition, tables 2, 4 and 8), and those of temperatures and
// turns that models use.
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr std::array kSymbols = {
    Symbol{"g", {.kg = 1, .factor = 1e-3}},
    Symbol{"m", {.m = 1}},
    Symbol{"s", {.s = 1}},
    Symbol{"A", {.A = 1}},
    Symbol{"K", {.K = 1}},
    Symbol{"mol", {.mol = 1}},
    Symbol{"cd", {.cd = 1}},
    Symbol{"rad", {.rad = 1}},
    Symbol{"sr", {.rad = 2}},
    Symbol{"Hz", {.s = -1}},
    Symbol{"N", {.kg = 1, .m = 1, .s = -2}},
    Symbol{"Pa", {.kg = 1, .m = -1, .s = -2}},
    Symbol{"J", {.kg = 1, .m = 2, .s = -2}},
    Symbol{"W", {.kg = 1, .m = 2, .s = -3}},
    Symbol{"C", {.s = 1, .A = 1}},
    Symbol{"V", {.kg = 1, .m = 2, .s = -3, .A = -1}},
    Symbol{"F", {.kg = -1, .m = -2, .s = 4, .A = 2}},
    Symbol{"Ohm", {.kg = 1, .m = 2, .s = -3, .A = -2}},
    Symbol{"ohm", {.kg = 1, .m = 2, .s = -3, .A = -2}},
    Symbol{"\u03a9", {.kg = 1, .m = 2, .s = -3, .A = -2}},
    Symbol{"S", {.kg = -1, .m = -2, .s = 3, .A = 2}},
    Symbol{"Wb", {.kg = 1, .m = 2, .s = -2, .A = -1}},
    Symbol{"T", {.kg = 1, .s = -2, .A = -1}},
    Symbol{"H", {.kg = 1, .m = 2, .s = -2, .A = -2}},
    Symbol{"lm", {.cd = 1, .rad = 2}},
    Symbol{"lx", {.m = -2, .cd = 1, .rad = 2}},
    Symbol{"Bq", {.s = -1}},
    Symbol{"Gy", {.m = 2, .s = -2}},
    Symbol{"Sv", {.m = 2, .s = -2}},
    Symbol{"kat", {.s = -1, .mol = 1}},
    Symbol{"l", {.m = 3, .factor = 1e-3}},
    Symbol{"L", {.m = 3, .factor = 1e-3}},
    Symbol{"t", {.kg = 1, .factor = 1e3}, false},  // a femtotonne would be what others call feet
    Symbol{"eV", {.kg = 1, .m = 2, .s = -2, .factor = 1.602176634e-19}},
    Symbol{"bar", {.kg = 1, .m = -1, .s = -2, .factor = 1e5}},
    Symbol{"Wh", {.kg = 1, .m = 2, .s = -2, .factor = 3600.0}},
    Symbol{"Ah", {.s = 1, .A = 1, .factor = 3600.0}},
    Symbol{"atm", {.kg = 1, .m = -1, .s = -2, .factor = 101325.0}, false},
    Symbol{"PS", {.kg = 1, .m = 2, .s = -3, .factor = 735.49875}, false},
    Symbol{"ft", {.m = 1, .factor = 0.3048}, false},
    Symbol{"in", {.m = 1, .factor = 0.0254}, false},
    Symbol{"lb", {.kg = 1, .factor = 0.45359237}, false},
    Symbol{"min", {.s = 1, .factor = 60.0}, false},
    Symbol{"h", {.s = 1, .factor = 3600.0}, false},
    Symbol{"d", {.s = 1, .factor = 86400.0}, false},
    Symbol{"deg", {.rad = 1, .factor = kDegree}, false},
    Symbol{"rev", {.rad = 1, .factor = 360.0 * kDegree}, false},
    Symbol{"rpm", {.s = -1, .rad = 1, .factor = 6.0 * kDegree}, false},
    Symbol{"degC", {.K = 1, .offset = 273.15}, false},
    Symbol{"degF", {.K = 1, .factor = 5.0 / 9.0, .offset = 459.67 * 5.0 / 9.0}, false},
    Symbol{"%", {.factor = 0.01}, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr std::array kPrefixes = {
    Prefix{"da", 1e1},  Prefix{"y", 1e-24}, Prefix{"z", 1e-21},     Prefix{"a", 1e-18},
    Prefix{"f", 1e-15}, Prefix{"p", 1e-12}, Prefix{"n", 1e-9},      Prefix{"u", 1e-6},
    Prefix{"m", 1e-3},  Prefix{"c", 1e-2},  Prefix{"d", 1e-1},      Prefix{"h", 1e2},
    Prefix{"k", 1e3},   Prefix{"M", 1e6},   Prefix{"G", 1e9},       Prefix{"T", 1e12},
    Prefix{"P", 1e15},  Prefix{"E", 1e18},  Prefix{"\u00b5", 1e-6}, Prefix{"\u03bc", 1e-6},
};

const Symbol* find(std::string_view name) {
  for (const Symbol& symbol : kSymbols) {
    if (symbol.name == name) {
      return &symbol;
    }
  }
  return nullptr;
}

std::optional<BaseUnits> meaning(std::string_view name) {
  if (const Symbol* symbol = find(name)) {
    return symbol->meaning;
  }
  for (const Prefix& prefix : kPrefixes) {
    if (name.substr(0, prefix.name.size()) != prefix.name) {
      continue;
    }
    const Symbol* const symbol = find(name.substr(prefix.name.size()));
    if (symbol != nullptr && symbol->takes_prefixes) {
      BaseUnits scaled = symbol->meaning;
      scaled.factor *= prefix.factor;
      return scaled;
    }
  }
  return std::nullopt;
}

BaseUnits raised(const BaseUnits& unit, int power) {
  return {.kg = unit.kg * power,
          .m = unit.m * power,
          .s = unit.s * power,
          .A = unit.A * power,
          .K = unit.K * power,
          .mol = unit.mol * power,
          .cd = unit.cd * power,
          .rad = unit.rad * power,
          .factor = std::pow(unit.factor, power)};
}
void multiply(BaseUnits& product, const BaseUnits& by) {
  product.kg += by.kg;
  product.m += by.m;
  product.s += by.s;
  product.A += by.A;
  product.K += by.K;
  product.mol += by.mol;
  product.cd += by.cd;
  product.rad += by.rad;
  product.factor *= by.factor;
}

// unit: factor { ('.' | '*' | '/') factor };  factor: ( symbol | '1' | '(' unit ')' ) [exponent]
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<BaseUnits> whole() {
    // An offset has a meaning only where nothing is multiplied.
    if (const Symbol* symbol = find(rest_); symbol != nullptr) {
      return symbol->meaning;
    }
    const auto result = unit();
    return result && rest_.empty() ? result : std::nullopt;
  }

 private:
  std::optional<BaseUnits> unit() {
    auto product = factor();
    while (product && (next_is('.') || next_is('*') || next_is('/'))) {
      const bool divides = next_is('/');
      rest_.remove_prefix(1);
      const auto by = factor();
      if (!by) {
        return std::nullopt;
      }
      multiply(*product, divides ? raised(*by, -1) : *by);
    }
    return product;
  }
  std::optional<BaseUnits> factor() {
    std::optional<BaseUnits> base;
    if (next_is('(')) {
      rest_.remove_prefix(1);
      base = unit();
      if (!next_is(')')) {
        return std::nullopt;
      }
      rest_.remove_prefix(1);
    } else if (next_is('1')) {
      rest_.remove_prefix(1);
      return BaseUnits{};
    } else {
      const std::size_t end = rest_.find_first_of(".*/()^+-0123456789");
      base = meaning(rest_.substr(0, end));
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end);
    }
    const std::optional<int> power = exponent();
    return base && power ? std::optional(raised(*base, *power)) : std::nullopt;
  }
  std::optional<int> exponent() {
    if (next_is('^')) {
      rest_.remove_prefix(1);
    }
    int sign = 1;
    if (next_is('-') || next_is('+')) {
      sign = next_is('-') ? -1 : 1;
      rest_.remove_prefix(1);
      if (rest_.empty()) {
        return std::nullopt;
      }
    } else if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
      return 1;
    }
    int power = 0;
    bool any = false;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9' && power < 100) {
      power = 10 * power + (rest_[0] - '0');
      rest_.remove_prefix(1);
      any = true;
    }
    return any ? std::optional(sign * power) : std::nullopt;
  }
  bool next_is(char c) const { return !rest_.empty() && rest_[0] == c; }

  std::string_view rest_;
};

}  // namespace

std::optional<BaseUnits> base_units(std::string_view unit) { return Parser(unit).whole(); }

UnitConversion conversion(const std::string& from, const std::string& to) {
  const auto meaning = [](const std::string& unit) {
    const auto base = base_units(unit);
    if (!base) {
      throw std::invalid_argument("the unit \"" + unit + "\" is not known");
    }
    return *base;
  };
  const BaseUnits a = meaning(from), b = meaning(to);
  const auto exponents = [](const BaseUnits& u) {
    return std::array{u.kg, u.m, u.s, u.A, u.K, u.mol, u.cd, u.rad};
  };
  if (exponents(a) != exponents(b)) {
    throw std::invalid_argument("\"" + from + "\" and \"" + to +
                                "\" are units of different quantities");
  }
  return {a.factor / b.factor, (a.offset - b.offset) / b.factor};
}

std::vector<const Variable*> with_unknown_units(std::span<const Variable> variables) {
  std::vector<const Variable*> unknown;
  for (const Variable& v : variables) {
    if (!v.unit.empty() && !base_units(v.unit)) {
      unknown.push_back(&v);
    }
  }
  return unknown;
}

void warn_of_units(const Experiment& experiment, std::span<const Variable> variables) {
  if (experiment.warnings == nullptr) {
    return;
  }
  for (const Variable* variable : with_unknown_units(variables)) {
    warn(experiment, {.time = kBeforeTheRun,
                      .subject = variable->name,
                      .message = unknown_unit_text(*variable)});
  }
}

std::string unknown_unit_text(const Variable& variable) {
  return "its unit \"" + variable.unit +
         "\" is not known, so that nobody can convert or check it; units are written like "
         "\"m/s2\", "
         "\"kN.m\", \"J/(kg.K)\", \"1\"";
}

}  // namespace saltus::modeling
