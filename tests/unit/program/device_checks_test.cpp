// What device tags, buffers, copies and delegates say must agree.
#include <gtest/gtest.h>

#include "device_program.h"

namespace berth::program {
namespace {

using test::kCpu;
using test::kCuda;

TEST(DeviceChecksTest, AcceptsTheProgramTheyStartFrom) {
  EXPECT_EQ(message_after([](DeviceProgram&) {}), "OK");
}

TEST(DeviceChecksTest, RefusesTensorOnAnotherDeviceThanItsBuffer) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.tensor(p.dx).extra_tensor_info->device_index = 1; }),
            "test.pte, method 'forward', value 1: the tensor is tagged for another device than its planned buffer 2: "
            "expected a tensor on the buffer's device, cuda:0, found cuda:1; export the program again");
}

TEST(DeviceChecksTest, RefusesHostTensorInADeviceBuffer) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.tensor(p.dy).extra_tensor_info.reset(); }),
            "test.pte, method 'forward', value 2: the tensor is tagged for another device than its planned buffer 2: "
            "expected a tensor on the buffer's device, cuda:0, found cpu:0; export the program again");
}

TEST(DeviceChecksTest, RefusesBufferListedTwice) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(2, kCuda, 0); }),
            "test.pte, method 'forward', planned buffer 2: two entries name the device of this buffer: expected at "
            "most one entry, found entry 1 as well; export the program again");
}

TEST(DeviceChecksTest, RefusesBufferIndexOutOfRange) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(3, kCuda, 0); }),
            "test.pte, method 'forward', buffer device entry 1: the entry names a planned buffer that the method does "
            "not have: expected a buffer from 1 to 2, found buffer 3; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(0, kCuda, 0); }),
            "test.pte, method 'forward', buffer device entry 1: the entry names a planned buffer that the method does "
            "not have: expected a buffer from 1 to 2, found buffer 0; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(-1, kCuda, 0); }),
            "test.pte, method 'forward', buffer device entry 1: the entry names a planned buffer that the method does "
            "not have: expected a buffer from 1 to 2, found buffer -1; export the program again");
}

TEST(DeviceChecksTest, RefusesDevicesThatCannotBe) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(1, -1, 0); }),
            "test.pte, method 'forward', planned buffer 1: the buffer is planned for a device that cannot be: expected "
            "cpu:0, or a device type of at least 1 with an index of at least 0, found type -1, index 0; export the "
            "program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(1, kCuda, -2); }),
            "test.pte, method 'forward', planned buffer 1: the buffer is planned for a device that cannot be: expected "
            "cpu:0, or a device type of at least 1 with an index of at least 0, found type 1, index -2; export the "
            "program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.buffer_device(1, kCpu, 1); }),
            "test.pte, method 'forward', planned buffer 1: the buffer is planned for a device that cannot be: expected "
            "cpu:0, or a device type of at least 1 with an index of at least 0, found type 0, index 1; export the "
            "program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.tensor(p.dx).extra_tensor_info->device_index = -1; }),
            "test.pte, method 'forward', value 1: the tensor is tagged for a device that cannot be: expected cpu:0, or "
            "a device type of at least 1 with an index of at least 0, found type 1, index -1; export the program "
            "again");
}

TEST(DeviceChecksTest, LeavesDeviceTypesWithoutABuiltInNameToTheRegistry) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.plan().non_const_buffer_device[0]->device_type = static_cast<wire::DeviceType>(7);
              p.tensor(p.dx).extra_tensor_info->device_type = static_cast<wire::DeviceType>(7);
              p.tensor(p.dy).extra_tensor_info->device_type = static_cast<wire::DeviceType>(7);
              p.plan().delegates[0]->compile_specs.clear();
            }),
            "OK");
}

TEST(DeviceChecksTest, RefusesCopyOperatorWithWrongSides) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(0).instr_args.AsKernelCall()->args = {1, 2, 2};
            }),
            "test.pte, method 'forward', chain 0, instruction 0: et_copy::_h2d_copy.out has the wrong sides: expected "
            "from cpu:0 to a device, found from cuda:0 to cuda:0; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(2).instr_args.AsKernelCall()->args = {0, 3, 3};
            }),
            "test.pte, method 'forward', chain 0, instruction 2: et_copy::_d2h_copy.out has the wrong sides: expected "
            "from a device to cpu:0, found from cpu:0 to cpu:0; export the program again");
}

TEST(DeviceChecksTest, RefusesCopyOperatorWithWrongArguments) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(0).instr_args.AsKernelCall()->args = {0, 1};
            }),
            "test.pte, method 'forward', chain 0, instruction 0: et_copy::_h2d_copy.out has the wrong arguments: "
            "expected self, out and out again, found 2 arguments; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(0).instr_args.AsKernelCall()->args = {0, 1, 2};
            }),
            "test.pte, method 'forward', chain 0, instruction 0: et_copy::_h2d_copy.out has the wrong arguments: "
            "expected self, out and out again, found 3 arguments, of which the last two differ; export the program "
            "again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              const int number = p.forward.integer(3);
              p.instruction(0).instr_args.AsKernelCall()->args = {number, 1, 1};
            }),
            "test.pte, method 'forward', chain 0, instruction 0: et_copy::_h2d_copy.out has an argument that is no "
            "tensor: expected two tensors, found value 4 of another type; export the program again");
}

TEST(DeviceChecksTest, RefusesCopyOperatorThatChangesTheTensor) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.tensor(p.dx).scalar_type = wire::ScalarType::INT; }),
            "test.pte, method 'forward', chain 0, instruction 0: et_copy::_h2d_copy.out would change the element type: "
            "expected float32, found int32; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.tensor(p.y).dim_order = {1, 0};
            }),
            "test.pte, method 'forward', chain 0, instruction 2: et_copy::_d2h_copy.out would change the dim order: "
            "expected [0, 1], found [1, 0]; export the program again");
}

TEST(DeviceChecksTest, RefusesHostKernelWithADeviceTensor) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.forward.call("aten::relu.out", {p.dy, p.y, p.y});
            }),
            "test.pte, method 'forward', chain 0, instruction 3: a host kernel, aten::relu.out, is given memory of a "
            "device: expected arguments on cpu:0, found value 2 on cuda:0; export the program again, with copies "
            "around its delegates");
}

TEST(DeviceChecksTest, RefusesHostKernelWithADeviceTensorInAList) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              const int list = p.forward.optional_tensor_list({-1, p.dx});
              p.forward.call("aten::index_put.out", {p.x, list, p.y, p.y});
            }),
            "test.pte, method 'forward', chain 0, instruction 3: a host kernel, aten::index_put.out, is given memory "
            "of a device: expected arguments on cpu:0, found value 4 on a device, as item of a list; export the "
            "program again, with copies around its delegates");
}

TEST(DeviceChecksTest, RefusesDelegateWithTensorsOfAnotherDevice) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(1).instr_args.AsDelegateCall()->args = {1, 3};
            }),
            "test.pte, method 'forward', chain 0, instruction 1: delegate 0, 'Demo', is given memory of another "
            "device: expected arguments on its target_device cuda:0, found value 3 on cpu:0; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.plan().delegates[0]->compile_specs[0]->value = {' ', 'C', 'U', 'D', 'A', ':', '1'};
            }),
            "test.pte, method 'forward', chain 0, instruction 1: delegate 0, 'Demo', is given memory of another "
            "device: expected arguments on its target_device cuda:1, found value 1 on cuda:0; export the program "
            "again");
}

TEST(DeviceChecksTest, RefusesDelegateWithoutAProperTarget) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.plan().delegates[0]->compile_specs[0]->value = {'c', 'u', 'd', 'a', ':', '-', '1'};
            }),
            "test.pte, method 'forward', delegate 0: delegate 'Demo': compile spec target_device names no device: "
            "expected a device such as cuda:0, with an index from 0 to 127 (cpu: 0), found 'cuda:-1'; export the "
            "program again with a device that exists");
}

TEST(DeviceChecksTest, RefusesMoveBetweenDevices) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.move(p.dx, p.y); }),
            "test.pte, method 'forward', chain 0, instruction 3: the move changes the device of value 3: expected a "
            "source on cpu:0, found value 1 on cuda:0; export the program again");
}

TEST(DeviceChecksTest, RefusesMoveThatChangesTheType) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.move(p.x, p.forward.integer(1)); }),
            "test.pte, method 'forward', chain 0, instruction 3: the move makes a value a tensor, or a list of "
            "tensors, that was none before: expected both sides of one type, found value 0 and value 4 of different "
            "types; export the program again");
  EXPECT_EQ(
      message_after([](DeviceProgram& p) { p.forward.move(p.x, p.forward.tensor({.scalar_type = 4, .sizes = {1}})); }),
      "test.pte, method 'forward', chain 0, instruction 3: the move changes the element type of value 4: "
      "expected int64, found float32; export the program again");
}

TEST(DeviceChecksTest, AcceptsMovesOfNumbersAndOfHostTensors) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              const int one = p.forward.integer(1);
              const int other = p.forward.integer(2);
              p.forward.move(one, other).move(p.x, p.y);
            }),
            "OK");
}

}  // namespace
}  // namespace berth::program
