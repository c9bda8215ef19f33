// What the tests of the command share: running it, and making its output the same on every host.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "berth/test/temp_dir.h"

namespace berth::test {

struct Answer {
  int code = -1;
  std::string out;
  std::string err;
};

// Runs `berth <arguments>` in this process, with the reference kernels and delegates.
Answer run_berth(std::vector<std::string> arguments, bool colour = false);
// The same with empty tables: nobody computes anything.
Answer run_without_tables(std::vector<std::string> arguments);
// Runs the built program, standard output and error through pipes.
Answer run_binary(const std::vector<std::string>& arguments);

// Paths, durations, memory figures of the host, sha256 sums and runs of blanks inside lines are replaced:
// <tmp>, <source>, <plugins>, <time>, <memory>, <sha256>, two blanks.
std::string normalised(std::string text, const TempDir& folder);

// A .npy file of format 1.0 with any header and any bytes.
std::string npy_bytes(std::string_view header, std::string_view data);
// A float32 one.
std::string npy_floats(std::string_view shape, const std::vector<float>& values);

// tests/data/device/<name>
std::string data_file(std::string_view name);

// A registry file in which one plugin cpu_mock with `options` ("strict = true") serves cuda:0 and cuda:1.
std::string mock_config(std::string_view options = "", std::string_view device_keys = "");

}  // namespace berth::test
