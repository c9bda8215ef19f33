#include "stored_bytes.h"

#include <string>

#include "program_generated.h"

namespace berth::program::detail {

namespace {

using Bytes = std::span<const std::byte>;

std::string range_text(std::uint64_t offset, std::uint64_t bytes) {
  return std::to_string(bytes) + " bytes at offset " + std::to_string(offset);
}

bool read_segments(ReadState& state, const Table& program) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(program, wire::Program::VT_SEGMENTS);
  auto* segments = state.make<Bytes>(list.size);
  if (segments == nullptr) return state.no_memory();
  const Bytes area = state.container.segments;
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table table = reader.item(list, i);
    const auto offset = reader.scalar<std::uint64_t>(table, wire::DataSegment::VT_OFFSET, 0);
    const auto bytes = reader.scalar<std::uint64_t>(table, wire::DataSegment::VT_SIZE, 0);
    if (bytes == 0) continue;  // programs without segment bytes still list one
    if (bytes > area.size() || offset > area.size() - bytes) [[unlikely]] {
      return state.wrong({.unit = "segment", .index = i},
                         {.what = "the segment is not inside the file",
                          .expected = "a range inside the " + std::to_string(area.size()) + " bytes of segment data",
                          .found = range_text(offset, bytes),
                          .next_step = "the file is incomplete or damaged: copy or export it again"});
    }
    segments[i] = area.subspan(offset, bytes);
  }
  state.stored.segments = {segments, list.size};
  return true;
}

[[gnu::cold]] bool no_such_segment(ReadState& state, const Place& place, std::uint32_t index) {
  return state.wrong(place, {.what = "it names a segment that the program does not list",
                             .expected = "a segment below " + std::to_string(state.stored.segments.size()),
                             .found = "segment " + std::to_string(index)});
}

bool read_pieces(ReadState& state, const Table& table, const Place& place, PieceList& out) {
  if (!table.present()) return true;
  const auto segment = state.reader.scalar<std::uint32_t>(table, wire::SubsegmentOffsets::VT_SEGMENT_INDEX, 0);
  out.offsets = state.reader.list<std::uint64_t>(table, wire::SubsegmentOffsets::VT_OFFSETS);
  if (segment < state.stored.segments.size()) {
    out.bytes = state.stored.segments[segment];
  } else if (out.offsets.size() > 1) {  // the placeholder alone needs no segment
    return no_such_segment(state, place, segment);
  }
  return true;
}

bool read_blobs(ReadState& state, const Table& program, std::uint16_t slot, std::uint16_t bytes_slot,
                std::span<const Bytes>& out) {
  const TableList list = state.reader.tables(program, slot);
  auto* blobs = state.make<Bytes>(list.size);
  if (blobs == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    blobs[i] = std::as_bytes(state.reader.list<std::uint8_t>(state.reader.item(list, i), bytes_slot));
  }
  out = {blobs, list.size};
  return true;
}

bool read_states(ReadState& state, const Table& program) {
  const TableList list = state.reader.tables(program, wire::Program::VT_MUTABLE_DATA_SEGMENTS);
  auto* states = state.make<PieceList>(list.size);
  if (states == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Place place{.unit = "mutable data segment", .index = i};
    if (!read_pieces(state, state.reader.item(list, i), place, states[i])) return false;
  }
  state.stored.states = {states, list.size};
  return true;
}

bool read_named_data(ReadState& state, const Table& program, std::span<const NamedBytes>& out) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(program, wire::Program::VT_NAMED_DATA);
  auto* named = state.make<NamedBytes>(list.size);
  if (named == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table table = reader.item(list, i);
    const Place place{.unit = "named data", .index = i};
    named[i].key = reader.string(table, wire::NamedData::VT_KEY);
    const auto segment = reader.scalar<std::uint32_t>(table, wire::NamedData::VT_SEGMENT_INDEX, 0);
    if (named[i].key.empty()) [[unlikely]]
      return state.wrong(place, {.what = "it has no key"});
    if (segment >= state.stored.segments.size()) [[unlikely]]
      return no_such_segment(state, place, segment);
    named[i].bytes = state.stored.segments[segment];
  }
  out = {named, list.size};
  return true;
}

bool find_piece(ReadState& state, const Place& place, const char* kind, const PieceList& pieces, std::uint32_t index,
                std::uint64_t bytes, Bytes& out) {
  if (index >= pieces.offsets.size()) [[unlikely]] {
    return state.wrong(place, {.what = std::string("the tensor names ") + kind + " that the program does not hold",
                               .expected = "an index below " + std::to_string(pieces.offsets.size()),
                               .found = "index " + std::to_string(index)});
  }
  const std::uint64_t offset = pieces.offsets[index];
  if (bytes > pieces.bytes.size() || offset > pieces.bytes.size() - bytes) [[unlikely]] {
    return state.wrong(place,
                       {.what = std::string("the program holds too few bytes of ") + kind + " for its tensor",
                        .expected = "a range inside the segment's " + std::to_string(pieces.bytes.size()) + " bytes",
                        .found = range_text(offset, bytes)});
  }
  out = pieces.bytes.subspan(offset, bytes);
  return true;
}

}  // namespace

bool read_stored_bytes(ReadState& state, const Table& program, std::span<const NamedBytes>& named_data) {
  if (!read_segments(state, program)) return false;
  if (!read_pieces(state, state.reader.table(program, wire::Program::VT_CONSTANT_SEGMENT), {.unit = "constant segment"},
                   state.stored.constants))
    return false;
  if (!read_blobs(state, program, wire::Program::VT_CONSTANT_BUFFER, wire::Buffer::VT_STORAGE,
                  state.stored.old_constants))
    return false;
  if (!read_blobs(state, program, wire::Program::VT_BACKEND_DELEGATE_DATA, wire::BackendDelegateInlineData::VT_DATA,
                  state.stored.inline_blobs))
    return false;
  if (!read_states(state, program)) return false;
  if (!read_named_data(state, program, named_data)) return false;
  // One offset alone is the placeholder of a program without constants.
  if (state.stored.constants.offsets.size() > 1 && !state.stored.old_constants.empty()) [[unlikely]] {
    return state.wrong({}, {.what = "constants are stored twice, in a segment and in the flatbuffer",
                            .expected = "constant_segment or constant_buffer",
                            .found = "both"});
  }
  return true;
}

bool find_constant(ReadState& state, const Place& place, std::uint32_t index, std::uint64_t bytes, Bytes& out) {
  const auto& old = state.stored.old_constants;
  if (old.empty()) return find_piece(state, place, "a constant", state.stored.constants, index, bytes, out);
  if (index >= old.size()) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor names a constant that the program does not hold",
                               .expected = "an index below " + std::to_string(old.size()),
                               .found = "index " + std::to_string(index)});
  }
  if (old[index].size() < bytes) [[unlikely]] {
    return state.wrong(place, {.what = "the program holds too few bytes of a constant for its tensor",
                               .expected = std::to_string(bytes) + " bytes",
                               .found = std::to_string(old[index].size()) + " bytes"});
  }
  out = old[index].first(bytes);
  return true;
}

bool find_state(ReadState& state, const Place& place, std::uint64_t list, std::uint32_t index, std::uint64_t bytes,
                Bytes& out) {
  const auto& lists = state.stored.states;
  if (list >= lists.size()) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor names a mutable data segment that the program does not list",
                               .expected = "an index below " + std::to_string(lists.size()),
                               .found = "index " + std::to_string(list)});
  }
  return find_piece(state, place, "an initial state", lists[list], index, bytes, out);
}

}  // namespace berth::program::detail
