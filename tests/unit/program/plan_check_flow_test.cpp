// Which overlaps are refused when instructions jump: only what is overwritten on every path.
#include <gtest/gtest.h>

#include "host_method.h"

namespace berth::program {
namespace {

TEST(PlanCheckFlowTest, AcceptsBytesSharedBetweenBranches) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  const int result = m.at(64);
  m.forward.jump_false(m.condition, 4);
  m.relu(m.input, a);
  m.forward.move(a, result).jump_false(m.condition, 6);
  m.relu(m.input, b);
  m.forward.move(b, result).outputs({result});
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckFlowTest, AcceptsValueOverwrittenInOneBranchOnly) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  const int c = m.at(64);
  m.relu(m.input, a);
  m.forward.jump_false(m.condition, 3);
  m.relu(m.input, b).relu(a, c);
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckFlowTest, RefusesValueOverwrittenInBothBranches) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  const int c = m.at(4);
  const int d = m.at(64);
  m.relu(m.input, a);
  m.forward.jump_false(m.condition, 4);
  m.relu(m.input, b);
  m.forward.jump_false(m.condition, 5);
  m.relu(m.input, c).relu(a, d);
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 5: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 4 of chain 0, as value 5; plan the program's memory again");
}

TEST(PlanCheckFlowTest, AcceptsWhatOnlyAnEarlierRoundOfALoopOverwrote) {
  HostMethod m;
  const int a = m.at(0);
  const int b = m.at(0);
  const int c = m.at(64);
  m.relu(m.input, a).relu(a, c).relu(m.input, b);
  m.forward.jump_false(m.condition, 1);
  EXPECT_EQ(m.message(), "OK");
}

TEST(PlanCheckFlowTest, RefusesConditionOverwrittenBeforeItIsRead) {
  HostMethod m;
  const int condition = m.forward.tensor({.scalar_type = 11, .sizes = {1}, .memory_id = m.buffer});
  const int b = m.at(0);
  m.forward.call("aten::eq.Scalar_out", {m.input, m.alpha, condition, condition});
  m.relu(m.input, b);
  m.forward.jump_false(condition, 3);
  EXPECT_EQ(m.message(),
            "test.pte, method 'forward', chain 0, instruction 2: value 3 is read, but its bytes have been overwritten: "
            "expected the bytes written by instruction 0 of chain 0, found bytes of planned buffer 1 that were written "
            "again by instruction 1 of chain 0, as value 4; plan the program's memory again");
}

}  // namespace
}  // namespace berth::program
