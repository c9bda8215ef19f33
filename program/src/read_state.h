// What the functions that read one program share: the flatbuffer, the stored bytes, what was seen so far.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "arena.h"
#include "berth/program/method_plan.h"
#include "container.h"
#include "contents.h"
#include "failure.h"
#include "flat_reader.h"

namespace berth::program::detail {

// One value, as far as checks of arguments need to know: a set of these.
enum ValueNote : std::uint8_t {
  kNoteTensor = 1,  // a tensor
  kNoteList = 2,    // a list of tensors
  kNoteDevice = 4,  // a tensor on a device, or a list that holds one
};

enum class OperatorKind : std::uint8_t { kOther, kCopyToDevice, kCopyToHost, kView };

// A method while it is read.
struct MethodDraft {
  MethodPlan* plan = nullptr;
  Table table;
  std::span<std::uint8_t> notes;           // one per value
  std::span<TensorPlan> tensors;           // plan->tensors, still writable
  std::uint32_t planned = 0;               // tensors in planned buffers
  std::span<OperatorKind> operator_kinds;  // one per operator
};

// A segment that holds several pieces: offsets[i] is where piece i starts. Piece 0 is a placeholder.
struct PieceList {
  std::span<const std::byte> bytes;
  std::span<const std::uint64_t> offsets;
};

// Where the bytes of constants, initial states and delegates are.
struct StoredBytes {
  std::span<const std::span<const std::byte>> segments;
  PieceList constants;
  std::span<const std::span<const std::byte>> old_constants;  // programs of before the constant segment
  std::span<const PieceList> states;
  std::span<const std::span<const std::byte>> inline_blobs;
};

// What decides whether a program is a legacy one (DESIGN: "Legacy programs").
struct PlacementFacts {
  bool device_buffer = false;
  bool copy_operator = false;
  bool planned_tag = false;  // a planned tensor is tagged for a device
  std::uint32_t tags = 0;    // tensors tagged for a device
  // The first planned tensor whose tag differs from its buffer's device: an error unless the program is a legacy one.
  std::int64_t mismatch_method = -1;
  std::int64_t mismatch_value = -1;
};

struct ReadState {
  std::string_view file;
  FlatReader reader;
  Container container;
  Arena& arena;
  StoredBytes stored = {};
  PlacementFacts facts = {};
  Status failure = {};
  bool legacy = false;  // known when all methods were read, before their chains are

  // Objects in the arena, all of whose bytes are zero: what their members' initialisers say, too, except the element
  // type of a TensorPlan, which its reader always sets. One memset, because the compiler turns initialising them one by
  // one into an instruction that takes longer than reading the value. Null when there is no memory.
  template <typename T>
  [[nodiscard]] T* make(std::size_t count) {
    T* objects = arena.allocate<T>(count);
    if (objects == nullptr) [[unlikely]]
      return nullptr;
    static_assert(std::is_aggregate_v<T> || std::is_scalar_v<T> || std::is_trivially_copyable_v<T>);
    std::memset(static_cast<void*>(objects), 0, count * sizeof(T));
    return objects;
  }

  // The functions that read return whether they could; these say why not and return false.
  [[nodiscard, gnu::cold, gnu::noinline]] bool no_memory() {
    failure = out_of_memory(file, container.flatbuffer.size());
    return false;
  }
  // The program says something wrong at `place`. A structural fault that was met before explains it better.
  [[nodiscard, gnu::cold, gnu::noinline]] bool wrong(Place place, Complaint complaint) {
    place.file = file;
    if (reader.fault() != Fault::kNone) {
      complaint = malformed(reader.fault(), reader.fault_position(), container.flatbuffer.size());
    }
    failure = invalid_program(place, std::move(complaint));
    return false;
  }
  // False when reading has met a structural fault.
  [[nodiscard]] bool structure(const Place& place) {
    if (reader.fault() == Fault::kNone) [[likely]]
      return true;
    return wrong(place, {});
  }
};

}  // namespace berth::program::detail
