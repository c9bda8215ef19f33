// Value: what methods take, give and compute with: none, int, bool, double, string, tensor, and lists of them.
//
// A Value made by a caller owns what it holds; copying it copies the contents (a Tensor's storage stays shared). Values
// inside a method borrow from the method and the program. Items of int and tensor lists are Values of their own,
// because instructions may write them: a list is read when it is used. Any thread, one at a time for each Value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/api.h"
#include "berth/module/tensor.h"
#include "berth/program/method_plan.h"

namespace berth::module {

using program::ValueType;

class Value;

// The items of an int list. A view: valid while the list's Value is.
class IntList {
 public:
  IntList() noexcept = default;
  explicit IntList(std::span<Value* const> items) noexcept : items_(items) {}
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
  [[nodiscard]] inline std::int64_t operator[](std::size_t index) const noexcept;  // index < size()

 private:
  std::span<Value* const> items_;
};

// The items of a tensor list, with or without holes. A view as above.
class TensorList {
 public:
  TensorList() noexcept = default;
  explicit TensorList(std::span<Value* const> items) noexcept : items_(items) {}
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
  // Null for a hole of an optional list. index < size().
  [[nodiscard]] inline Tensor* operator[](std::size_t index) const noexcept;

 private:
  std::span<Value* const> items_;
};

class BERTH_API Value {
 public:
  Value() noexcept = default;  // none
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value() {
    if (owned_ != nullptr) drop();
  }

  [[nodiscard]] static Value none() noexcept { return {}; }
  [[nodiscard]] static Value of_int(std::int64_t number) noexcept;
  [[nodiscard]] static Value of_bool(bool truth) noexcept;
  [[nodiscard]] static Value of_double(double number) noexcept;
  [[nodiscard]] static Value of_string(std::string_view text);
  [[nodiscard]] static Value of_tensor(Tensor tensor);
  [[nodiscard]] static Value of_ints(std::span<const std::int64_t> items);
  [[nodiscard]] static Value of_doubles(std::span<const double> items);
  [[nodiscard]] static Value of_bools(std::span<const bool> items);
  [[nodiscard]] static Value of_tensors(std::span<const Tensor> items);
  // Null items are holes.
  [[nodiscard]] static Value of_optional_tensors(std::span<const Tensor* const> items);

  [[nodiscard]] ValueType type() const noexcept { return type_; }
  [[nodiscard]] bool is_none() const noexcept { return type_ == ValueType::kNone; }
  [[nodiscard]] bool is_int() const noexcept { return type_ == ValueType::kInt; }
  [[nodiscard]] bool is_bool() const noexcept { return type_ == ValueType::kBool; }
  [[nodiscard]] bool is_double() const noexcept { return type_ == ValueType::kDouble; }
  [[nodiscard]] bool is_string() const noexcept { return type_ == ValueType::kString; }
  [[nodiscard]] bool is_tensor() const noexcept { return type_ == ValueType::kTensor; }

  // The contents; 0, false, empty or null when the type is another one.
  [[nodiscard]] std::int64_t to_int() const noexcept { return is_int() ? payload_.integer : 0; }
  [[nodiscard]] bool to_bool() const noexcept { return is_bool() && payload_.truth; }
  [[nodiscard]] double to_double() const noexcept { return is_double() ? payload_.real : 0; }
  // Int, bool or double as a double: scalar arguments of kernels.
  [[nodiscard]] double to_number() const noexcept;
  [[nodiscard]] std::string_view to_string() const noexcept {
    return is_string() ? std::string_view(static_cast<const char*>(payload_.data), count_) : std::string_view();
  }
  [[nodiscard]] Tensor* to_tensor() const noexcept { return is_tensor() ? payload_.tensor : nullptr; }
  [[nodiscard]] IntList to_ints() const noexcept {
    return type_ == ValueType::kIntList ? IntList({payload_.items, count_}) : IntList();
  }
  [[nodiscard]] std::span<const double> to_doubles() const noexcept {
    return type_ == ValueType::kDoubleList ? std::span(static_cast<const double*>(payload_.data), count_)
                                           : std::span<const double>();
  }
  // 0 or 1 each.
  [[nodiscard]] std::span<const std::uint8_t> to_bools() const noexcept {
    return type_ == ValueType::kBoolList ? std::span(static_cast<const std::uint8_t*>(payload_.data), count_)
                                         : std::span<const std::uint8_t>();
  }
  // Of a tensor list, with or without holes.
  [[nodiscard]] TensorList to_tensors() const noexcept {
    return type_ == ValueType::kTensorList || type_ == ValueType::kOptionalTensorList
               ? TensorList({payload_.items, count_})
               : TensorList();
  }

  // Kernels without an out tensor (executorch_prim, sym_size) write their result here. Allocate nothing.
  void set_int(std::int64_t number) noexcept;
  void set_bool(bool truth) noexcept;
  void set_double(double number) noexcept;
  // A Tensor of its own with the description and storage of `tensor`; reuses the one it already has.
  void set_tensor(const Tensor& tensor);

  // For methods: the contents of `other`, or of the method, borrowed. What is borrowed must outlive the use.
  void alias(const Value& other) noexcept;
  [[nodiscard]] static Value borrow_tensor(Tensor* tensor) noexcept;
  [[nodiscard]] static Value borrow_string(std::string_view text) noexcept;
  [[nodiscard]] static Value borrow_doubles(std::span<const double> items) noexcept;
  [[nodiscard]] static Value borrow_bools(std::span<const std::uint8_t> items) noexcept;
  [[nodiscard]] static Value borrow_items(ValueType list_type, std::span<Value* const> items) noexcept;

  // "int 3", "float32[2, 3] on cuda:0", "none": for messages.
  [[nodiscard]] std::string describe() const;

 private:
  struct Owned;
  void drop() noexcept;
  void copy_contents(const Value& other);
  [[nodiscard]] static Value of_list(ValueType type, std::vector<Value> items, const std::vector<bool>& holes);
  template <typename T>
  [[nodiscard]] static Value of_items(ValueType type, std::vector<T> items);
  [[nodiscard]] static Value borrow_data(ValueType type, const void* data, std::size_t count) noexcept;

  union Payload {
    std::int64_t integer = 0;
    double real;
    bool truth;
    Tensor* tensor;
    Value* const* items;
    const void* data;
  } payload_;
  Owned* owned_ = nullptr;  // null when the contents are borrowed or inline
  std::uint32_t count_ = 0;
  ValueType type_ = ValueType::kNone;
};

// "int", "tensor", "int list", ...; never null.
[[nodiscard]] BERTH_API const char* value_type_name(ValueType type) noexcept;

inline std::int64_t IntList::operator[](std::size_t index) const noexcept { return items_[index]->to_int(); }
inline Tensor* TensorList::operator[](std::size_t index) const noexcept {
  return items_[index] == nullptr ? nullptr : items_[index]->to_tensor();
}

}  // namespace berth::module
