#include "berth/module/copy_operators.h"

#include <algorithm>
#include <string>

#include "tensor_text.h"

namespace berth::module {
namespace {

std::string side_text(bool on_device) { return on_device ? "a tensor on a device" : "a tensor on the host"; }

Status check_side(const KernelContext& context, std::size_t index, const Value& value, bool on_device) {
  const Tensor* const tensor = value.to_tensor();
  if (tensor == nullptr || tensor->on_device() != on_device) {
    return context.bad_argument(index, side_text(on_device), value.describe());
  }
  if (tensor->lacks_storage()) {
    return context.bad_argument(index, "a tensor with storage", value.describe() + " without storage");
  }
  return {};
}

Status check_layout(const KernelContext& context, const Tensor& self, const Tensor& out) {
  if (self.scalar_type() != out.scalar_type()) {
    return context.bad_argument(1, std::string("elements of ") + program::scalar_type_name(self.scalar_type()),
                                program::scalar_type_name(out.scalar_type()));
  }
  if (!std::ranges::equal(self.dim_order(), out.dim_order())) {
    return context.bad_argument(1, "dim order " + detail::order_text(self.dim_order()),
                                detail::order_text(out.dim_order()));
  }
  return {};
}

Status copy_out(KernelContext& context, std::span<Value* const> args, CopyDirection direction) {
  if (args.size() < 2 || args.size() > 3) {
    return context.bad_call("expected self, out, out, found " + std::to_string(args.size()) + " arguments");
  }
  const bool to_device = direction == CopyDirection::kHostToDevice;
  BERTH_RETURN_IF_ERROR(check_side(context, 0, *args[0], !to_device));
  BERTH_RETURN_IF_ERROR(check_side(context, 1, *args[1], to_device));
  const Tensor& self = *args[0]->to_tensor();
  Tensor& out = *args[1]->to_tensor();
  BERTH_RETURN_IF_ERROR(check_layout(context, self, out));
  BERTH_RETURN_IF_ERROR(context.resize(out, self.sizes()));
  if (self.nbytes() == 0) return {};
  return context.copy(*args[1], *args[0], direction);
}

}  // namespace

Status h2d_copy_out(KernelContext& context, std::span<Value* const> args) {
  return copy_out(context, args, CopyDirection::kHostToDevice);
}

Status d2h_copy_out(KernelContext& context, std::span<Value* const> args) {
  return copy_out(context, args, CopyDirection::kDeviceToHost);
}

CopyOperators CopyOperators::standard() {
  CopyOperators operators;
  // Two different names cannot clash in a new table.
  static_cast<void>(operators.add("et_copy::_h2d_copy", "out", h2d_copy_out));
  static_cast<void>(operators.add("et_copy::_d2h_copy", "out", d2h_copy_out));
  return operators;
}

}  // namespace berth::module
