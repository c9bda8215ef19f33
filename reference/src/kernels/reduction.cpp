// aten::sum.IntList_out, mean.out and mean.dtype_out, for any dim order. Reals are added as doubles, integers as int64.
#include <array>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"
#include "kernels/reduction_plan.h"

namespace berth::reference::detail {
namespace {

template <typename T>
using Accumulator = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

template <typename From, typename To, bool Mean>
void reduce(const Reduction& plan, const Tensor& self, const Tensor& out, bool keep_dimensions) {
  using Sum = std::conditional_t<Mean, double, Accumulator<From>>;
  const From* const source = self.data<From>().data();
  To* const target = out.mutable_data<To>().data();
  const StridedLoop<1> elements = plan.elements(self);
  const auto count = static_cast<double>(plan.count());
  plan.for_each_result(self, out, keep_dimensions, [&](std::int64_t result, std::int64_t first) {
    Sum sum = 0;
    elements.run([&](const auto& at) { sum = add_elements(sum, static_cast<Sum>(read_element(source, at[0]))); },
                 {first});
    if constexpr (Mean) sum /= count;
    target[result] = convert_element<To>(sum);
  });
}

// Where the arguments of the three forms are.
struct Form {
  const Reduction* plan;
  bool keep_dimensions;
  std::size_t out_index;
};

template <bool Mean>
Status reduce_to(const Arguments& arguments, const Form& form, const Tensor& self, Tensor& out) {
  using Results = std::conditional_t<Mean, FloatTypes, RealTypes>;
  return for_element_type(RealOrBoolTypes(), arguments, 0, self, [&]<typename From>(std::type_identity<From>) {
    return for_element_type(Results(), arguments, form.out_index, out,
                            [&]<typename To>(std::type_identity<To>) -> Status {
                              const Sizes sizes = form.plan->result_sizes(form.keep_dimensions);
                              BERTH_RETURN_IF_ERROR(arguments.resize_apart(out, form.out_index, sizes, {&self}));
                              if (out.numel() > 0) reduce<From, To, Mean>(*form.plan, self, out, form.keep_dimensions);
                              return {};
                            });
  });
}

// The dtype argument says nothing that out's type does not.
Status expect_dtype(const Arguments& arguments, std::size_t index, const Tensor& out) {
  const auto own = static_cast<std::int64_t>(out.scalar_type());
  BERTH_ASSIGN_OR_STATUS(const std::int64_t type, arguments.integer_or(index, own));
  return type == own ? Status() : arguments.bad(index, "none or out's type, " + std::to_string(own));
}

// sum.IntList_out and mean.out(Tensor self, int[]? dim, bool keepdim, ScalarType? dtype, out, out)
template <bool Mean>
Status reduce_dims_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(6));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const IntList dims, arguments.optional_ints(1));
  BERTH_ASSIGN_OR_STATUS(const Reduction plan, Reduction::over(arguments, 1, *self, dims));
  BERTH_ASSIGN_OR_STATUS(const bool keep_dimensions, arguments.boolean(2));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(4));
  BERTH_RETURN_IF_ERROR(expect_dtype(arguments, 3, *out));
  return reduce_to<Mean>(arguments, {&plan, keep_dimensions, 4}, *self, *out);
}

// mean.dtype_out(Tensor self, ScalarType? dtype, out, out)
Status mean_dtype_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const Reduction plan, Reduction::over(arguments, 0, *self, {}));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(expect_dtype(arguments, 1, *out));
  return reduce_to<true>(arguments, {&plan, false, 2}, *self, *out);
}

constexpr std::array<KernelEntry, 3> kKernels = {{{"aten::sum", "IntList_out", reduce_dims_out<false>},
                                                  {"aten::mean", "out", reduce_dims_out<true>},
                                                  {"aten::mean", "dtype_out", mean_dtype_out}}};

}  // namespace

KernelList reduction_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
