#include "berth/module/kernel_table.h"

#include <algorithm>
#include <cstring>

namespace berth::module {
namespace {

// Eight bytes a step, mixed by a multiplication: names are short and looked up once for each operator of each load.
std::uint64_t mix(std::uint64_t hash, std::string_view text) noexcept {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  const char* data = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, data += 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 29;
  }
  std::uint64_t rest = left;
  for (; left != 0; --left) rest = rest << 8 | static_cast<std::uint8_t>(*data++);
  hash = (hash ^ rest) * kMultiplier;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(std::string_view name, std::string_view overload) noexcept { return mix(mix(0, name), overload); }

}  // namespace

std::string operator_full_name(std::string_view name, std::string_view overload) {
  std::string text(name);
  if (!overload.empty()) text.append(".").append(overload);
  return text;
}

Status KernelTable::add(std::string_view name, std::string_view overload, Kernel kernel) {
  const bool present = find(name, overload) != nullptr;
  if (name.empty() || kernel == nullptr || present) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .what = present ? "there is a kernel for '" + operator_full_name(name, overload) + "' already"
                                   : "a kernel needs a name and a function"});
  }
  if ((entries_.size() + 1) * 2 > slots_.size()) rehash(std::max<std::size_t>(16, slots_.size() * 2));
  entries_.push_back({std::string(name), std::string(overload), hash_of(name, overload), kernel});
  std::size_t slot = entries_.back().hash & (slots_.size() - 1);
  while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return {};
}

void KernelTable::rehash(std::size_t slots) {
  slots_.assign(slots, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & (slots - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

Kernel KernelTable::find(std::string_view name, std::string_view overload) const noexcept {
  if (slots_.empty()) return nullptr;
  const std::uint64_t hash = hash_of(name, overload);
  for (std::size_t slot = hash & (slots_.size() - 1); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && entry.name == name && entry.overload == overload) return entry.kernel;
  }
  return nullptr;
}

std::vector<std::string> KernelTable::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(operator_full_name(entry.name, entry.overload));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace berth::module
