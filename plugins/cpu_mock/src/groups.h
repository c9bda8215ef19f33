// The groups of functions that plugin.cpp puts into the table, each defined in groups_*.cpp.
#pragma once

#include <berth/plugin.h>

namespace berth::mock {

extern const berth_instance_group kInstanceGroup;
extern const berth_device_group kDeviceGroup;
extern const berth_memory_group kMemoryGroup;
extern const berth_copy_group kCopyGroup;
extern const berth_copy_within_group kCopyWithinGroup;
extern const berth_fill_group kFillGroup;
extern const berth_memory_info_group kMemoryInfoGroup;
extern const berth_staging_group kStagingGroup;
extern const berth_queue_group kQueueGroup;
extern const berth_async_group kAsyncGroup;
extern const berth_peer_group kPeerGroup;
extern const berth_queue_peer_group kQueuePeerGroup;
extern const berth_map_group kMapGroup;

// The extension berth.native.
extern const berth_native kNative;

}  // namespace berth::mock
