// Reads one method in two steps, because what its device tags mean is known only when all methods were seen: first all
// that is there (buffers, operators, delegates, values), then what is done with it (chains).
#pragma once

#include "read_state.h"

namespace berth::program::detail {

// Name, planned buffers, operators, delegates, values, inputs and outputs. `draft.table` and `draft.plan` are set;
// `method` is the method's number in the program.
[[nodiscard]] bool read_method(ReadState& state, std::uint32_t method, MethodDraft& draft);

// Values and what they refer to (value_reader.cpp). The planned buffers have been read.
[[nodiscard]] bool read_values(ReadState& state, std::uint32_t method, MethodDraft& draft);

// One tensor (tensor_reader.cpp). `place` is its value.
[[nodiscard]] bool read_tensor(ReadState& state, const Place& place, const Table& table,
                               std::span<const PlannedBufferPlan> buffers, TensorPlan& out);

// Instructions of all chains, with the checks of their arguments (chain_reader.cpp).
[[nodiscard]] bool read_chains(ReadState& state, MethodDraft& draft);

// Parts that nothing uses, read so that the file is known to be whole (unused_parts.cpp).
void read_container_types(FlatReader& reader, const Table& plan);
void read_stack_traces(FlatReader& reader, const Table& chain);

}  // namespace berth::program::detail
