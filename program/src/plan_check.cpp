#include "plan_check.h"

#include <algorithm>

#include "clobber_search.h"

namespace berth::program::detail {

namespace {

// After this many comparisons the second step takes over, which gives up in time; no real method comes near.
constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 24;

// When a planned tensor is used. Positions: 1 is before the method runs, then one per instruction over all chains, then
// the reading of the outputs.
struct Life {
  std::uint32_t first = 0;  // 0 when it never is
  std::uint32_t last = 0;
};

class Lifetimes {
 public:
  // `lives` has one entry per tensor, all zero; `order` and `alive` have room for one per tensor.
  Lifetimes(const MethodDraft& draft, Life* lives, std::uint32_t* order, std::uint32_t* alive)
      : draft_(draft), plan_(*draft.plan), lives_(lives), order_(order), alive_(alive) {}

  // Whether two planned tensors that overlap are alive at the same time, or it would take too long to know.
  bool overlap() {
    find_uses();
    if (rebinds_) extend_rebound();
    for (std::size_t i = 0; i < used_; ++i) {
      if (begin(order_[i])) return true;
    }
    return false;
  }

 private:
  void use_tensor(std::uint32_t tensor) {
    if (plan_.tensors[tensor].memory_id == 0) return;
    Life& life = lives_[tensor];
    if (life.first == 0) {
      life.first = position_;
      order_[used_++] = tensor;
    }
    life.last = position_;
  }

  void use(std::int32_t value) {
    const auto index = static_cast<std::size_t>(value);
    const std::uint8_t note = draft_.notes[index];
    if ((note & kNoteTensor) != 0) {
      use_tensor(static_cast<std::uint32_t>(plan_.values[index].integer));
    } else if ((note & kNoteList) != 0) {
      for (const std::int32_t item : plan_.values[index].tensor_items) {
        if (item >= 0 && (draft_.notes[static_cast<std::size_t>(item)] & kNoteTensor) != 0) use(item);
      }
    }
  }

  void find_uses() {
    for (std::uint32_t i = 0; i < plan_.tensors.size(); ++i) {
      if (plan_.tensors[i].storage >= Storage::kPlannedState) use_tensor(i);
    }
    for (const std::int32_t input : plan_.inputs) use(input);
    for (const auto& chain : plan_.chains) {
      for (const InstructionPlan& instruction : chain) {
        ++position_;
        for (const std::int32_t arg : instruction.args) use(arg);
        if (instruction.type == InstructionType::kJumpFalseCall) use(instruction.from);
        rebinds_ |= instruction.type == InstructionType::kMoveCall || is_view(instruction);
      }
    }
    ++position_;
    for (const std::int32_t output : plan_.outputs) use(output);
  }

  [[nodiscard]] bool is_view(const InstructionPlan& instruction) const {
    return instruction.type == InstructionType::kKernelCall &&
           draft_.operator_kinds[instruction.target] == OperatorKind::kView && !instruction.args.empty();
  }

  // What is rebound lives on in the value that it is rebound to. From the end backwards, so that moves add up.
  void extend_rebound() {
    for (std::size_t c = plan_.chains.size(); c-- > 0;) {
      const auto chain = plan_.chains[c];
      for (std::size_t i = chain.size(); i-- > 0;) {
        if (chain[i].type == InstructionType::kMoveCall) {
          extend(chain[i].from, chain[i].to);
        } else if (is_view(chain[i])) {
          extend(chain[i].args.front(), chain[i].args.back());
        }
      }
    }
  }

  void extend(std::int32_t from, std::int32_t to) {
    const ValuePlan& source = plan_.values[static_cast<std::size_t>(from)];
    const ValuePlan& destination = plan_.values[static_cast<std::size_t>(to)];
    if (source.type != ValueType::kTensor || destination.type != ValueType::kTensor) return;
    Life& life = lives_[static_cast<std::size_t>(source.integer)];
    life.last = std::max(life.last, lives_[static_cast<std::size_t>(destination.integer)].last);
  }

  // Lets a tensor begin to live; true when it overlaps one that is alive.
  bool begin(std::uint32_t tensor) {
    const TensorPlan& added = plan_.tensors[tensor];
    for (std::size_t i = 0; i < alive_count_;) {
      if (lives_[alive_[i]].last <= lives_[tensor].first) {
        alive_[i] = alive_[--alive_count_];
        continue;
      }
      if (bytes_overlap(added, plan_.tensors[alive_[i]])) return true;
      ++i;
    }
    comparisons_ += alive_count_;
    alive_[alive_count_++] = tensor;
    return comparisons_ > kMostComparisons;
  }

  const MethodDraft& draft_;
  const MethodPlan& plan_;
  Life* lives_;
  std::uint32_t* order_;  // tensors as they begin to live
  std::uint32_t* alive_;
  std::size_t used_ = 0;
  std::size_t alive_count_ = 0;
  std::uint32_t position_ = 1;
  std::uint64_t comparisons_ = 0;
  bool rebinds_ = false;
};

}  // namespace

bool bytes_overlap(const TensorPlan& one, const TensorPlan& other) {
  return one.memory_id == other.memory_id && one.bytes != 0 && other.bytes != 0 &&
         one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes;
}

bool plan_check(ReadState& state, const MethodDraft& draft) {
  const std::size_t tensors = draft.tensors.size();
  if (draft.planned < 2) return true;
  auto* lives = state.make<Life>(tensors);
  auto* lists = state.arena.allocate<std::uint32_t>(2 * tensors);
  if (lives == nullptr || lists == nullptr) return state.no_memory();
  const bool overlap = Lifetimes(draft, lives, lists, lists + tensors).overlap();
  state.arena.give_back(lives);
  return !overlap || search_clobber(state, draft);
}

}  // namespace berth::program::detail
