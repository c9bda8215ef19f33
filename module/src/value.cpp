#include "berth/module/value.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace berth::module {

struct Value::Owned {
  // Items of a list, and what TensorList and IntList read them through.
  struct Items {
    std::vector<Value> values;
    std::vector<Value*> pointers;  // null for a hole
  };
  std::variant<Tensor, std::string, Items, std::vector<double>, std::vector<std::uint8_t>> contents;
};

Value::Value(const Value& other) { copy_contents(other); }

Value::Value(Value&& other) noexcept
    : payload_(other.payload_), owned_(other.owned_), count_(other.count_), type_(other.type_) {
  other.owned_ = nullptr;
  other.type_ = ValueType::kNone;
}

Value& Value::operator=(const Value& other) {
  if (this == &other) return *this;
  Value copy(other);
  *this = std::move(copy);
  return *this;
}

Value& Value::operator=(Value&& other) noexcept {
  std::swap(payload_, other.payload_);
  std::swap(owned_, other.owned_);
  std::swap(count_, other.count_);
  std::swap(type_, other.type_);
  return *this;
}

void Value::drop() noexcept {
  delete std::exchange(owned_, nullptr);
  type_ = ValueType::kNone;
}

void Value::copy_contents(const Value& other) {
  switch (other.type_) {
    case ValueType::kTensor:
      *this = of_tensor(*other.payload_.tensor);
      break;
    case ValueType::kString:
      *this = of_string(other.to_string());
      break;
    case ValueType::kDoubleList:
      *this = of_doubles(other.to_doubles());
      break;
    case ValueType::kBoolList:
      *this = of_items(other.type_, std::vector<std::uint8_t>(other.to_bools().begin(), other.to_bools().end()));
      break;
    case ValueType::kIntList:
    case ValueType::kTensorList:
    case ValueType::kOptionalTensorList: {
      std::vector<Value> items;
      std::vector<bool> holes;
      for (Value* const item : std::span(other.payload_.items, other.count_)) {
        holes.push_back(item == nullptr);
        items.push_back(item == nullptr ? Value() : *item);
      }
      *this = of_list(other.type_, std::move(items), holes);
      break;
    }
    default:
      payload_ = other.payload_;
      type_ = other.type_;
  }
}

Value Value::of_int(std::int64_t number) noexcept {
  Value value;
  value.set_int(number);
  return value;
}

Value Value::of_bool(bool truth) noexcept {
  Value value;
  value.set_bool(truth);
  return value;
}

Value Value::of_double(double number) noexcept {
  Value value;
  value.set_double(number);
  return value;
}

Value Value::of_string(std::string_view text) {
  Value value;
  value.owned_ = new Owned{std::string(text)};
  const auto& kept = std::get<std::string>(value.owned_->contents);
  value.payload_.data = kept.data();
  value.count_ = static_cast<std::uint32_t>(kept.size());
  value.type_ = ValueType::kString;
  return value;
}

Value Value::of_tensor(Tensor tensor) {
  Value value;
  value.owned_ = new Owned{std::move(tensor)};
  value.payload_.tensor = &std::get<Tensor>(value.owned_->contents);
  value.type_ = ValueType::kTensor;
  return value;
}

Value Value::of_list(ValueType type, std::vector<Value> items, const std::vector<bool>& holes) {
  Value value;
  value.owned_ = new Owned{Owned::Items{std::move(items), {}}};
  auto& kept = std::get<Owned::Items>(value.owned_->contents);
  kept.pointers.reserve(kept.values.size());
  for (std::size_t i = 0; i < kept.values.size(); ++i) kept.pointers.push_back(holes[i] ? nullptr : &kept.values[i]);
  value.payload_.items = kept.pointers.data();
  value.count_ = static_cast<std::uint32_t>(kept.pointers.size());
  value.type_ = type;
  return value;
}

template <typename T>
Value Value::of_items(ValueType type, std::vector<T> items) {
  Value value;
  value.owned_ = new Owned{std::move(items)};
  const auto& kept = std::get<std::vector<T>>(value.owned_->contents);
  value.payload_.data = kept.data();
  value.count_ = static_cast<std::uint32_t>(kept.size());
  value.type_ = type;
  return value;
}

Value Value::of_ints(std::span<const std::int64_t> items) {
  std::vector<Value> values;
  for (const std::int64_t item : items) values.push_back(of_int(item));
  return of_list(ValueType::kIntList, std::move(values), std::vector<bool>(items.size(), false));
}

Value Value::of_doubles(std::span<const double> items) {
  return of_items(ValueType::kDoubleList, std::vector<double>(items.begin(), items.end()));
}

Value Value::of_bools(std::span<const bool> items) {
  return of_items(ValueType::kBoolList, std::vector<std::uint8_t>(items.begin(), items.end()));
}

Value Value::of_tensors(std::span<const Tensor> items) {
  std::vector<Value> values;
  for (const Tensor& item : items) values.push_back(of_tensor(item));
  return of_list(ValueType::kTensorList, std::move(values), std::vector<bool>(items.size(), false));
}

Value Value::of_optional_tensors(std::span<const Tensor* const> items) {
  std::vector<Value> values;
  std::vector<bool> holes;
  for (const Tensor* const item : items) {
    holes.push_back(item == nullptr);
    values.push_back(item == nullptr ? Value() : of_tensor(*item));
  }
  return of_list(ValueType::kOptionalTensorList, std::move(values), holes);
}

double Value::to_number() const noexcept {
  if (is_int()) return static_cast<double>(payload_.integer);
  if (is_bool()) return payload_.truth ? 1 : 0;
  return to_double();
}

void Value::set_int(std::int64_t number) noexcept {
  if (owned_ != nullptr) drop();
  payload_.integer = number;
  type_ = ValueType::kInt;
}

void Value::set_bool(bool truth) noexcept {
  if (owned_ != nullptr) drop();
  payload_.truth = truth;
  type_ = ValueType::kBool;
}

void Value::set_double(double number) noexcept {
  if (owned_ != nullptr) drop();
  payload_.real = number;
  type_ = ValueType::kDouble;
}

void Value::set_tensor(const Tensor& tensor) {
  if (owned_ != nullptr && is_tensor()) {
    *payload_.tensor = tensor;
  } else {
    *this = of_tensor(tensor);
  }
}

void Value::alias(const Value& other) noexcept {
  if (owned_ != nullptr) drop();
  payload_ = other.payload_;
  count_ = other.count_;
  type_ = other.type_;
}

Value Value::borrow_tensor(Tensor* tensor) noexcept {
  Value value;
  value.payload_.tensor = tensor;
  value.type_ = ValueType::kTensor;
  return value;
}

Value Value::borrow_data(ValueType type, const void* data, std::size_t count) noexcept {
  Value value;
  value.payload_.data = data;
  value.count_ = static_cast<std::uint32_t>(count);
  value.type_ = type;
  return value;
}

Value Value::borrow_string(std::string_view text) noexcept {
  return borrow_data(ValueType::kString, text.data(), text.size());
}

Value Value::borrow_doubles(std::span<const double> items) noexcept {
  return borrow_data(ValueType::kDoubleList, items.data(), items.size());
}

Value Value::borrow_bools(std::span<const std::uint8_t> items) noexcept {
  return borrow_data(ValueType::kBoolList, items.data(), items.size());
}

Value Value::borrow_items(ValueType list_type, std::span<Value* const> items) noexcept {
  Value value;
  value.payload_.items = items.data();
  value.count_ = static_cast<std::uint32_t>(items.size());
  value.type_ = list_type;
  return value;
}

}  // namespace berth::module
