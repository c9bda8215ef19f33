// Result<T>: a T or the Status that says why there is none. A thin [[nodiscard]] name for tl::expected (the C++23
// std::expected interface; C++20 on g++ 12 has no std::expected).
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "berth/core/status.h"

namespace berth {

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Status> {
 public:
  using tl::expected<T, Status>::expected;
  Result(tl::expected<T, Status> other)
      : tl::expected<T, Status>(std::move(other)) {}  // NOLINT(google-explicit-constructor)

  // The failure, or success when there is a value.
  [[nodiscard]] Status status() const { return this->has_value() ? Status() : this->error(); }
};

// return fail({.code = ..., .origin = ..., .what = ...});
[[nodiscard]] inline tl::unexpected<Status> fail(ErrorInfo info) {
  return tl::unexpected<Status>(Status(std::move(info)));
}
[[nodiscard]] inline tl::unexpected<Status> fail(Status status) { return tl::unexpected<Status>(std::move(status)); }

}  // namespace berth

// BERTH_RETURN_IF_ERROR(expression giving Status); works in functions that return Status.
#define BERTH_RETURN_IF_ERROR(expression)                                                        \
  do {                                                                                           \
    if (::berth::Status berth_status_ = (expression); !berth_status_.ok()) return berth_status_; \
  } while (false)

// BERTH_FAIL_IF_ERROR(expression giving Status); works in functions that return Result<T>.
#define BERTH_FAIL_IF_ERROR(expression)                                    \
  do {                                                                     \
    if (::berth::Status berth_status_ = (expression); !berth_status_.ok()) \
      return ::berth::fail(std::move(berth_status_));                      \
  } while (false)

#define BERTH_CONCAT_INNER(a, b) a##b
#define BERTH_CONCAT(a, b) BERTH_CONCAT_INNER(a, b)
#define BERTH_ASSIGN_INNER(temporary, declaration, expression, failure)     \
  auto temporary = (expression);                                            \
  if (!temporary.has_value()) return failure(std::move(temporary).error()); \
  declaration = *std::move(temporary)

// BERTH_ASSIGN(auto value, expression giving Result): for functions that return Result<T>.
#define BERTH_ASSIGN(declaration, expression) \
  BERTH_ASSIGN_INNER(BERTH_CONCAT(berth_result_, __LINE__), declaration, expression, ::berth::fail)

// BERTH_ASSIGN_OR_STATUS(auto value, expression giving Result): for functions that return Status.
#define BERTH_ASSIGN_OR_STATUS(declaration, expression) \
  BERTH_ASSIGN_INNER(BERTH_CONCAT(berth_result_, __LINE__), declaration, expression, ::berth::Status)
