#include "kernels/reduction_plan.h"

namespace berth::reference::detail {

Reduction::Reduction(const Tensor& self, const std::array<bool, module::kMaxRank>& reduced) noexcept
    : reduced_(reduced), outer_(Sizes::of(self.sizes())), inner_(Sizes::of(self.sizes())) {
  for (std::size_t i = 0; i < self.rank(); ++i) (reduced_[i] ? outer_ : inner_)[i] = 1;
}

Result<Reduction> Reduction::over(const Arguments& arguments, std::size_t index, const Tensor& self, IntList dims) {
  std::array<bool, module::kMaxRank> reduced = {};
  if (dims.empty()) reduced.fill(true);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    BERTH_ASSIGN(const std::size_t dimension, arguments.dimension(index, dims[i], self.rank()));
    if (reduced[dimension]) return fail(arguments.bad(index, "each dimension once", ints_text(dims)));
    reduced[dimension] = true;
  }
  return Reduction(self, reduced);
}

Result<Reduction> Reduction::over_one(const Arguments& arguments, std::size_t index, const Tensor& self) {
  std::array<bool, module::kMaxRank> reduced = {};
  if (arguments.value(index).is_none()) {
    reduced.fill(true);
  } else {
    BERTH_ASSIGN(const std::int64_t dim, arguments.integer(index));
    BERTH_ASSIGN(const std::size_t dimension, arguments.dimension(index, dim, self.rank()));
    reduced[dimension] = true;
  }
  return Reduction(self, reduced);
}

Sizes Reduction::result_sizes(bool keep_dimensions) const noexcept {
  Sizes result;
  for (std::size_t i = 0; i < outer_.rank(); ++i) {
    if (keep_dimensions || !reduced_[i]) result.push_back(outer_[i]);
  }
  return result;
}

Strides Reduction::result_strides(const Tensor& out, bool keep_dimensions) const noexcept {
  const Strides own = out.strides();
  Strides result = {};
  std::size_t next = 0;
  for (std::size_t i = 0; i < outer_.rank(); ++i) {
    if (keep_dimensions || !reduced_[i]) result[i] = own[next++];
  }
  return result;
}

}  // namespace berth::reference::detail
