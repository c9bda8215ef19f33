#include "delegates/demo_delegate.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "berth/module/tensor.h"
#include "berth/module/value.h"
#include "delegates/demo_blob.h"
#include "delegates/failure.h"
#include "kernels/element_type.h"

namespace berth::reference::detail {
namespace {

using module::ExecContext;
using module::Tensor;
using module::Value;

Status bad_argument(std::size_t index, std::string expected, const Value& found) {
  return program_fault("argument " + std::to_string(index), std::move(expected), found.describe());
}

Status at_argument(const Status& status, std::size_t index) {
  return status.ok() ? status : status.at("argument " + std::to_string(index));
}

class DemoDelegate final : public module::Delegate {
 public:
  explicit DemoDelegate(const DemoBlob& blob) noexcept : blob_(blob) {}

  // Arguments: in, in, out; or in, out when both operands are one value.
  Status execute(ExecContext& context, std::span<Value* const> args) override {
    if (args.size() != 2 && args.size() != 3) {
      return program_fault("wrong number of arguments", "2 or 3", std::to_string(args.size()));
    }
    BERTH_RETURN_IF_ERROR(check(args));
    const Tensor& first = *args.front()->to_tensor();
    const Tensor& second = *args[args.size() - 2]->to_tensor();
    const Tensor& out = *args.back()->to_tensor();
    BERTH_ASSIGN_OR_STATUS(const std::span<std::byte> sum, context.scratch().take(out.nbytes()));
    BERTH_RETURN_IF_ERROR(at_argument(context.read(first, sum), 0));
    std::span<std::byte> other = sum;
    if (args.size() == 3) {
      BERTH_ASSIGN_OR_STATUS(other, context.scratch().take(out.nbytes()));
      BERTH_RETURN_IF_ERROR(at_argument(context.read(second, other), 1));
    }
    add(sum, other);
    return at_argument(context.write(out, sum), args.size() - 1);
  }

 private:
  // Every argument has the blob's type and number of elements, and they lie in memory in the same order.
  Status check(std::span<Value* const> args) const {
    for (std::size_t i = 0; i < args.size(); ++i) {
      const Tensor* const tensor = args[i]->to_tensor();
      if (tensor == nullptr || tensor->scalar_type() != blob_.type || tensor->numel() != blob_.numel) {
        return bad_argument(
            i, "a tensor of " + std::to_string(blob_.numel) + " elements of " + program::scalar_type_name(blob_.type),
            *args[i]);
      }
      const Tensor& first = *args.front()->to_tensor();
      if (!std::ranges::equal(tensor->sizes(), first.sizes()) || tensor->strides() != first.strides()) {
        return bad_argument(i, "the sizes and dim order of " + first.describe(), *args[i]);
      }
    }
    return {};
  }

  void add(std::span<std::byte> sum, std::span<const std::byte> other) const {
    visit_element_type(RealOrBoolTypes(), blob_.type, [&]<typename T>(std::type_identity<T>) {
      T* const target = reinterpret_cast<T*>(sum.data());
      const T* const source = reinterpret_cast<const T*>(other.data());
      for (std::int64_t i = 0; i < blob_.numel; ++i) {
        target[i] = add_elements(read_element(target, i), read_element(source, i));
      }
    });
  }

  DemoBlob blob_;
};

}  // namespace

Result<std::unique_ptr<module::Delegate>> make_demo_delegate(std::span<const std::byte> blob,
                                                             std::span<const program::CompileSpec> /*specs*/,
                                                             module::InitContext& /*context*/) {
  BERTH_ASSIGN(const DemoBlob read, read_demo_blob(blob));
  if (!visit_element_type(RealOrBoolTypes(), read.type, [](auto) {})) {
    return fail(program_fault("the blob asks for a type that cannot be added", type_names(RealOrBoolTypes()),
                              program::scalar_type_name(read.type)));
  }
  return std::make_unique<DemoDelegate>(read);
}

}  // namespace berth::reference::detail
