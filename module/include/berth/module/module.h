// Module: loads the methods of a program, places their planned memory on the devices of a registry, and runs them.
//
// A loaded method owns one DeviceBuffer for each planned buffer, on the device that the program names, until
// unload_method or the Module's end; delegates go first. Everything that fails gives back what it took and answers a
// Status naming program, method, buffer or value, device and bytes, with the plugin's own text; the same call can be
// made again.
//
// Thread rules: one thread at a time for a Module; Modules are independent, also when they share a Program or registry.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/device_registry.h"
#include "berth/core/log.h"
#include "berth/core/result.h"
#include "berth/module/copy_operators.h"
#include "berth/module/copy_report.h"
#include "berth/module/delegate_table.h"
#include "berth/module/kernel_table.h"
#include "berth/module/planned_memory.h"
#include "berth/module/run_observer.h"
#include "berth/module/value.h"
#include "berth/program/data_file.h"
#include "berth/program/method_meta.h"
#include "berth/program/program.h"

namespace berth::module {

// Use `to` wherever the program asks for `from`.
struct DeviceOverride {
  DeviceId from;
  DeviceId to;
};

struct ModuleOptions {
  std::shared_ptr<const KernelTable> kernels;           // null: none
  std::shared_ptr<const DelegateTable> delegates;       // null: none
  std::shared_ptr<const CopyOperators> copy_operators;  // null: CopyOperators::standard()
  std::vector<std::shared_ptr<const program::DataFile>>
      data_files;  // external constants; the first that has a key counts
  std::vector<DeviceOverride> device_overrides;
  std::vector<DelegateOption> delegate_options;
  program::ProgramOptions program;              // for load from a path
  std::shared_ptr<RunObserver> observer;        // null costs nothing
  std::shared_ptr<LogSink> log;                 // notices; null: none
  bool refuse_legacy = false;                   // refuse programs whose memory was planned without devices
  std::uint64_t max_instructions = 10'000'000;  // of one run: bounds endless loops
  unsigned depth = 0;  // nesting, for delegates whose blob is a program; more than kMaxDepth is refused
};

inline constexpr unsigned kMaxDepth = 8;

struct LoadOptions {
  // One for each planned buffer, in order of memory ids; empty: the method allocates its own.
  std::span<const CallerMemory> planned_memory;
};

class BERTH_API Module {
 public:
  // Opens and verifies the program; loads no method and opens no device. Errors as Program::open; kInvalidProgram for a
  // legacy program that options refuse, kInvalidProgram when nested too deeply.
  [[nodiscard]] static Result<std::unique_ptr<Module>> load(const std::filesystem::path& file,
                                                            std::shared_ptr<DeviceRegistry> registry,
                                                            ModuleOptions options = {});
  // `registry` must not be null (kInvalidArgument).
  [[nodiscard]] static Result<std::unique_ptr<Module>> load(std::shared_ptr<const program::Program> program,
                                                            std::shared_ptr<DeviceRegistry> registry,
                                                            ModuleOptions options = {});
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  [[nodiscard]] const std::shared_ptr<const program::Program>& program() const noexcept;
  [[nodiscard]] std::vector<std::string_view> method_names() const;
  // kInvalidArgument (origin kUsage) lists the methods there are.
  [[nodiscard]] Result<program::MethodMeta> method_meta(std::string_view method) const;

  // Does nothing when the method is loaded already (also with other options). Errors, in the order they are looked for:
  //   kInvalidArgument                     no such method; caller-owned memory of the wrong count, size or device
  //   kMissingOperator, kMissingDelegate   nobody has them; all are listed (origin kInput)
  //   kInvalidData                         an external constant is missing or has another layout (origin kInput)
  //   kInvalidProgram                      a device type without a name, ...
  //   kNotFound and others, origin kDevice the registry lacks the device, or it cannot be opened
  //   kOutOfDeviceMemory and others        a buffer cannot be allocated or filled
  //   and whatever a delegate's factory answers.
  Status load_method(std::string_view method, const LoadOptions& options = {});
  [[nodiscard]] bool is_loaded(std::string_view method) const noexcept;
  // Frees everything of the method. The failure of a free is answered (the block is stranded); the method is unloaded
  // all the same. OK when it is not loaded.
  Status unload_method(std::string_view method);

  // Loads the method if need be, sets the inputs, runs, and gives the outputs. Planned outputs (and outputs that show
  // an input) borrow: valid until the method's next run, unload or the Module's end; clone them to keep them. Unplanned
  // ones keep their own storage. Errors, besides those of load_method:
  //   kInvalidArgument  wrong number of inputs or outputs; an input of the wrong type, dtype, sizes, dim order or
  //                     device, or a number, bool or string that differs from the one the program was made for
  //   kInvalidProgram   what the program does while it runs is wrong: a value without storage, an endless loop, ...
  //   failures of kernels, delegates, devices and copies, naming instruction and values.
  [[nodiscard]] Result<std::vector<Value>> execute(std::string_view method, std::span<const Value> inputs);
  // The same into Values of the caller: allocates nothing on the heap after the first run. `outputs` must have as many
  // entries as the method; what they hold is dropped first, after the inputs are set.
  Status execute(std::string_view method, std::span<const Value> inputs, std::span<Value> outputs);

  // Lets the method write output `index` to `storage`, from the next run on, until another call; none undoes it. Loads
  // the method if need be. kInvalidArgument: no such output, no tensor, wrong dtype, dim order or device, too small.
  // kFailedPrecondition: the output is planned, a constant or an input.
  Status set_output(std::string_view method, std::size_t index, const Value& storage);

  // Of a loaded method (kFailedPrecondition otherwise).
  [[nodiscard]] Result<std::vector<PlannedBufferInfo>> planned_buffers(std::string_view method) const;
  // Device that serves what the program calls `device`, after overrides; opens it if need be.
  [[nodiscard]] Result<std::shared_ptr<Device>> find_device(program::ProgramDevice device);

  // All copies so far, and none of them again.
  [[nodiscard]] const CopyReport& copies() const noexcept;
  void reset_copies() noexcept;
  // What a person should know about this program, e.g. that it was planned without devices.
  [[nodiscard]] const std::vector<std::string>& notices() const noexcept;
  [[nodiscard]] const std::shared_ptr<DeviceRegistry>& registry() const noexcept;

 private:
  struct State;
  explicit Module(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace berth::module
