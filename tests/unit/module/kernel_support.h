// What tests of kernels need without a Module.
#pragma once

#include <memory>
#include <vector>

#include "berth/module/kernel.h"

namespace berth::module {

class PlainScratch final : public ScratchMemory {
 public:
  Result<std::span<std::byte>> take(std::uint64_t bytes) override {
    blocks_.push_back(std::make_unique<std::byte[]>(bytes));
    return std::span<std::byte>(blocks_.back().get(), bytes);
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace berth::module
