// Delegates: code that computes a part of a program, possibly on a device, from a blob that was compiled ahead of time.
//
// Life: the factory makes one Delegate for each delegate of a method when the method is loaded (operators, devices and
// planned memory are there already); execute() may be called any number of times; the Delegate is destroyed before the
// planned memory. Never called from two threads at once. Delegates do not throw; what they throw becomes a Status.
//
// Arguments: all inputs, then all outputs, without a marker between them; their order is the delegate's business.
// Tensor arguments may live on the host or on the delegate's target device: tensor->memory() tells device, handle,
// address, offset and bytes; device(), buffer->native() and ExecContext::queue() give the objects of the compute API.
// Delegates without such an API move bytes with ExecContext::read and write, which work for every device. Outputs may
// be resized within their capacity (Tensor::resize). Device work must be complete when execute() returns, or be on
// ExecContext::queue(), which Module then waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/device_id.h"
#include "berth/core/device_registry.h"
#include "berth/core/log.h"
#include "berth/core/queue.h"
#include "berth/core/result.h"
#include "berth/module/copy_report.h"
#include "berth/module/kernel.h"
#include "berth/module/tensor.h"
#include "berth/module/value.h"
#include "berth/program/method_plan.h"

namespace berth::module {

class CopyOperators;
class DelegateTable;
class KernelTable;

// A setting of the caller for delegates, from ModuleOptions or LoadOptions.
struct DelegateOption {
  std::string delegate;  // the delegate's id; empty is every delegate
  std::string key;
  std::string value;
};

// Bytes by name, from the program or its data files. The view lives as long as the Module.
class NamedData {
 public:
  virtual ~NamedData() = default;
  [[nodiscard]] virtual std::optional<std::span<const std::byte>> find(std::string_view key) const noexcept = 0;
};

// What a factory gets. Everything is borrowed until it returns, except what it copies out of shared pointers.
struct InitContext {
  std::string_view method;         // "forward"
  std::string_view program_name;   // the file, for messages
  DeviceId target_id;              // the device compiled for; cpu:0 without a "target_device" and in legacy programs
  std::shared_ptr<Device> target;  // the device that serves target_id
  std::shared_ptr<DeviceRegistry> registry;
  std::shared_ptr<const KernelTable> kernels;
  std::shared_ptr<const DelegateTable> delegates;
  std::shared_ptr<const CopyOperators> copy_operators;
  std::shared_ptr<LogSink> log;  // may be null
  const NamedData* named_data = nullptr;
  std::span<const DelegateOption> options;  // all; `delegate` says whom they are for
  ScratchMemory* scratch = nullptr;         // valid until the factory returns
  unsigned depth = 0;                       // 0 in a program that the user loads, 1 in a program inside a delegate, ...
  std::shared_ptr<const void> blob_keeper;  // a copy of it keeps the blob beyond the factory
};

// How a delegate uses a tensor that it binds.
enum class BindAccess : std::uint8_t { kRead, kWrite, kReadWrite };

// What execute() gets. Valid for the call.
class ExecContext {
 public:
  virtual ~ExecContext() = default;
  // A queue of the target device, made at the first call and kept. Module waits for its work after execute().
  // kUnsupported when the device has none.
  [[nodiscard]] virtual Result<Queue*> queue() = 0;
  // Tensor bytes to and from host memory, counted as copies of cause kDelegate when the tensor is on a device.
  // kInvalidProgram for a tensor without storage and for writing a constant. Errors as Tensor::read and write.
  virtual Status read(const Tensor& tensor, std::span<std::byte> target) = 0;
  virtual Status write(const Tensor& tensor, std::span<const std::byte> source) = 0;
  // The tensor's memory at an offset that the device can bind (DeviceProperties::bind_alignment): its own, or an
  // aligned copy that is filled now (kRead) and copied back after execute() (kWrite); such copies have cause
  // kAlignment. Copies are kept for later runs. Errors of allocation and copy pass through.
  [[nodiscard]] virtual Result<TensorMemory> bind(const Tensor& tensor, BindAccess access) = 0;
  [[nodiscard]] virtual ScratchMemory& scratch() noexcept = 0;
};

class BERTH_API Delegate {
 public:
  Delegate() = default;
  Delegate(const Delegate&) = delete;
  Delegate& operator=(const Delegate&) = delete;
  virtual ~Delegate();
  // kInvalidProgram when the arguments do not fit the blob; failures of devices pass through.
  virtual Status execute(ExecContext& context, std::span<Value* const> args) = 0;
};

}  // namespace berth::module
