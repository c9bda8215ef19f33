#include "device_program.h"

#include <cstring>

#include "berth/program/program.h"

namespace berth::program {

DeviceProgram::DeviceProgram() : forward(builder.method("forward")) {
  const int host = forward.buffer(32);
  const int device = forward.buffer(32, test::kCuda);
  x = forward.tensor({.sizes = {2, 2}, .memory_id = host});
  dx = forward.tensor({.sizes = {2, 2}, .memory_id = device, .device_type = test::kCuda});
  dy = forward.tensor({.sizes = {2, 2}, .memory_id = device, .offset = 16, .device_type = test::kCuda});
  y = forward.tensor({.sizes = {2, 2}, .memory_id = host, .offset = 16});
  forward.delegate("Demo", "blob", {{"target_device", "cuda:0"}});
  forward.inputs({x}).outputs({y});
  forward.call("et_copy::_h2d_copy.out", {x, dx, dx});
  forward.delegate_call(0, {dx, dy});
  forward.call("et_copy::_d2h_copy.out", {dy, y, y});
}

wire::TensorT& DeviceProgram::tensor(int value) {
  return *plan().values[static_cast<std::size_t>(value)]->val.AsTensor();
}

wire::InstructionT& DeviceProgram::instruction(int index) {
  return *plan().chains[0]->instructions[static_cast<std::size_t>(index)];
}

std::string open_message(const std::vector<std::byte>& bytes) {
  const auto program = Program::from_bytes(bytes, "test.pte");
  return program.has_value() ? "OK" : program.error().message();
}

std::string open_message(const test::ProgramBuilder& builder, const std::function<void(wire::ProgramT&)>& edit) {
  return open_message(builder.build(edit));
}

std::string message_after(const std::function<void(DeviceProgram&)>& edit) {
  DeviceProgram program;
  edit(program);
  return open_message(program.builder);
}

void remove_field(std::vector<std::byte>& file, const void* table, std::uint16_t slot) {
  const auto* at = static_cast<const std::byte*>(table);
  std::int32_t distance = 0;
  std::memcpy(&distance, at, sizeof(distance));
  const auto vtable = (at - file.data()) - distance;
  std::memset(file.data() + vtable + slot, 0, 2);
}

}  // namespace berth::program
