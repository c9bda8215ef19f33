#include "known_operators.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace berth::program::detail {

namespace {

struct Entry {
  std::string_view name;
  Knowledge knowledge;
};

constexpr Knowledge kAll = Knowledge::kReadsAll;
constexpr Knowledge kSome = Knowledge::kReadsSome;

// Sorted by name.
constexpr std::array kOperators = {
    Entry{"aten::_log_softmax", kAll},
    Entry{"aten::_softmax", kAll},
    Entry{"aten::abs", kAll},
    Entry{"aten::add", kAll},
    Entry{"aten::addmm", kSome},  // beta 0 leaves the bias unread
    Entry{"aten::argmax", kAll},
    Entry{"aten::bmm", kAll},
    Entry{"aten::cat", kAll},
    Entry{"aten::clone", kAll},
    Entry{"aten::convolution", kSome},
    Entry{"aten::div", kAll},
    Entry{"aten::embedding", kSome},
    Entry{"aten::eq", kAll},
    Entry{"aten::exp", kAll},
    Entry{"aten::expand_copy", kAll},
    Entry{"aten::gelu", kAll},
    Entry{"aten::index_put", kSome},
    Entry{"aten::max_pool2d_with_indices", kSome},
    Entry{"aten::mean", kAll},
    Entry{"aten::mm", kAll},
    Entry{"aten::mul", kAll},
    Entry{"aten::native_layer_norm", kAll},
    Entry{"aten::neg", kAll},
    Entry{"aten::permute_copy", kAll},
    Entry{"aten::relu", kAll},
    Entry{"aten::sigmoid", kAll},
    Entry{"aten::slice_copy", kSome},
    Entry{"aten::sub", kAll},
    Entry{"aten::sum", kAll},
    Entry{"aten::tanh", kAll},
    Entry{"aten::view_copy", kAll},
    Entry{"aten::where", kSome},
    Entry{"dim_order_ops::_clone_dim_order", kAll},
    Entry{"dim_order_ops::_to_dim_order_copy", kAll},
    Entry{"et_copy::_d2h_copy", kAll},
    Entry{"et_copy::_h2d_copy", kAll},
};
static_assert(std::is_sorted(kOperators.begin(), kOperators.end(),
                             [](const Entry& a, const Entry& b) { return a.name < b.name; }));

}  // namespace

Knowledge knowledge_of(const OperatorPlan& op) {
  if (op.name == "aten::copy_" && op.overload.empty()) return Knowledge::kCopiesInPlace;
  if (!op.overload.ends_with("out")) return Knowledge::kUnknown;
  const auto* entry = std::lower_bound(kOperators.begin(), kOperators.end(), op.name,
                                       [](const Entry& e, std::string_view name) { return e.name < name; });
  return entry != kOperators.end() && entry->name == op.name ? entry->knowledge : Knowledge::kUnknown;
}

}  // namespace berth::program::detail
