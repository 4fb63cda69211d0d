// SPDX-License-Identifier: BSD-2-Clause
// What comes after the readers: FMUs that are run with what was read.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <stdexcept>

#include "file_kind.hpp"
#include "parse_dae_manifest.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "zip_writer.hpp"

namespace saltus::fuzz {
namespace {

using namespace saltus::importer;
namespace fs = std::filesystem;

/// A short run, through one interface or the other; true if it comes to its end.
bool runs(const fs::path& fmu, FmuSimulationOptions::Interface interface,
          const FmuSimulationOptions& given = {}) {
  FmuSimulationOptions options = given;
  options.interface = interface;
  try {
    const Fmu opened = Fmu::open(fmu);
    const double start = opened.description().default_experiment.start_time.value_or(0.0);
    static_cast<void>(simulate(fmu, {.stop = start + 0.1, .report_interval = 0.02}, options));
    return true;
  } catch (const Error&) {
    return false;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// An FMU with `changed` left out.
ZipWriter archive_without(const fs::path& fmu, const std::string& changed) {
  const Fmu opened = Fmu::open(fmu);
  ZipWriter writer;
  for (const auto& entry : fs::recursive_directory_iterator(opened.folder())) {
    const std::string name = fs::relative(entry.path(), opened.folder()).string();
    if (entry.is_regular_file() && name != changed) writer.add(name, content_of_fmu(fmu, name));
  }
  return writer;
}

/// Descriptions or manifests that the library behind them does not fit any more. FMUs whose
/// functions look at every size and every value reference: others would rightly be the ones that
/// crash.
FileKind changed_fmus(const std::vector<fs::path>& fmus, const std::string& changed,
                      const Playground& playground) {
  FileKind kind{.seeds = {}, .mutate = mutate_xml, .feed = {}};
  const auto archives = std::make_shared<std::vector<ZipWriter>>();
  for (const fs::path& fmu : fmus) {
    kind.seeds.push_back(content_of_fmu(fmu, changed));
    archives->push_back(archive_without(fmu, changed));
  }
  kind.feed = [archives, changed, &playground](std::size_t seed, const std::string& input) {
    ZipWriter writer = (*archives)[seed];
    writer.add(changed, input);
    const fs::path file = playground.write("input.fmu", writer.bytes());
    using Interface = FmuSimulationOptions::Interface;
    const bool as_model =
        runs(file, Interface::model_exchange, {.instance = {.dae_mode = changed == kDaeManifest}});
    return runs(file, Interface::co_simulation) || as_model;
  };
  return kind;
}

/// A table of inputs that reaches a right FMU.
FileKind driven(const FmuFolders& folders) {
  const fs::path fmu = folders.shipped / "feedthrough.fmu";
  std::string header = "time", row;
  const Fmu opened = Fmu::open(fmu);
  for (const Variable& variable : opened.description().variables) {
    if (variable.causality != Causality::input) continue;
    header += "," + variable.name;
    row += "," + format_value(variable.start);
  }
  std::string table = header + "\n";
  for (const char* time : {"0", "0.03", "0.03", "0.05", "0.2"}) table += time + row + "\n";
  return {.seeds = {table},
          .mutate = [](const std::string& seed, Dice& dice) { return mutate_csv(seed, dice); },
          .feed =
              [fmu](std::size_t, const std::string& input) {
                FmuSimulationOptions options;
                try {
                  options.inputs =
                      std::make_shared<const InputTable>(InputTable::parse(input, "input.csv"));
                } catch (const InputError&) {
                  return false;
                }
                const bool as_model =
                    runs(fmu, FmuSimulationOptions::Interface::model_exchange, options);
                return runs(fmu, FmuSimulationOptions::Interface::co_simulation, options) &&
                       as_model;
              }};
}

/// Runs the program; its exit code, or -1 for anything that it says of itself nowhere. It has five
/// seconds: a run that was asked to be long is interrupted then, and has to end by itself.
int exit_code(const fs::path& program, const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(nothing, 2);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
  }
  int status = 0;
  for (int waited = 0; ::waitpid(child, &status, WNOHANG) == 0; ++waited) {
    ::usleep(5000);
    if (waited == 1000) ::kill(child, SIGINT);
    if (waited == 4000) ::kill(child, SIGKILL);
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A word of the command line in each line.
FileKind arguments(const FmuFolders& folders) {
  const std::string fmu = (folders.shipped / "bouncing_ball.fmu").string();
  const std::string common = "\n--no-output\n--no-plot\n--quiet";
  return {.seeds = {"simulate\n" + fmu + common + "\n--stop-time\n1\n--output-interval\n0.1",
                    "simulate\n" + fmu + common + "\n--start-value\nh=2\n--tolerance\n1e-5",
                    "simulate\n" + fmu + common + "\n--interface-type\ncs\n--start-time\n0.5",
                    "simulate\n" + fmu + common + "\n--max-step\n0.5\n--call-time-limit\n9",
                    "simulate\n" + fmu + common + "\n--hysteresis\n0.01\n--dwell\n0.01",
                    "simulate\n" + fmu + common + "\n--memory-limit\n4\n--solver\nradau"},
          .mutate =
              [](const std::string& seed, Dice& dice) {
                std::vector<std::string> words;
                std::istringstream stream(seed);
                for (std::string word; std::getline(stream, word);) words.push_back(word);
                // The options that keep it from writing files stay.
                const std::size_t which = 5 + dice.below(words.size() - 5);
                words[which] = dice.one_in(4) ? mutate_bytes(words[which], dice) : odd_value(dice);
                if (dice.one_in(4)) words.push_back(words[5 + dice.below(words.size() - 5)]);
                std::string all;
                for (const std::string& word : words) all += (all.empty() ? "" : "\n") + word;
                return all;
              },
          .feed =
              [program = folders.saltus](std::size_t, const std::string& input) {
                std::vector<std::string> words = {"saltus"};
                std::istringstream stream(input);
                for (std::string word; std::getline(stream, word);) {
                  words.push_back(word.substr(0, word.find('\0')));
                }
                const int code = exit_code(program, words);
                if (code < 0 || code > 3) {
                  throw std::runtime_error("saltus ends with " + std::to_string(code));
                }
                return code == 0;
              }};
}

}  // namespace

KindMakers run_kinds(const FmuFolders& folders, const Playground& playground) {
  const fs::path &shipped = folders.shipped, &tests = folders.tests;
  return {{"run",
           [&] {
             return changed_fmus({shipped / "bouncing_ball.fmu", shipped / "feedthrough.fmu",
                                  tests / "step_event.fmu", tests / "clocks.fmu"},
                                 "modelDescription.xml", playground);
           }},
          {"dae",
           [&] {
             return changed_fmus({tests / "robertson_dae.fmu", tests / "neon_lamp.fmu",
                                  tests / "cubic_slope.fmu", tests / "pendulum_energy.fmu"},
                                 kDaeManifest, playground);
           }},
          {"driven", [&] { return driven(folders); }},
          {"arguments", [&] { return arguments(folders); }}};
}

}  // namespace saltus::fuzz
