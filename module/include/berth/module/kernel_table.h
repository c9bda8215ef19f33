// KernelTable: which host function computes which operator. Filled by the caller before Modules are loaded, then only
// read: any thread may look things up once nobody adds any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/module/kernel.h"

namespace berth::module {

class BERTH_API KernelTable {
 public:
  // ("aten::add", "out", add_out). The names are copied. kInvalidArgument (origin kUsage): `kernel` is null, the name
  // is empty, or there is a kernel for it already.
  Status add(std::string_view name, std::string_view overload, Kernel kernel);

  // Null when there is none.
  [[nodiscard]] Kernel find(std::string_view name, std::string_view overload) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  // "aten::add.out", ... sorted.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Entry {
    std::string name;
    std::string overload;
    std::uint64_t hash;
    Kernel kernel;
  };
  void rehash(std::size_t slots);
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing: index + 1 of an entry, 0 is empty; a power of two
};

// "aten::add.out"; no dot when the overload is empty.
[[nodiscard]] BERTH_API std::string operator_full_name(std::string_view name, std::string_view overload);

}  // namespace berth::module
