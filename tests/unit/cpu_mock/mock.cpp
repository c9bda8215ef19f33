#include "mock.h"

#include <dlfcn.h>

#include <stdexcept>

namespace berth::test {
namespace {

struct ToValue {
  berth_option& out;

  void operator()(bool value) const {
    out.type = BERTH_OPTION_BOOL;
    out.value.boolean = value ? 1 : 0;
  }
  void operator()(std::int64_t value) const {
    out.type = BERTH_OPTION_INT;
    out.value.integer = value;
  }
  void operator()(double value) const {
    out.type = BERTH_OPTION_DOUBLE;
    out.value.real = value;
  }
  void operator()(const std::string& value) const {
    out.type = BERTH_OPTION_STRING;
    out.value.string = value.c_str();
  }
};

berth_plugin_info query_plugin() {
  void* const library = dlopen(BERTH_TEST_MOCK, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto query = reinterpret_cast<berth_plugin_query_function>(dlsym(library, BERTH_PLUGIN_QUERY_SYMBOL));
  if (query == nullptr) throw std::runtime_error(dlerror());
  berth_query_args args{};
  args.struct_size = sizeof(args);
  args.abi_major = BERTH_ABI_MAJOR;
  args.abi_minor_max = BERTH_ABI_MINOR;
  berth_plugin_info info{};
  info.struct_size = sizeof(info);
  berth_error error{};
  if (query(&args, &info, &error) != BERTH_OK) throw std::runtime_error(error.message);
  return info;
}

const void* no_extension(void*, const char*, std::uint32_t) { return nullptr; }

}  // namespace

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << "code 0x" << std::hex << outcome.code << std::dec << " '" << outcome.error.message << "'";
}

Outcome checked(berth_code code, const berth_error& before, const berth_error& after) {
  if (code == BERTH_OK || code == BERTH_NOT_READY) {
    EXPECT_EQ(std::memcmp(&before, &after, sizeof(before)), 0) << "the error was touched on success";
    Outcome outcome;
    outcome.code = code;
    return outcome;
  }
  EXPECT_EQ(after.code, code);
  EXPECT_EQ(after.flags & ~7U, 0U);
  EXPECT_NE(after.native_code, before.native_code) << "the driver's code was not written";
  EXPECT_NE(after.option_index, before.option_index) << "the option's index was not written";
  EXPECT_NE(std::memchr(after.message, '\0', sizeof(after.message)), nullptr);
  EXPECT_NE(after.message[0], '\0') << "there is no text";
  return {code, after};
}

std::vector<berth_option> as_abi(const Options& options) {
  std::vector<berth_option> out;
  for (const Option& option : options) {
    berth_option& one = out.emplace_back();
    one = {};
    one.key = option.key.c_str();
    std::visit(ToValue{one}, option.value);
  }
  return out;
}

const berth_plugin_info& plugin_info() {
  static const berth_plugin_info info = query_plugin();
  return info;
}

const berth_table& table() { return *plugin_info().table; }

Instance::Instance(const Options& options) : host_{sizeof(berth_host), write_log, no_extension} {
  const std::vector<berth_option> list = as_abi(options);
  const berth_create_args args{sizeof(args), list.data(), list.size()};
  const Outcome outcome = call(table().instance->create, &args, &host_, static_cast<void*>(this), &instance_);
  if (outcome.code != BERTH_OK) throw std::runtime_error(outcome.error.message);
}

Instance::~Instance() { EXPECT_THAT(call(table().instance->destroy, instance_), IsOk()); }

std::vector<std::string> Instance::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

void Instance::write_log(void* self, std::int32_t, const char* text) {
  auto& instance = *static_cast<Instance*>(self);
  const std::lock_guard lock(instance.mutex_);
  instance.log_.emplace_back(text);
}

Outcome create_fails(const Options& options) {
  const berth_host host{sizeof(berth_host), [](void*, std::int32_t, const char*) {}, no_extension};
  const std::vector<berth_option> list = as_abi(options);
  const berth_create_args args{sizeof(args), list.data(), list.size()};
  berth_instance* instance = nullptr;
  const Outcome outcome = call(table().instance->create, &args, &host, static_cast<void*>(nullptr), &instance);
  EXPECT_EQ(instance, nullptr);
  return outcome;
}

Device::Device(const Instance& instance, std::uint32_t ordinal, const Options& options) {
  const std::vector<berth_option> list = as_abi(options);
  const berth_open_args args{sizeof(args), ordinal, 0, list.data(), list.size()};
  const Outcome outcome = call(table().device->open, instance.get(), &args, &device_);
  if (outcome.code != BERTH_OK) throw std::runtime_error(outcome.error.message);
}

Device::~Device() {
  if (device_ != nullptr) {
    EXPECT_THAT(call(table().device->close, device_), IsOk());
  }
}

Outcome Device::try_allocate(const Request& request, berth_memory& out) const {
  const berth_allocate_args args{sizeof(args), request.size, request.alignment, request.kind, 0};
  return call(table().memory->allocate, device_, &args, &out);
}

berth_memory Device::allocate(const Request& request) const {
  berth_memory memory{};
  EXPECT_THAT(try_allocate(request, memory), IsOk());
  return memory;
}

Outcome Device::try_free(const berth_memory& memory) const { return call(table().memory->free, device_, &memory); }

void Device::free(const berth_memory& memory) const { EXPECT_THAT(try_free(memory), IsOk()); }

Outcome Device::try_write(const berth_memory& to, std::uint64_t offset, const std::string& bytes) const {
  return call(table().copy->to_device, device_, &to, offset, static_cast<const void*>(bytes.data()), bytes.size());
}

Outcome Device::try_read(const berth_memory& from, std::uint64_t offset, std::uint64_t bytes, std::string& out) const {
  out.assign(bytes, '\0');
  return call(table().copy->to_host, device_, &from, offset, static_cast<void*>(out.data()), bytes);
}

void Device::write(const berth_memory& to, std::uint64_t offset, const std::string& bytes) const {
  EXPECT_THAT(try_write(to, offset, bytes), IsOk());
}

std::string Device::read(const berth_memory& from, std::uint64_t offset, std::uint64_t bytes) const {
  std::string out;
  EXPECT_THAT(try_read(from, offset, bytes, out), IsOk());
  return out;
}

berth_device_properties Device::properties() const {
  berth_device_properties out{};
  out.struct_size = sizeof(out);
  EXPECT_THAT(call(table().device->properties, device_, &out), IsOk());
  return out;
}

berth_kind_properties Device::kind(std::uint32_t index) const {
  berth_kind_properties out{};
  out.struct_size = sizeof(out);
  EXPECT_THAT(call(table().device->kind, device_, index, &out), IsOk());
  return out;
}

berth_memory_info Device::info(std::uint32_t heap) const {
  berth_memory_info out{};
  out.struct_size = sizeof(out);
  EXPECT_THAT(call(table().memory_info->memory_info, device_, heap, &out), IsOk());
  return out;
}

berth_device* Device::release() {
  berth_device* const device = device_;
  device_ = nullptr;
  return device;
}

}  // namespace berth::test
