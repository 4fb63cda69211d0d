// SPDX-License-Identifier: BSD-2-Clause
// FMI 3.0: modelDescription.xml (2.4, 3.4, 4.4, 5.4) and sources/buildDescription.xml (2.4.10).
#include "schema.hpp"

namespace saltus::importer::validation {
namespace {

using Type = VariableType;

constexpr Type kTypes[] = {Type::float32, Type::float64,     Type::int8,    Type::uint8,
                           Type::int16,   Type::uint16,      Type::int32,   Type::uint32,
                           Type::int64,   Type::uint64,      Type::boolean, Type::string,
                           Type::binary,  Type::enumeration, Type::clock};

bool has_units(Type type) { return type == Type::float32 || type == Type::float64; }

bool has_range(Type type) {
  return type != Type::boolean && type != Type::string && type != Type::binary &&
         type != Type::clock;
}

/// What a variable and its declared type share.
AttributeRules type_attributes(Type type) {
  AttributeRules rules;
  if (has_range(type)) rules = {{"quantity"}, {"min", type}, {"max", type}};
  if (has_units(type)) {
    rules = joined({rules,
                    {{"unit"},
                     {"displayUnit"},
                     {"relativeQuantity", Type::boolean},
                     {"unbounded", Type::boolean},
                     {"nominal", type}}});
  }
  if (type == Type::binary) rules = {{"mimeType"}, {"maxSize", Type::uint64}};
  if (type == Type::clock) {
    rules = {
        {"canBeDeactivated", Type::boolean},
        {"priority", Type::uint32},
        one_of("intervalVariability", "constant fixed tunable changing countdown triggered", true),
        {"intervalDecimal", Type::float64},
        {"shiftDecimal", Type::float64},
        {"supportsFraction", Type::boolean},
        {"resolution", Type::uint64},
        {"intervalCounter", Type::uint64},
        {"shiftCounter", Type::uint64}};
  }
  return rules;
}

ElementRule variable_rule(Type type) {
  AttributeRules rules = joined(
      {{required("name"),
        required("valueReference", Type::uint32),
        {"description"},
        one_of("causality",
               "parameter calculatedParameter input output local independent structuralParameter"),
        one_of("variability", "constant fixed tunable discrete continuous"),
        {"canHandleMultipleSetPerTimeInstant", Type::boolean},
        list_of("clocks", Type::uint32)},
       type_attributes(type)});
  rules.push_back(type == Type::enumeration ? required("declaredType")
                                            : AttributeRule{"declaredType"});
  std::vector<ChildRule> children = {{"Annotations", "", 0}};
  if (type != Type::clock) {
    // A start value of the wrong form is for rule 17 to explain, hence without a type here.
    rules = joined({rules,
                    {{"intermediateUpdate", Type::boolean},
                     {"previous", Type::uint32},
                     one_of("initial", "exact approx calculated"),
                     {"start"}}});
    children.push_back({"Dimension", "Dimension", 1, false, true});
    if (!is_numeric(type)) children.push_back({"Start", "Start", 2, false, true});
  }
  if (has_units(type)) {
    rules = joined({rules, {{"derivative", Type::uint32}, {"reinit", Type::boolean}}});
  }
  children.push_back({"Alias", has_units(type) ? "FloatAlias" : "Alias", 3, false, true});
  return {.attributes = rules, .children = children};
}

void add_interfaces(Schema& schema) {
  const AttributeRules common = {required("modelIdentifier"),
                                 {"needsExecutionTool", Type::boolean},
                                 {"canBeInstantiatedOnlyOncePerProcess", Type::boolean},
                                 {"canGetAndSetFMUState", Type::boolean},
                                 {"canSerializeFMUState", Type::boolean},
                                 {"providesDirectionalDerivatives", Type::boolean},
                                 {"providesAdjointDerivatives", Type::boolean},
                                 {"providesPerElementDependencies", Type::boolean}};
  const std::vector<ChildRule> children = {{"Annotations"}};
  const auto add = [&](const char* name, const AttributeRules& own) {
    schema.types[name] = {
        .attributes = joined({common, own}), .children = children, .is_open = true};
  };
  add("ModelExchange", {{"needsCompletedIntegratorStep", Type::boolean},
                        {"providesEvaluateDiscreteStates", Type::boolean}});
  add("CoSimulation", {{"canHandleVariableCommunicationStepSize", Type::boolean},
                       {"fixedInternalStepSize", Type::float64},
                       {"maxOutputDerivativeOrder", Type::uint32},
                       {"recommendedIntermediateInputSmoothness", Type::int32},
                       {"providesIntermediateUpdate", Type::boolean},
                       {"mightReturnEarlyFromDoStep", Type::boolean},
                       {"canReturnEarlyAfterIntermediateUpdate", Type::boolean},
                       {"hasEventMode", Type::boolean},
                       {"providesEvaluateDiscreteStates", Type::boolean}});
  add("ScheduledExecution", {});
}

void add_variables(Schema& schema) {
  ElementRule& variables = schema.types["ModelVariables"] = {.needs_child = true};
  ElementRule& types = schema.types["TypeDefinitions"] = {.needs_child = true};
  for (const Type type : kTypes) {
    const char* name = to_string(type);
    const std::string type_name = std::string(name) + "Type";
    ElementRule definition = {
        .attributes = joined({{required("name"), {"description"}}, type_attributes(type)}),
        .children = {{"Annotations"}}};
    if (type == Type::enumeration) definition.children.push_back({"Item", "Item", 1, true, true});
    schema.types[name] = variable_rule(type);
    variables.children.push_back({name, name, 0, false, true});
    schema.types[type_name] = definition;
    types.children.push_back({type_name, type_name, 0, false, true});
  }
  schema.types["Dimension"] = {
      .attributes = {{"start", Type::uint64}, {"valueReference", Type::uint32}}};
  schema.types["Start"] = {.attributes = {{"value"}}};
  schema.types["Alias"] = {.attributes = {required("name"), {"description"}}};
  schema.types["FloatAlias"] = {.attributes = {required("name"), {"description"}, {"displayUnit"}}};
  schema.types["Item"] = {
      .attributes = {required("name"), required("value", Type::int64), {"description"}},
      .children = {{"Annotations"}}};
}

void add_structure(Schema& schema) {
  AttributeRule kinds = one_of("dependenciesKind", "dependent constant fixed tunable discrete");
  kinds.is_list = true;
  schema.types["Unknown"] = {.attributes = {required("valueReference", Type::uint32),
                                            list_of("dependencies", Type::uint32), kinds},
                             .children = {{"Annotations"}}};
  ElementRule& structure = schema.types["ModelStructure"];
  int rank = 0;
  for (const char* name : {"Output", "ContinuousStateDerivative", "ClockedState", "InitialUnknown",
                           "EventIndicator"}) {
    structure.children.push_back({name, "Unknown", rank++, false, true});
  }
}

Schema make_fmi3_schema() {
  Schema schema{.root = "fmiModelDescription", .types = {}};
  add_interfaces(schema);
  add_units(schema, true);
  add_variables(schema);
  add_structure(schema);
  schema.types["LogCategories"] = {.children = {{"Category", "Category", 0, true, true}}};
  schema.types["Category"] = {.attributes = {required("name"), {"description"}},
                              .children = {{"Annotations"}}};
  schema.types["DefaultExperiment"] = {.attributes = {{"startTime", Type::float64},
                                                      {"stopTime", Type::float64},
                                                      {"tolerance", Type::float64},
                                                      {"stepSize", Type::float64}},
                                       .children = {{"Annotations"}}};
  schema.types["fmiModelDescription"] = {
      .attributes = {{"fmiVersion"},
                     required("modelName"),
                     required("instantiationToken"),
                     {"description"},
                     {"author"},
                     {"version"},
                     {"copyright"},
                     {"license"},
                     {"generationTool"},
                     {"generationDateAndTime"},
                     one_of("variableNamingConvention", "flat structured")},
      .children = {{"ModelExchange", "ModelExchange", 0},
                   {"CoSimulation", "CoSimulation", 1},
                   {"ScheduledExecution", "ScheduledExecution", 2},
                   {"UnitDefinitions", "UnitDefinitions", 3},
                   {"TypeDefinitions", "TypeDefinitions", 4},
                   {"LogCategories", "LogCategories", 5},
                   {"DefaultExperiment", "DefaultExperiment", 6},
                   {"ModelVariables", "ModelVariables", 7, true},
                   {"ModelStructure", "ModelStructure", 8, true},
                   {"Annotations", "", 9}}};
  return schema;
}

Schema make_build_schema() {
  Schema schema{.root = "fmiBuildDescription", .types = {}};
  schema.types["fmiBuildDescription"] = {
      .attributes = {{"fmiVersion"}},
      .children = {{"BuildConfiguration", "BuildConfiguration", 0, true, true},
                   {"Annotations", "", 1}}};
  schema.types["BuildConfiguration"] = {
      .attributes = {required("modelIdentifier"), {"platform"}, {"description"}},
      .children = {{"SourceFileSet", "SourceFileSet", 0, false, true},
                   {"Library", "Library", 1, false, true},
                   {"Annotations", "", 2}}};
  schema.types["SourceFileSet"] = {
      .attributes = {{"name"}, {"language"}, {"compiler"}, {"compilerOptions"}},
      .children = {{"SourceFile", "Named", 0, true, true},
                   {"PreprocessorDefinition", "PreprocessorDefinition", 1, false, true},
                   {"IncludeDirectory", "Named", 2, false, true},
                   {"Annotations", "", 3}}};
  schema.types["PreprocessorDefinition"] = {
      .attributes = {required("name"), {"optional", Type::boolean}, {"value"}, {"description"}},
      .children = {{"Option", "Option", 0, false, true}, {"Annotations", "", 1}}};
  schema.types["Option"] = {.attributes = {{"value"}, {"description"}}};
  schema.types["Named"] = {.attributes = {required("name")}, .children = {{"Annotations"}}};
  schema.types["Library"] = {
      .attributes = {required("name"), {"version"}, {"external", Type::boolean}, {"description"}},
      .children = {{"Annotations"}}};
  return schema;
}

}  // namespace

const Schema& fmi3_schema() {
  static const Schema schema = make_fmi3_schema();
  return schema;
}

const Schema& build_schema() {
  static const Schema schema = make_build_schema();
  return schema;
}

}  // namespace saltus::importer::validation
