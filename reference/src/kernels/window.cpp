#include "kernels/window.h"

#include <limits>
#include <string>

namespace berth::reference::detail {

Result<std::int64_t> window_entry(const Arguments& arguments, std::size_t index, std::size_t axis, std::size_t axes,
                                  std::int64_t lowest) {
  BERTH_ASSIGN(const IntList list, arguments.ints(index));
  if (list.size() != 1 && list.size() != axes) {
    return fail(arguments.bad(index, "1 or " + std::to_string(axes) + " ints", ints_text(list)));
  }
  const std::int64_t entry = list[list.size() == 1 ? 0 : axis];
  if (entry < lowest || entry > std::numeric_limits<std::int32_t>::max()) {
    return fail(arguments.bad(index, "ints from " + std::to_string(lowest) + " to 2147483647", std::to_string(entry)));
  }
  return entry;
}

Status count_positions(const Arguments& arguments, WindowAxis& axis, bool round_up) {
  const std::int64_t padded = axis.input + 2 * axis.padding;
  const std::int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
  if (padded < extent) {
    return arguments.bad(0, "an image of at least " + std::to_string(extent) + " with its padding",
                         std::to_string(padded) + " in " + arguments.value(0).describe());
  }
  const std::int64_t free = padded - extent;
  axis.output = free / axis.stride + 1;
  if (round_up && free % axis.stride != 0 && axis.output * axis.stride < axis.input + axis.padding) ++axis.output;
  if (axis.output > std::numeric_limits<std::int32_t>::max()) {
    return arguments.bad(0, "at most 2147483647 positions", std::to_string(axis.output));
  }
  return {};
}

}  // namespace berth::reference::detail
