// HostMethod: a method with overlapping tensors to run plan_check on.
#pragma once

#include <cstdint>
#include <string>

#include "device_program.h"

namespace berth::program {

// A method with one host buffer of 256 bytes; tensors are float[4], 16 bytes, unless said otherwise.
struct HostMethod {
  HostMethod() : forward(builder.method("forward")), buffer(forward.buffer(256)) {
    alpha = forward.integer(1);
    condition = forward.boolean(true);
    input = forward.tensor({.sizes = {4}});
    forward.inputs({input});
  }
  int at(std::uint64_t offset, int elements = 4) {
    return forward.tensor({.sizes = {elements}, .memory_id = buffer, .offset = offset});
  }
  HostMethod& relu(int from, int to) {
    forward.call("aten::relu.out", {from, to, to});
    return *this;
  }
  HostMethod& add(int a, int b, int to) {
    forward.call("aten::add.out", {a, b, alpha, to, to});
    return *this;
  }
  HostMethod& unknown(int from, int to) {
    forward.call("mine::op.out", {from, to, to});
    return *this;
  }
  [[nodiscard]] std::string message() const { return open_message(builder); }

  test::ProgramBuilder builder;
  test::MethodBuilder& forward;
  int buffer = 0;
  int alpha = 0;
  int condition = 0;
  int input = 0;
};

}  // namespace berth::program
