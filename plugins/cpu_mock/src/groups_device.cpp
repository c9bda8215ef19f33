// Groups: instance and device.
#include <cstring>

#include "device.h"
#include "groups.h"

namespace berth::mock {
namespace {

using plugin::guard;

berth_code create(const berth_create_args* args, const berth_host* host, void* host_data, berth_instance** out_instance,
                  berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    berth_create_args known;
    berth_code code = BERTH_READ_ARGS(known, args, BERTH_CREATE_ARGS_1_0, error);
    if (code != BERTH_OK) return code;
    auto instance =
        std::make_unique<Instance>(read_instance_options(known.options, known.option_count), *host, host_data);
    code = instance->enter(Function::kCreate, 0, error);
    if (code == BERTH_OK) *out_instance = instance.release()->handle();
    return code;
  });
}

berth_code destroy(berth_instance* handle, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Instance& instance = Instance::from(handle);
    if (const int open = instance.open_devices(); open != 0)
      return berth_fail(error, BERTH_FAILED_PRECONDITION, "%d devices are open", open);
    const berth_code code = instance.enter(Function::kDestroy, 0, error);
    if (code == BERTH_OK) delete &instance;
    return code;
  });
}

const void* get_extension(berth_instance* handle, berth_device*, const char* name, std::uint32_t version) noexcept {
  const bool native = std::strcmp(name, BERTH_NATIVE_NAME) == 0 && version == BERTH_NATIVE_VERSION;
  return native && Instance::from(handle).options().native ? &kNative : nullptr;
}

berth_code count(berth_instance* handle, std::uint32_t* out_count, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Instance& instance = Instance::from(handle);
    const berth_code code = instance.enter(Function::kCount, 0, error);
    if (code != BERTH_OK) return code;
    if (instance.options().devices == 0)
      return berth_fail(error, BERTH_NO_DEVICE, "the option 'devices' is 0, so there is no device");
    *out_count = instance.options().devices;
    return BERTH_OK;
  });
}

berth_code describe(berth_instance* handle, std::uint32_t ordinal, berth_device_description* out,
                    berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Instance& instance = Instance::from(handle);
    if (instance.ordinal(ordinal, error) == nullptr) return error->code;
    const berth_code code = instance.enter(Function::kDescribe, ordinal, error);
    if (code != BERTH_OK) return code;
    berth_device_description full;
    instance.describe(ordinal, full);
    return BERTH_ANSWER(out, full, BERTH_DEVICE_DESCRIPTION_1_0, error);
  });
}

berth_code open(berth_instance* handle, const berth_open_args* args, berth_device** out_device,
                berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Instance& instance = Instance::from(handle);
    berth_open_args known;
    berth_code code = BERTH_READ_ARGS(known, args, BERTH_OPEN_ARGS_1_0, error);
    if (code == BERTH_OK) code = berth_check_flags(known.flags, 0, "open", error);
    if (code != BERTH_OK) return code;
    Ordinal* const ordinal = instance.ordinal(known.ordinal, error);
    if (ordinal == nullptr) return error->code;
    const DeviceOptions options = read_device_options(known.options, known.option_count);
    code = instance.enter(Function::kOpen, known.ordinal, error);
    if (code == BERTH_OK) *out_device = std::make_unique<Device>(instance, *ordinal, options).release()->handle();
    return code;
  });
}

berth_code close(berth_device* handle, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Device& device = Device::from(handle);
    berth_code code = device.check_no_children(error);
    if (code == BERTH_OK) code = device.enter(Function::kClose, 0, error);
    if (code == BERTH_OK) delete &device;
    return code;
  });
}

berth_code properties(berth_device* handle, berth_device_properties* out, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Device& device = Device::from(handle);
    const berth_code code = device.enter(Function::kProperties, 0, error);
    if (code != BERTH_OK) return code;
    berth_device_properties full;
    device.properties(full);
    return BERTH_ANSWER(out, full, BERTH_DEVICE_PROPERTIES_1_0, error);
  });
}

berth_code kind(berth_device* handle, std::uint32_t index, berth_kind_properties* out, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Device& device = Device::from(handle);
    const berth_code code = device.enter(Function::kKind, 0, error);
    if (code != BERTH_OK) return code;
    if (index >= device.kinds().size())
      return berth_fail(error, BERTH_INVALID_ARGUMENT, "there is no kind %" PRIu32 "; this device has %zu", index,
                        device.kinds().size());
    const Kind& kind = device.kinds()[index];
    const berth_kind_properties full = {
        0, kind.flags, kind.heap, kind.size_multiple, kind.min_alignment, kind.max_alignment, kind.max_allocation};
    return BERTH_ANSWER(out, full, BERTH_KIND_PROPERTIES_1_0, error);
  });
}

berth_code heap(berth_device* handle, std::uint32_t index, berth_heap_properties* out, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Device& device = Device::from(handle);
    const berth_code code = device.enter(Function::kHeap, 0, error);
    if (code != BERTH_OK) return code;
    if (index >= device.heaps().size())
      return berth_fail(error, BERTH_INVALID_ARGUMENT, "there is no heap %" PRIu32 "; this device has %zu", index,
                        device.heaps().size());
    const bool known = (device.instance().options().known_figures & BERTH_INFO_TOTAL) != 0;
    const berth_heap_properties full = {0, BERTH_HEAP_DEVICE_LOCAL | (known ? BERTH_HEAP_TOTAL_KNOWN : 0), 0,
                                        known ? device.heaps()[index] : 0};
    return BERTH_ANSWER(out, full, BERTH_HEAP_PROPERTIES_1_0, error);
  });
}

}  // namespace

const berth_instance_group kInstanceGroup = {create, destroy, get_extension};
const berth_device_group kDeviceGroup = {count, describe, open, close, properties, kind, heap};

}  // namespace berth::mock
