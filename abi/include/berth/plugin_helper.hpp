// SPDX-License-Identifier: Apache-2.0
//
// berth/plugin_helper.hpp: the thin C++ layer over berth/plugin_helper.h. Its one idea is the exception barrier: a
// plugin may throw inside, and every function of its table is a lambda behind berth::plugin::guard, which turns what
// was thrown into a berth_error. Nothing here is needed by plugins in C.
//
//   berth_code allocate(berth_device* device, ..., berth_error* error) noexcept {
//     return berth::plugin::guard(error, [&] { return as_device(device).allocate(...); });
//   }
#ifndef BERTH_PLUGIN_HELPER_HPP
#define BERTH_PLUGIN_HELPER_HPP

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "berth/plugin_helper.h"

namespace berth::plugin {

// A failure on its way to the barrier: everything that berth_error holds.
class Failure : public std::exception {
 public:
  Failure(berth_code code, std::string message) : code_(code), message_(std::move(message)) {}

  // With BERTH_ERROR_* flags and the driver's own code.
  Failure(berth_code code, std::string message, std::uint32_t flags, std::int64_t native_code)
      : code_(code), flags_(flags), native_code_(native_code), message_(std::move(message)) {}

  // What a function of the C helper wrote.
  explicit Failure(const berth_error& error)
      : code_(error.code),
        flags_(error.flags),
        native_code_(error.native_code),
        option_index_(error.option_index),
        message_(error.message) {}

  // The same failure at option number `index`.
  Failure at_option(std::uint64_t index) const {
    Failure copy(*this);
    copy.option_index_ = static_cast<std::int32_t>(index);
    return copy;
  }

  berth_code code() const noexcept { return code_; }
  std::uint32_t flags() const noexcept { return flags_; }
  std::int64_t native_code() const noexcept { return native_code_; }
  std::int32_t option_index() const noexcept { return option_index_; }
  const char* what() const noexcept override { return message_.c_str(); }

  // Writes every field of error and returns the code.
  berth_code write(berth_error* error) const noexcept {
    berth_fail_native(error, code_, flags_, native_code_, "%s", message_.c_str());
    error->option_index = option_index_;
    return code_;
  }

 private:
  berth_code code_;
  std::uint32_t flags_ = 0;
  std::int64_t native_code_ = 0;
  std::int32_t option_index_ = -1;
  std::string message_;
};

// printf into a std::string of any length.
BERTH_PRINTF(1, 2)
inline std::string text(const char* format, ...) {
  std::va_list args;
  va_start(args, format);
  std::va_list again;
  va_copy(again, args);
  const int length = std::vsnprintf(nullptr, 0, format, args);
  va_end(args);
  std::string out(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) std::vsnprintf(out.data(), out.size() + 1, format, again);
  va_end(again);
  return out;
}

// Calls body, which returns berth_code or nothing (then BERTH_OK), and lets no exception out: Failure becomes its own
// code, std::bad_alloc OUT_OF_HOST_MEMORY, anything else PLUGIN_FAULT.
template <typename Body>
berth_code guard(berth_error* error, Body&& body) noexcept {
  try {
    if constexpr (std::is_void_v<decltype(std::forward<Body>(body)())>) {
      std::forward<Body>(body)();
      return BERTH_OK;
    } else {
      return std::forward<Body>(body)();
    }
  } catch (const Failure& failure) {
    return failure.write(error);
  } catch (const std::bad_alloc&) {
    return berth_fail(error, BERTH_OUT_OF_HOST_MEMORY, "the host is out of memory");
  } catch (const std::exception& unexpected) {
    return berth_fail(error, BERTH_PLUGIN_FAULT, "unexpected exception: %s", unexpected.what());
  } catch (...) {
    return berth_fail(error, BERTH_PLUGIN_FAULT, "unexpected exception of unknown type");
  }
}

}  // namespace berth::plugin

#endif  // BERTH_PLUGIN_HELPER_HPP
