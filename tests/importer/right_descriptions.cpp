// SPDX-License-Identifier: BSD-2-Clause
#include "right_descriptions.hpp"

std::string right_description() {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="right" instantiationToken="{1}"
    variableNamingConvention="structured">
  <ModelExchange modelIdentifier="right" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
  <CoSimulation modelIdentifier="right" hasEventMode="true" providesIntermediateUpdate="true"
      canReturnEarlyAfterIntermediateUpdate="true"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
    <Unit name="s">
      <BaseUnit s="1"/>
      <DisplayUnit name="Hz" inverse="true"/>
    </Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <Float64Type name="Length" unit="m" displayUnit="mm" min="-10" max="10"/>
    <EnumerationType name="Color">
      <Item name="red" value="1"/>
      <Item name="blue" value="2"/>
    </EnumerationType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment stopTime="1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" unit="s"/>
    <Float64 name="x" valueReference="1" causality="output" declaredType="Length" initial="exact"
        start="1" reinit="true">
      <Alias name="position" displayUnit="mm"/>
    </Float64>
    <Float64 name="der(x)" valueReference="2" derivative="1"/>
    <UInt64 name="n" valueReference="3" causality="structuralParameter" start="3"/>
    <Float64 name="u" valueReference="4" causality="input" intermediateUpdate="true"
        canHandleMultipleSetPerTimeInstant="false" start="1  2
        3">
      <Annotations><Annotation type="org.saltus.test"/></Annotations>
      <Dimension valueReference="3"/>
    </Float64>
    <Float64 name="a.'b c'[1,2]" valueReference="5" initial="exact" start="0">
      <Dimension start="2"/>
      <Dimension valueReference="3"/>
    </Float64>
    <Float64 name="p" valueReference="6" causality="parameter" variability="tunable" start="0.5"/>
    <Float64 name="q" valueReference="7" causality="calculatedParameter"/>
    <Enumeration name="color" valueReference="8" causality="parameter" declaredType="Color" start="2"/>
    <String name="text" valueReference="9" causality="parameter">
      <Start value="hello"/>
    </String>
    <Binary name="bytes" valueReference="10" causality="input">
      <Start value="00fF"/>
    </Binary>
    <Clock name="tick" valueReference="11" causality="input" intervalVariability="constant" intervalDecimal="0.1"/>
    <Clock name="done" valueReference="12" causality="output" intervalVariability="triggered"/>
    <Int32 name="count" valueReference="13" clocks="11" previous="14" initial="exact" start="0"/>
    <Int32 name="count_before" valueReference="14" clocks="11" initial="exact" start="0"/>
    <Float64 name="z" valueReference="15"/>
    <Boolean name="on" valueReference="16" causality="output"/>
    <Float64 name="sampled" valueReference="17" causality="output" variability="discrete" clocks="11"/>
    <Float64 name="half" valueReference="18" variability="constant" start="0.5"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="1"/>
    <Output valueReference="12" dependencies="11"/>
    <Output valueReference="16" dependencies=" 1  4
        6" dependenciesKind="dependent dependent  dependent"/>
    <Output valueReference="17"/>
    <ContinuousStateDerivative valueReference="2" dependencies="1 4 6" dependenciesKind="constant dependent fixed"/>
    <ClockedState valueReference="13" dependencies="14"/>
    <InitialUnknown valueReference="2" dependencies="1 4" dependenciesKind="constant dependent"/>
    <InitialUnknown valueReference="7" dependencies="6"/>
    <InitialUnknown valueReference="16"/>
    <InitialUnknown valueReference="17"/>
    <EventIndicator valueReference="15" dependencies="1"/>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

std::string right_fmi2_description() {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="right" guid="{1}" numberOfEventIndicators="1">
  <CoSimulation modelIdentifier="right"/>
  <ModelExchange modelIdentifier="right" canGetAndSetFMUstate="true" canSerializeFMUstate="true">
    <SourceFiles><File name="right.c"/></SourceFiles>
  </ModelExchange>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Length"><Real unit="m" displayUnit="mm" max="10"/></SimpleType>
    <SimpleType name="Color">
      <Enumeration><Item name="red" value="1"/><Item name="blue" value="2"/></Enumeration>
    </SimpleType>
  </TypeDefinitions>
  <DefaultExperiment stopTime="1"/>
  <VendorAnnotations><Tool name="test"/></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent"><Real/></ScalarVariable>
    <ScalarVariable name="x" valueReference="1" causality="output" initial="exact">
      <Real declaredType="Length" start="1" reinit="true"/>
    </ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="2"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="3" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="p" valueReference="4" causality="parameter" variability="fixed">
      <Real start="0.5"/>
    </ScalarVariable>
    <ScalarVariable name="same" valueReference="4" causality="calculatedParameter" variability="fixed">
      <Real/>
    </ScalarVariable>
    <ScalarVariable name="color" valueReference="0" causality="parameter" variability="fixed">
      <Enumeration declaredType="Color" start="2"/>
    </ScalarVariable>
    <ScalarVariable name="text" valueReference="0" variability="discrete" initial="exact">
      <String start=""/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2"/></Outputs>
    <Derivatives><Unknown index="3" dependencies="2 4" dependenciesKind="constant dependent"/></Derivatives>
    <InitialUnknowns>
      <Unknown index="3" dependencies="2"/>
      <Unknown index="6"/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

std::string right_build_description() {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="right" platform="x86_64-linux">
    <SourceFileSet language="C99">
      <SourceFile name="right.c"/>
      <PreprocessorDefinition name="LEVEL" value="1">
        <Option value="1"/>
        <Option value="2"/>
      </PreprocessorDefinition>
    </SourceFileSet>
  </BuildConfiguration>
  <BuildConfiguration modelIdentifier="right">
    <SourceFileSet>
      <SourceFile name="right.c"/>
    </SourceFileSet>
  </BuildConfiguration>
</fmiBuildDescription>
)xml";
}

ZipWriter right_archive(const std::string& description, const std::string& build_description) {
  ZipWriter writer;
  writer.add("modelDescription.xml", description).add("sources/right.c", "int right;\n");
  if (!build_description.empty()) writer.add("sources/buildDescription.xml", build_description);
  return writer;
}
