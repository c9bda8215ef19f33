// map_elements: out[i] = function(inputs[i]...), with broadcasting, for any dim orders.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "berth/module/tensor.h"
#include "kernels/element_type.h"
#include "kernels/strided_loop.h"

namespace berth::reference::detail {

// map_elements<Out, A, B>(out, function, a, b). Out has its final sizes, which every input broadcasts to; the types are
// those of the tensors.
template <typename Out, typename... In, typename Function, typename... Inputs>
void map_elements(const module::Tensor& out, Function&& function, const Inputs&... inputs) {
  static_assert(sizeof...(In) == sizeof...(Inputs));
  const StridedLoop<1 + sizeof...(In)> loop(out.sizes(), {out.strides(), broadcast_strides(inputs, out.rank())...});
  Out* const target = out.template mutable_data<Out>().data();
  const std::tuple<const In*...> sources(inputs.template data<In>().data()...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    loop.run([&](const auto& at) { target[at[0]] = function(read_element(std::get<I>(sources), at[I + 1])...); });
  }
  (std::index_sequence_for<In...>());
}

}  // namespace berth::reference::detail
