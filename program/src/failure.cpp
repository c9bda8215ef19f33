#include "failure.h"

#include <utility>

namespace berth::program::detail {

namespace {

constexpr const char* kExportAgain = "export the program again";
constexpr const char* kDamaged = "the file is damaged or was written by a faulty tool: copy or export it again";

Status input_failure(Code code, const Place& place, Complaint complaint, const char* next_step) {
  ErrorInfo info{.code = code, .origin = Origin::kInput};
  info.where = to_string(place);
  info.what = std::move(complaint.what);
  info.expected = std::move(complaint.expected);
  info.found = std::move(complaint.found);
  info.next_step = complaint.next_step.empty() ? next_step : std::move(complaint.next_step);
  return Status(std::move(info));
}

const char* describe(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      break;
    case Fault::kTable:
      return "a table whose field list is not inside it";
    case Fault::kField:
      return "a field that is not inside it or not aligned";
    case Fault::kReference:
      return "a reference that points outside it";
    case Fault::kVector:
      return "a list that is longer than it";
    case Fault::kAlignment:
      return "a list of eight-byte elements that is not aligned to eight";
    case Fault::kString:
      return "a string without a terminating zero byte";
    case Fault::kShared:
      return "so many shared tables or lists that reading them takes more than its size allows";
  }
  return "no fault";
}

}  // namespace

std::string to_string(const Place& place) {
  std::string text(place.file);
  if (!place.method.empty()) text.append(", method '").append(place.method).append("'");
  if (place.chain >= 0) text.append(", chain ").append(std::to_string(place.chain));
  if (place.unit != nullptr) text.append(", ").append(place.unit);
  if (place.unit != nullptr && place.index >= 0) text.append(" ").append(std::to_string(place.index));
  return text;
}

std::string to_string(ProgramDevice device) {
  if (device.type == 0) return "cpu:" + std::to_string(device.index);
  if (device.type == 1) return "cuda:" + std::to_string(device.index);
  return "type " + std::to_string(device.type) + ":" + std::to_string(device.index);
}

std::string to_string(const OperatorPlan& op) {
  std::string text(op.name);
  if (!op.overload.empty()) text.append(".").append(op.overload);
  return text;
}

Status invalid_program(const Place& place, Complaint complaint) {
  return input_failure(Code::kInvalidProgram, place, std::move(complaint), kExportAgain);
}

Status invalid_data(const Place& place, Complaint complaint) {
  return input_failure(Code::kInvalidData, place, std::move(complaint), kDamaged);
}

Status out_of_memory(std::string_view file, std::uint64_t bytes) {
  ErrorInfo info{.code = Code::kOutOfHostMemory, .origin = Origin::kInput};
  info.where = file;
  info.what = "there is no memory to read it into";
  if (bytes > 0) info.expected = std::to_string(bytes) + " bytes";
  info.next_step = "free memory of this host";
  return Status(std::move(info));
}

Complaint malformed(Fault fault, std::size_t position, std::size_t flatbuffer_bytes) {
  Complaint complaint;
  complaint.what = "the flatbuffer is malformed";
  complaint.expected = "tables, lists and strings inside its " + std::to_string(flatbuffer_bytes) + " bytes";
  complaint.found = describe(fault);
  if (fault != Fault::kShared) complaint.found += " at byte " + std::to_string(position);
  complaint.next_step = kDamaged;
  return complaint;
}

}  // namespace berth::program::detail
