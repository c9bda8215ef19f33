#include "berth/core/device_id.h"

#include <charconv>

namespace berth {
namespace {

constexpr std::size_t kMaxTypeLength = 31;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

tl::unexpected<Status> bad_id(std::string_view text, std::string what) {
  return fail({.code = Code::kInvalidArgument,
               .origin = Origin::kUsage,
               .where = "device id '" + std::string(text) + "'",
               .what = std::move(what),
               .expected = "a type name and an index such as cuda:0"});
}

// Empty when `type` is a type name; otherwise what is wrong with it.
std::string type_problem(std::string_view type) {
  if (type.empty()) return "the type name is missing";
  if (type.size() > kMaxTypeLength) return "the type name is longer than 31 characters";
  if (!is_lower(type.front())) return "the type name does not start with a lower-case letter";
  for (char c : type) {
    if (!is_lower(c) && !is_digit(c) && c != '_') {
      return "the type name holds something else than lower-case letters, digits and underscores";
    }
  }
  return {};
}

}  // namespace

Result<DeviceId> DeviceId::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view type = text.substr(0, colon);
  if (std::string problem = type_problem(type); !problem.empty()) return bad_id(text, std::move(problem));
  DeviceId id{.type = std::string(type), .index = 0};
  if (colon == std::string_view::npos) return id;

  const std::string_view digits = text.substr(colon + 1);
  if (digits.empty()) return bad_id(text, "the index is missing");
  for (char c : digits) {
    if (!is_digit(c)) return bad_id(text, "the index is not a decimal number");
  }
  if (digits.size() > 1 && digits.front() == '0') return bad_id(text, "the index has a leading zero");
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id.index);
  if (error != std::errc()) return bad_id(text, "the index is above 2147483647");
  return id;
}

std::string DeviceId::to_string() const { return type + ":" + std::to_string(index); }

}  // namespace berth
