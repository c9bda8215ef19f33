// A program file as the command line takes it: a .pte, or a .bpte with test cases of its own.
#pragma once

#include <memory>
#include <string>

#include "berth/core/result.h"
#include "berth/program/bundled_program.h"
#include "berth/program/program.h"

namespace berth::cli {

struct ProgramFile {
  std::shared_ptr<const program::Program> program;         // never null
  std::shared_ptr<const program::BundledProgram> bundled;  // null for a .pte
};

// What the file is, is decided by its contents. Errors as Program::open and BundledProgram::open.
[[nodiscard]] Result<ProgramFile> open_program_file(const std::string& path);

}  // namespace berth::cli
