#include "berth/program/program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "container.h"
#include "contents.h"
#include "failure.h"
#include "file_bytes.h"
#include "program_reader.h"

namespace berth::program {

// A Program and what it owns, which become one allocation.
struct ProgramAccess {
  struct Whole {
    Program::Contents contents;
    Program program{&contents};
  };
  using Handle = std::shared_ptr<Whole>;

  static std::shared_ptr<const Program> program_of(const Handle& whole) {
    return std::shared_ptr<const Program>(whole, &whole->program);
  }
};

namespace {

// Files up to this size are moved out of the landing block, which is much larger, into one that fits.
constexpr std::size_t kSmallFile = 16 * 1024;

// The plans of a method take about as much memory as its part of the flatbuffer. Constants that are stored in the
// flatbuffer take none, hence the bound; the arena takes more when this is not enough.
std::size_t first_arena_bytes(std::size_t flatbuffer_bytes) {
  return std::min<std::size_t>(flatbuffer_bytes + flatbuffer_bytes / 2 + 1024, std::size_t{32} * 1024);
}

constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 15) & ~std::size_t{15}; }

// Sets `contents.block` to a block that starts with `bytes` and has room for plans after them.
bool copy_into_block(std::span<const std::byte> bytes, Program::Contents& contents) {
  contents.block = detail::Block::allocate(round_up(bytes.size()) + first_arena_bytes(bytes.size()));
  if (contents.block.empty()) return false;
  if (!bytes.empty()) std::memcpy(contents.block.data(), bytes.data(), bytes.size());
  return true;
}

// Reads the program whose first `read` bytes the block holds: all of them, or the flatbuffer part of a mapped file.
Result<std::shared_ptr<const Program>> finish(const ProgramAccess::Handle& whole, std::size_t read) {
  Program::Contents& contents = whole->contents;
  const std::size_t used = std::min(round_up(read), contents.block.capacity());
  contents.arena.start_with({contents.block.data() + used, contents.block.capacity() - used});
  const std::span<const std::byte> head(contents.block.data(), read);
  const std::span<const std::byte> mapped = contents.mapping.bytes();
  if (Status status = detail::read_program(head, mapped.empty() ? head : mapped, contents); !status.ok()) [[unlikely]] {
    return fail(std::move(status));
  }
  return ProgramAccess::program_of(whole);
}

Result<std::shared_ptr<const Program>> open_file(const std::filesystem::path& file, const ProgramOptions& options) {
  Result<detail::FileBytes> bytes =
      detail::read_file(file.c_str(), options.map_segments ? detail::flatbuffer_part : nullptr);
  if (!bytes) [[unlikely]]
    return fail(std::move(bytes).error());
  const auto whole = std::make_shared<ProgramAccess::Whole>();
  whole->contents.name = file.native();
  whole->contents.file_bytes = bytes->file_bytes;
  if (bytes->read <= kSmallFile) {
    if (!copy_into_block(bytes->bytes(), whole->contents))
      return fail(detail::out_of_memory(file.native(), bytes->read));
  } else {
    whole->contents.block = std::move(bytes->block);
    whole->contents.mapping = std::move(bytes->mapping);
  }
  return finish(whole, bytes->read);
}

Result<std::shared_ptr<const Program>> read_bytes(std::span<const std::byte> bytes, std::string_view name) {
  const auto whole = std::make_shared<ProgramAccess::Whole>();
  whole->contents.name = name;
  whole->contents.file_bytes = bytes.size();
  if (!copy_into_block(bytes, whole->contents)) return fail(detail::out_of_memory(name, bytes.size()));
  return finish(whole, bytes.size());
}

}  // namespace

Program::~Program() = default;

Result<std::shared_ptr<const Program>> Program::open(const std::filesystem::path& file, const ProgramOptions& options) {
  return detail::without_bad_alloc(file.native(), [&] { return open_file(file, options); });
}

Result<std::shared_ptr<const Program>> Program::from_bytes(std::span<const std::byte> bytes, std::string_view name) {
  return detail::without_bad_alloc(name, [&] { return read_bytes(bytes, name); });
}

const std::string& Program::name() const noexcept { return contents_->name; }
std::uint64_t Program::file_bytes() const noexcept { return contents_->file_bytes; }
std::span<const MethodPlan> Program::methods() const noexcept { return contents_->methods; }
bool Program::legacy() const noexcept { return contents_->legacy; }
std::uint32_t Program::unplaced_tags() const noexcept { return contents_->unplaced_tags; }

const MethodPlan* Program::find_method(std::string_view method) const noexcept {
  for (const MethodPlan& plan : contents_->methods) {
    if (plan.name == method) return &plan;
  }
  return nullptr;
}

Result<const MethodPlan*> Program::method(std::string_view method) const {
  if (const MethodPlan* plan = find_method(method); plan != nullptr) [[likely]]
    return plan;
  std::string names;
  for (const MethodPlan& plan : contents_->methods) {
    names.append(names.empty() ? "" : ", ").append("'").append(plan.name).append("'");
  }
  return fail({.code = Code::kInvalidArgument,
               .origin = Origin::kUsage,
               .where = contents_->name,
               .what = "the program has no such method",
               .expected = (contents_->methods.size() == 1 ? "" : "one of ") + names,
               .found = "'" + std::string(method) + "'",
               .next_step = "name a method of the program"});
}

std::optional<std::span<const std::byte>> Program::named_data(std::string_view key) const noexcept {
  for (const detail::NamedBytes& named : contents_->named_data) {
    if (named.key == key) return named.bytes;
  }
  return std::nullopt;
}

std::vector<std::string_view> Program::named_data_keys() const {
  std::vector<std::string_view> keys;
  for (const detail::NamedBytes& named : contents_->named_data) keys.push_back(named.key);
  return keys;
}

}  // namespace berth::program
