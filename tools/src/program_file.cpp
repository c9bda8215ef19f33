#include "program_file.h"

namespace berth::cli {

Result<ProgramFile> open_program_file(const std::string& path) {
  ProgramFile file;
  if (program::BundledProgram::is_bundled(path)) {
    BERTH_ASSIGN(file.bundled, program::BundledProgram::open(path));
    file.program = file.bundled->program();
  } else {
    BERTH_ASSIGN(file.program, program::Program::open(path));
  }
  return file;
}

}  // namespace berth::cli
