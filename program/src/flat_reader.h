// FlatReader: reads a flatbuffer that nobody has verified. Every access is checked where it is made, so that reading a
// program once is enough; FlatBuffers' own verifier followed by its unchecked accessors would touch every byte twice.
// It refuses at least what that verifier refuses (tests/mutations/program compares the two) and, beyond it, lists of
// eight-byte elements that are not aligned and files whose tables are shared so often that reading them never ends.
//
// Faults are sticky: the first is kept, everything read after it is absent or empty, and the caller asks once, when it
// is done or before it complains about something that is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace berth::program::detail {

enum class Fault : std::uint8_t {
  kNone,
  kTable,      // a table or its field list is not inside the flatbuffer
  kField,      // a field is not inside the flatbuffer or not aligned
  kReference,  // a reference points outside the flatbuffer
  kVector,     // a list is longer than the flatbuffer
  kAlignment,  // a list is not aligned to its elements
  kString,     // a string does not end with a zero byte
  kShared,     // shared tables or lists make reading it take more than its size allows
};

// A table that is known to be inside the buffer, as positions in it. A default one is an absent table: all its fields
// are absent.
struct Table {
  std::uint32_t position = 0;
  std::uint32_t fields = 0;  // the vtable
  std::uint32_t field_bytes = 0;

  [[nodiscard]] bool present() const { return position != 0; }
};

// A list of tables; get them with FlatReader::item.
struct TableList {
  std::uint32_t position = 0;
  std::uint32_t size = 0;

  [[nodiscard]] bool present() const { return position != 0; }
};

class FlatReader {
 public:
  // `data` stays valid and unchanged, is aligned to 16 and holds 8 <= size < 2^31 bytes.
  FlatReader(const std::uint8_t* data, std::size_t size)
      : data_(data), size_(size), budget_(2 * static_cast<std::int64_t>(size)) {}

  [[nodiscard]] Fault fault() const { return fault_; }
  [[nodiscard]] std::size_t fault_position() const { return fault_position_; }

  [[nodiscard]] Table root() { return follow(0); }

  template <typename T>
  [[nodiscard]] T scalar(const Table& table, std::uint16_t slot, T absent) {
    const std::size_t offset = field(table, slot);
    if (offset == 0) return absent;
    const std::size_t position = table.position + offset;
    if ((position & (sizeof(T) - 1)) != 0 || position > size_ - sizeof(T)) [[unlikely]] {
      note(Fault::kField, position);
      return absent;
    }
    return load<T>(position);
  }

  // Absent: a default Table.
  [[nodiscard]] Table table(const Table& parent, std::uint16_t slot) {
    const std::size_t target = reference(parent, slot);
    return target == 0 ? Table{} : table_at(target);
  }

  // The span's data is null when the list is absent, and not null when it is there and empty.
  template <typename T>
  [[nodiscard]] std::span<const T> list(const Table& table, std::uint16_t slot) {
    const std::size_t target = reference(table, slot);
    if (target == 0) return {};
    const std::uint32_t count = count_of(target, sizeof(T));
    if constexpr (sizeof(T) > 4) {
      if (count != 0 && ((target + 4) & (sizeof(T) - 1)) != 0) [[unlikely]] {
        note(Fault::kAlignment, target + 4);
        return {};
      }
    }
    // Bytes are not walked through one by one, so sharing them costs nothing.
    if (sizeof(T) > 1 && !charge(std::size_t{count} * sizeof(T))) [[unlikely]]
      return {};
    return {reinterpret_cast<const T*>(data_ + target + 4), count};
  }

  [[nodiscard]] TableList tables(const Table& parent, std::uint16_t slot) {
    const std::size_t target = reference(parent, slot);
    if (target == 0) return {};
    const std::uint32_t count = count_of(target, sizeof(std::uint32_t));
    if (!charge(std::size_t{count} * kSmallestItem)) [[unlikely]]
      return {};
    return {static_cast<std::uint32_t>(target), count};
  }

  // `index` is below `list.size`.
  [[nodiscard]] Table item(const TableList& list, std::uint32_t index) {
    return follow(list.position + 4 + std::size_t{index} * sizeof(std::uint32_t));
  }

  // The view's data is null when the string is absent.
  [[nodiscard]] std::string_view string(const Table& table, std::uint16_t slot) {
    const std::size_t target = reference(table, slot);
    if (target == 0) return {};
    const std::uint32_t count = count_of(target, 1);
    const std::size_t end = target + 4 + count;
    if (end >= size_ || data_[end] != 0) [[unlikely]] {
      note(Fault::kString, target + 4);
      return {};
    }
    return {reinterpret_cast<const char*>(data_ + target + 4), count};
  }

 private:
  // An item of a list of tables takes a reference and a table of at least four bytes.
  static constexpr std::size_t kSmallestItem = 8;

  template <typename T>
  [[nodiscard]] T load(std::size_t position) const {
    T value;
    std::memcpy(&value, data_ + position, sizeof(T));
    return value;
  }

  [[gnu::cold, gnu::noinline]] void note(Fault fault, std::size_t position) {
    if (fault_ != Fault::kNone) return;
    fault_ = fault;
    fault_position_ = position;
  }

  // Where the field is, counted from the table; 0 when it is absent.
  [[nodiscard]] std::size_t field(const Table& table, std::uint16_t slot) const {
    return slot < table.field_bytes ? load<std::uint16_t>(std::size_t{table.fields} + slot) : 0;
  }

  // What a reference field points at, which is inside the buffer and aligned to 4; 0 when it is absent.
  [[nodiscard]] std::size_t reference(const Table& table, std::uint16_t slot) {
    const std::size_t offset = field(table, slot);
    if (offset == 0) return 0;
    const std::size_t position = table.position + offset;
    if (position > size_ - 4) [[unlikely]] {
      note(Fault::kField, position);
      return 0;
    }
    return target_of(position);
  }

  // What the reference at `position` (inside the buffer) points at; 0 when that is not inside or not aligned to 4.
  [[nodiscard]] std::size_t target_of(std::size_t position) {
    const std::size_t distance = load<std::uint32_t>(position);
    // One comparison for both ends: a distance of 0 becomes the largest number.
    if (distance - 1 >= size_ - 4 - position || ((position | distance) & 3) != 0) [[unlikely]] {
      note(Fault::kReference, position);
      return 0;
    }
    return position + distance;
  }

  // The table that the reference at `position` (inside the buffer) points to.
  Table follow(std::size_t position) {
    const std::size_t target = target_of(position);
    return target == 0 ? Table{} : table_at(target);
  }

  // `position` is inside the buffer and aligned to 4.
  Table table_at(std::size_t position) {
    // The distance to the vtable may be negative; unsigned arithmetic gives the right position for both.
    const std::size_t vtable = position - static_cast<std::size_t>(load<std::int32_t>(position));
    if (vtable != vtable_) {
      // Neighbouring tables mostly share their vtable, so the last one checked is remembered.
      if ((vtable & 1) != 0 || vtable > size_ - 2) [[unlikely]]
        return bad_table(position);
      const std::size_t bytes = load<std::uint16_t>(vtable);
      if ((bytes & 1) != 0 || bytes > size_ - vtable) [[unlikely]]
        return bad_table(position);
      vtable_ = vtable;
      vtable_bytes_ = static_cast<std::uint32_t>(bytes);
    }
    return {static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(vtable), vtable_bytes_};
  }

  [[gnu::cold, gnu::noinline]] Table bad_table(std::size_t position) {
    note(Fault::kTable, position);
    return {};
  }

  // The length of the list at `position`, which is inside the buffer and aligned to 4; 0 when it is longer than that.
  [[nodiscard]] std::uint32_t count_of(std::size_t position, std::size_t element_bytes) {
    const auto count = load<std::uint32_t>(position);
    if (std::size_t{count} * element_bytes > size_ - 4 - position) [[unlikely]] {
      note(Fault::kVector, position);
      return 0;
    }
    return count;
  }

  // An honest table takes at least eight bytes and a list its elements, so that reading everything once never spends
  // more than the size. Twice that is allowed, for files that share a few. A table that is not in a list is charged
  // with the one that refers to it.
  [[nodiscard]] bool charge(std::size_t bytes) {
    budget_ -= static_cast<std::int64_t>(bytes);
    if (budget_ >= 0) [[likely]]
      return true;
    note(Fault::kShared, 0);
    return false;
  }

  const std::uint8_t* data_;
  std::size_t size_;
  std::int64_t budget_;
  std::size_t vtable_ = SIZE_MAX;
  std::uint32_t vtable_bytes_ = 0;
  Fault fault_ = Fault::kNone;
  std::size_t fault_position_ = 0;
};

}  // namespace berth::program::detail
