// Names of values and copies for people.
#include <string>

#include "berth/module/copy_report.h"
#include "berth/module/value.h"

namespace berth::module {

const char* value_type_name(ValueType type) noexcept {
  switch (type) {
    case ValueType::kNone:
      return "none";
    case ValueType::kInt:
      return "int";
    case ValueType::kBool:
      return "bool";
    case ValueType::kDouble:
      return "double";
    case ValueType::kTensor:
      return "tensor";
    case ValueType::kString:
      return "string";
    case ValueType::kIntList:
      return "int list";
    case ValueType::kDoubleList:
      return "double list";
    case ValueType::kBoolList:
      return "bool list";
    case ValueType::kTensorList:
      return "tensor list";
    case ValueType::kOptionalTensorList:
      return "optional tensor list";
  }
  return "unknown";
}

std::string Value::describe() const {
  switch (type_) {
    case ValueType::kNone:
      return "none";
    case ValueType::kInt:
      return "int " + std::to_string(payload_.integer);
    case ValueType::kBool:
      return payload_.truth ? "bool true" : "bool false";
    case ValueType::kDouble:
      return "double " + std::to_string(payload_.real);
    case ValueType::kTensor:
      return payload_.tensor->describe();
    case ValueType::kString:
      return "string '" + std::string(to_string()) + "'";
    default:
      return std::string(value_type_name(type_)) + " of " + std::to_string(count_);
  }
}

const char* copy_direction_name(CopyDirection direction) noexcept {
  switch (direction) {
    case CopyDirection::kHostToDevice:
      return "host to device";
    case CopyDirection::kDeviceToHost:
      return "device to host";
    case CopyDirection::kDeviceToDevice:
      return "device to device";
  }
  return "unknown";
}

const char* copy_cause_name(CopyCause cause) noexcept {
  switch (cause) {
    case CopyCause::kProgram:
      return "program";
    case CopyCause::kStaging:
      return "staging";
    case CopyCause::kDelegate:
      return "delegate";
    case CopyCause::kAlignment:
      return "alignment";
  }
  return "unknown";
}

}  // namespace berth::module
