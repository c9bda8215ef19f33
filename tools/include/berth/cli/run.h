// The berth command as a function, for authors of kernels and delegates: a program of theirs that calls it is the berth
// command with their kernels and delegates. Commands, options, JSON shapes and exit codes: docs/cli.md.
#pragma once

#include <iosfwd>

#include "berth/module/delegate_table.h"
#include "berth/module/kernel_table.h"

namespace berth::cli {

// Where the command writes. Both streams must outlive the call; `err` is also written by the thread that shows
// progress.
struct Streams {
  std::ostream* out = nullptr;  // the report; never null
  std::ostream* err = nullptr;  // failures, log messages, progress; never null
  bool colour = false;          // colour the report
};

// Runs one command line on standard output and standard error, coloured on a terminal unless NO_COLOR is set. The
// tables are borrowed for the call. Returns the exit code: 0 good; 1 the work was done and the answer is no; 2 wrong
// use; 3 a bad input file; 4 a device or plugin failed, is full or is absent; 70 a fault of Berth. Never throws. Reads
// the environment (BERTH_CONFIG, BERTH_LOG, BERTH_PLUGIN_PATH, NO_COLOR); one call at a time in a process that changes
// it.
[[nodiscard]] int run(int argc, char** argv, const module::KernelTable& kernels,
                      const module::DelegateTable& delegates);

// The same on streams of the caller.
[[nodiscard]] int run(int argc, char** argv, const module::KernelTable& kernels, const module::DelegateTable& delegates,
                      const Streams& streams);

}  // namespace berth::cli
