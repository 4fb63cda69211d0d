// SPDX-License-Identifier: BSD-2-Clause
// FMI 2.0: modelDescription.xml (2.2, 3.3, 4.3), and what it shares with FMI 3.0.
#include "schema.hpp"

namespace saltus::importer::validation {
namespace {

using Type = VariableType;

void add_fmi2_interfaces(Schema& schema) {
  const AttributeRules common = {required("modelIdentifier"),
                                 {"needsExecutionTool", Type::boolean},
                                 {"canBeInstantiatedOnlyOncePerProcess", Type::boolean},
                                 {"canNotUseMemoryManagementFunctions", Type::boolean},
                                 {"canGetAndSetFMUstate", Type::boolean},
                                 {"canSerializeFMUstate", Type::boolean},
                                 {"providesDirectionalDerivative", Type::boolean}};
  const std::vector<ChildRule> children = {{"SourceFiles", "SourceFiles"}};
  schema.types["SourceFiles"] = {.children = {{"File", "File", 0, true, true}}};
  schema.types["File"] = {.attributes = {required("name")}};
  schema.types["ModelExchange"] = {
      .attributes = joined({common, {{"completedIntegratorStepNotNeeded", Type::boolean}}}),
      .children = children};
  // "Asynchronuously" is the standard's spelling.
  schema.types["CoSimulation"] = {
      .attributes = joined({common,
                            {{"canHandleVariableCommunicationStepSize", Type::boolean},
                             {"canInterpolateInputs", Type::boolean},
                             {"maxOutputDerivativeOrder", Type::uint32},
                             {"canRunAsynchronuously", Type::boolean}}}),
      .children = children};
}

void add_fmi2_types(Schema& schema) {
  const AttributeRules real = {{"quantity"},
                               {"unit"},
                               {"displayUnit"},
                               {"relativeQuantity", Type::boolean},
                               {"min", Type::float64},
                               {"max", Type::float64},
                               {"nominal", Type::float64},
                               {"unbounded", Type::boolean}};
  const AttributeRules integer = {{"quantity"}, {"min", Type::int32}, {"max", Type::int32}};
  const AttributeRules variable = {{"declaredType"}, {"start"}};
  schema.types["Real"] = {
      .attributes =
          joined({real, variable, {{"derivative", Type::uint32}, {"reinit", Type::boolean}}})};
  schema.types["Integer"] = {.attributes = joined({integer, variable})};
  schema.types["Boolean"] = {.attributes = variable};
  schema.types["String"] = {.attributes = variable};
  schema.types["Enumeration"] = {.attributes =
                                     joined({integer, {required("declaredType"), {"start"}}})};
  schema.types["RealType"] = {.attributes = real};
  schema.types["IntegerType"] = {.attributes = integer};
  schema.types["EmptyType"] = {};
  schema.types["EnumerationType"] = {.attributes = {{"quantity"}},
                                     .children = {{"Item", "Item", 0, true, true}}};
  schema.types["Item"] = {
      .attributes = {required("name"), required("value", Type::int32), {"description"}}};
  schema.types["SimpleType"] = {.attributes = {required("name"), {"description"}},
                                .children = {{"Real", "RealType"},
                                             {"Integer", "IntegerType"},
                                             {"Boolean", "EmptyType"},
                                             {"String", "EmptyType"},
                                             {"Enumeration", "EnumerationType"}},
                                .needs_child = true};
  schema.types["TypeDefinitions"] = {.children = {{"SimpleType", "SimpleType", 0, true, true}}};
  schema.types["ScalarVariable"] = {
      .attributes = {required("name"),
                     required("valueReference", Type::uint32),
                     {"description"},
                     one_of("causality",
                            "parameter calculatedParameter input output local independent"),
                     one_of("variability", "constant fixed tunable discrete continuous"),
                     one_of("initial", "exact approx calculated"),
                     {"canHandleMultipleSetPerTimeInstant", Type::boolean}},
      .children = {{"Real", "Real"},
                   {"Integer", "Integer"},
                   {"Boolean", "Boolean"},
                   {"String", "String"},
                   {"Enumeration", "Enumeration"},
                   {"Annotations", "", 1}},
      .needs_child = true};
  schema.types["ModelVariables"] = {
      .children = {{"ScalarVariable", "ScalarVariable", 0, true, true}}};
}

void add_fmi2_structure(Schema& schema) {
  AttributeRule kinds = one_of("dependenciesKind", "dependent constant fixed tunable discrete");
  kinds.is_list = true;
  schema.types["Unknown"] = {.attributes = {required("index", Type::uint32),
                                            list_of("dependencies", Type::uint32), kinds}};
  schema.types["Unknowns"] = {.children = {{"Unknown", "Unknown", 0, true, true}}};
  schema.types["ModelStructure"] = {.children = {{"Outputs", "Unknowns", 0},
                                                 {"Derivatives", "Unknowns", 1},
                                                 {"InitialUnknowns", "Unknowns", 2}}};
}

Schema make_fmi2_schema() {
  Schema schema{.root = "fmiModelDescription", .types = {}};
  add_fmi2_interfaces(schema);
  add_units(schema, false);
  add_fmi2_types(schema);
  add_fmi2_structure(schema);
  schema.types["LogCategories"] = {.children = {{"Category", "Category", 0, true, true}}};
  schema.types["Category"] = {.attributes = {required("name"), {"description"}}};
  schema.types["DefaultExperiment"] = {.attributes = {{"startTime", Type::float64},
                                                      {"stopTime", Type::float64},
                                                      {"tolerance", Type::float64},
                                                      {"stepSize", Type::float64}}};
  schema.types["fmiModelDescription"] = {
      .attributes = {{"fmiVersion"},
                     required("modelName"),
                     required("guid"),
                     {"description"},
                     {"author"},
                     {"version"},
                     {"copyright"},
                     {"license"},
                     {"generationTool"},
                     {"generationDateAndTime"},
                     one_of("variableNamingConvention", "flat structured"),
                     {"numberOfEventIndicators", Type::uint32}},
      .children = {{"ModelExchange", "ModelExchange", 0},
                   {"CoSimulation", "CoSimulation", 0},
                   {"UnitDefinitions", "UnitDefinitions", 1},
                   {"TypeDefinitions", "TypeDefinitions", 2},
                   {"LogCategories", "LogCategories", 3},
                   {"DefaultExperiment", "DefaultExperiment", 4},
                   {"VendorAnnotations", "", 5},
                   {"ModelVariables", "ModelVariables", 6, true},
                   {"ModelStructure", "ModelStructure", 7, true}}};
  return schema;
}

}  // namespace

void add_units(Schema& schema, bool is_fmi3) {
  const AttributeRules scale = {{"factor", Type::float64}, {"offset", Type::float64}};
  AttributeRules base = scale;
  for (const char* unit : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"}) {
    base.push_back({unit, Type::int32});
  }
  schema.types["BaseUnit"] = {.attributes = base};
  ElementRule& display =
      schema.types["DisplayUnit"] = {.attributes = joined({{required("name")}, scale})};
  ElementRule& unit = schema.types["Unit"] = {
      .attributes = {required("name")},
      .children = {{"BaseUnit", "BaseUnit", 0}, {"DisplayUnit", "DisplayUnit", 1, false, true}}};
  schema.types["UnitDefinitions"] = {.children = {{"Unit", "Unit", 0, true, true}}};
  if (!is_fmi3) return;
  display.attributes.push_back({"inverse", Type::boolean});
  display.children.push_back({"Annotations"});
  unit.children.push_back({"Annotations", "", 2});
}

const Schema& fmi2_schema() {
  static const Schema schema = make_fmi2_schema();
  return schema;
}

}  // namespace saltus::importer::validation
