// Kernels: host functions that compute the operators of a program. A kernel sees host memory only: Module calls it with
// tensors whose data() and mutable_data() are valid (copy operators, which see both sides, are in copy_operators.h).
//
// Arguments come in schema order, then the result: one result repeats the out argument, several are one tensor list of
// the outs; operators without an out form end with the Value to set. Kernels check rank, dtype, extents and aliasing
// themselves, resize their out and answer a Status; they do not throw, and write only to their outs. `args` and what it
// points to are borrowed for the call. One thread at a time for each method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/module/copy_report.h"
#include "berth/module/tensor.h"
#include "berth/module/value.h"

namespace berth::module {

class RunObserver;

// Host memory that is used again at the next call. Grows as needed, allocates nothing once it is large enough.
class ScratchMemory {
 public:
  virtual ~ScratchMemory() = default;
  // `bytes` uninitialised, aligned to 64, valid until the call it was given to returns. Several may be asked for.
  // Counts against the registry's host limit: kLimitExceeded, kOutOfHostMemory.
  [[nodiscard]] virtual Result<std::span<std::byte>> take(std::uint64_t bytes) = 0;
};

// What Module gives to a kernel besides its arguments.
class BERTH_API KernelContext {
 public:
  // `values` is the first of the method's values, for messages; may be null.
  KernelContext(std::string_view operator_name, ScratchMemory& scratch, CopyReport& copies, const Value* values,
                std::size_t value_count) noexcept
      : operator_name_(operator_name), scratch_(&scratch), copies_(&copies), values_(values), count_(value_count) {}

  // `count` elements of scratch, uninitialised, valid until the kernel returns.
  template <typename T>
  [[nodiscard]] Result<std::span<T>> scratch(std::size_t count) {
    if (count > UINT64_MAX / sizeof(T) / 2) return fail(scratch_too_large(count));
    auto bytes = scratch_->take(count * sizeof(T));
    if (!bytes.has_value()) return fail(std::move(bytes).error());
    return std::span<T>(reinterpret_cast<T*>(bytes->data()), count);
  }

  // Resizes an out argument; a failure is kInvalidProgram naming the value, its capacity and the sizes asked for.
  Status resize(Tensor& out, std::span<const std::int32_t> sizes);
  // Lets `out` show the bytes of `source` (et_view); resize it right after. Undone, sizes included, before the method's
  // next run.
  void rebind(Tensor& out, const Tensor& source);

  // kInvalidProgram (origin kInput) about argument `index`: "argument 1: expected a float32 tensor, found int64[2]".
  [[nodiscard]] Status bad_argument(std::size_t index, std::string expected, std::string found) const;
  // kInvalidProgram about the call as a whole.
  [[nodiscard]] Status bad_call(std::string_view what) const;

  // "value 3" of the method, "a value" for others: for messages.
  [[nodiscard]] std::string value_name(const Value& value) const;
  // For copy operators: copies `source` to `target` (both tensors, as Tensor::copy_from wants them), counts and traces
  // it. A failure names value, direction and bytes.
  Status copy(const Value& target, const Value& source, CopyDirection direction);
  [[nodiscard]] std::string_view operator_name() const noexcept { return operator_name_; }

  // Where rebind() notes what to undo. Set by Module; without it rebind() is permanent.
  class Rebinding {
   public:
    virtual ~Rebinding() = default;
    virtual void before_rebind(Tensor& tensor) = 0;
  };
  void set_rebinding(Rebinding* rebinding) noexcept { rebinding_ = rebinding; }
  // Traces copy() as events of `method`. Set by Module.
  void set_observer(RunObserver* observer, std::string_view method) noexcept {
    observer_ = observer;
    method_ = method;
  }
  void set_operator_name(std::string_view name) noexcept { operator_name_ = name; }

 private:
  [[nodiscard]] Status scratch_too_large(std::size_t count) const;
  std::string_view operator_name_;
  ScratchMemory* scratch_;
  CopyReport* copies_;
  Rebinding* rebinding_ = nullptr;
  RunObserver* observer_ = nullptr;
  std::string_view method_;
  const Value* values_;
  std::size_t count_;
};

using Kernel = Status (*)(KernelContext& context, std::span<Value* const> args);

}  // namespace berth::module
