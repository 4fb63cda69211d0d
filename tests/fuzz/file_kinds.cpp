// SPDX-License-Identifier: BSD-2-Clause
// Readers of files, each with the exception that it documents.
#include <zip.h>

#include <memory>
#include <stdexcept>

#include "file_kind.hpp"
#include "parse_dae_manifest.hpp"
#include "parse_description.hpp"
#include "right_descriptions.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/importer/validate.hpp"
#include "start_values.hpp"
#include "validate/elf_symbols.hpp"

namespace saltus::fuzz {
namespace {

using namespace saltus::importer;
namespace fs = std::filesystem;

constexpr const char* kDescription = "modelDescription.xml";
constexpr const char* kBuild = "sources/buildDescription.xml";

/// With deflated entries, which `ZipWriter` does not write.
std::string deflated_archive(const Playground& playground) {
  const fs::path file = playground.write("deflated.fmu", "");
  fs::remove(file);
  const std::string text = right_description(), build = right_build_description();
  zip_t* const zip = zip_open(file.c_str(), ZIP_CREATE, nullptr);
  for (const auto& [name, content] : {std::pair{kDescription, &text}, {kBuild, &build}}) {
    zip_file_add(zip, name, zip_source_buffer(zip, content->data(), content->size(), 0), 0);
  }
  zip_dir_add(zip, "resources", 0);
  if (zip_close(zip) != 0) throw std::runtime_error("the archive to begin with cannot be written");
  std::string bytes;
  {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                           &std::fclose);
    for (int c = std::fgetc(stream.get()); c != EOF; c = std::fgetc(stream.get())) {
      bytes += static_cast<char>(c);
    }
  }
  fs::remove(file);
  return bytes;
}

bool opens(const fs::path& file) {
  try {
    const Fmu fmu = Fmu::open(file);
    return true;
  } catch (const FmuError&) {
    return false;
  }
}

FileKind archives(const Playground& playground) {
  ZipWriter links = right_archive(right_description());
  links.add("resources/link", "../../outside", {.mode = 0120777}).add("resources/", "");
  return {.seeds = {deflated_archive(playground), right_archive(right_description()).bytes(),
                    links.bytes()},
          .mutate = [](const std::string& seed, Dice& dice) { return mutate_zip(seed, dice); },
          .feed =
              [&playground](std::size_t, const std::string& input) {
                const fs::path file = playground.write("input.fmu", input);
                static_cast<void>(validate(file));
                return opens(file);
              }};
}

/// A description is read twice: as by a run, and by all rules of a validation.
bool feed_description(const Playground& playground, const std::string& input) {
  const fs::path file = playground.write("input.fmu", right_archive(input).bytes());
  static_cast<void>(validate(file));
  try {
    const ModelDescription description = parse_description("input.fmu", input);
    for (const Variable& variable : description.variables) {
      static_cast<void>(description.element_count(variable));
      static_cast<void>(format_value(variable.start));
    }
    return true;
  } catch (const FmuError&) {
    return false;
  }
}

FileKind descriptions(std::vector<std::string> seeds, const Playground& playground) {
  return {.seeds = std::move(seeds),
          .mutate = mutate_xml,
          .feed = [&playground](std::size_t, const std::string& input) {
            return feed_description(playground, input);
          }};
}

FileKind manifests(const FmuFolders& folders) {
  FileKind kind{.seeds = {}, .mutate = mutate_xml, .feed = {}};
  const auto described = std::make_shared<std::vector<ModelDescription>>();
  for (const char* name : {"robertson_dae", "neon_lamp", "cubic_slope", "pendulum_energy"}) {
    const fs::path fmu = folders.tests / (std::string(name) + ".fmu");
    kind.seeds.push_back(content_of_fmu(fmu, kDaeManifest));
    described->push_back(parse_description(fmu.string(), content_of_fmu(fmu, kDescription)));
  }
  kind.feed = [described](std::size_t seed, const std::string& input) {
    return parse_dae_manifest("input.fmu", input, (*described)[seed]).why_unusable.empty();
  };
  return kind;
}

/// XML files beside the description, which only a validation reads.
FileKind other_xml(const char* entry, std::string seed, const Playground& playground) {
  return {.seeds = {std::move(seed)},
          .mutate = mutate_xml,
          .feed = [&playground, entry](std::size_t, const std::string& input) {
            const bool is_build = std::string_view(entry) == kBuild;
            ZipWriter writer =
                right_archive(right_description(), is_build ? input : right_build_description());
            if (!is_build) writer.add(entry, input);
            return !validate(playground.write("input.fmu", writer.bytes())).has_errors();
          }};
}

std::string terminals() {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
  <GraphicalRepresentation>
    <CoordinateSystem x1="-100" y1="-100" x2="100" y2="100" suggestedScalingFactorTo_mm="0.1"/>
  </GraphicalRepresentation>
  <Terminals>
    <Terminal name="flange" terminalKind="org.saltus.flange" matchingRule="plug">
      <TerminalMemberVariable variableName="x" memberName="phi" variableKind="signal"/>
      <TerminalStreamMemberVariable inStreamMemberName="a" outStreamMemberName="b" inStreamVariableName="x" outStreamVariableName="u"/>
      <Terminal name="inner"/>
    </Terminal>
  </Terminals>
</fmiTerminalsAndIcons>
)";
}

FileKind libraries(const FmuFolders& folders) {
  const fs::path fmu = folders.tests / "step_event.fmu";
  return {.seeds = {content_of_fmu(fmu, "binaries/" + host_platform() + "/step_event.so")},
          .mutate = [](const std::string& seed, Dice& dice) { return mutate_elf(seed, dice); },
          .feed =
              [](std::size_t, const std::string& input) {
                return importer::validation::read_elf(input).problem.empty();
              }};
}

FileKind inputs() {
  return {
      .seeds = {"time,u,\"a, \"\"b\"\"\",v\n0,0.5,1,true\n1,1.5,1,true\n1,2.5,2,false\n2,0,2,1\n",
                "\xef\xbb\xbftime,u,text\r\n0,1 2 3,\"hello, you\"\r\n0.5,4,x\r\n"},
      .mutate = [](const std::string& seed, Dice& dice) { return mutate_csv(seed, dice); },
      .feed =
          [](std::size_t, const std::string& input) {
            try {
              const InputTable table =
                  InputTable::parse(input, "input.csv").with_elements([](const std::string& name) {
                    using Names = std::vector<std::string>;
                    return name == "u" ? std::optional(Names{"u[1]", "u[2]", "u[3]"})
                                       : std::nullopt;
                  });
              double sum = 0.0;
              for (const double t : {-1.0, 0.0, 0.7, 1.0, 1e300}) {
                const InputTable::Place place = table.locate(t, InputTable::Side::right);
                for (std::size_t i = 0; i < table.names().size(); ++i) {
                  sum += table.interpolated(place, i) + table.held(place, i);
                  sum += static_cast<double>(table.text(place.lower, i).size());
                }
              }
              static_cast<void>(table.uncovered(sum, 2.0));
              return true;
            } catch (const InputError&) {
              return false;
            }
          }};
}

FileKind start_values() {
  const auto description =
      std::make_shared<const ModelDescription>(parse_description("input.fmu", right_description()));
  return {.seeds = {"x=1.5", "p=0.5", "color=blue", "bytes=00ff", "text=a b", "n=3", "u=1 2 3",
                    "a.'b c'[1,2]=1 2 3 4 5 6", "tick=0.1", "count=7", "half=1", "position=2"},
          .mutate =
              [](const std::string& seed, Dice& dice) {
                const std::size_t equals = seed.find('=');
                if (!dice.one_in(3)) return seed.substr(0, equals + 1) + odd_value(dice);
                return mutate_bytes(seed, dice);
              },
          .feed =
              [description](std::size_t, const std::string& input) {
                const std::size_t equals = std::min(input.find('='), input.size());
                const std::string value = input.substr(std::min(equals + 1, input.size()));
                try {
                  const StartValues checked(*description, {{input.substr(0, equals), value}});
                  return true;
                } catch (const std::invalid_argument&) {
                  return false;
                }
              }};
}

}  // namespace

KindMakers file_kinds(const FmuFolders& folders, const Playground& playground) {
  const auto of = [](const fs::path& folder, const char* fmu) {
    return content_of_fmu(folder / fmu, kDescription);
  };
  return {
      {"archive", [&] { return archives(playground); }},
      {"fmi1",
       [&, of] {
         return descriptions({of(folders.tests, "ball1_me.fmu"), of(folders.tests, "ball1_cs.fmu")},
                             playground);
       }},
      {"fmi2",
       [&, of] {
         return descriptions({right_fmi2_description(), of(folders.tests, "ball2.fmu")},
                             playground);
       }},
      {"fmi3",
       [&, of] {
         return descriptions(
             {right_description(), of(folders.tests, "clocks.fmu"),
              of(folders.shipped, "bouncing_ball.fmu"), of(folders.tests, "robertson_dae.fmu")},
             playground);
       }},
      {"manifest", [&] { return manifests(folders); }},
      {"build", [&] { return other_xml(kBuild, right_build_description(), playground); }},
      {"terminals",
       [&] {
         return other_xml("terminalsAndIcons/terminalsAndIcons.xml", terminals(), playground);
       }},
      {"library", [&] { return libraries(folders); }},
      {"inputs", [] { return inputs(); }},
      {"start", [] { return start_values(); }},
  };
}

}  // namespace saltus::fuzz
