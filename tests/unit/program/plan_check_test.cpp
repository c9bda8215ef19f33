// Which overlaps of planned tensors are refused.
#include <gtest/gtest.h>

#include "host_method.h"

namespace berth::program {
namespace {

using test::kCuda;
using test::MethodBuilder;
using test::ProgramBuilder;

TEST(PlanCheckTest, RefusesValueOverwrittenBeforeItIsRead) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(8);
  const int c = m.at(64);
  m.relu(m.input, a).relu(m.input, b).add(a, b, c);
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 2: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 1 of chain 0, as value 4; plan the program's memory again");
}

TEST(PlanCheckTest, RefusesOutputOverwrittenBeforeTheEnd) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  m.relu(m.input, a).relu(m.input, b);
  m.forward.outputs({a});
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward': value 3 is an output, but its bytes are overwritten before the end: expected "
            "the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written again by "
            "instruction 1 of chain 0, as value 4; plan the program's memory again");
}

TEST(PlanCheckTest, RefusesInputOverwrittenBeforeItIsRead) {
  HostMethod m;
  const int in = m.at(0);
  const int b = m.at(0);
  const int c = m.at(64);
  m.forward.inputs({m.input, in});
  m.relu(m.input, b).add(in, b, c);
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 1: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written before the first instruction, found bytes of planned buffer 1 that were "
            "written again by instruction 0 of chain 0, as value 4; plan the program's memory again");
}

TEST(PlanCheckTest, RefusesDelegateInputOverwrittenByTheNextCopy) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int device = forward.buffer(64, kCuda);
  const int x = forward.tensor({.sizes = {4}});
  const int dx = forward.tensor({.sizes = {4}, .memory_id = device, .device_type = kCuda});
  const int dy = forward.tensor({.sizes = {4}, .memory_id = device, .offset = 12, .device_type = kCuda});
  const int dz = forward.tensor({.sizes = {4}, .memory_id = device, .offset = 32, .device_type = kCuda});
  forward.delegate("Demo", "", {{"target_device", "cuda:0"}});
  forward.inputs({x}).outputs({});
  forward.call("et_copy::_h2d_copy.out", {x, dx, dx}).call("et_copy::_h2d_copy.out", {x, dy, dy});
  forward.delegate_call(0, {dx, dy, dz});
  EXPECT_EQ(open_message(builder),
            "test.pte, method 'forward', chain 0, instruction 2: value 1 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 1 of chain 0, as value 2; plan the program's memory again");
}

TEST(PlanCheckTest, AcceptsValueThatADelegateMayWriteAfterItWasOverwritten) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int device = forward.buffer(64, kCuda);
  const int x = forward.tensor({.sizes = {4}});
  const int dx = forward.tensor({.sizes = {4}, .memory_id = device, .device_type = kCuda});
  const int dy = forward.tensor({.sizes = {4}, .memory_id = device, .offset = 12, .device_type = kCuda});
  forward.delegate("Demo", "", {{"target_device", "cuda:0"}});
  forward.inputs({x}).outputs({});
  forward.call("et_copy::_h2d_copy.out", {x, dx, dx}).call("et_copy::_h2d_copy.out", {x, dy, dy});
  forward.delegate_call(0, {dy, dx}).delegate_call(0, {dx, dy});
  EXPECT_EQ(open_message(builder), "OK");
}

TEST(PlanCheckTest, AcceptsBytesSharedOneAfterTheOther) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(32);
  const int c = m.at(0);
  m.relu(m.input, a).relu(a, b).relu(b, c);
  m.forward.outputs({c});
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, AcceptsWritingOverAnOperatorsOwnArgument) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  m.relu(m.input, a).relu(a, b);
  m.forward.outputs({b});
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, AcceptsViewsThatNobodyWrites) {
  HostMethod m;
  const int a = m.at(0);
  const int view = m.at(0);
  const int c = m.at(64);
  m.relu(m.input, a).relu(view, c).relu(a, c);
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, AcceptsWhatUnknownOperatorsDo) {
  HostMethod overwritten;
  int a = overwritten.at(0);
  int b = overwritten.at(0);
  int c = overwritten.at(64);
  overwritten.relu(overwritten.input, a).unknown(overwritten.input, b).add(a, b, c);
  EXPECT_EQ(overwritten.message(), "OK");

  HostMethod rewritten;
  a = rewritten.at(0);
  b = rewritten.at(0);
  c = rewritten.at(64);
  rewritten.relu(rewritten.input, a).relu(rewritten.input, b).unknown(b, a).relu(a, c);
  EXPECT_EQ(rewritten.message(), "OK");
}

TEST(PlanCheckTest, AcceptsDynamicTensorsWhichMayBeShorter) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.forward.tensor({.sizes = {4}, .memory_id = m.buffer, .dynamism = 1});
  const int c = m.at(64);
  m.relu(m.input, a).relu(m.input, b).add(a, b, c);
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, AcceptsPartlyOverwrittenArgumentThatIsReadInPart) {
  HostMethod m;
  const int a = m.at(0, 8);
  const int b = m.at(16);
  const int c = m.at(64);
  m.relu(m.input, a).relu(m.input, b);
  m.forward.call("aten::slice_copy.Tensor_out", {a, m.alpha, m.alpha, m.alpha, m.alpha, c, c});
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, RefusesWhollyOverwrittenArgumentThatIsReadInPart) {
  HostMethod m;
  const int a = m.at(16);
  const int b = m.at(0, 12);
  const int c = m.at(64);
  m.relu(m.input, a).relu(m.input, b);
  m.forward.call("aten::slice_copy.Tensor_out", {a, m.alpha, m.alpha, m.alpha, m.alpha, c, c});
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 2: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 1 of chain 0, as value 4; plan the program's memory again");
}

TEST(PlanCheckTest, FollowsMovesToTheBytesBehindAValue) {
  HostMethod m;
  const int a = m.at(0);
  const int moved = m.at(32);
  const int b = m.at(0);
  const int c = m.at(64);
  m.relu(m.input, a);
  m.forward.move(a, moved);
  m.relu(m.input, b).relu(moved, c);
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 3: value 4 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 2 of chain 0, as value 5; plan the program's memory again");
}

TEST(PlanCheckTest, AcceptsWritingThePlannedBytesOfAValueThatWasMovedElsewhere) {
  HostMethod m;
  const int a = m.at(0);
  const int moved = m.at(32);
  const int b = m.at(32);
  const int c = m.at(64);
  m.relu(m.input, moved).relu(m.input, a);
  m.forward.move(a, moved);
  m.relu(m.input, b).relu(moved, c);
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, AcceptsViewOperatorPlannedOnItsInputsBytes) {
  HostMethod m;
  const int a = m.at(0);
  const int view = m.at(0);
  const int c = m.at(64);
  const int sizes = m.forward.int_list({m.alpha});
  m.relu(m.input, a);
  m.forward.call("executorch_prim::et_view.default", {a, sizes, view});
  m.relu(m.input, view).relu(a, c).relu(view, c);
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckTest, RefusesResultsOfOneOperatorThatOverlap) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(8);
  const int c = m.at(64);
  const int both = m.forward.tensor_list({a, b});
  m.forward.call("aten::native_layer_norm.out", {m.input, a, b, both});
  m.add(a, b, c);
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 1: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 0 of chain 0, as value 4; plan the program's memory again");
}

TEST(PlanCheckTest, FollowsAllChains) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  m.relu(m.input, a);
  m.forward.next_chain();
  m.relu(m.input, b);
  m.forward.next_chain();
  m.relu(a, m.at(64));
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 2, instruction 0: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 0 of chain 1, as value 4; plan the program's memory again");
}

TEST(PlanCheckTest, RefusesStoredStateOverwrittenBeforeItIsRead) {
  HostMethod m;
  const std::uint32_t initial = m.builder.state(test::bytes_of<float>({1, 2, 3, 4}));
  const int state = m.forward.tensor({.sizes = {4}, .memory_id = m.buffer, .data_index = initial});
  const int b = m.at(0);
  m.relu(m.input, b).relu(state, m.at(64));
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 1: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written before the first instruction, found bytes of planned buffer 1 that were "
            "written again by instruction 0 of chain 0, as value 4; plan the program's memory again");
}

}  // namespace
}  // namespace berth::program
