#include "plan_check.h"

#include <algorithm>

#include "clobber_search.h"

namespace berth::program::detail {

namespace {

// After this many comparisons the check ends without a finding; no real method comes near.
constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 24;

struct Life {
  std::uint32_t last = 0;  // the last position where the tensor is used; 0 when it never is
  bool begun = false;
};

// Positions: 0 is before the method runs, then one per instruction over all chains, then the reading of the outputs.
class Lifetimes {
 public:
  Lifetimes(const MethodDraft& draft, Life* lives, std::uint32_t* alive)
      : draft_(draft), plan_(*draft.plan), lives_(lives), alive_(alive) {}

  // Whether two planned tensors that overlap are alive at the same time, or it would take too long to know.
  bool overlap() {
    find_ends();
    return walk();
  }

 private:
  template <typename Function>
  void for_each_tensor(std::int32_t value, Function function) const {
    const auto index = static_cast<std::size_t>(value);
    const std::uint8_t note = draft_.notes[index];
    if ((note & kNoteTensor) != 0) {
      function(static_cast<std::uint32_t>(plan_.values[index].integer));
    } else if ((note & kNoteList) != 0) {
      for (const std::int32_t item : plan_.values[index].tensor_items) {
        if (item >= 0 && (draft_.notes[static_cast<std::size_t>(item)] & kNoteTensor) != 0) {
          function(static_cast<std::uint32_t>(plan_.values[static_cast<std::size_t>(item)].integer));
        }
      }
    }
  }

  void end_at(std::int32_t value, std::uint32_t position) {
    for_each_tensor(value,
                    [&](std::uint32_t tensor) { lives_[tensor].last = std::max(lives_[tensor].last, position); });
  }

  // What is rebound lives on in the value that it is rebound to.
  void extend(std::int32_t from, std::int32_t to) {
    std::uint32_t last = 0;
    for_each_tensor(to, [&](std::uint32_t tensor) { last = std::max(last, lives_[tensor].last); });
    end_at(from, last);
  }

  // Last uses, from the end backwards, so that chains of moves add up.
  void find_ends() {
    std::uint32_t position = 1;
    for (const auto& chain : plan_.chains) position += static_cast<std::uint32_t>(chain.size());
    for (const std::int32_t output : plan_.outputs) end_at(output, position);
    for (std::size_t c = plan_.chains.size(); c-- > 0;) {
      const auto chain = plan_.chains[c];
      for (std::size_t i = chain.size(); i-- > 0;) {
        const InstructionPlan& instruction = chain[i];
        --position;
        for (const std::int32_t arg : instruction.args) end_at(arg, position);
        if (instruction.type == InstructionType::kMoveCall) {
          extend(instruction.from, instruction.to);
        } else if (instruction.type == InstructionType::kJumpFalseCall) {
          end_at(instruction.from, position);
        } else if (is_view(instruction)) {
          extend(instruction.args.front(), instruction.args.back());
        }
      }
    }
  }

  [[nodiscard]] bool is_view(const InstructionPlan& instruction) const {
    return instruction.type == InstructionType::kKernelCall &&
           draft_.operator_kinds[instruction.target] == OperatorKind::kView && !instruction.args.empty();
  }

  // Lets the value's tensors begin to live; true when one of them overlaps another that is alive.
  bool begin(std::int32_t value, std::uint32_t position) {
    bool found = false;
    for_each_tensor(value, [&](std::uint32_t tensor) {
      Life& life = lives_[tensor];
      if (life.begun) return;
      life.begun = true;
      if (plan_.tensors[tensor].memory_id != 0) found |= add(tensor, position);
    });
    return found;
  }

  bool add(std::uint32_t tensor, std::uint32_t position) {
    const TensorPlan& added = plan_.tensors[tensor];
    for (std::size_t i = 0; i < alive_count_;) {
      const TensorPlan& other = plan_.tensors[alive_[i]];
      if (lives_[alive_[i]].last <= position) {
        alive_[i] = alive_[--alive_count_];
        continue;
      }
      if (bytes_overlap(added, other)) return true;
      ++i;
    }
    comparisons_ += alive_count_;
    alive_[alive_count_++] = tensor;
    return comparisons_ > kMostComparisons;
  }

  bool walk() {
    for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
      const bool stored = plan_.tensors[i].storage >= Storage::kPlannedState && plan_.tensors[i].memory_id != 0;
      if (!stored) continue;
      lives_[i].begun = true;
      if (add(static_cast<std::uint32_t>(i), 0)) return true;
    }
    for (const std::int32_t input : plan_.inputs) {
      if (begin(input, 0)) return true;
    }
    std::uint32_t position = 0;
    for (const auto& chain : plan_.chains) {
      for (const InstructionPlan& instruction : chain) {
        ++position;
        for (const std::int32_t arg : instruction.args) {
          if (begin(arg, position)) return true;
        }
      }
    }
    return false;
  }

  const MethodDraft& draft_;
  const MethodPlan& plan_;
  Life* lives_;
  std::uint32_t* alive_;
  std::size_t alive_count_ = 0;
  std::uint64_t comparisons_ = 0;
};

}  // namespace

bool bytes_overlap(const TensorPlan& one, const TensorPlan& other) {
  return one.memory_id == other.memory_id && one.bytes != 0 && other.bytes != 0 &&
         one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes;
}

bool plan_check(ReadState& state, const MethodDraft& draft) {
  const std::size_t tensors = draft.tensors.size();
  auto* lives = state.make<Life>(tensors);
  auto* alive = state.arena.allocate<std::uint32_t>(tensors);
  if (lives == nullptr || alive == nullptr) return state.no_memory();
  const bool overlap = Lifetimes(draft, lives, alive).overlap();
  state.arena.give_back(lives);
  return !overlap || search_clobber(state, draft);
}

}  // namespace berth::program::detail
