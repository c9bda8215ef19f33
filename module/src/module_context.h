// ModuleContext: what all methods of one Module share.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/module/copy_report.h"
#include "berth/module/module.h"
#include "berth/module/run_observer.h"
#include "device_cache.h"

namespace berth::module::detail {

struct ModuleContext final : NamedData {
  ModuleContext(std::shared_ptr<const program::Program> the_program, std::shared_ptr<DeviceRegistry> registry,
                ModuleOptions the_options)
      : program(std::move(the_program)),
        options(std::move(the_options)),
        devices(std::move(registry), options.device_overrides) {
    const std::string_view name = program->name();
    file_name = name.substr(name.rfind('/') + 1);
  }

  // For delegates: the program's own data first, then the data files.
  [[nodiscard]] std::optional<std::span<const std::byte>> find(std::string_view key) const noexcept override;
  // Null when no data file has it.
  [[nodiscard]] const program::NamedTensor* find_tensor(std::string_view key) const noexcept;
  // A copy that Module itself makes: runs `copy`, traces it and counts it.
  template <typename Copy>
  Status traced_copy(std::string_view method, CopyDirection direction, CopyCause cause, std::uint64_t bytes,
                     Copy copy) {
    const RunEvent event{.kind = RunEventKind::kCopy,
                         .method = method,
                         .name = copy_cause_name(cause),
                         .direction = direction,
                         .bytes = bytes};
    if (options.observer != nullptr) options.observer->begin(event);
    Status status = copy();
    if (options.observer != nullptr) options.observer->end(event, status);
    if (status.ok()) copies.add(direction, cause, bytes);
    return status;
  }

  std::shared_ptr<const program::Program> program;
  std::string_view file_name;  // of the program, without its folder
  ModuleOptions options;
  DeviceCache devices;
  CopyReport copies;
  std::vector<std::string> notices;
};

}  // namespace berth::module::detail
