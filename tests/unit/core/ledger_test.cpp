// The ledger against an account kept the slow way, over random histories.
#include "ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace berth::detail {
namespace {

MemoryBlock block_at(std::uint64_t handle, std::uint64_t address, std::uint64_t size) {
  return {.handle = handle, .address = address, .size = size, .kind = 0, .has_address = true};
}

struct Live {
  MemoryBlock block;
  std::uint32_t slot = 0;
};

bool overlaps(const MemoryBlock& a, const MemoryBlock& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

class LedgerHistory {
 public:
  LedgerHistory(std::uint32_t seed, std::uint64_t space, std::uint64_t most_bytes)
      : random_(seed), space_(space), most_bytes_(most_bytes) {}

  void step() {
    if (live_.empty() || random_() % 100 < 55) {
      add();
    } else {
      remove(random_() % live_.size());
    }
  }
  void drain() {
    while (!live_.empty()) remove(random_() % live_.size());
    EXPECT_EQ(ledger_.statistics().current_bytes, 0u);
    EXPECT_EQ(ledger_.statistics().current_count, 0u);
    EXPECT_TRUE(ledger_.usage().empty());
  }

 private:
  void add() {
    const MemoryBlock block = block_at(1 + random_() % 200, random_() % space_, 1 + random_() % most_bytes_);
    bool handle_taken = false;
    bool range_taken = false;
    for (const Live& each : live_) {
      handle_taken |= each.block.handle == block.handle;
      range_taken |= overlaps(each.block, block);
    }
    std::uint32_t slot = 0;
    const auto verdict = ledger_.insert(block, block.size, {}, Entry::kBuffer, slot);
    const auto expected = handle_taken  ? Ledger::Verdict::kHandleInUse
                          : range_taken ? Ledger::Verdict::kOverlap
                                        : Ledger::Verdict::kFine;
    ASSERT_EQ(verdict, expected);
    if (verdict == Ledger::Verdict::kOverlap) {
      ASSERT_TRUE(overlaps(ledger_.claim(slot).block, block));
    }
    if (verdict == Ledger::Verdict::kHandleInUse) {
      ASSERT_EQ(ledger_.claim(slot).block.handle, block.handle);
    }
    if (verdict == Ledger::Verdict::kFine) live_.push_back({block, slot});
    check_address(random_() % space_);
  }
  void remove(std::size_t index) {
    ledger_.remove(live_[index].slot);
    live_[index] = live_.back();
    live_.pop_back();
    ASSERT_EQ(ledger_.statistics().current_count, live_.size());
  }
  void check_address(std::uint64_t address) {
    auto expected = Ledger::AddressState::kNobodys;
    for (const Live& each : live_) {
      if (each.block.address == address) expected = Ledger::AddressState::kLive;
      if (each.block.address < address && address < each.block.address + each.block.size) {
        expected = Ledger::AddressState::kInterior;
      }
    }
    const auto found = ledger_.find_address(address).state;
    if (expected == Ledger::AddressState::kNobodys && found == Ledger::AddressState::kFreed) return;
    ASSERT_EQ(found, expected);
  }

  std::mt19937 random_;
  std::uint64_t space_;
  std::uint64_t most_bytes_;
  Ledger ledger_;
  std::vector<Live> live_;
};

TEST(LedgerTest, AgreesWithASlowAccountOverRandomHistories) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    LedgerHistory history(seed, seed % 2 == 0 ? 500 : 20000, seed % 3 == 0 ? 8 : 120);
    for (int i = 0; i < 2000 && !testing::Test::HasFatalFailure(); ++i) history.step();
    history.drain();
  }
}

TEST(LedgerTest, HoldsManyBlocksAndForgetsThem) {
  Ledger ledger;
  std::vector<std::uint32_t> slots(5000);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t i = 0; i < slots.size(); ++i) {
      const std::uint64_t address = (i * 7919 + static_cast<std::uint64_t>(round)) * 64;
      ASSERT_EQ(ledger.insert(block_at(address + 1, address, 64), 64, {}, Entry::kBuffer, slots[i]),
                Ledger::Verdict::kFine);
    }
    for (const std::uint32_t slot : slots) ledger.remove(slot);
  }
  EXPECT_EQ(ledger.statistics().peak_bytes, 5000u * 64);
  EXPECT_EQ(ledger.statistics().total_count, 15000u);
}

TEST(LedgerTest, RemembersOnlyTheLatestFreedAddresses) {
  Ledger ledger;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::uint32_t slot = 0;
    ASSERT_EQ(ledger.insert(block_at(i + 1, i * 64, 64), 64, {}, Entry::kBuffer, slot), Ledger::Verdict::kFine);
    ledger.remove(slot);
  }
  EXPECT_EQ(ledger.find_address(1999 * 64).state, Ledger::AddressState::kFreed);
  EXPECT_EQ(ledger.find_address(1700 * 64).state, Ledger::AddressState::kFreed);
  EXPECT_EQ(ledger.find_address(0).state, Ledger::AddressState::kNobodys);
}

TEST(LedgerTest, CutsARevivedRangeToItsBlockWhenTheRestIsUsed) {
  Ledger ledger;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  ASSERT_EQ(ledger.insert(block_at(1, 0x1000, 256), 256, {}, Entry::kBuffer, first), Ledger::Verdict::kFine);
  ledger.remove(first);
  ASSERT_EQ(ledger.insert(block_at(2, 0x1000, 64), 64, {}, Entry::kBuffer, first), Ledger::Verdict::kFine);
  ASSERT_EQ(ledger.insert(block_at(3, 0x1040, 64), 64, {}, Entry::kBuffer, second), Ledger::Verdict::kFine);
  ledger.remove(first);
  EXPECT_EQ(ledger.insert(block_at(4, 0x1000, 256), 256, {}, Entry::kBuffer, first), Ledger::Verdict::kOverlap);
  EXPECT_EQ(first, second);
}

TEST(SlotTableTest, AgreesWithAMapOverRandomHistories) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    std::mt19937_64 random(seed);
    SlotTable table;
    std::map<std::uint64_t, std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 20000; ++i) {
      const std::uint64_t key = seed % 2 == 0 ? random() % 3000 : (random() % 3000) << 52;
      const auto found = expected.find(key);
      ASSERT_EQ(table.find(key), found == expected.end() ? SlotTable::kNone : found->second);
      if (found != expected.end()) {
        table.erase(key);
        expected.erase(found);
      } else {
        if (!table.has_room()) table.grow();
        table.insert(key, i);
        expected[key] = i;
      }
    }
    for (const auto& [key, slot] : expected) ASSERT_EQ(table.find(key), slot);
  }
}

}  // namespace
}  // namespace berth::detail
