#include "container.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "failure.h"

namespace berth::program::detail {

namespace {

constexpr std::size_t kSmallestFile = 64;
constexpr std::size_t kHeaderPosition = 8;
constexpr std::uint32_t kShortHeader = 24;
constexpr std::uint32_t kLongHeader = 32;
constexpr std::uint64_t kLargestFlatbuffer = INT32_MAX;

template <typename T>
T load(std::span<const std::byte> bytes, std::size_t position) {
  T value;
  std::memcpy(&value, bytes.data() + position, sizeof(T));
  return value;
}

bool has(std::span<const std::byte> bytes, std::size_t position, const char (&text)[5]) {
  return bytes.size() >= position + 4 && std::memcmp(bytes.data() + position, text, 4) == 0;
}

[[gnu::cold]] Status wrong_identifier(std::string_view file, std::span<const std::byte> head) {
  Complaint complaint{.what = "this is not a program", .expected = "identifier 'ET12' at byte 4"};
  complaint.next_step = "give a .pte file";
  std::string found;
  for (std::size_t i = 4; i < 8; ++i) {
    const char letter = static_cast<char>(head[i]);
    found += letter >= ' ' && letter <= '~' ? letter : '.';
  }
  complaint.found = "'" + found + "'";
  if (has(head, 4, "BP08")) complaint.next_step = "open this .bpte file as a bundled program";
  if (has(head, 4, "FT01")) complaint.next_step = "this is a data file (.ptd): give it beside its program";
  return invalid_program({.file = file}, std::move(complaint));
}

[[gnu::cold]] Status bad_header(std::string_view file, const char* what, std::string expected, std::string found) {
  return invalid_program({.file = file, .unit = "extended header"},
                         {.what = what,
                          .expected = std::move(expected),
                          .found = std::move(found),
                          .next_step = "the file is incomplete or damaged: copy or export it again"});
}

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

// The part of the header that says where segments are.
Status read_segment_area(std::string_view file, std::span<const std::byte> head, std::uint32_t header_bytes,
                         std::span<const std::byte> whole, Container& out) {
  const auto base = load<std::uint64_t>(head, 24);
  const std::uint64_t data_bytes = header_bytes >= kLongHeader ? load<std::uint64_t>(head, 32) : 0;
  std::uint64_t end = 0;
  if (__builtin_add_overflow(base, data_bytes, &end)) {
    return bad_header(file, "the segment area ends past the largest file size", "base + size below 2^64",
                      std::to_string(base) + " + " + std::to_string(data_bytes));
  }
  if (data_bytes > 0 && end > whole.size()) {
    return bad_header(file, "the segment area ends past the end of the file", "a file of at least " + bytes_text(end),
                      bytes_text(whole.size()));
  }
  const std::uint64_t start = std::min<std::uint64_t>(base, whole.size());
  out.segments = whole.subspan(start, data_bytes > 0 ? data_bytes : whole.size() - start);
  return {};
}

}  // namespace

Status read_container(std::string_view file, std::span<const std::byte> head, std::span<const std::byte> whole,
                      Container& out) {
  if (head.size() < kSmallestFile) [[unlikely]] {
    return invalid_program({.file = file}, {.what = "the file is too short for a program",
                                            .expected = "at least " + bytes_text(kSmallestFile),
                                            .found = bytes_text(head.size()),
                                            .next_step = "copy or export it again"});
  }
  if (!has(head, 4, "ET12")) [[unlikely]]
    return wrong_identifier(file, head);
  std::uint64_t program_bytes = head.size();
  if (has(head, kHeaderPosition, "eh00")) {
    const auto header_bytes = load<std::uint32_t>(head, 12);
    program_bytes = load<std::uint64_t>(head, 16);
    if (header_bytes < kShortHeader) [[unlikely]] {
      return bad_header(file, "the header is too short", "at least " + bytes_text(kShortHeader),
                        bytes_text(header_bytes));
    }
    if (program_bytes < kHeaderPosition + kLongHeader || program_bytes > head.size()) [[unlikely]] {
      return bad_header(
          file, "the program does not fit the file",
          "a size from " + std::to_string(kHeaderPosition + kLongHeader) + " to " + bytes_text(head.size()),
          bytes_text(program_bytes));
    }
    if (Status status = read_segment_area(file, head, header_bytes, whole, out); !status.ok()) return status;
  }
  if (program_bytes > kLargestFlatbuffer) [[unlikely]] {
    return bad_header(file, "the flatbuffer is too large", "at most " + bytes_text(kLargestFlatbuffer),
                      bytes_text(program_bytes));
  }
  out.flatbuffer = head.first(program_bytes);
  return {};
}

std::uint64_t flatbuffer_part(std::span<const std::byte> first_bytes, std::uint64_t file_bytes) {
  if (first_bytes.size() < kSmallestFile || !has(first_bytes, kHeaderPosition, "eh00")) return file_bytes;
  return std::min(load<std::uint64_t>(first_bytes, 16), file_bytes);
}

}  // namespace berth::program::detail
