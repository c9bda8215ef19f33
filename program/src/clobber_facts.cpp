#include "clobber_facts.h"

#include "clobber_search.h"

namespace berth::program::detail {

namespace {

using Kind = TensorFact::Kind;

// Only a tensor of one size is certain to fill its range.
bool is_certain(const TensorPlan& tensor) { return tensor.dynamism == Dynamism::kStatic && tensor.bytes > 0; }

bool covers(const TensorPlan& outer, const TensorPlan& inner) {
  return outer.offset <= inner.offset && inner.offset + inner.bytes <= outer.offset + outer.bytes;
}

}  // namespace

ClobberFacts::ClobberFacts(const MethodPlan& plan)
    : plan_(&plan), storage_(plan.values.size(), kNoStorage), facts_(plan.tensors.size()) {
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const ValuePlan& value = plan.values[i];
    if (value.type != ValueType::kTensor) continue;
    if (plan.tensors[static_cast<std::size_t>(value.integer)].memory_id == 0) continue;
    storage_[i] = static_cast<std::int32_t>(value.integer);
  }
}

void ClobberFacts::write(std::int32_t value, Point point) {
  const std::int32_t target = storage(value);
  if (target == kUnknownStorage) return forget_losses();
  if (target == kNoStorage) return;
  const auto index = static_cast<std::size_t>(target);
  const TensorPlan& written = plan_->tensors[index];
  const ValuePlan& through = plan_->values[static_cast<std::size_t>(value)];
  if (!is_certain(written) || !is_certain(plan_->tensors[static_cast<std::size_t>(through.integer)])) {
    return may_write(value);
  }
  comparisons_ += facts_.size();
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (i == index || facts_[i].kind != Kind::kWritten || !bytes_overlap(written, plan_->tensors[i])) continue;
    facts_[i].kind = Kind::kLost;
    facts_[i].lost = point;
    facts_[i].lost_to = value;
    facts_[i].lost_whole = covers(written, plan_->tensors[i]);
  }
  facts_[index] = {};
  facts_[index].kind = Kind::kWritten;
  facts_[index].written = point;
}

void ClobberFacts::may_write(std::int32_t value) {
  const std::int32_t target = storage(value);
  if (target == kUnknownStorage) return forget_losses();
  if (target == kNoStorage) return;
  TensorFact& fact = facts_[static_cast<std::size_t>(target)];
  if (fact.kind == Kind::kLost) fact = {};
}

void ClobberFacts::meet(const ClobberFacts& other) {
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    TensorFact& mine = facts_[i];
    const TensorFact& theirs = other.facts_[i];
    if (theirs.kind < mine.kind) mine = theirs;
    mine.lost_whole = mine.lost_whole && theirs.lost_whole;
  }
  for (std::size_t i = 0; i < storage_.size(); ++i) {
    if (storage_[i] != other.storage_[i]) storage_[i] = kUnknownStorage;
  }
  comparisons_ += facts_.size() + storage_.size();
}

void ClobberFacts::forget(const std::vector<bool>& rebound) {
  for (TensorFact& fact : facts_) fact = {};
  for (std::size_t i = 0; i < storage_.size(); ++i) {
    if (rebound[i]) storage_[i] = kUnknownStorage;
  }
}

void ClobberFacts::forget_losses() {
  for (TensorFact& fact : facts_) {
    if (fact.kind == Kind::kLost) fact = {};
  }
}

}  // namespace berth::program::detail
