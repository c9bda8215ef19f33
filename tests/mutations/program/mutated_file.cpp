#include "mutated_file.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>

#include "berth/program/program.h"
#include "container.h"
#include "contents.h"
#include "program_generated.h"
#include "program_reader.h"

namespace berth::program {

namespace {

constexpr const char* kName = "changed.pte";

// Adds up all bytes, so that reading outside is noticed and nothing is optimised away.
class Reading {
 public:
  template <typename T>
  void take(std::span<const T> items) {
    for (const std::byte byte : std::as_bytes(items)) sum_ = sum_ + static_cast<std::uint64_t>(byte);
  }
  void take(std::string_view text) { take(std::span(text)); }

 private:
  volatile std::uint64_t sum_ = 0;
};

void read_values(const MethodPlan& method, Reading& reading) {
  for (const ValuePlan& value : method.values) {
    reading.take(value.text);
    reading.take(value.int_items);
    reading.take(value.tensor_items);
    reading.take(value.double_items);
    reading.take(value.bool_items);
  }
  for (const TensorPlan& tensor : method.tensors) {
    reading.take(tensor.sizes);
    reading.take(tensor.dim_order);
    reading.take(tensor.data);
    reading.take(tensor.name);
  }
}

void read_method(const MethodPlan& method, Reading& reading) {
  reading.take(method.name);
  reading.take(method.inputs);
  reading.take(method.outputs);
  read_values(method, reading);
  for (const OperatorPlan& op : method.operators) {
    reading.take(op.name);
    reading.take(op.overload);
  }
  for (const DelegatePlan& delegate : method.delegates) {
    reading.take(delegate.id);
    reading.take(delegate.blob);
    for (const CompileSpec& spec : delegate.compile_specs) {
      reading.take(spec.key);
      reading.take(spec.value);
    }
  }
  for (const auto& chain : method.chains) {
    for (const InstructionPlan& instruction : chain) reading.take(instruction.args);
  }
}

bool flatbuffers_accepts(std::span<const std::byte> file) {
  detail::Container container;
  if (!detail::read_container(kName, file, file, container).ok()) return false;
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(container.flatbuffer.data()),
                                 container.flatbuffer.size());
  return wire::VerifyProgramBuffer(verifier);
}

}  // namespace

std::vector<std::byte> read_corpus_file(const std::string& name) {
  std::ifstream file(std::string(BERTH_TEST_SOURCE_DIR) + "/tests/data/device/" + name, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto span = std::as_bytes(std::span(bytes));
  return {span.begin(), span.end()};
}

ExactCopy::ExactCopy(std::span<const std::byte> bytes)
    : memory_(static_cast<std::byte*>(std::malloc(bytes.empty() ? 1 : bytes.size()))), size_(bytes.size()) {
  if (!bytes.empty()) std::memcpy(memory_.get(), bytes.data(), bytes.size());
}

void ExactCopy::Free::operator()(std::byte* memory) const { std::free(memory); }

Outcome open_program(std::span<const std::byte> file) {
  Outcome outcome;
  outcome.flatbuffers_accepts = flatbuffers_accepts(file);
  Program::Contents contents;
  contents.name = kName;
  const Status status = detail::read_program(file, file, contents);
  outcome.opened = status.ok();
  outcome.message = status.message();
  Reading reading;
  if (outcome.opened) {
    for (const MethodPlan& method : contents.methods) read_method(method, reading);
    for (const auto& named : contents.named_data) reading.take(named.bytes);
  }
  return outcome;
}

bool is_good_message(const std::string& message, const std::string& name) {
  return message.starts_with(name) && message.find(": ") != std::string::npos &&
         message.find("; ") != std::string::npos;
}

}  // namespace berth::program
