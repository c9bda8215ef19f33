// PeerTable: which other devices one device can copy to without the host, each pair tried once with a pattern before
// it is trusted: some systems answer success and move nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace berth {
class Device;
}

namespace berth::detail {

class PeerTable {
 public:
  // Whether copy_peer from `source` (whose table this is) to `target` can be used. Any thread; the first call for a
  // pair tries it, with two small allocations. When those fail nothing is decided and the answer is no for now.
  [[nodiscard]] bool usable(const std::shared_ptr<Device>& source, const std::shared_ptr<Device>& target);

 private:
  struct Pair {
    std::uint64_t target_serial = 0;
    bool usable = false;
  };
  std::mutex mutex_;  // held during a trial, so that each pair has one
  std::vector<Pair> pairs_;
};

}  // namespace berth::detail
