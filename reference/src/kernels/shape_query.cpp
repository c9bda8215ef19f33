// Operators between tensors and numbers: aten::sym_size.int, sym_numel, _local_scalar_dense and scalar_tensor.out.
#include <array>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// Shapes may be asked of tensors without storage too.
Result<const Tensor*> described(const Arguments& arguments, std::size_t index) {
  const Tensor* const tensor = arguments.value(index).to_tensor();
  if (tensor == nullptr) return fail(arguments.bad(index, "a tensor"));
  return tensor;
}

// sym_size.int(Tensor self, int dim, int result)
Status sym_size_int(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, described(arguments, 0));
  if (self->rank() == 0) return arguments.bad(0, "a tensor with dimensions");
  BERTH_ASSIGN_OR_STATUS(const std::int64_t dim, arguments.integer(1));
  BERTH_ASSIGN_OR_STATUS(const std::size_t dimension, arguments.dimension(1, dim, self->rank()));
  arguments.value(2).set_int(self->size(dimension));
  return {};
}

// sym_numel(Tensor self, int result)
Status sym_numel(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(2));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, described(arguments, 0));
  arguments.value(1).set_int(self->numel());
  return {};
}

// _local_scalar_dense(Tensor self, Scalar result): the only element.
Status local_scalar_dense(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(2));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  if (self->numel() != 1) return arguments.bad(0, "a tensor of one element");
  return for_element_type(RealOrBoolTypes(), arguments, 0, *self, [&]<typename T>(std::type_identity<T>) -> Status {
    const T element = read_element(self->data<T>().data(), 0);
    Value& result = arguments.value(1);
    if constexpr (std::is_same_v<T, bool>) {
      result.set_bool(element);
    } else if constexpr (std::is_integral_v<T>) {
      result.set_int(element);
    } else {
      result.set_double(static_cast<double>(element));
    }
    return {};
  });
}

// scalar_tensor.out(Scalar s, out, out): a tensor without dimensions.
Status scalar_tensor_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const double real, arguments.number(0));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(1));
  return for_element_type(RealOrBoolTypes(), arguments, 1, *out, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(context.resize(*out, {}));
    const Value& number = arguments.value(0);
    out->mutable_data<T>()[0] =
        number.is_double() ? convert_element<T>(real) : convert_element<T>(arguments.integer(0).value_or(0));
    return {};
  });
}

constexpr std::array<KernelEntry, 4> kKernels = {{{"aten::sym_size", "int", sym_size_int},
                                                  {"aten::sym_numel", "", sym_numel},
                                                  {"aten::_local_scalar_dense", "", local_scalar_dense},
                                                  {"aten::scalar_tensor", "out", scalar_tensor_out}}};

}  // namespace

KernelList shape_query_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
