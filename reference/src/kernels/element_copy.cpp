#include "kernels/element_copy.h"

#include <cstring>
#include <type_traits>

#include "kernels/element_type.h"
#include "kernels/elementwise.h"
#include "kernels/strided_loop.h"

namespace berth::reference::detail {
namespace {

template <std::size_t Size>
void copy_sized(const StridedLoop<2>& loop, const std::byte* source, std::byte* target) {
  loop.run([&](const auto& at) {
    std::memcpy(target + at[1] * std::int64_t{Size}, source + at[0] * std::int64_t{Size}, Size);
  });
}

bool same_layout(const module::Tensor& a, const module::Tensor& b) noexcept {
  return a.numel() == b.numel() && a.rank() == b.rank() && a.strides() == b.strides();
}

template <typename To, typename... Froms>
bool convert_to(TypeList<Froms...> /*from*/, const module::Tensor& source, const module::Tensor& out) {
  const auto convert = [&]<typename From>(std::type_identity<From>) {
    if (module::kScalarTypeOf<From> != source.scalar_type()) return false;
    map_elements<To, From>(
        out, [](From from) { return convert_element<To>(from); }, source);
    return true;
  };
  return (convert(std::type_identity<Froms>()) || ...);
}

template <typename... Tos>
bool convert_any(TypeList<Tos...> types, const module::Tensor& source, const module::Tensor& out) {
  return ((module::kScalarTypeOf<Tos> == out.scalar_type() && convert_to<Tos>(types, source, out)) || ...);
}

}  // namespace

void copy_elements(StridedBytes<const std::byte> source, StridedBytes<std::byte> target,
                   std::span<const std::int32_t> sizes, std::size_t element_size) {
  if (source.data == target.data && source.strides == target.strides) return;
  const StridedLoop<2> loop(sizes, {source.strides, target.strides});
  switch (element_size) {
    case 1:
      return copy_sized<1>(loop, source.data, target.data);
    case 2:
      return copy_sized<2>(loop, source.data, target.data);
    case 4:
      return copy_sized<4>(loop, source.data, target.data);
    case 8:
      return copy_sized<8>(loop, source.data, target.data);
    default:
      const auto size = static_cast<std::int64_t>(element_size);
      loop.run(
          [&](const auto& at) { std::memcpy(target.data + at[1] * size, source.data + at[0] * size, element_size); });
  }
}

bool convert_elements(const module::Tensor& source, const module::Tensor& out) {
  if (source.scalar_type() != out.scalar_type()) return convert_any(RealOrBoolTypes(), source, out);
  if (source.bytes().data() == out.bytes().data() || out.numel() == 0) return true;
  if (same_layout(source, out)) {
    std::memcpy(out.mutable_bytes().data(), source.bytes().data(), out.nbytes());
  } else {
    copy_elements({source.bytes().data(), broadcast_strides(source, out.rank())},
                  {out.mutable_bytes().data(), out.strides()}, out.sizes(), out.element_size());
  }
  return true;
}

}  // namespace berth::reference::detail
