// executorch_prim::eq, gt, lt, ge and le.Scalar(Scalar a, Scalar b, bool result).
#include <array>
#include <functional>

#include "kernels/kernel_lists.h"
#include "kernels/prim_number.h"

namespace berth::reference::detail {
namespace {

template <typename Compare>
Status compare(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const NumberPair pair, number_pair(arguments));
  arguments.value(2).set_bool(pair.integral ? Compare()(pair.a, pair.b) : Compare()(pair.real_a, pair.real_b));
  return {};
}

constexpr std::array<KernelEntry, 5> kKernels = {{{"executorch_prim::eq", "Scalar", compare<std::equal_to<>>},
                                                  {"executorch_prim::gt", "Scalar", compare<std::greater<>>},
                                                  {"executorch_prim::lt", "Scalar", compare<std::less<>>},
                                                  {"executorch_prim::ge", "Scalar", compare<std::greater_equal<>>},
                                                  {"executorch_prim::le", "Scalar", compare<std::less_equal<>>}}};

}  // namespace

KernelList prim_comparison_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
