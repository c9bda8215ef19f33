// aten::argmax.out, for any dim order: the first of the largest elements; NaN counts as the largest.
#include <array>
#include <cmath>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"
#include "kernels/reduction_plan.h"

namespace berth::reference::detail {
namespace {

template <typename T>
bool exceeds(T candidate, T best) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(best)) return false;
    if (std::isnan(candidate)) return true;
  }
  return candidate > best;
}

template <typename T>
void find_largest(const Reduction& plan, const Tensor& self, const Tensor& out, bool keep_dimensions) {
  const T* const source = self.data<T>().data();
  std::int64_t* const target = out.mutable_data<std::int64_t>().data();
  const StridedLoop<1> elements = plan.elements(self);
  plan.for_each_result(self, out, keep_dimensions, [&](std::int64_t result, std::int64_t first) {
    T best = source[first];
    std::int64_t position = 0;
    std::int64_t index = 0;
    elements.run(
        [&](const auto& at) {
          if (exceeds(source[at[0]], best)) {
            best = source[at[0]];
            position = index;
          }
          ++index;
        },
        {first});
    target[result] = position;
  });
}

// argmax.out(Tensor self, int? dim, bool keepdim, LONG out, out)
Status argmax_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(5));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const Reduction plan, Reduction::over_one(arguments, 1, *self));
  BERTH_ASSIGN_OR_STATUS(const bool keep_dimensions, arguments.boolean(2));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(3));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(3, *out, module::ScalarType::kLong));
  if (plan.count() == 0) return arguments.bad(0, "at least one element to choose from");
  return for_element_type(RealTypes(), arguments, 0, *self, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_apart(*out, 3, plan.result_sizes(keep_dimensions), {self}));
    if (out->numel() > 0) find_largest<T>(plan, *self, *out, keep_dimensions);
    return {};
  });
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::argmax", "out", argmax_out}}};

}  // namespace

KernelList argmax_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
