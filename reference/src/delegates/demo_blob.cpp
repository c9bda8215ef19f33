#include "delegates/demo_blob.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "delegates/failure.h"

namespace berth::reference::detail {
namespace {

constexpr std::size_t kShown = 40;  // characters of a blob in a message

// What is left of a blob, as a message can show it.
std::string excerpt(std::string_view text) {
  if (text.empty()) return "the end of the blob";
  std::string shown = "'";
  for (const char c : text.substr(0, kShown)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kShown ? "...'" : "'");
}

// Takes a blob apart from its beginning. The first mismatch is kept; nothing is taken after it.
class Reader {
 public:
  explicit Reader(std::string_view text) noexcept : rest_(text) {}

  void literal(std::string_view expected) {
    if (!status_.ok()) return;
    if (!rest_.starts_with(expected)) return mismatch("'" + std::string(expected) + "'");
    rest_.remove_prefix(expected.size());
  }
  std::int64_t number() {
    std::int64_t result = 0;
    if (!status_.ok()) return result;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), result);
    if (error != std::errc() || result < 0) {
      mismatch("a number");
      return 0;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return result;
  }
  std::string_view until(std::string_view stop) {
    if (!status_.ok()) return {};
    const std::size_t length = rest_.find(stop);
    if (length == std::string_view::npos) {
      mismatch("'" + std::string(stop) + "' further on");
      return {};
    }
    const std::string_view result = rest_.substr(0, length);
    rest_.remove_prefix(length + stop.size());
    return result;
  }
  void end() {
    if (status_.ok() && !rest_.empty()) mismatch("the end of the blob");
  }
  [[nodiscard]] const Status& status() const noexcept { return status_; }

 private:
  void mismatch(std::string expected) { status_ = program_fault(kMalformed, std::move(expected), excerpt(rest_)); }
  static constexpr const char* kMalformed = "the blob is malformed";
  std::string_view rest_;
  Status status_;
};

std::optional<program::ScalarType> torch_type(std::string_view name) noexcept {
  constexpr std::string_view kPrefix = "torch.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return program::scalar_type_from_name(name.substr(kPrefix.size()));
}

}  // namespace

Result<DemoBlob> read_demo_blob(std::span<const std::byte> blob) {
  Reader reader({reinterpret_cast<const char*>(blob.data()), blob.size()});
  const std::int64_t operations = reader.number();
  reader.literal("version:");
  const std::int64_t version = reader.number();
  reader.literal("#");
  BERTH_FAIL_IF_ERROR(reader.status());
  if (version != 0) {
    return fail(program_fault("the blob has an unknown version", "0", std::to_string(version)));
  }
  if (operations != 1) {
    return fail(program_fault("the blob does not say how operations are wired", "1 operation",
                              std::to_string(operations) + " operations"));
  }
  reader.literal("op:demo::");
  const std::string_view operation = reader.until(", numel:");
  DemoBlob result;
  result.numel = reader.number();
  reader.literal(", dtype:");
  const std::string_view type = reader.until("<debug_handle>");
  static_cast<void>(reader.number());
  reader.literal("#");
  reader.end();
  BERTH_FAIL_IF_ERROR(reader.status());
  if (operation != "aten.add.Tensor") {
    return fail(program_fault("the blob asks for an unknown operation", "'aten.add.Tensor'", excerpt(operation)));
  }
  const auto scalar_type = torch_type(type);
  if (!scalar_type.has_value()) {
    return fail(program_fault("the blob names an unknown type", "'torch.float32' and the like", excerpt(type)));
  }
  result.type = *scalar_type;
  return result;
}

}  // namespace berth::reference::detail
