#include "berth/module/module.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "method.h"
#include "module_context.h"

namespace berth::module {
namespace {

using detail::Method;
using detail::ModuleContext;
using program::MethodPlan;
using program::Program;

Status refuse(const Program& program, Code code, Origin origin, std::string what, std::string expected = {},
              std::string found = {}, std::string next_step = {}) {
  return Status({.code = code,
                 .origin = origin,
                 .where = program.name(),
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .next_step = std::move(next_step)});
}

const std::shared_ptr<const CopyOperators>& standard_copy_operators() {
  static const auto kOperators = std::make_shared<const CopyOperators>(CopyOperators::standard());
  return kOperators;
}

std::string legacy_notice(const Program& program) {
  return program.name() + " was planned without devices (" + std::to_string(program.unplaced_tags()) +
         " tensors are tagged for a device that holds no memory): everything runs on the host; export it "
         "again with device planning (enable_non_cpu_memory_planning)";
}

}  // namespace

struct Module::State {
  State(std::shared_ptr<const Program> the_program, std::shared_ptr<DeviceRegistry> registry, ModuleOptions options)
      : context(std::move(the_program), std::move(registry), std::move(options)),
        methods(context.program->methods().size()) {}

  [[nodiscard]] Result<Method*> loaded(std::string_view name, const LoadOptions& options);
  // Null when the method is not loaded or not there.
  [[nodiscard]] Method* find(std::string_view name) const noexcept;

  ModuleContext context;
  std::vector<std::unique_ptr<Method>> methods;  // as program->methods(); null: not loaded
};

Method* Module::State::find(std::string_view name) const noexcept {
  for (const std::unique_ptr<Method>& method : methods) {
    if (method != nullptr && method->plan().name == name) return method.get();
  }
  return nullptr;
}

// The kernels and delegates of others run under here: what they throw, also memory that ran out, ends here.
Result<Method*> Module::State::loaded(std::string_view name, const LoadOptions& options) try {
  BERTH_ASSIGN(const MethodPlan* const plan, context.program->method(name));
  const auto index = static_cast<std::size_t>(plan - context.program->methods().data());
  if (methods[index] == nullptr) {
    BERTH_ASSIGN(methods[index], Method::load(context, *plan, options));
  }
  return methods[index].get();
} catch (const std::bad_alloc&) {
  return fail(refuse(*context.program, Code::kOutOfHostMemory, Origin::kDevice,
                     "host memory ran out while method '" + std::string(name) + "' was loaded"));
} catch (const std::exception& error) {
  return fail(refuse(*context.program, Code::kInternal, Origin::kInternal,
                     "a delegate of method '" + std::string(name) + "' threw: " + error.what()));
} catch (...) {
  return fail(refuse(*context.program, Code::kInternal, Origin::kInternal,
                     "a delegate of method '" + std::string(name) + "' threw"));
}

Module::Module(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Module::~Module() = default;

Result<std::unique_ptr<Module>> Module::load(const std::filesystem::path& file,
                                             std::shared_ptr<DeviceRegistry> registry, ModuleOptions options) {
  BERTH_ASSIGN(std::shared_ptr<const Program> program, Program::open(file, options.program));
  return load(std::move(program), std::move(registry), std::move(options));
}

Result<std::unique_ptr<Module>> Module::load(std::shared_ptr<const Program> program,
                                             std::shared_ptr<DeviceRegistry> registry, ModuleOptions options) {
  if (program == nullptr || registry == nullptr) {
    return fail({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .what = "a module needs a program and a device registry"});
  }
  if (options.depth > kMaxDepth) {
    return fail(refuse(*program, Code::kInvalidProgram, Origin::kInput, "programs in delegates are nested too deeply",
                       "at most " + std::to_string(kMaxDepth), std::to_string(options.depth)));
  }
  if (options.copy_operators == nullptr) options.copy_operators = standard_copy_operators();
  auto state = std::make_unique<State>(std::move(program), std::move(registry), std::move(options));
  ModuleContext& context = state->context;
  if (context.program->legacy()) {
    std::string notice = legacy_notice(*context.program);
    if (context.options.refuse_legacy) {
      return fail(
          refuse(*context.program, Code::kInvalidProgram, Origin::kInput, "the program was planned without devices",
                 "planned buffers on the devices it is tagged for", "all buffers on the host",
                 "export it again with device planning (enable_non_cpu_memory_planning), or allow legacy programs"));
    }
    if (context.options.log != nullptr) context.options.log->log(LogLevel::kWarning, notice);
    context.notices.push_back(std::move(notice));
  }
  return std::unique_ptr<Module>(new Module(std::move(state)));
}

const std::shared_ptr<const Program>& Module::program() const noexcept { return state_->context.program; }

std::vector<std::string_view> Module::method_names() const {
  std::vector<std::string_view> names;
  for (const MethodPlan& plan : program()->methods()) names.push_back(plan.name);
  return names;
}

Result<program::MethodMeta> Module::method_meta(std::string_view method) const {
  return program::MethodMeta::create(program(), method);
}

Status Module::load_method(std::string_view method, const LoadOptions& options) {
  return state_->loaded(method, options).status();
}

bool Module::is_loaded(std::string_view method) const noexcept { return state_->find(method) != nullptr; }

Status Module::unload_method(std::string_view method) {
  for (std::unique_ptr<Method>& loaded : state_->methods) {
    if (loaded == nullptr || loaded->plan().name != method) continue;
    const std::unique_ptr<Method> ending = std::move(loaded);
    return ending->release();
  }
  return program()->method(method).status();
}

Result<std::vector<Value>> Module::execute(std::string_view method, std::span<const Value> inputs) {
  BERTH_ASSIGN(Method* const loaded, state_->loaded(method, {}));
  std::vector<Value> outputs(loaded->plan().outputs.size());
  BERTH_FAIL_IF_ERROR(loaded->run(inputs, outputs));
  for (Value& output : outputs) {
    // Strings and lists would borrow from the method.
    if (!output.is_tensor()) output = Value(output);
  }
  return outputs;
}

Status Module::execute(std::string_view method, std::span<const Value> inputs, std::span<Value> outputs) {
  BERTH_ASSIGN_OR_STATUS(Method* const loaded, state_->loaded(method, {}));
  return loaded->run(inputs, outputs);
}

Status Module::set_output(std::string_view method, std::size_t index, const Value& storage) {
  BERTH_ASSIGN_OR_STATUS(Method* const loaded, state_->loaded(method, {}));
  return loaded->set_output(index, storage);
}

Result<std::vector<PlannedBufferInfo>> Module::planned_buffers(std::string_view method) const {
  if (const Method* const loaded = state_->find(method)) return loaded->planned_buffers();
  BERTH_FAIL_IF_ERROR(program()->method(method).status());
  return fail(refuse(*program(), Code::kFailedPrecondition, Origin::kUsage,
                     "method '" + std::string(method) + "' is not loaded"));
}

Result<std::shared_ptr<Device>> Module::find_device(program::ProgramDevice device) {
  return state_->context.devices.find(device);
}

const CopyReport& Module::copies() const noexcept { return state_->context.copies; }
void Module::reset_copies() noexcept { state_->context.copies = {}; }
const std::vector<std::string>& Module::notices() const noexcept { return state_->context.notices; }
const std::shared_ptr<DeviceRegistry>& Module::registry() const noexcept { return state_->context.devices.registry(); }

}  // namespace berth::module
