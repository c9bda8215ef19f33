#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "mutated_file.h"

namespace berth::program {
namespace {

class ProgramMutationsTest : public ::testing::TestWithParam<const char*> {
 protected:
  // What must hold whatever the bytes are.
  static void check(std::span<const std::byte> file, const std::string& change, int& opened) {
    const Outcome outcome = open_program(file);
    opened += outcome.opened ? 1 : 0;
    if (outcome.opened) {
      EXPECT_TRUE(outcome.flatbuffers_accepts) << change << ": FlatBuffers' verifier refuses what we accept";
    } else {
      EXPECT_TRUE(is_good_message(outcome.message)) << change << ": " << outcome.message;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Corpus, ProgramMutationsTest, ::testing::Values("add_cuda0", "state_cuda0"),
                         [](const auto& name) { return std::string(name.param) == "add_cuda0" ? "Add" : "State"; });

TEST_P(ProgramMutationsTest, RefusesEveryTruncation) {
  const std::vector<std::byte> file = read_corpus_file(std::string(GetParam()) + ".pte");
  ASSERT_FALSE(file.empty());
  int opened = 0;
  for (std::size_t size = 0; size < file.size(); ++size) {
    const ExactCopy copy({file.data(), size});
    check(copy.bytes(), "first " + std::to_string(size) + " bytes", opened);
  }
  EXPECT_EQ(opened, 0);
}

TEST_P(ProgramMutationsTest, SurvivesEverySingleBitFlip) {
  const std::vector<std::byte> file = read_corpus_file(std::string(GetParam()) + ".pte");
  ASSERT_FALSE(file.empty());
  const ExactCopy copy(file);
  int opened = 0;
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    copy.bytes()[bit / 8] ^= mask;
    check(copy.bytes(), "bit " + std::to_string(bit), opened);
    copy.bytes()[bit / 8] ^= mask;
  }
  // Most bits are text, sizes of padding and stored bytes: whoever refuses them all would refuse good files.
  EXPECT_GT(opened, 0);
}

TEST_P(ProgramMutationsTest, SurvivesRandomChanges) {
  const std::vector<std::byte> file = read_corpus_file(std::string(GetParam()) + ".pte");
  ASSERT_FALSE(file.empty());
  std::mt19937 random(20261201);
  constexpr std::array<std::uint32_t, 8> kNumbers = {0,          1,          4,          0x7FFFFFFF,
                                                     0x80000000, 0xFFFFFFFF, 0xFFFFFFFC, 0x40000000};
  int opened = 0;
  for (int round = 0; round < 20000; ++round) {
    const ExactCopy copy(file);
    for (std::uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % (file.size() / 4) * 4;
      const std::uint32_t number = random() % 2 == 0 ? kNumbers[random() % kNumbers.size()] : random();
      std::memcpy(copy.bytes().data() + at, &number, sizeof(number));
    }
    check(copy.bytes(), "round " + std::to_string(round), opened);
  }
}

}  // namespace
}  // namespace berth::program
