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

// A table that is known to be inside the buffer. A default one is an absent table: all its fields are absent.
struct Table {
  const std::uint8_t* at = nullptr;
  const std::uint8_t* fields = nullptr;  // the vtable
  std::uint32_t field_bytes = 0;

  [[nodiscard]] bool present() const { return at != nullptr; }
};

// A list of tables; get them with FlatReader::item. `data` is null when the list is absent.
struct TableList {
  const std::uint8_t* data = nullptr;
  std::uint32_t size = 0;

  [[nodiscard]] bool present() const { return data != nullptr; }
};

class FlatReader {
 public:
  // `data` stays valid and unchanged, is aligned to 16 and holds 8 <= size < 2^31 bytes.
  FlatReader(const std::uint8_t* data, std::size_t size)
      : data_(data), size_(size), budget_(2 * static_cast<std::int64_t>(size)) {}

  [[nodiscard]] Fault fault() const { return fault_; }
  [[nodiscard]] std::size_t fault_position() const { return fault_position_; }

  [[nodiscard]] Table root() { return follow(data_); }

  template <typename T>
  [[nodiscard]] T scalar(const Table& table, std::uint16_t slot, T absent) {
    const std::size_t offset = field(table, slot);
    if (offset == 0) return absent;
    const std::size_t position = position_of(table.at) + offset;
    if ((position & (sizeof(T) - 1)) != 0 || position > size_ - sizeof(T)) [[unlikely]] {
      note(Fault::kField, position);
      return absent;
    }
    return load<T>(data_ + position);
  }

  // Absent: a default Table.
  [[nodiscard]] Table table(const Table& parent, std::uint16_t slot) {
    const std::uint8_t* target = reference(parent, slot);
    return target == nullptr ? Table{} : table_at(target);
  }

  // The span's data is null when the list is absent, and not null when it is there and empty.
  template <typename T>
  [[nodiscard]] std::span<const T> list(const Table& table, std::uint16_t slot) {
    const std::uint8_t* target = reference(table, slot);
    if (target == nullptr) return {};
    std::uint32_t count = 0;
    const std::uint8_t* items = elements(target, sizeof(T), count);
    if (items == nullptr) return {};
    if constexpr (sizeof(T) > 4) {
      if (count != 0 && (position_of(items) & (sizeof(T) - 1)) != 0) [[unlikely]] {
        note(Fault::kAlignment, position_of(items));
        return {};
      }
    }
    return {reinterpret_cast<const T*>(items), count};
  }

  [[nodiscard]] TableList tables(const Table& parent, std::uint16_t slot) {
    const std::uint8_t* target = reference(parent, slot);
    if (target == nullptr) return {};
    TableList found;
    found.data = elements(target, sizeof(std::uint32_t), found.size);
    if (found.data == nullptr) found.size = 0;
    return found;
  }

  // `index` is below `list.size`.
  [[nodiscard]] Table item(const TableList& list, std::uint32_t index) {
    return follow(list.data + std::size_t{index} * sizeof(std::uint32_t));
  }

  // The view's data is null when the string is absent.
  [[nodiscard]] std::string_view string(const Table& table, std::uint16_t slot) {
    const std::uint8_t* target = reference(table, slot);
    if (target == nullptr) return {};
    std::uint32_t count = 0;
    const std::uint8_t* text = elements(target, 1, count);
    if (text == nullptr) return {};
    const std::size_t end = position_of(text) + count;
    if (end >= size_ || data_[end] != 0) [[unlikely]] {
      note(Fault::kString, position_of(text));
      return {};
    }
    return {reinterpret_cast<const char*>(text), count};
  }

 private:
  template <typename T>
  static T load(const std::uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  [[nodiscard]] std::size_t position_of(const std::uint8_t* pointer) const {
    return static_cast<std::size_t>(pointer - data_);
  }

  [[gnu::cold, gnu::noinline]] void note(Fault fault, std::size_t position) {
    if (fault_ != Fault::kNone) return;
    fault_ = fault;
    fault_position_ = position;
  }

  // Where the field is, counted from the table; 0 when it is absent.
  static std::size_t field(const Table& table, std::uint16_t slot) {
    return slot < table.field_bytes ? load<std::uint16_t>(table.fields + slot) : 0;
  }

  // What a reference field points at, which is inside the buffer and aligned to 4; null when it is absent.
  const std::uint8_t* reference(const Table& table, std::uint16_t slot) {
    const std::size_t offset = field(table, slot);
    if (offset == 0) return nullptr;
    const std::size_t position = position_of(table.at) + offset;
    if ((position & 3) != 0 || position > size_ - 4) [[unlikely]] {
      note(Fault::kField, position);
      return nullptr;
    }
    const auto distance = load<std::uint32_t>(data_ + position);
    const std::size_t target = position + distance;
    if (distance == 0 || distance > INT32_MAX || target > size_ - 4 || (target & 3) != 0) [[unlikely]] {
      note(Fault::kReference, position);
      return nullptr;
    }
    return data_ + target;
  }

  // The table that the reference at `at` (inside the buffer) points to.
  Table follow(const std::uint8_t* at) {
    const auto distance = load<std::uint32_t>(at);
    const std::size_t target = position_of(at) + distance;
    if (distance == 0 || distance > INT32_MAX || target > size_ - 4 || (target & 3) != 0) [[unlikely]] {
      note(Fault::kReference, position_of(at));
      return {};
    }
    return table_at(data_ + target);
  }

  // `at` is inside the buffer and aligned to 4.
  Table table_at(const std::uint8_t* at) {
    // The distance to the vtable may be negative; unsigned arithmetic gives the right position for both.
    const std::size_t vtable = position_of(at) - static_cast<std::size_t>(load<std::int32_t>(at));
    if (vtable != vtable_) {
      // Neighbouring tables mostly share their vtable, so the last one checked is remembered.
      if ((vtable & 1) != 0 || vtable > size_ - 2) [[unlikely]]
        return bad_table(at);
      const std::size_t bytes = load<std::uint16_t>(data_ + vtable);
      if ((bytes & 1) != 0 || bytes > size_ - vtable) [[unlikely]]
        return bad_table(at);
      vtable_ = vtable;
      vtable_bytes_ = static_cast<std::uint32_t>(bytes);
    }
    if (!charge(8)) [[unlikely]]
      return bad_table(at);
    return {at, data_ + vtable, vtable_bytes_};
  }

  [[gnu::cold, gnu::noinline]] Table bad_table(const std::uint8_t* at) {
    note(Fault::kTable, position_of(at));
    return {};
  }

  // The elements of the list at `at`, which is inside the buffer and aligned to 4; null when they are not all inside.
  const std::uint8_t* elements(const std::uint8_t* at, std::size_t element_bytes, std::uint32_t& count) {
    count = load<std::uint32_t>(at);
    const std::size_t position = position_of(at) + 4;
    if (std::size_t{count} * element_bytes > size_ - position) [[unlikely]] {
      note(Fault::kVector, position_of(at));
      return nullptr;
    }
    // Bytes and text are not walked through, so sharing them costs nothing.
    if (element_bytes > 1 && !charge(static_cast<std::int64_t>(count) * static_cast<std::int64_t>(element_bytes)))
        [[unlikely]] {
      return nullptr;
    }
    return at + 4;
  }

  // An honest table takes at least eight bytes and a list its elements, so that reading everything once never spends
  // more than the size. Twice that is allowed, for files that share a few.
  bool charge(std::int64_t bytes) {
    budget_ -= bytes;
    if (budget_ >= 0) return true;
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
