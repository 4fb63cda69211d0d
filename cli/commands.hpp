// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace saltus::cli {

/// What the chosen subcommand does, once the whole command line has been understood. Answers with
/// the exit code.
using Action = std::function<int()>;

/// Each adds its subcommand to `app`; if it is the chosen one, it sets `action`, which must outlive
/// the parsing.
void add_analyze(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_validate(CLI::App& app, Action& action);

}  // namespace saltus::cli
