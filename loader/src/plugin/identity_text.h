// UUIDs and PCI addresses in all their spellings, in one place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace berth::loader::detail {

// 1 to 32 lower-case hex digits without dashes from any usual spelling of a UUID or of its beginning: "GPU-..." in
// front, dashes, capitals, braces. None when it is none of these.
[[nodiscard]] std::optional<std::string> parse_uuid_prefix(std::string_view text);

// "f81d4fae-7dec-11d0-a765-00a0c91e6bf6".
[[nodiscard]] std::string uuid_text(std::span<const std::uint8_t, 16> bytes);

// "0000:65:00.0" from "65:00.0", "0000:65:00.0" or "00000000:65:00.0", in capitals or not. None when it is no PCI
// address.
[[nodiscard]] std::optional<std::string> parse_pci(std::string_view text);

}  // namespace berth::loader::detail
