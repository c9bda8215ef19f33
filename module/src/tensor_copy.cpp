// Moving a tensor's bytes: every reader and writer of tensors goes through the device that holds them.
#include <cstring>
#include <string>

#include "berth/module/tensor.h"
#include "tensor_text.h"

namespace berth::module {
namespace {

Status size_mismatch(const Tensor& tensor, std::uint64_t found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .what = "wrong number of bytes for " + tensor.describe(),
                 .expected = std::to_string(tensor.nbytes()),
                 .found = std::to_string(found)});
}

Status no_storage(const Tensor& tensor) {
  return Status(
      {.code = Code::kFailedPrecondition, .origin = Origin::kUsage, .what = tensor.describe() + " has no storage"});
}

Status not_writable(const Tensor& tensor) {
  return Status({.code = Code::kFailedPrecondition,
                 .origin = Origin::kUsage,
                 .what = tensor.describe() + " is a constant and cannot be written"});
}

}  // namespace

TensorMemory Tensor::memory() const noexcept {
  TensorMemory memory;
  memory.device = storage_.device;
  memory.buffer = storage_.buffer;
  memory.offset = storage_.offset;
  memory.bytes = nbytes();
  if (storage_.buffer != nullptr) {
    const MemoryBlock& block = storage_.buffer->block();
    memory.handle = block.handle;
    memory.has_address = block.has_address;
    memory.address = block.has_address ? block.address + storage_.offset : 0;
  } else if (storage_.host != nullptr) {
    memory.has_address = true;
    memory.address = reinterpret_cast<std::uintptr_t>(storage_.host);
  }
  return memory;
}

Status Tensor::read(std::span<std::byte> target) const {
  const std::uint64_t bytes = nbytes();
  if (target.size() != bytes) return size_mismatch(*this, target.size());
  if (bytes == 0) return {};
  if (storage_.host != nullptr) {
    std::memmove(target.data(), storage_.host, bytes);
    return {};
  }
  if (storage_.buffer == nullptr) return no_storage(*this);
  return storage_.buffer->read(storage_.offset, target.data(), bytes);
}

Status Tensor::write(std::span<const std::byte> source) const {
  const std::uint64_t bytes = nbytes();
  if (source.size() != bytes) return size_mismatch(*this, source.size());
  if (storage_.read_only) return not_writable(*this);
  if (bytes == 0) return {};
  if (storage_.host != nullptr) {
    std::memmove(storage_.host, source.data(), bytes);
    return {};
  }
  if (storage_.buffer == nullptr) return no_storage(*this);
  return storage_.buffer->write(storage_.offset, source.data(), bytes);
}

Status Tensor::copy_from(const Tensor& source) const {
  const bool same = type_ == source.type_ && rank() == source.rank() &&
                    std::memcmp(shape_.sizes.data(), source.shape_.sizes.data(), rank() * sizeof(std::int32_t)) == 0 &&
                    std::memcmp(shape_.dim_order.data(), source.shape_.dim_order.data(), rank()) == 0;
  if (!same) {
    return Status(
        {.code = Code::kInvalidArgument,
         .origin = Origin::kUsage,
         .what = "a copy between different tensors",
         .expected = detail::describe_layout(*this) + " in dim order " + detail::order_text(dim_order()),
         .found = detail::describe_layout(source) + " in dim order " + detail::order_text(source.dim_order())});
  }
  if (nbytes() == 0) return {};
  if (!source.has_storage()) return no_storage(source);
  if (!has_storage()) return no_storage(*this);
  if (source.storage_.host != nullptr) return write(source.bytes());
  if (storage_.read_only) return not_writable(*this);
  if (storage_.host != nullptr) return source.read({storage_.host, nbytes()});
  return storage_.buffer->copy_from(storage_.offset, *source.storage_.buffer, source.storage_.offset, nbytes());
}

Result<Tensor> Tensor::clone_to(const std::shared_ptr<Device>& device) const {
  if (!has_storage() && nbytes() != 0) return fail(no_storage(*this));
  BERTH_ASSIGN(Tensor copy, empty(type_, sizes(), device, dim_order(), dynamism_));
  BERTH_FAIL_IF_ERROR(copy.copy_from(*this));
  return copy;
}

Result<Tensor> Tensor::clone_to_host() const { return clone_to(nullptr); }

}  // namespace berth::module
