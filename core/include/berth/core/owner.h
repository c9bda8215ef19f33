// Who an allocation belongs to, kept as numbers and turned into text only in errors and reports.
#pragma once

#include <cstdint>
#include <string>

namespace berth {

// A name interned by one Device (Device::intern_owner); 0 is "unnamed". Names stay interned for the device's life.
using OwnerId = std::uint32_t;

struct Owner {
  OwnerId id = 0;
  // What it is within the owner: the program's memory id of a planned buffer; 0 is none.
  std::uint32_t part = 0;
};

}  // namespace berth
