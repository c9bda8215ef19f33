// Uses the library as an engine without ExecuTorch would: host memory through core, and a device that the installed
// registry file names, served by an installed plugin. Usage: consumer <registry file>
#include <berth/berth.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace {

// Writes a value to new memory of `device` and reads it back.
berth::Status round_trip(const std::shared_ptr<berth::Device>& device) {
  BERTH_ASSIGN_OR_STATUS(berth::DeviceBuffer buffer, berth::DeviceBuffer::allocate(device, {.bytes = 64}));
  const std::array<int, 4> sent = {1, 2, 3, 4};
  std::array<int, 4> received = {};
  BERTH_RETURN_IF_ERROR(buffer.write(8, sent.data(), sizeof sent));
  BERTH_RETURN_IF_ERROR(buffer.read(8, received.data(), sizeof received));
  if (received != sent) return berth::Status({.what = "the bytes read back differ"});
  return buffer.release();
}

berth::Status run(const std::string& registry_file) {
  BERTH_RETURN_IF_ERROR(round_trip(berth::make_host_device()));
  BERTH_ASSIGN_OR_STATUS(const berth::loader::LoadedRegistry loaded,
                         berth::loader::load_registry({.path = registry_file}));
  BERTH_ASSIGN_OR_STATUS(const std::shared_ptr<berth::Device> device,
                         loaded.registry()->find({.type = "cuda", .index = 0}));
  std::printf("berth %s: %s is served by plugin %s\n", berth::version(), device->id().to_string().c_str(),
              device->served_by().plugin.c_str());
  return round_trip(device);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const berth::Status status = run(argv[1]);
  std::puts(status.message().c_str());
  return status.ok() ? 0 : 1;
}
