// Changed files and what is made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace berth::program {

// The bytes of tests/data/device/<name>.
[[nodiscard]] std::vector<std::byte> read_corpus_file(const std::string& name);

// A copy of bytes in a block of exactly their size, aligned as the readers need it.
class ExactCopy {
 public:
  explicit ExactCopy(std::span<const std::byte> bytes);
  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_;
};

// What became of one changed program. Reads everything that the opened program points at.
struct Outcome {
  bool opened = false;
  bool flatbuffers_accepts = false;  // FlatBuffers' own verifier on the same bytes
  std::string message;
};
[[nodiscard]] Outcome open_program(std::span<const std::byte> file);

// A failure as it must be: it names the file, called `name`, and says what to do.
[[nodiscard]] bool is_good_message(const std::string& message, const std::string& name = "changed.pte");

}  // namespace berth::program
