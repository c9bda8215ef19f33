#include "run/write_outputs.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "npy/npy_file.h"

namespace berth::cli {
namespace {

Status cannot_write(const std::string& path, std::string why) {
  return Status({.code = Code::kIoError,
                 .origin = Origin::kUsage,
                 .where = path,
                 .what = "cannot be written",
                 .found = std::move(why),
                 .next_step = "choose a folder that can be written to with --output-dir"});
}

template <typename T>
Array scalar_array(T value) {
  Array array{{module::kScalarTypeOf<T>, {}}, std::vector<std::byte>(sizeof value)};
  std::memcpy(array.bytes.data(), &value, sizeof value);
  return array;
}

Status write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  return file.flush() ? Status() : cannot_write(path, "an error while writing");
}

Status write_scalar(const std::string& stem, const Element& element, std::string& path) {
  if (const auto* text = std::get_if<std::string>(&element)) {
    path = stem + ".txt";
    return write_text(path, *text);
  }
  path = stem + ".npy";
  if (const auto* truth = std::get_if<bool>(&element)) return write_npy(path, scalar_array(*truth));
  if (const auto* number = std::get_if<std::int64_t>(&element)) return write_npy(path, scalar_array(*number));
  return write_npy(path, scalar_array(element_number(element).value_or(0)));
}

}  // namespace

Result<std::vector<std::string>> write_outputs(const std::string& folder, const std::string& prefix,
                                               std::span<const OutputValue> outputs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(cannot_write(folder, error.message()));
  std::vector<std::string> files;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string stem = (std::filesystem::path(folder) / (prefix + ".output" + std::to_string(i))).string();
    std::string path = stem + ".npy";
    if (const auto* array = std::get_if<Array>(&outputs[i].value)) {
      BERTH_FAIL_IF_ERROR(write_npy(path, *array));
    } else if (const auto* element = std::get_if<Element>(&outputs[i].value)) {
      BERTH_FAIL_IF_ERROR(write_scalar(stem, *element, path));
    } else {
      continue;
    }
    files.push_back(std::move(path));
  }
  return files;
}

}  // namespace berth::cli
