#include "identity.h"

#include <berth/plugin_helper.hpp>
#include <charconv>

#include "text.h"

namespace berth::mock {
namespace {

constexpr std::string_view kPciForm = "a PCI address such as 0000:65:00.0";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::uint32_t pci_part(std::string_view whole, std::string_view part, std::uint32_t most) {
  std::uint32_t value = 0;
  const char* const end = part.data() + part.size();
  const auto [stopped, problem] = std::from_chars(part.data(), end, value, 16);
  if (problem != std::errc() || stopped != end || value > most) refuse("pci_base", whole, kPciForm);
  return value;
}

// FNV-1a over some bytes, continued from `hash`.
std::uint64_t fnv(std::uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

Uuid parse_uuid(std::string_view text) {
  constexpr std::string_view kForm = "a UUID of 32 hexadecimal digits";
  Uuid uuid{};
  std::size_t digits = 0;
  for (const char c : trim(text)) {
    if (c == '-') continue;
    const int digit = hex_digit(c);
    if (digit < 0 || digits == 32) refuse("uuid_base", text, kForm);
    uuid[digits / 2] = static_cast<std::uint8_t>(uuid[digits / 2] * 16 + digit);
    ++digits;
  }
  if (digits != 32) refuse("uuid_base", text, kForm);
  return uuid;
}

Pci parse_pci(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() != 3) refuse("pci_base", text, kPciForm);
  const std::vector<std::string_view> last = split(parts[2], '.');
  if (last.size() != 2) refuse("pci_base", text, kPciForm);
  Pci pci;
  pci.domain = pci_part(text, parts[0], 0xFFFFFFFF);
  pci.bus = pci_part(text, parts[1], 0xFF);
  pci.device = pci_part(text, last[0], 0x1F);
  pci.function = pci_part(text, last[1], 7);
  return pci;
}

Uuid uuid_of(const Uuid& base, std::uint32_t ordinal) {
  Uuid uuid = base;
  std::uint32_t carry = ordinal;
  for (std::size_t i = 16; i-- > 12 && carry != 0;) {
    carry += uuid[i];
    uuid[i] = static_cast<std::uint8_t>(carry & 0xFF);
    carry >>= 8;
  }
  return uuid;
}

Uuid derived_uuid(std::string_view name, std::uint32_t ordinal) {
  const std::uint64_t first = fnv(0xcbf29ce484222325ULL, name);
  const std::uint64_t second = fnv(first, "berth cpu_mock");
  Uuid uuid{};
  for (std::size_t i = 0; i < 8; ++i) {
    uuid[i] = static_cast<std::uint8_t>(first >> (56 - 8 * i));
    uuid[8 + i] = static_cast<std::uint8_t>(second >> (56 - 8 * i));
  }
  uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0F) | 0x80);  // form 8: vendor specific
  uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3F) | 0x80);  // the variant that has forms
  return uuid_of(uuid, ordinal);
}

std::string pci_of(const Pci& base, std::uint32_t ordinal) {
  const std::uint32_t bus = base.bus + ordinal;
  return plugin::text("%04x:%02x:%02x.%x", base.domain + bus / 256, bus % 256, base.device, base.function);
}

}  // namespace berth::mock
