// Tensor: one value type, used by callers and inside methods: a shape, an element type and storage. Copying a Tensor
// copies the description and shares the storage.
//
// Storage is host memory (a pointer that the host may dereference) or a part of a DeviceBuffer. It is either owned
// together with all copies of the Tensor (from_data, empty, clone_to) or borrowed: then whoever owns it (the caller,
// the Module that returned the tensor) must keep it until the last use. Elements are packed in dim order, without gaps.
//
// Device bytes are reached through read() and write() only; data() and bytes() are empty spans for them. Thread rules:
// distinct Tensors are independent, also when they share storage that nobody writes. Sizes and offsets of storage are
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "berth/core/api.h"
#include "berth/core/device.h"
#include "berth/core/device_buffer.h"
#include "berth/core/result.h"
#include "berth/module/shape.h"
#include "berth/program/method_plan.h"
#include "berth/program/scalar_type.h"

namespace berth::module {

using program::Dynamism;

// Where the bytes of a tensor are, as delegates need it to compute in place.
struct TensorMemory {
  Device* device = nullptr;        // null: host memory
  DeviceBuffer* buffer = nullptr;  // null: host memory that no device counts; gives native()
  std::uint64_t handle = 0;        // of the block, as the driver names it; 0 when buffer is null
  std::uint64_t address = 0;       // of the tensor's first byte; only if has_address
  bool has_address = false;
  std::uint64_t offset = 0;  // of the tensor's first byte inside the block
  std::uint64_t bytes = 0;   // at the tensor's current sizes
};

// Where bytes are: host memory, or a part of a DeviceBuffer. Borrowed unless `owner` keeps it. Plain data.
struct BERTH_API TensorStorage {
  std::byte* host = nullptr;       // set exactly when the host may dereference the bytes
  DeviceBuffer* buffer = nullptr;  // set when the memory is (part of) a buffer, on the host too
  Device* device = nullptr;        // null for the host
  std::uint64_t offset = 0;        // of the first byte inside the buffer
  std::uint64_t capacity = 0;      // bytes
  std::shared_ptr<void> owner;
  bool read_only = false;

  [[nodiscard]] static TensorStorage of_host(std::byte* data, std::uint64_t bytes,
                                             std::shared_ptr<void> owner = nullptr) noexcept;
  // The range must lie inside `buffer`.
  [[nodiscard]] static TensorStorage of_buffer(DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                                               std::shared_ptr<void> owner = nullptr) noexcept;
};

class BERTH_API Tensor {
 public:
  // float32 of sizes {0}, without storage.
  Tensor() noexcept;

  // Making tensors. All answer kInvalidArgument (origin kUsage) as Shape::create does, and when bytes and sizes differ.

  // A copy of `data` in host memory of its own. kOutOfHostMemory.
  [[nodiscard]] static Result<Tensor> from_data(ScalarType type, std::span<const std::int32_t> sizes,
                                                std::span<const std::byte> data,
                                                std::span<const std::uint8_t> dim_order = {});
  // The same from typed elements: Tensor::of<float>({2, 2}, {1, 2, 3, 4}).
  template <typename T>
  [[nodiscard]] static Result<Tensor> of(std::initializer_list<std::int32_t> sizes, std::initializer_list<T> elements) {
    return from_data(kScalarTypeOf<T>, {sizes.begin(), sizes.size()},
                     std::as_bytes(std::span<const T>(elements.begin(), elements.size())));
  }
  template <typename T>
  [[nodiscard]] static Result<Tensor> of(std::span<const std::int32_t> sizes, std::span<const T> elements) {
    return from_data(kScalarTypeOf<T>, sizes, std::as_bytes(elements));
  }
  // Host memory of the caller, not copied: it must outlive the Tensor and all its copies. `data` may be longer than the
  // sizes need (room to grow with Dynamism::kBound); it must be aligned to the element.
  [[nodiscard]] static Result<Tensor> borrow(ScalarType type, std::span<const std::int32_t> sizes,
                                             std::span<std::byte> data, std::span<const std::uint8_t> dim_order = {},
                                             Dynamism dynamism = Dynamism::kStatic);
  // Zero-filled storage on `device`, which may be a registry's host(); null makes host memory that no device counts.
  // Errors as DeviceBuffer::allocate.
  [[nodiscard]] static Result<Tensor> empty(ScalarType type, std::span<const std::int32_t> sizes,
                                            const std::shared_ptr<Device>& device = nullptr,
                                            std::span<const std::uint8_t> dim_order = {},
                                            Dynamism dynamism = Dynamism::kStatic);
  // The bytes of `buffer` from `offset` on, shared with whoever else holds it. The range must lie inside the buffer.
  [[nodiscard]] static Result<Tensor> on_buffer(ScalarType type, std::span<const std::int32_t> sizes,
                                                std::shared_ptr<DeviceBuffer> buffer, std::uint64_t offset = 0,
                                                std::span<const std::uint8_t> dim_order = {},
                                                Dynamism dynamism = Dynamism::kStatic);

  // A copy of the bytes on `device` (null, or a registry's host(): host memory): any device to any device. Type, sizes,
  // dim order and dynamism are kept. kFailedPrecondition without storage; errors of allocation and copy pass through.
  [[nodiscard]] Result<Tensor> clone_to(const std::shared_ptr<Device>& device) const;
  // clone_to(nullptr): a host copy, whatever the source.
  [[nodiscard]] Result<Tensor> clone_to_host() const;

  // Description.
  [[nodiscard]] ScalarType scalar_type() const noexcept { return type_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] std::size_t rank() const noexcept { return shape_.rank; }
  [[nodiscard]] std::int32_t size(std::size_t dimension) const noexcept { return shape_.sizes[dimension]; }
  [[nodiscard]] std::span<const std::int32_t> sizes() const noexcept { return shape_.size_span(); }
  [[nodiscard]] std::span<const std::uint8_t> dim_order() const noexcept { return shape_.order_span(); }
  [[nodiscard]] std::array<std::int64_t, kMaxRank> strides() const noexcept { return shape_.strides(); }
  [[nodiscard]] std::int64_t numel() const noexcept { return shape_.numel(); }
  [[nodiscard]] std::uint32_t element_size() const noexcept { return element_size_; }
  [[nodiscard]] std::uint64_t nbytes() const noexcept {
    return static_cast<std::uint64_t>(shape_.numel()) * element_size_;
  }
  [[nodiscard]] Dynamism dynamism() const noexcept { return dynamism_; }
  // Bytes that the storage has room for.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return storage_.capacity; }
  // "float32[2, 3] on cuda:0", for messages.
  [[nodiscard]] std::string describe() const;

  // Storage.
  [[nodiscard]] bool has_storage() const noexcept { return storage_.host != nullptr || storage_.buffer != nullptr; }
  // Has elements and no bytes for them. (Not by nbytes(): bounds of dynamic tensors may exceed 64 bits.)
  [[nodiscard]] bool lacks_storage() const noexcept { return !has_storage() && storage_.capacity != 0; }
  // The host may dereference the bytes.
  [[nodiscard]] bool is_host() const noexcept { return storage_.device == nullptr; }
  // What the program (inside a method) or the storage says: this tensor belongs to a device, not to the host. Differs
  // from !is_host() only when the registry serves that device by the host itself.
  [[nodiscard]] bool on_device() const noexcept { return on_device_; }
  // Null for the host. Borrowed.
  [[nodiscard]] Device* device() const noexcept { return storage_.device; }
  [[nodiscard]] TensorMemory memory() const noexcept;
  // Whether the bytes belong to the program (constants): nobody may write them.
  [[nodiscard]] bool read_only() const noexcept { return storage_.read_only; }

  // Host bytes at the current sizes. Empty: on a device, without storage, or no elements; mutable_bytes() also for
  // constants. So a span shorter than nbytes() means "not accessible this way".
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return storage_.host == nullptr ? std::span<const std::byte>()
                                    : std::span<const std::byte>(storage_.host, nbytes());
  }
  [[nodiscard]] std::span<std::byte> mutable_bytes() const noexcept {
    return storage_.host == nullptr || read_only() ? std::span<std::byte>()
                                                   : std::span<std::byte>(storage_.host, nbytes());
  }
  // Host elements; also empty when T is not the element type.
  template <typename T>
  [[nodiscard]] std::span<const T> data() const noexcept {
    if (storage_.host == nullptr || type_ != kScalarTypeOf<T>) return {};
    return {reinterpret_cast<const T*>(storage_.host), static_cast<std::size_t>(numel())};
  }
  template <typename T>
  [[nodiscard]] std::span<T> mutable_data() const noexcept {
    if (storage_.host == nullptr || read_only() || type_ != kScalarTypeOf<T>) return {};
    return {reinterpret_cast<T*>(storage_.host), static_cast<std::size_t>(numel())};
  }

  // Copies all nbytes() between the storage and host memory, wherever the storage is. The span must have exactly that
  // many bytes (kInvalidArgument). kFailedPrecondition without storage or, for write, on constants; the device's
  // failure passes through.
  Status read(std::span<std::byte> target) const;
  Status write(std::span<const std::byte> source) const;
  // Copies `source` here, from any device to any device. Types, sizes and dim orders must be equal (kInvalidArgument).
  Status copy_from(const Tensor& source) const;

  // New sizes of the same rank; the storage stays. Static tensors accept only the sizes they have; bounded ones
  // whatever fits their capacity. kInvalidArgument otherwise, nothing changed.
  Status resize(std::span<const std::int32_t> sizes);

  // For methods: a tensor made from its plan, without storage; `device` is where it belongs, null for the host.
  [[nodiscard]] static Tensor from_plan(const program::TensorPlan& plan, Device* device) noexcept;
  [[nodiscard]] const TensorStorage& storage() const noexcept { return storage_; }
  // Replaces the storage, not the description. The caller sees to it that the current sizes fit.
  void bind(TensorStorage storage) noexcept { storage_ = std::move(storage); }
  // Without storage from now on; stays where it belongs.
  void unbind() noexcept;

 private:
  Tensor(ScalarType type, const Shape& shape, Dynamism dynamism) noexcept;

  TensorStorage storage_;
  std::uint32_t element_size_ = 4;
  ScalarType type_ = ScalarType::kFloat;
  Dynamism dynamism_ = Dynamism::kStatic;
  bool on_device_ = false;
  Shape shape_;
};

}  // namespace berth::module
