#include <gtest/gtest.h>

#include "berth/module/copy_operators.h"
#include "berth/module/delegate_table.h"
#include "berth/module/kernel_table.h"

namespace berth::module {
namespace {

Status first(KernelContext&, std::span<Value* const>) { return {}; }
Status second(KernelContext& context, std::span<Value* const>) { return context.bad_call("second"); }

Result<std::unique_ptr<Delegate>> no_delegate(std::span<const std::byte>, std::span<const program::CompileSpec>,
                                              InitContext&) {
  return std::unique_ptr<Delegate>();
}

TEST(KernelTableTest, FindsByNameAndOverload) {
  KernelTable table;
  ASSERT_TRUE(table.add("aten::add", "out", first).ok());
  ASSERT_TRUE(table.add("aten::add", "Scalar_out", second).ok());
  ASSERT_TRUE(table.add("aten::copy_", "", second).ok());
  EXPECT_EQ(table.find("aten::add", "out"), first);
  EXPECT_EQ(table.find("aten::add", "Scalar_out"), second);
  EXPECT_EQ(table.find("aten::copy_", ""), second);
  EXPECT_EQ(table.find("aten::add", ""), nullptr);
  EXPECT_EQ(table.find("aten::addout", ""), nullptr);
  EXPECT_EQ(table.find("aten::ad", "dout"), nullptr);
}

TEST(KernelTableTest, FindsNothingWhenEmpty) { EXPECT_EQ(KernelTable().find("aten::add", "out"), nullptr); }

TEST(KernelTableTest, FindsEveryEntryWhenItGrows) {
  KernelTable table;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(table.add("op::n" + std::to_string(i), "out", first).ok());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(table.find("op::n" + std::to_string(i), "out"), first) << i;
  EXPECT_EQ(table.find("op::n1000", "out"), nullptr);
  EXPECT_EQ(table.size(), 1000u);
}

TEST(KernelTableTest, RefusesDuplicatesAndIncompleteEntries) {
  KernelTable table;
  ASSERT_TRUE(table.add("aten::add", "out", first).ok());
  EXPECT_EQ(table.add("aten::add", "out", second).message(), "there is a kernel for 'aten::add.out' already");
  EXPECT_EQ(table.add("", "out", second).message(), "a kernel needs a name and a function");
  EXPECT_EQ(table.add("aten::mul", "out", nullptr).message(), "a kernel needs a name and a function");
  EXPECT_EQ(table.find("aten::add", "out"), first);
}

TEST(KernelTableTest, ListsNamesInOrder) {
  KernelTable table;
  ASSERT_TRUE(table.add("aten::mul", "out", first).ok());
  ASSERT_TRUE(table.add("aten::add", "out", first).ok());
  ASSERT_TRUE(table.add("aten::copy_", "", first).ok());
  EXPECT_EQ(table.names(), (std::vector<std::string>{"aten::add.out", "aten::copy_", "aten::mul.out"}));
}

TEST(DelegateTableTest, FindsById) {
  DelegateTable table;
  ASSERT_TRUE(table.add("ExecutorBackend", no_delegate).ok());
  EXPECT_NE(table.find("ExecutorBackend"), nullptr);
  EXPECT_EQ(table.find("Executor"), nullptr);
  EXPECT_EQ(table.ids(), std::vector<std::string>{"ExecutorBackend"});
}

TEST(DelegateTableTest, RefusesDuplicatesAndIncompleteEntries) {
  DelegateTable table;
  ASSERT_TRUE(table.add("a", no_delegate).ok());
  EXPECT_EQ(table.add("a", no_delegate).message(), "there is a delegate 'a' already");
  EXPECT_EQ(table.add("", no_delegate).message(), "a delegate needs an id and a factory");
  EXPECT_EQ(table.add("b", nullptr).message(), "a delegate needs an id and a factory");
}

TEST(CopyOperatorsTest, HasBothDirectionsWhenStandard) {
  const CopyOperators operators = CopyOperators::standard();
  EXPECT_EQ(operators.find("et_copy::_h2d_copy", "out"), h2d_copy_out);
  EXPECT_EQ(operators.find("et_copy::_d2h_copy", "out"), d2h_copy_out);
  EXPECT_EQ(operators.find("et_copy::_d2d_copy", "out"), nullptr);
}

}  // namespace
}  // namespace berth::module
