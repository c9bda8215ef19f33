// The built cpu_mock file through its C table alone, as a host sees it. Every call made with `call` also checks what
// holds for all of them: on success the error is untouched, on failure it is whole.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace berth::test {

struct Outcome {
  berth_code code = BERTH_OK;
  berth_error error{};
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome);

// Checks the rules of berth_error against an error that was `before` and returns both.
Outcome checked(berth_code code, const berth_error& before, const berth_error& after);

template <typename Function, typename... Arguments>
Outcome call(Function function, Arguments... arguments) {
  berth_error before;
  std::memset(&before, 0xA5, sizeof(before));
  before.code = BERTH_OK;
  before.message[0] = '\0';
  berth_error after = before;
  const berth_code code = function(arguments..., &after);
  return checked(code, before, after);
}

MATCHER(IsOk, "is BERTH_OK") { return arg.code == BERTH_OK; }
MATCHER_P2(FailsWith, code, message, "") { return arg.code == code && std::string(arg.error.message) == message; }
MATCHER_P(HasCode, code, "") { return arg.code == code; }

struct Option {
  std::string key;
  std::variant<bool, std::int64_t, double, std::string> value;
};
using Options = std::vector<Option>;

// The options as the ABI passes them; borrows the strings of `options`.
std::vector<berth_option> as_abi(const Options& options);

const berth_plugin_info& plugin_info();
const berth_table& table();

// An instance, destroyed at the end, which must succeed.
class Instance {
 public:
  explicit Instance(const Options& options = {});
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  berth_instance* get() const { return instance_; }
  std::vector<std::string> log() const;

 private:
  static void write_log(void* self, std::int32_t level, const char* text);

  berth_host host_;
  berth_instance* instance_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
};

// Tries to create an instance that must be refused.
Outcome create_fails(const Options& options);

struct Request {
  std::uint64_t size = 64;
  std::uint64_t alignment = 0;
  std::uint32_t kind = 0;
};

// An open device, closed at the end, which must succeed.
class Device {
 public:
  explicit Device(const Instance& instance, std::uint32_t ordinal = 0, const Options& options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  berth_device* get() const { return device_; }

  Outcome try_allocate(const Request& request, berth_memory& out) const;
  berth_memory allocate(const Request& request) const;  // must succeed
  Outcome try_free(const berth_memory& memory) const;
  void free(const berth_memory& memory) const;  // must succeed

  Outcome try_write(const berth_memory& to, std::uint64_t offset, const std::string& bytes) const;
  Outcome try_read(const berth_memory& from, std::uint64_t offset, std::uint64_t bytes, std::string& out) const;
  void write(const berth_memory& to, std::uint64_t offset, const std::string& bytes) const;
  std::string read(const berth_memory& from, std::uint64_t offset, std::uint64_t bytes) const;

  berth_device_properties properties() const;
  berth_kind_properties kind(std::uint32_t index = 0) const;
  berth_memory_info info(std::uint32_t heap = 0) const;

  // Gives up the ownership: for tests that close by themselves.
  berth_device* release();

 private:
  berth_device* device_ = nullptr;
};

}  // namespace berth::test
