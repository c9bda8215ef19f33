#include "session.h"

#include <iterator>
#include <stdexcept>
#include <utility>

#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"
#include "berth/test/ones.h"

namespace berth::sweep {
namespace {

std::string registry_file(const SessionOptions& setup) {
  std::string text = "version = 1\n";
  if (!setup.host_limit.empty()) text += "[host]\nlimit = \"" + setup.host_limit + "\"\n";
  text += "[[plugin]]\nname = \"mock\"\nfile = \"cpu_mock\"\noptions = { " + setup.options +
          " devices = 2, faults = \"" + setup.faults + "\" }\n";
  for (const char* const ordinal : {"0", "1"}) {
    text += std::string("[[device]]\nid = \"cuda:") + ordinal + "\"\nplugin = \"mock\"\nordinal = " + ordinal + "\n";
  }
  return text;
}

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result.has_value()) throw std::runtime_error(result.error().message());
  return *std::move(result);
}

}  // namespace

std::string program_path(const std::string& program) { return BERTH_TEST_DATA_DIR "/" + program + ".pte"; }

module::ModuleOptions reference_options() {
  static const auto kKernels = [] {
    auto table = std::make_shared<module::KernelTable>();
    if (const Status status = reference::add_reference_kernels(*table); !status.ok())
      throw std::runtime_error(status.message());
    return table;
  }();
  static const auto kDelegates = [] {
    auto table = std::make_shared<module::DelegateTable>();
    if (const Status status = reference::add_reference_delegates(*table); !status.ok())
      throw std::runtime_error(status.message());
    return table;
  }();
  module::ModuleOptions options;
  options.kernels = kKernels;
  options.delegates = kDelegates;
  return options;
}

Session::Session(const SessionOptions& setup)
    : program_(setup.program), config_path_(folder_.write("devices.toml", registry_file(setup)).string()) {
  loader::RegistryOptions options;
  options.path = config_path_;
  options.environment = [](std::string_view) { return std::nullopt; };
  options.install_folder = BERTH_TEST_PLUGIN_DIR;
  options.log = make_function_sink([warnings = warnings_](LogLevel level, std::string_view text) {
    if (level >= LogLevel::kWarning) warnings->add(text);
  });
  registry_ = value_or_throw(loader::load_registry(options)).registry();
  (void)replace_module();
}

std::unique_ptr<module::Module> Session::replace_module() {
  auto fresh = value_or_throw(
      module::Module::load(std::filesystem::path(program_path(program_)), registry_, reference_options()));
  results_.clear();
  return std::exchange(module_, std::move(fresh));
}

std::vector<Step> Session::steps() {
  std::vector<std::string> methods;
  for (const std::string_view name : module_->method_names()) methods.emplace_back(name);
  std::vector<Step> steps;
  for (const std::string& name : methods) {
    steps.push_back({"load " + name, [this, name] { return module_->load_method(name); }});
  }
  for (const char* const round : {"run ", "run again "}) {
    for (const std::string& name : methods) steps.push_back({round + name, [this, name] { return run_method(name); }});
  }
  for (const std::string& name : methods) {
    steps.push_back({"unload " + name, [this, name] { return module_->unload_method(name); }});
  }
  steps.push_back({"drop results", [this] {
                     held_.clear();
                     return Status();
                   }});
  return steps;
}

Status Session::run_method(const std::string& method) {
  BERTH_ASSIGN_OR_STATUS(const std::vector<module::Value> inputs, test::ones_for(*module_, method));
  BERTH_ASSIGN_OR_STATUS(std::vector<module::Value> outputs, module_->execute(method, inputs));
  std::vector<std::byte> results;
  for (const module::Value& output : outputs) {
    if (!output.is_tensor()) continue;
    BERTH_ASSIGN_OR_STATUS(const module::Tensor host, output.to_tensor()->clone_to_host());
    results.insert(results.end(), host.bytes().begin(), host.bytes().end());
  }
  results_.insert(results_.end(), results.begin(), results.end());
  held_.insert(held_.end(), std::move_iterator(outputs.begin()), std::move_iterator(outputs.end()));
  return {};
}

void Session::end_module() {
  held_.clear();
  module_.reset();
}

Session::Usage Session::usage() const {
  Usage usage;
  for (const DeviceId& id : registry_->ids()) {
    const auto device = registry_->find_open(id);
    if (device == nullptr) continue;
    const DeviceStatistics statistics = device->statistics();
    usage.bytes += statistics.current_bytes;
    usage.count += statistics.current_count;
  }
  return usage;
}

}  // namespace berth::sweep
