#include "run/value_spec.h"

#include <charconv>
#include <utility>

#include "npy/element.h"

namespace berth::cli {
namespace {

Status bad_value(std::string_view option, const std::string& text, std::string expected) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = std::string(option) + " " + text,
                 .what = "not a value",
                 .expected = std::move(expected),
                 .found = "'" + text.substr(text.find(':') + 1) + "'"});
}

// The whole of `text` as a number.
template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

struct Describe {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool truth) const { return truth ? "bool true" : "bool false"; }
  std::string operator()(std::int64_t number) const { return "int " + std::to_string(number); }
  std::string operator()(double number) const { return "double " + element_text(Element(number)); }
  std::string operator()(const std::string& text) const { return "string '" + text + "'"; }
  std::string operator()(const ArrayFile& file) const { return "the array " + file.path; }
  std::string operator()(const Array& array) const { return array.type.describe(); }
};

}  // namespace

std::string ValueSpec::describe() const { return std::visit(Describe{}, value); }

Result<ValueSpec> parse_value_spec(std::string_view option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "none") return ValueSpec{text, std::monostate{}};
  if (colon == std::string::npos) return ValueSpec{text, ArrayFile{text}};
  if (kind == "string") return ValueSpec{text, rest};
  if (kind == "bool") {
    if (rest == "true" || rest == "false") return ValueSpec{text, rest == "true"};
    return fail(bad_value(option, text, "bool:true or bool:false"));
  }
  if (kind == "int") {
    std::int64_t number = 0;
    if (parse_number(rest, number)) return ValueSpec{text, number};
    return fail(bad_value(option, text, "a whole number within 64 bits, as in int:3"));
  }
  if (kind == "double") {
    double number = 0;
    if (parse_number(rest, number)) return ValueSpec{text, number};
    return fail(bad_value(option, text, "a number, as in double:0.5"));
  }
  return ValueSpec{text, ArrayFile{text}};
}

Result<ValueSpec> value_spec_of(const program::BundledValue& value, std::string source) {
  ValueSpec spec{std::move(source), std::monostate{}};
  if (const auto* number = std::get_if<std::int64_t>(&value)) spec.value = *number;
  if (const auto* truth = std::get_if<bool>(&value)) spec.value = *truth;
  if (const auto* number = std::get_if<double>(&value)) spec.value = *number;
  if (const auto* tensor = std::get_if<program::BundledTensor>(&value)) {
    auto shape = module::Shape::create(tensor->scalar_type, tensor->sizes, tensor->dim_order);
    if (!shape.has_value()) {
      ErrorInfo info = shape.error().info();
      info.code = Code::kInvalidProgram;
      info.origin = Origin::kInput;
      return fail(Status(std::move(info)).at(spec.source));
    }
    spec.value = Array{{tensor->scalar_type, {tensor->sizes.begin(), tensor->sizes.end()}},
                       to_c_order(tensor->data, *shape, program::element_size(tensor->scalar_type))};
  }
  return spec;
}

}  // namespace berth::cli
