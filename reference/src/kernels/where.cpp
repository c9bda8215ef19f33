// aten::where.self_out: elements of one or the other tensor, of any type.
#include <array>
#include <cstring>

#include "kernels/arguments.h"
#include "kernels/broadcast_arguments.h"
#include "kernels/kernel_lists.h"
#include "kernels/strided_loop.h"

namespace berth::reference::detail {
namespace {

void select(const Tensor& condition, const Tensor& a, const Tensor& b, const Tensor& out) {
  const std::size_t rank = out.rank();
  const StridedLoop<4> loop(out.sizes(), {broadcast_strides(condition, rank), broadcast_strides(a, rank),
                                          broadcast_strides(b, rank), out.strides()});
  const std::byte* const truth = condition.bytes().data();
  const std::byte* const yes = a.bytes().data();
  const std::byte* const no = b.bytes().data();
  std::byte* const target = out.mutable_bytes().data();
  const auto size = static_cast<std::int64_t>(out.element_size());
  loop.run([&](const auto& at) {
    const std::byte* const source = truth[at[0]] != std::byte{0} ? yes + at[1] * size : no + at[2] * size;
    std::memmove(target + at[3] * size, source, static_cast<std::size_t>(size));
  });
}

// where.self_out(Tensor condition, Tensor self, Tensor other, out, out)
Status where_self_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(5));
  BERTH_ASSIGN_OR_STATUS(const Tensor* condition, arguments.tensor(0));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(0, *condition, module::ScalarType::kBool));
  BERTH_ASSIGN_OR_STATUS(const BinaryOperands in, binary_operands(arguments, 1, 2));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(3));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(3, *out, in.a->scalar_type()));
  const auto sizes = broadcast(condition->sizes(), in.sizes.span());
  if (!sizes.has_value()) return arguments.bad(0, "sizes that broadcast with " + sizes_text(in.sizes.span()));
  BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 3, *sizes, {condition, in.a, in.b}));
  select(*condition, *in.a, *in.b, *out);
  return {};
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::where", "self_out", where_self_out}}};

}  // namespace

KernelList where_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
