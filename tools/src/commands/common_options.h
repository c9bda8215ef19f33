// Options that every subcommand has.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "context.h"

namespace berth::cli {

// A subcommand with --config, --json and --version.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, CommonOptions& options);

}  // namespace berth::cli
