// What the tests of this folder start from: a small program planned for a device, to be contradicted in one place.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "berth/test/program_builder.h"
#include "program_generated.h"

namespace berth::program {

// forward(x) -> y on the host, computed by one delegate on cuda:0:
//   value 0 x   float[2, 2], cpu:0, planned buffer 1 at 0
//   value 1 dx  float[2, 2], cuda:0, planned buffer 2 at 0
//   value 2 dy  float[2, 2], cuda:0, planned buffer 2 at 16
//   value 3 y   float[2, 2], cpu:0, planned buffer 1 at 16
//   instruction 0 et_copy::_h2d_copy.out(x, dx), 1 delegate 0 (dx, dy), 2 et_copy::_d2h_copy.out(dy, y)
struct DeviceProgram {
  DeviceProgram();
  test::ProgramBuilder builder;
  test::MethodBuilder& forward;
  int x = 0;
  int dx = 0;
  int dy = 0;
  int y = 0;

  [[nodiscard]] wire::ExecutionPlanT& plan() { return forward.wire(); }
  [[nodiscard]] wire::TensorT& tensor(int value);
  [[nodiscard]] wire::InstructionT& instruction(int index);
};

// The message of opening these bytes as "test.pte"; "OK" when they open.
[[nodiscard]] std::string open_message(const std::vector<std::byte>& bytes);
[[nodiscard]] std::string open_message(const test::ProgramBuilder& builder,
                                       const std::function<void(wire::ProgramT&)>& edit = {});

// The message of the small program after `edit`.
[[nodiscard]] std::string message_after(const std::function<void(DeviceProgram&)>& edit);

// Marks a field of the flatbuffer table at `table` absent, also for other tables that share its field list.
void remove_field(std::vector<std::byte>& file, const void* table, std::uint16_t slot);

}  // namespace berth::program
