// What `berth inspect` says about a program, and with a registry file whether the program fits the devices there.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "berth/core/status.h"
#include "berth/loader/effective_config.h"
#include "report/style.h"

namespace berth::cli {

// An input or output.
struct ValueFacts {
  std::string type;  // "tensor", "int", ...
  // Tensors:
  std::string scalar_type;            // "float32"
  std::vector<std::int64_t> sizes;    // upper bounds when dynamic
  std::vector<std::int64_t> strides;  // in elements, of the order in which the program keeps them
  bool contiguous = true;
  bool dynamic = false;
  std::string device;
  std::string storage;  // "planned", "unplanned", "constant", "planned state", "external"
  std::uint64_t bytes = 0;
  // Others: the value that the program was made with.
  std::string value;
};

struct BufferFacts {
  std::uint32_t memory_id = 0;
  std::uint64_t bytes = 0;
  std::string device;
};

struct OperatorFacts {
  std::string name;
  bool missing = false;  // nobody computes it here
};

struct DelegateFacts {
  std::string id;
  std::string target;  // the device it was compiled for; "cpu:0" when it does not say
  Status target_failure;
  std::uint64_t blob_bytes = 0;
  bool missing = false;
};

struct MethodFacts {
  std::string name;
  std::vector<ValueFacts> inputs;
  std::vector<ValueFacts> outputs;
  std::vector<BufferFacts> buffers;
  std::vector<OperatorFacts> operators;
  std::vector<DelegateFacts> delegates;
  std::uint64_t instructions = 0;
  std::uint64_t constant_bytes = 0;
};

// What one method needs of one open device, and what that device has.
struct DeviceFit {
  std::vector<std::string> devices;  // as the program calls it; several when one device serves them all
  std::string served_by;             // "cpu_mock 1.0.0, mock device 0"; empty when it cannot be opened
  std::uint64_t planned_bytes = 0;
  std::uint64_t other_bytes = 0;       // unplanned outputs and constants that live there
  std::optional<std::uint64_t> limit;  // of the registry file
  std::optional<std::uint64_t> total;
  std::optional<std::uint64_t> free;
  std::vector<std::string> problems;  // empty: it fits
  std::vector<std::string> warnings;
  std::vector<std::string> unknown;  // what could not be judged
};

struct MethodFit {
  std::string method;
  std::vector<DeviceFit> devices;
  [[nodiscard]] bool fits() const {
    for (const DeviceFit& device : devices) {
      if (!device.problems.empty()) return false;
    }
    return true;
  }
};

struct FitReport {
  loader::ConfigSource config;
  std::vector<MethodFit> methods;
  [[nodiscard]] bool fits() const {
    for (const MethodFit& method : methods) {
      if (!method.fits()) return false;
    }
    return true;
  }
};

struct InspectReport {
  std::string program;  // the file
  std::uint64_t file_bytes = 0;
  bool legacy = false;
  std::uint32_t unplaced_tags = 0;
  std::optional<std::uint64_t> test_cases;  // of a .bpte
  std::vector<std::string> named_data;
  std::vector<MethodFacts> methods;
  std::optional<FitReport> fit;
};

void print_text(std::ostream& out, const InspectReport& report, const Style& style);
void print_json(std::ostream& out, const InspectReport& report);

}  // namespace berth::cli
