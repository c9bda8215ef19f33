// One registry over the mock and one Module on it: a program's whole life as a list of steps that can fail and be tried
// again.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "berth/loader/load_registry.h"
#include "berth/module/module.h"
#include "berth/test/temp_dir.h"

namespace berth::sweep {

// What one session is made with.
struct SessionOptions {
  std::string program;      // "two_methods": a file of tests/data/device
  std::string options;      // of the mock: "strict = true", with a comma at the end; may be empty
  std::string faults = {};  // the fault schedule
  std::string host_limit = {};
};

struct Step {
  std::string name;  // "load forward", "run forward", "drop results"
  std::function<Status()> run;
};

// Messages of level warning and above, from any thread.
class Warnings {
 public:
  void add(std::string_view text) {
    const std::lock_guard lock(lock_);
    texts_.emplace_back(text);
  }
  [[nodiscard]] std::vector<std::string> all() const {
    const std::lock_guard lock(lock_);
    return texts_;
  }

 private:
  mutable std::mutex lock_;
  std::vector<std::string> texts_;
};

class Session {
 public:
  // cuda:0 and cuda:1 are two devices of one mock. Neither is opened yet.
  explicit Session(const SessionOptions& setup);

  // Loads every method, runs it twice with ones while the first results are held, unloads it, drops the results. The
  // steps refer to this session.
  [[nodiscard]] std::vector<Step> steps();
  // Loads the program anew on the same registry, for steps(), and forgets results(). Gives the old Module; outputs of
  // it that are held stay so.
  [[nodiscard]] std::unique_ptr<module::Module> replace_module();
  // Drops the Module with all it holds; the registry stays.
  void end_module();
  // Drops the registry: devices are closed, the plugin instance is destroyed.
  void end_registry() { registry_.reset(); }

  [[nodiscard]] module::Module& module() { return *module_; }
  [[nodiscard]] DeviceRegistry& registry() { return *registry_; }
  [[nodiscard]] const std::shared_ptr<DeviceRegistry>& registry_handle() const { return registry_; }
  [[nodiscard]] const std::string& config_path() const { return config_path_; }
  [[nodiscard]] std::vector<std::string> warnings() const { return warnings_->all(); }
  // Bytes of all outputs of the runs that succeeded, one after the other.
  [[nodiscard]] const std::vector<std::byte>& results() const { return results_; }

  // Live bytes and blocks on all open devices and the host.
  struct Usage {
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Usage&, const Usage&) = default;
  };
  [[nodiscard]] Usage usage() const;

 private:
  Status run_method(const std::string& method);

  test::TempDir folder_;
  std::string program_;
  std::string config_path_;
  std::shared_ptr<Warnings> warnings_ = std::make_shared<Warnings>();
  std::shared_ptr<DeviceRegistry> registry_;
  std::unique_ptr<module::Module> module_;
  std::vector<std::byte> results_;
  std::vector<module::Value> held_;
};

[[nodiscard]] std::string program_path(const std::string& program);
// Kernels and delegates of reference/, made once.
[[nodiscard]] module::ModuleOptions reference_options();

}  // namespace berth::sweep
