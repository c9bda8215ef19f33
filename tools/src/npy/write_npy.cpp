#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <vector>
#include <xtensor/xadapt.hpp>
#include <xtensor/xnpy.hpp>

#include "npy/element.h"
#include "npy/npy_file.h"

namespace berth::cli {
namespace {

// The bytes of a .npy file with `bytes` as elements of type T. std::vector<bool> has no bytes, so elements are copied
// into a buffer of their own.
template <typename T>
std::string npy_bytes(const ArrayType& type, std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(T);
  const auto elements = std::make_unique<T[]>(count);
  if (count > 0) std::memcpy(elements.get(), bytes.data(), bytes.size());
  const std::vector<std::size_t> shape(type.sizes.begin(), type.sizes.end());
  return xt::dump_npy(xt::adapt(elements.get(), count, xt::no_ownership(), shape));
}

std::string widened_npy_bytes(const Array& array) {
  const std::size_t size = program::element_size(array.type.scalar_type);
  std::vector<float> wide;
  for (std::size_t offset = 0; offset < array.bytes.size(); offset += size) {
    const Element element = element_at(array.type.scalar_type, &array.bytes[offset]);
    wide.push_back(static_cast<float>(element_number(element).value_or(0)));
  }
  return npy_bytes<float>(array.type, std::as_bytes(std::span(wide)));
}

std::optional<std::string> encode(const Array& array) {
  using program::ScalarType;
  switch (array.type.scalar_type) {
    case ScalarType::kByte:
      return npy_bytes<std::uint8_t>(array.type, array.bytes);
    case ScalarType::kChar:
      return npy_bytes<std::int8_t>(array.type, array.bytes);
    case ScalarType::kShort:
      return npy_bytes<std::int16_t>(array.type, array.bytes);
    case ScalarType::kInt:
      return npy_bytes<std::int32_t>(array.type, array.bytes);
    case ScalarType::kLong:
      return npy_bytes<std::int64_t>(array.type, array.bytes);
    case ScalarType::kUInt16:
      return npy_bytes<std::uint16_t>(array.type, array.bytes);
    case ScalarType::kUInt32:
      return npy_bytes<std::uint32_t>(array.type, array.bytes);
    case ScalarType::kUInt64:
      return npy_bytes<std::uint64_t>(array.type, array.bytes);
    case ScalarType::kBool:
      return npy_bytes<bool>(array.type, array.bytes);
    case ScalarType::kFloat:
      return npy_bytes<float>(array.type, array.bytes);
    case ScalarType::kDouble:
      return npy_bytes<double>(array.type, array.bytes);
    case ScalarType::kHalf:
    case ScalarType::kBFloat16:
      return widened_npy_bytes(array);
    default:
      return std::nullopt;
  }
}

}  // namespace

Status write_npy(const std::string& path, const Array& array) try {
  const std::optional<std::string> content = encode(array);
  if (!content.has_value()) {
    return Status({.code = Code::kUnsupported,
                   .origin = Origin::kUsage,
                   .where = path,
                   .what = "NumPy has no element type for this output",
                   .found = array.type.describe()});
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << *content;
  if (file.flush()) return {};
  return Status({.code = Code::kIoError,
                 .origin = Origin::kUsage,
                 .where = path,
                 .what = "the array file cannot be written",
                 .next_step = "choose a folder that can be written to with --output-dir"});
} catch (const std::bad_alloc&) {
  return Status({.code = Code::kOutOfHostMemory,
                 .origin = Origin::kDevice,
                 .where = path,
                 .what = "host memory ran out while the array was written",
                 .found = array.type.describe()});
} catch (const std::exception& error) {
  return Status({.code = Code::kInternal, .origin = Origin::kInternal, .where = path, .what = error.what()});
}

}  // namespace berth::cli
