// SPDX-License-Identifier: BSD-2-Clause
// Other names of variables, and terminals: what is written of them, and what is refused.
#include "aliases.hpp"

#include <catch2/catch.hpp>
#include <saltus/modeling/native_model.hpp>
#include <string>

namespace {

using namespace saltus::modeling;
using Catch::Matchers::Contains;
using saltus::fmu_export::aliases_of;
using saltus::fmu_export::check_aliases;
using saltus::fmu_export::check_terminals;
using saltus::fmu_export::find_arrays;
using saltus::fmu_export::terminals_xml;

template <class Real>
struct Members {
  State<Real> phi{"phi", {.unit = "rad"}};
  Inputs<Real> torques{"tau", 2, {.unit = "N.m"}};
  void equations(Equations<Real>&) { der(phi) = torques[0] + torques[1]; }
};

template <class Real>
struct Named : Members<Real> {
  static constexpr Alias aliases[] = {{"angle", "phi"}, {"torques", "tau", "of both shafts"}};
  static constexpr TerminalMember shaft[] = {{"phi", "angle"},
                                             {"tau", "torque", TerminalMember::Kind::inflow}};
  static constexpr Terminal terminals[] = {{"shaft", shaft, Terminal::Matching::bus}};
  static constexpr ModelInfo info{.aliases = aliases, .terminals = terminals};
};

TEST_CASE("an alias of an array is one of each element where these are listed", "[aliases]") {
  const NativeModel<Named> model("model");
  check_aliases(model, {});
  REQUIRE(aliases_of(model, "phi").size() == 1);
  CHECK(aliases_of(model, "phi")[0].name == "angle");
  REQUIRE(aliases_of(model, "tau[1]").size() == 1);
  CHECK(aliases_of(model, "tau[1]")[0].name == "torques[1]");
  CHECK(aliases_of(model, "tau[1]")[0].description == "of both shafts");
  check_aliases(model, find_arrays(model));
  CHECK(aliases_of(model, "tau")[0].name == "torques");
  CHECK(aliases_of(model, "der(phi)").empty());
}

TEST_CASE("the members of a terminal are the variables that the description lists", "[aliases]") {
  const NativeModel<Named> model("model");
  check_terminals(model, {});
  const std::string scalars = terminals_xml(model, {});
  CHECK_THAT(scalars, Contains(R"(<Terminal name="shaft" matchingRule="bus">)"));
  CHECK_THAT(scalars, Contains(R"(variableName="phi" memberName="angle" variableKind="signal")"));
  CHECK_THAT(scalars,
             Contains(R"(variableName="tau[1]" memberName="torque[1]" variableKind="inflow")"));
  CHECK_THAT(terminals_xml(model, find_arrays(model)),
             Contains(R"(variableName="tau" memberName="torque" variableKind="inflow")"));
  CHECK(terminals_xml(NativeModel<Members>("model"), {}).empty());
}

template <class Real>
struct Misspelt : Members<Real> {
  static constexpr Alias aliases[] = {{"angle", "phy"}};
  static constexpr ModelInfo info{.aliases = aliases};
};
template <class Real>
struct Taken : Members<Real> {
  static constexpr Alias aliases[] = {{"tau[1]", "phi"}};
  static constexpr ModelInfo info{.aliases = aliases};
};
template <class Real>
struct OfAnElement : Members<Real> {
  static constexpr Alias aliases[] = {{"first", "tau[0]"}};
  static constexpr ModelInfo info{.aliases = aliases};
};
template <class Real>
struct Nameless : Members<Real> {
  static constexpr Alias aliases[] = {{"", "phi"}};
  static constexpr ModelInfo info{.aliases = aliases};
};

TEST_CASE("an alias of nothing, without a name, or with one that is taken is refused",
          "[aliases]") {
  CHECK_THROWS_WITH(check_aliases(NativeModel<Misspelt>("model"), {}),
                    Contains(R"(the alias "angle" names the variable "phy")") &&
                        Contains(R"(did you mean "phi")"));
  CHECK_THROWS_WITH(check_aliases(NativeModel<Taken>("model"), {}),
                    Contains(R"(the alias "tau[1]" of "phi" has a name that is taken)"));
  CHECK_THROWS_WITH(check_aliases(NativeModel<Nameless>("model"), {}), Contains("has no name"));
  const NativeModel<OfAnElement> element("model");
  check_aliases(element, {});
  CHECK_THROWS_WITH(
      check_aliases(element, find_arrays(element)),
      Contains(R"(names the variable "tau[0]", which the description does not list)"));
}

template <class Real>
struct TwoAlike : Members<Real> {
  static constexpr TerminalMember shaft[] = {{"phi"}, {"tau", "phi"}};
  static constexpr Terminal terminals[] = {{"shaft", shaft}};
  static constexpr ModelInfo info{.terminals = terminals};
};
template <class Real>
struct Empty : Members<Real> {
  static constexpr Terminal terminals[] = {{"shaft", {}}};
  static constexpr ModelInfo info{.terminals = terminals};
};
template <class Real>
struct Unknown : Members<Real> {
  static constexpr TerminalMember shaft[] = {{"omega"}};
  static constexpr Terminal terminals[] = {{"shaft", shaft}};
  static constexpr ModelInfo info{.terminals = terminals};
};

TEST_CASE("a terminal without members, with two of a name, or of nothing is refused", "[aliases]") {
  CHECK_THROWS_WITH(check_terminals(NativeModel<TwoAlike>("model"), {}),
                    Contains(R"(the terminal "shaft" has two members with the name "phi")"));
  CHECK_THROWS_WITH(check_terminals(NativeModel<Empty>("model"), {}), Contains("has no members"));
  CHECK_THROWS_WITH(check_terminals(NativeModel<Unknown>("model"), {}),
                    Contains(R"(the terminal "shaft" names the variable "omega")"));
}

}  // namespace
