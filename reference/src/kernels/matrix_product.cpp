// aten::mm.out, bmm.out and addmm.out, in float32 and float64. Eigen's lazy products allocate nothing, however large
// the matrices; its blocked ones would.
#include <Eigen/Core>
#include <array>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/elementwise.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

template <typename T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct ProductSizes {
  Eigen::Index rows = 0;
  Eigen::Index inner = 0;
  Eigen::Index columns = 0;
};

// out (+)= factor * a * b, all row-major.
template <typename T>
void multiply(const T* a, const T* b, T* out, const ProductSizes& sizes, T factor, bool add) {
  const Eigen::Map<const RowMajor<T>> left(a, sizes.rows, sizes.inner);
  const Eigen::Map<const RowMajor<T>> right(b, sizes.inner, sizes.columns);
  Eigen::Map<RowMajor<T>> result(out, sizes.rows, sizes.columns);
  if (add) {
    result += factor * left.lazyProduct(right);
  } else {
    result = factor * left.lazyProduct(right);
  }
}

struct Matrices {
  const Tensor* a;
  const Tensor* b;
  Tensor* out;
  ProductSizes sizes;
};

// Two matrices, or stacks of them when `rank` is 3, that can be multiplied.
Result<Matrices> matrices(const Arguments& arguments, std::size_t first, std::size_t out_index, std::size_t rank) {
  BERTH_ASSIGN(const Tensor* a, arguments.tensor(first));
  BERTH_ASSIGN(const Tensor* b, arguments.tensor(first + 1));
  BERTH_ASSIGN(Tensor * out, arguments.out(out_index));
  BERTH_FAIL_IF_ERROR(arguments.expect_rank(first, *a, rank));
  BERTH_FAIL_IF_ERROR(arguments.expect_contiguous(first, *a));
  BERTH_FAIL_IF_ERROR(arguments.expect_type(first + 1, *b, a->scalar_type()));
  BERTH_FAIL_IF_ERROR(arguments.expect_rank(first + 1, *b, rank));
  BERTH_FAIL_IF_ERROR(arguments.expect_contiguous(first + 1, *b));
  Sizes expected = Sizes::of(b->sizes());
  if (rank == 3) expected[0] = a->size(0);
  expected[rank - 2] = a->size(rank - 1);
  BERTH_FAIL_IF_ERROR(arguments.expect_sizes(first + 1, *b, expected.span()));
  BERTH_FAIL_IF_ERROR(arguments.expect_type(out_index, *out, a->scalar_type()));
  BERTH_FAIL_IF_ERROR(arguments.expect_contiguous(out_index, *out));
  return Matrices{a, b, out, {a->size(rank - 2), a->size(rank - 1), b->size(rank - 1)}};
}

// mm.out(Tensor self, Tensor mat2, out, out)
Status mm_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Matrices m, matrices(arguments, 0, 2, 2));
  const Sizes sizes = Sizes::of(std::array{m.a->size(0), m.b->size(1)});
  return for_element_type(FloatTypes(), arguments, 0, *m.a, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_apart(*m.out, 2, sizes, {m.a, m.b}));
    multiply<T>(m.a->data<T>().data(), m.b->data<T>().data(), m.out->mutable_data<T>().data(), m.sizes, T(1), false);
    return {};
  });
}

// bmm.out(Tensor self, Tensor mat2, out, out)
Status bmm_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Matrices m, matrices(arguments, 0, 2, 3));
  const Sizes sizes = Sizes::of(std::array{m.a->size(0), m.a->size(1), m.b->size(2)});
  return for_element_type(FloatTypes(), arguments, 0, *m.a, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_apart(*m.out, 2, sizes, {m.a, m.b}));
    const T* a = m.a->data<T>().data();
    const T* b = m.b->data<T>().data();
    T* out = m.out->mutable_data<T>().data();
    for (std::int32_t i = 0; i < m.a->size(0); ++i) {
      multiply<T>(a, b, out, m.sizes, T(1), false);
      a += m.sizes.rows * m.sizes.inner;
      b += m.sizes.inner * m.sizes.columns;
      out += m.sizes.rows * m.sizes.columns;
    }
    return {};
  });
}

// addmm.out(Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha, out, out):
// beta * self + alpha * (mat1 @ mat2). With beta 0, self is not looked at (it may hold NaN).
Status addmm_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(7));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const Matrices m, matrices(arguments, 1, 5, 2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(0, *self, m.a->scalar_type()));
  const Sizes sizes = Sizes::of(std::array{m.a->size(0), m.b->size(1)});
  if (!broadcasts_to(self->sizes(), sizes.span())) {
    return arguments.bad(0, "sizes that broadcast to " + sizes_text(sizes.span()), self->describe());
  }
  return for_element_type(FloatTypes(), arguments, 1, *m.a, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_ASSIGN_OR_STATUS(const T beta, arguments.scalar<T>(3));
    BERTH_ASSIGN_OR_STATUS(const T alpha, arguments.scalar<T>(4));
    BERTH_RETURN_IF_ERROR(arguments.resize_apart(*m.out, 5, sizes, {m.a, m.b}));
    BERTH_RETURN_IF_ERROR(arguments.expect_in_place(*m.out, 5, {self}));
    const bool add = beta != T(0);
    if (add)
      map_elements<T, T>(
          *m.out, [beta](T x) { return beta * x; }, *self);
    multiply<T>(m.a->data<T>().data(), m.b->data<T>().data(), m.out->mutable_data<T>().data(), m.sizes, alpha, add);
    return {};
  });
}

constexpr std::array<KernelEntry, 3> kKernels = {
    {{"aten::mm", "out", mm_out}, {"aten::bmm", "out", bmm_out}, {"aten::addmm", "out", addmm_out}}};

}  // namespace

KernelList matrix_product_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
