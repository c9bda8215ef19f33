// UUIDs and PCI addresses of mock devices: made up from a base and the ordinal, so that identity rules can be tested.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::mock {

using Uuid = std::array<std::uint8_t, 16>;

// Where devices sit: "0000:65:00.0".
struct Pci {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;
};

// 32 hexadecimal digits, hyphens anywhere between them. Throws plugin::Failure INVALID_ARGUMENT.
Uuid parse_uuid(std::string_view text);

// Throws plugin::Failure INVALID_ARGUMENT.
Pci parse_pci(std::string_view text);

// The base plus the ordinal, counted in its last four bytes.
Uuid uuid_of(const Uuid& base, std::uint32_t ordinal);

// A UUID of form 8 from a name and the ordinal: the same in every process.
Uuid derived_uuid(std::string_view name, std::uint32_t ordinal);

// The base on a bus that is `ordinal` further, in lower case.
std::string pci_of(const Pci& base, std::uint32_t ordinal);

}  // namespace berth::mock
