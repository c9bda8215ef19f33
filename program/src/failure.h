// How the readers of this folder say what is wrong. All of it runs on failure paths only: a Place is a few words that
// are turned into text when there is something to say.
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <string_view>

#include "berth/core/result.h"
#include "berth/program/method_plan.h"
#include "flat_reader.h"

namespace berth::program::detail {

// "model.pte, method 'forward', chain 0, instruction 3"; parts that are not set are left out.
struct Place {
  std::string_view file = {};
  std::string_view method = {};
  std::int64_t chain = -1;
  const char* unit = nullptr;  // "value", "planned buffer", ...
  std::int64_t index = -1;
};

[[nodiscard, gnu::cold]] std::string to_string(const Place& place);
// "cuda:0"; types without a built-in name are written "type 7:0".
[[nodiscard, gnu::cold]] std::string to_string(ProgramDevice device);
// "add.out" or "add".
[[nodiscard, gnu::cold]] std::string to_string(const OperatorPlan& op);

// What a malformed or contradictory input says. `found` and `next_step` may be empty; an empty next step becomes
// "export the program again".
struct Complaint {
  std::string what;
  std::string expected = {};
  std::string found = {};
  std::string next_step = {};
};

[[nodiscard, gnu::cold]] Status invalid_program(const Place& place, Complaint complaint);
[[nodiscard, gnu::cold]] Status invalid_data(const Place& place, Complaint complaint);
// `bytes`: how much was asked for; 0 when that is not known.
[[nodiscard, gnu::cold]] Status out_of_memory(std::string_view file, std::uint64_t bytes);

// `function()`, which gives a Result; running out of memory in it becomes kOutOfHostMemory.
template <typename Function>
auto without_bad_alloc(std::string_view file, Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return fail(out_of_memory(file, 0));
  }
}

// What a structural fault of the flatbuffer means, in words.
[[nodiscard, gnu::cold]] Complaint malformed(Fault fault, std::size_t position, std::size_t flatbuffer_bytes);

}  // namespace berth::program::detail
