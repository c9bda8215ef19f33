#include "clobber_search.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clobber_facts.h"
#include "known_operators.h"

namespace berth::program::detail {

namespace {

// A method that takes more than this many comparisons is let pass.
constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 26;

using Args = std::span<const std::int32_t>;

class ClobberSearch {
 public:
  ClobberSearch(ReadState& state, const MethodDraft& draft)
      : state_(state), draft_(draft), plan_(*draft.plan), facts_(plan_), rebound_(plan_.values.size()) {
    for (const OperatorPlan& op : plan_.operators) knowledge_.push_back(knowledge_of(op));
  }

  // False when a value is certainly lost; the state says which.
  bool run() {
    if (!note_rebound()) return true;
    start();
    for (std::size_t c = 0; c < plan_.chains.size(); ++c) {
      if (!run_chain(static_cast<std::int32_t>(c))) return !lost_;
    }
    point_ = {};
    for (const std::int32_t output : plan_.outputs) {
      if (!read(output, true)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_list(std::int32_t value) const {
    return (draft_.notes[static_cast<std::size_t>(value)] & kNoteList) != 0;
  }

  [[nodiscard]] bool is_view(const InstructionPlan& instruction) const {
    return instruction.type == InstructionType::kKernelCall &&
           draft_.operator_kinds[instruction.target] == OperatorKind::kView;
  }

  // Notes which values are bound to other bytes somewhere. False when a list of tensors is: then nothing is proven.
  bool note_rebound() {
    for (const auto& chain : plan_.chains) {
      for (const InstructionPlan& instruction : chain) {
        if (instruction.type == InstructionType::kMoveCall) {
          if (is_list(instruction.to)) return false;
          rebound_[static_cast<std::size_t>(instruction.to)] = true;
        } else if (instruction.type == InstructionType::kFreeCall) {
          rebound_[static_cast<std::size_t>(instruction.from)] = true;
        } else if (is_view(instruction) && !instruction.args.empty()) {
          rebound_[static_cast<std::size_t>(instruction.args.back())] = true;
        }
      }
    }
    return true;
  }

  // Stored states are there first, then the inputs are set.
  void start() {
    for (std::size_t i = 0; i < plan_.values.size(); ++i) {
      const std::int32_t storage = facts_.storage(static_cast<std::int32_t>(i));
      if (storage >= 0 && plan_.tensors[static_cast<std::size_t>(storage)].storage >= Storage::kPlannedState) {
        facts_.write(static_cast<std::int32_t>(i), {});
      }
    }
    for (const std::int32_t input : plan_.inputs) facts_.write(input, {});
  }

  bool run_chain(std::int32_t number) {
    const auto chain = plan_.chains[static_cast<std::size_t>(number)];
    std::vector<bool> looped(chain.size() + 1);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (chain[i].type == InstructionType::kJumpFalseCall && chain[i].target <= i) looped[chain[i].target] = true;
    }
    std::map<std::uint32_t, ClobberFacts> arriving;  // by the jump's destination
    for (std::uint32_t i = 0; i <= chain.size(); ++i) {
      if (const auto jumped = arriving.find(i); jumped != arriving.end()) {
        facts_.meet(jumped->second);
        arriving.erase(jumped);
      }
      if (looped[i]) facts_.forget(rebound_);
      if (i == chain.size()) break;
      point_ = {number, static_cast<std::int32_t>(i)};
      if (!step(chain[i])) return false;
      if (chain[i].type == InstructionType::kJumpFalseCall && chain[i].target > i) {
        const auto [place, added] = arriving.try_emplace(chain[i].target, facts_);
        if (!added) place->second.meet(facts_);
        work_ += plan_.values.size() + plan_.tensors.size();
      }
      work_ += facts_.comparisons() - counted_;
      counted_ = facts_.comparisons();
      if (work_ > kMostComparisons) return false;
    }
    return true;
  }

  // False when a lost tensor is read.
  bool step(const InstructionPlan& instruction) {
    switch (instruction.type) {
      case InstructionType::kKernelCall:
        return kernel_call(instruction);
      case InstructionType::kDelegateCall:
        return delegate_call(instruction.args);
      case InstructionType::kMoveCall:
        facts_.rebind(instruction.from, instruction.to);
        return true;
      case InstructionType::kJumpFalseCall:
        return read(instruction.from, true);
      case InstructionType::kFreeCall:
        facts_.set_storage(instruction.from, ClobberFacts::kNoStorage);
        return true;
    }
    return true;
  }

  bool kernel_call(const InstructionPlan& call) {
    if (is_view(call) && call.args.size() >= 2) {
      facts_.rebind(call.args.front(), call.args.back());
      return true;
    }
    const Knowledge knowledge = knowledge_[call.target];
    if (knowledge == Knowledge::kCopiesInPlace && call.args.size() >= 2) {
      return read(call.args[1], true) && write(call.args[0]);
    }
    std::size_t inputs = 0;
    if (knowledge == Knowledge::kUnknown || !split_results(call.args, inputs)) {
      for (const std::int32_t arg : call.args) may_write(arg);
      return true;
    }
    for (const std::int32_t arg : call.args.first(inputs)) {
      if (!read(arg, knowledge == Knowledge::kReadsAll)) return false;
    }
    return write(call.args.back());
  }

  // How many arguments come before the results: one result is repeated at the end, several are repeated as a list.
  bool split_results(Args args, std::size_t& inputs) const {
    if (args.size() < 2) return false;
    const std::int32_t last = args.back();
    if (!is_list(last)) {
      inputs = args.size() - 2;
      return args[inputs] == last;
    }
    const auto items = plan_.values[static_cast<std::size_t>(last)].tensor_items;
    if (items.size() >= args.size()) return false;
    inputs = args.size() - 1 - items.size();
    return std::equal(items.begin(), items.end(), args.begin() + static_cast<std::ptrdiff_t>(inputs));
  }

  // Delegates take inputs, then outputs, without a mark between them. An argument is surely an input when it is the
  // first of several, or when one that the program has filled comes after it.
  bool delegate_call(Args args) {
    std::vector<std::int32_t> tensors;
    for (const std::int32_t arg : args) for_each_tensor(arg, [&](std::int32_t value) { tensors.push_back(value); });
    std::size_t inputs = tensors.size() > 1 ? 1 : 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (kind_of(tensors[i]) == TensorFact::Kind::kWritten) inputs = std::max(inputs, i);
    }
    for (std::size_t i = 0; i < inputs; ++i) {
      if (!read(tensors[i], true)) return false;
    }
    for (const std::int32_t value : tensors) facts_.may_write(value);
    return true;
  }

  template <typename Function>
  void for_each_tensor(std::int32_t value, Function function) const {
    const auto index = static_cast<std::size_t>(value);
    if ((draft_.notes[index] & kNoteTensor) != 0) function(value);
    if (!is_list(value)) return;
    for (const std::int32_t item : plan_.values[index].tensor_items) {
      if (item >= 0 && (draft_.notes[static_cast<std::size_t>(item)] & kNoteTensor) != 0) function(item);
    }
  }

  [[nodiscard]] TensorFact::Kind kind_of(std::int32_t value) const {
    const std::int32_t storage = facts_.storage(value);
    return storage < 0 ? TensorFact::Kind::kUnknown : facts_.fact(storage).kind;
  }

  bool write(std::int32_t value) {
    for_each_tensor(value, [&](std::int32_t tensor) { facts_.write(tensor, point_); });
    return true;
  }

  void may_write(std::int32_t value) {
    for_each_tensor(value, [&](std::int32_t tensor) { facts_.may_write(tensor); });
  }

  // `all`: every element is read.
  bool read(std::int32_t value, bool all) {
    bool good = true;
    for_each_tensor(value, [&](std::int32_t tensor) {
      if (!good || kind_of(tensor) != TensorFact::Kind::kLost) return;
      const TensorFact& fact = facts_.fact(facts_.storage(tensor));
      if (!all && !fact.lost_whole) return;
      good = false;
      lost_ = true;
      clobbered(tensor, fact);
    });
    return good;
  }

  static std::string text(Point point) {
    if (point.chain < 0) return "before the first instruction";
    return "by instruction " + std::to_string(point.instruction) + " of chain " + std::to_string(point.chain);
  }

  [[gnu::cold]] void clobbered(std::int32_t value, const TensorFact& fact) {
    const bool at_end = point_.chain < 0;
    const std::int32_t storage = facts_.storage(value);
    Place place{.method = plan_.name};
    if (!at_end)
      place = {.method = plan_.name, .chain = point_.chain, .unit = "instruction", .index = point_.instruction};
    (void)state_.wrong(
        place, {.what = "value " + std::to_string(value) +
                        (at_end ? " is an output, but its bytes are overwritten before the end"
                                : " is read, but its bytes have been overwritten"),
                .expected = "the bytes written " + text(fact.written),
                .found = "bytes of planned buffer " +
                         std::to_string(plan_.tensors[static_cast<std::size_t>(storage)].memory_id) +
                         " that were written again " + text(fact.lost) + ", as value " + std::to_string(fact.lost_to),
                .next_step = "plan the program's memory again"});
  }

  ReadState& state_;
  const MethodDraft& draft_;
  const MethodPlan& plan_;
  ClobberFacts facts_;
  std::vector<bool> rebound_;
  std::vector<Knowledge> knowledge_;
  Point point_;
  bool lost_ = false;
  std::uint64_t work_ = 0;
  std::uint64_t counted_ = 0;
};

}  // namespace

bool search_clobber(ReadState& state, const MethodDraft& draft) { return ClobberSearch(state, draft).run(); }

}  // namespace berth::program::detail
