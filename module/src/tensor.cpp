#include "berth/module/tensor.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tensor_text.h"

namespace berth::module {
namespace {

constexpr std::uint64_t kHostAlignment = 64;

Status refuse(std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

// More than memory and swap together: refused without asking malloc, which may promise it, and whose replacements in
// sanitizers stop the process.
bool exceeds_host(std::uint64_t bytes) {
  constexpr std::uint64_t kSurelyThere = std::uint64_t{1} << 30;
  struct sysinfo info {};
  if (bytes <= kSurelyThere || sysinfo(&info) != 0) return bytes > INT64_MAX;
  return bytes / info.mem_unit > info.totalram + info.totalswap;
}

// Zero-filled host memory that no device counts.
Result<TensorStorage> host_storage(std::uint64_t bytes) {
  if (bytes == 0) return TensorStorage();
  const std::uint64_t rounded = (bytes + kHostAlignment - 1) / kHostAlignment * kHostAlignment;
  void* data = exceeds_host(bytes) ? nullptr : std::aligned_alloc(kHostAlignment, rounded);
  if (data == nullptr) {
    return fail({.code = Code::kOutOfHostMemory,
                 .origin = Origin::kUsage,
                 .what = "host memory for a tensor of " + std::to_string(bytes) + " bytes cannot be had"});
  }
  std::shared_ptr<void> owner(data, std::free);
  std::memset(data, 0, bytes);
  return TensorStorage::of_host(static_cast<std::byte*>(data), bytes, std::move(owner));
}

Result<TensorStorage> device_storage(const std::shared_ptr<Device>& device, std::uint64_t bytes) {
  const AllocationRequest request{
      .bytes = bytes, .alignment = std::max<std::uint64_t>(64, device->properties().kinds[0].min_alignment)};
  BERTH_ASSIGN(DeviceBuffer allocated, DeviceBuffer::allocate(device, request));
  auto buffer = std::make_shared<DeviceBuffer>(std::move(allocated));
  BERTH_FAIL_IF_ERROR(buffer->fill(0, bytes, 0));
  DeviceBuffer& target = *buffer;
  return TensorStorage::of_buffer(target, 0, bytes, std::move(buffer));
}

}  // namespace

TensorStorage TensorStorage::of_host(std::byte* data, std::uint64_t bytes, std::shared_ptr<void> owner) noexcept {
  TensorStorage storage;
  storage.host = data;
  storage.capacity = bytes;
  storage.owner = std::move(owner);
  return storage;
}

TensorStorage TensorStorage::of_buffer(DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                                       std::shared_ptr<void> owner) noexcept {
  TensorStorage storage;
  std::byte* const host = buffer.host_data();
  storage.host = host == nullptr ? nullptr : host + offset;
  storage.buffer = &buffer;
  storage.device = buffer.device()->is_host() ? nullptr : buffer.device().get();
  storage.offset = offset;
  storage.capacity = bytes;
  storage.owner = std::move(owner);
  return storage;
}

Tensor::Tensor() noexcept { shape_.rank = 1; }

Tensor::Tensor(ScalarType type, const Shape& shape, Dynamism dynamism) noexcept
    : element_size_(program::element_size(type)), type_(type), dynamism_(dynamism), shape_(shape) {}

Result<Tensor> Tensor::from_data(ScalarType type, std::span<const std::int32_t> sizes, std::span<const std::byte> data,
                                 std::span<const std::uint8_t> dim_order) {
  BERTH_ASSIGN(const Shape shape, Shape::create(type, sizes, dim_order));
  Tensor tensor(type, shape, Dynamism::kStatic);
  if (data.size() != tensor.nbytes()) {
    return fail(refuse("wrong number of bytes for " + detail::describe_layout(tensor), std::to_string(tensor.nbytes()),
                       std::to_string(data.size())));
  }
  BERTH_ASSIGN(tensor.storage_, host_storage(data.size()));
  if (!data.empty()) std::memcpy(tensor.storage_.host, data.data(), data.size());
  return tensor;
}

Result<Tensor> Tensor::borrow(ScalarType type, std::span<const std::int32_t> sizes, std::span<std::byte> data,
                              std::span<const std::uint8_t> dim_order, Dynamism dynamism) {
  BERTH_ASSIGN(const Shape shape, Shape::create(type, sizes, dim_order));
  Tensor tensor(type, shape, dynamism);
  if (data.size() < tensor.nbytes()) {
    return fail(refuse("too few bytes for " + detail::describe_layout(tensor),
                       "at least " + std::to_string(tensor.nbytes()), std::to_string(data.size())));
  }
  if (reinterpret_cast<std::uintptr_t>(data.data()) % tensor.element_size_ != 0) {
    return fail(refuse("misaligned memory for " + detail::describe_layout(tensor),
                       "a multiple of " + std::to_string(tensor.element_size_), "an address that is none"));
  }
  tensor.storage_ = TensorStorage::of_host(data.data(), data.size());
  return tensor;
}

Result<Tensor> Tensor::empty(ScalarType type, std::span<const std::int32_t> sizes,
                             const std::shared_ptr<Device>& device, std::span<const std::uint8_t> dim_order,
                             Dynamism dynamism) {
  BERTH_ASSIGN(const Shape shape, Shape::create(type, sizes, dim_order));
  Tensor tensor(type, shape, dynamism);
  const std::uint64_t bytes = tensor.nbytes();
  BERTH_ASSIGN(tensor.storage_, device == nullptr ? host_storage(bytes) : device_storage(device, bytes));
  tensor.on_device_ = !tensor.is_host();
  return tensor;
}

Result<Tensor> Tensor::on_buffer(ScalarType type, std::span<const std::int32_t> sizes,
                                 std::shared_ptr<DeviceBuffer> buffer, std::uint64_t offset,
                                 std::span<const std::uint8_t> dim_order, Dynamism dynamism) {
  BERTH_ASSIGN(const Shape shape, Shape::create(type, sizes, dim_order));
  Tensor tensor(type, shape, dynamism);
  if (buffer == nullptr || buffer->empty()) return fail(refuse("no device buffer", "one that owns memory", "none"));
  if (offset > buffer->size() || buffer->size() - offset < tensor.nbytes()) {
    return fail(refuse(detail::describe_layout(tensor) + " leaves the device buffer",
                       "at most " + std::to_string(buffer->size()) + " bytes",
                       std::to_string(tensor.nbytes()) + " bytes at offset " + std::to_string(offset)));
  }
  if (offset % tensor.element_size_ != 0) {
    return fail(refuse("misaligned offset for " + detail::describe_layout(tensor),
                       "a multiple of " + std::to_string(tensor.element_size_), std::to_string(offset)));
  }
  DeviceBuffer& target = *buffer;
  tensor.storage_ = TensorStorage::of_buffer(target, offset, target.size() - offset, std::move(buffer));
  tensor.on_device_ = !tensor.is_host();
  return tensor;
}

Tensor Tensor::from_plan(const program::TensorPlan& plan, Device* device) noexcept {
  Tensor tensor;
  tensor.type_ = plan.scalar_type;
  tensor.element_size_ = program::element_size(plan.scalar_type);
  tensor.dynamism_ = plan.dynamism;
  tensor.on_device_ = !plan.device.is_host();
  tensor.storage_.device = device;
  tensor.storage_.capacity = plan.bytes;
  tensor.shape_.rank = static_cast<std::uint8_t>(plan.sizes.size());
  for (std::size_t i = 0; i < plan.sizes.size(); ++i) tensor.shape_.sizes[i] = plan.sizes[i];
  for (std::size_t i = 0; i < plan.sizes.size(); ++i) tensor.shape_.dim_order[i] = plan.dim_order[i];
  return tensor;
}

void Tensor::unbind() noexcept {
  storage_.host = nullptr;
  storage_.buffer = nullptr;
  storage_.offset = 0;
  storage_.owner.reset();
}

Status Tensor::resize(std::span<const std::int32_t> sizes) {
  if (std::equal(sizes.begin(), sizes.end(), shape_.sizes.begin(), shape_.sizes.begin() + shape_.rank)) return {};
  if (dynamism_ == Dynamism::kStatic || sizes.size() != shape_.rank) {
    const std::string expected = dynamism_ == Dynamism::kStatic
                                     ? detail::sizes_text(this->sizes()) + ", the tensor is static"
                                     : std::to_string(rank()) + " dimensions";
    return refuse("a tensor cannot take these sizes", expected, detail::sizes_text(sizes));
  }
  const auto bytes = Shape::byte_count(type_, sizes);
  if (!bytes || *bytes > storage_.capacity) {
    return refuse("a tensor has no room for these sizes", "at most " + std::to_string(storage_.capacity) + " bytes",
                  detail::layout_text(type_, sizes));
  }
  std::copy(sizes.begin(), sizes.end(), shape_.sizes.begin());
  return {};
}

}  // namespace berth::module
