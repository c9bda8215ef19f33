// The dimensions that a reduction runs over, and the sizes it leaves.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/arguments.h"
#include "kernels/strided_loop.h"

namespace berth::reference::detail {

class Reduction {
 public:
  // Over `dims`, the argument at `index`; over all dimensions when there are none. Each at most once.
  [[nodiscard]] static Result<Reduction> over(const Arguments& arguments, std::size_t index, const Tensor& self,
                                              IntList dims);
  // Over dimension `dim`, or over all of them when it is none.
  [[nodiscard]] static Result<Reduction> over_one(const Arguments& arguments, std::size_t index, const Tensor& self);

  // The result's sizes: reduced dimensions are 1 when they are kept, else left out.
  [[nodiscard]] Sizes result_sizes(bool keep_dimensions) const noexcept;
  // How many elements each result stands for.
  [[nodiscard]] std::int64_t count() const noexcept { return product(inner_.span()); }

  // Calls `body(result offset, first element's offset)` for each result; `out` has result_sizes(keep_dimensions).
  template <typename Body>
  void for_each_result(const Tensor& self, const Tensor& out, bool keep_dimensions, Body&& body) const {
    StridedLoop<2>(outer_.span(), {result_strides(out, keep_dimensions), self.strides()}).run([&](const auto& at) {
      body(at[0], at[1]);
    });
  }
  // A loop over the elements of one result, in logical order, from its first one on.
  [[nodiscard]] StridedLoop<1> elements(const Tensor& self) const noexcept {
    return StridedLoop<1>(inner_.span(), {self.strides()});
  }

 private:
  Reduction(const Tensor& self, const std::array<bool, module::kMaxRank>& reduced) noexcept;
  [[nodiscard]] Strides result_strides(const Tensor& out, bool keep_dimensions) const noexcept;
  std::array<bool, module::kMaxRank> reduced_;
  Sizes outer_;  // self's sizes, 1 where reduced
  Sizes inner_;  // self's sizes, 1 where not reduced
};

}  // namespace berth::reference::detail
