// DelegateSlot: one delegate of a loaded method, and what it is given when it runs.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "berth/core/device_buffer.h"
#include "berth/core/queue.h"
#include "berth/module/delegate.h"
#include "module_context.h"
#include "scratch.h"

namespace berth::module::detail {

class DelegateSlot final : public ExecContext {
 public:
  DelegateSlot() noexcept = default;

  // Finds the target device and makes the delegate; `init` holds what all delegates of the method get. kInvalidProgram
  // for a malformed "target_device"; failures of the registry and of the factory pass through.
  Status init(ModuleContext& context, const program::DelegatePlan& plan, Scratch& scratch, InitContext& init);
  // Runs it, waits for its queue and copies back what it bound for writing.
  Status execute(std::span<Value* const> args);
  // Destroys the delegate, then what it used.
  void close() noexcept;

  [[nodiscard]] Result<Queue*> queue() override;
  Status read(const Tensor& tensor, std::span<std::byte> target) override;
  Status write(const Tensor& tensor, std::span<const std::byte> source) override;
  [[nodiscard]] Result<TensorMemory> bind(const Tensor& tensor, BindAccess access) override;
  [[nodiscard]] ScratchMemory& scratch() noexcept override { return *scratch_; }

 private:
  // An aligned copy of a tensor, kept for later runs.
  struct Bound {
    const Tensor* tensor = nullptr;
    DeviceBuffer buffer;
    bool write_back = false;
  };
  Status write_back();
  // "argument 0" of the call that runs.
  [[nodiscard]] std::string argument_text(const Tensor& tensor) const;
  [[nodiscard]] Result<Bound*> aligned_copy(const Tensor& tensor, Device& device);

  ModuleContext* context_ = nullptr;
  Scratch* scratch_ = nullptr;
  std::string_view method_;
  std::shared_ptr<Device> target_;
  std::optional<Queue> queue_;
  bool queue_used_ = false;
  std::span<Value* const> args_;  // of the call that runs
  std::list<Bound> bound_;        // a list: delegates hold pointers to the buffers
  std::list<Bound> outgrown_;     // until the call ends
  std::unique_ptr<Delegate> delegate_;
};

}  // namespace berth::module::detail
