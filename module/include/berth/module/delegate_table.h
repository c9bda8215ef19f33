// DelegateTable: who makes the delegates of a program. Filled by the caller before Modules are loaded, then only read,
// from any thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/module/delegate.h"

namespace berth::module {

// Makes a Delegate from its blob and compile specs. `blob` is borrowed until the factory returns (see
// InitContext::blob_keeper); `specs` too. kInvalidProgram (origin kInput) when the blob is not understood.
using DelegateFactory = std::function<Result<std::unique_ptr<Delegate>>(
    std::span<const std::byte> blob, std::span<const program::CompileSpec> specs, InitContext& context)>;

class BERTH_API DelegateTable {
 public:
  // kInvalidArgument (origin kUsage): the id is empty or there already, or the factory is.
  Status add(std::string_view id, DelegateFactory factory);
  // Null when there is none. Valid until the next add().
  [[nodiscard]] const DelegateFactory* find(std::string_view id) const noexcept;
  [[nodiscard]] std::vector<std::string> ids() const;  // sorted

 private:
  struct Entry {
    std::string id;
    DelegateFactory factory;
  };
  std::vector<Entry> entries_;
};

}  // namespace berth::module
