// What `berth run` says: what was placed where and why, what was copied, what came out and whether that is right.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "berth/loader/effective_config.h"
#include "npy/element.h"
#include "report/style.h"

namespace berth::cli {

// One device that the method uses and who serves it.
struct PlacedDevice {
  std::string id;     // as the program calls it
  std::string entry;  // the [[device]] that serves it; "cpu:0" for the host
  bool fallback = false;
  std::string plugin;
  std::string plugin_version;
  std::string hardware;
  std::string file;
  std::string reason;
  std::vector<std::string> notices;
};

struct PlacedBuffer {
  std::uint32_t memory_id = 0;
  std::uint64_t bytes = 0;
  std::string program_device;
  std::string device;  // the id that the registry was asked for
  std::string plugin;
  std::string hardware;
};

// Where the memory of one method is.
struct Placement {
  std::string method;
  std::vector<PlacedDevice> devices;
  std::vector<PlacedBuffer> buffers;
  std::uint64_t load_ns = 0;
};

struct CopyRow {
  std::string direction;  // "host to device"
  std::string cause;      // "program", "staging", ...; "input staged" and "output read back" are the command's own
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

struct InputRow {
  std::string type;    // "float32[2, 2]", "int"
  std::string source;  // a file, "ones", "int:3", "the program's own value"
  std::string staged;  // the device that the command copied it to; empty: none
};

// Where two values first differ.
struct Difference {
  std::vector<std::int64_t> index;  // of the element; empty for scalars
  Element expected;
  Element found;
};

struct Comparison {
  std::string source;  // what was expected: a file, "int:3", "test case 0"
  bool matches = false;
  std::string shape_mismatch;  // "expected float32[2], found float32[3]"; then nothing below counts
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  double largest_difference = 0;  // of numbers; infinite when a NaN meets a number
  std::optional<Difference> first;
};

struct OutputRow {
  std::string type;    // "float32[2, 2]", "int", "string"
  std::string device;  // where it is; empty for scalars
  bool read_back = false;
  std::vector<Element> values;  // the first ones
  std::uint64_t value_count = 0;
  std::optional<Comparison> comparison;
};

// One set of inputs, run one or more times.
struct RunCase {
  std::string method;
  std::optional<std::uint64_t> test_case;  // number in a .bpte
  std::uint64_t repeats = 1;
  std::uint64_t run_ns = 0;  // median of the repeats
  std::vector<InputRow> inputs;
  std::vector<OutputRow> outputs;  // of the last repeat
  // Whether all comparisons match; none when nothing was compared.
  [[nodiscard]] std::optional<bool> matches() const;
};

struct RunReport {
  std::string program;
  loader::ConfigSource config;
  std::vector<std::string> notices;
  std::vector<Placement> placements;
  std::vector<RunCase> cases;
  std::vector<CopyRow> copies;       // all of loading and running
  std::vector<std::string> written;  // files of --output-dir
  [[nodiscard]] std::optional<bool> matches() const;
};

void print_text(std::ostream& out, const RunReport& report, const Style& style);
void print_json(std::ostream& out, const RunReport& report);

}  // namespace berth::cli
