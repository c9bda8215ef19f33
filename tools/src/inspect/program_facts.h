// From a program to the facts that reports show.
#pragma once

#include "berth/core/device_registry.h"
#include "berth/module/copy_operators.h"
#include "berth/module/delegate_table.h"
#include "berth/module/kernel_table.h"
#include "berth/program/program.h"
#include "report/inspect_report.h"

namespace berth::cli {

// Who can compute what; borrowed.
struct ComputeTables {
  const module::KernelTable& kernels;
  const module::DelegateTable& delegates;
  const module::CopyOperators& copies;
};

// `registry` names device types above 1; may be null.
[[nodiscard]] MethodFacts method_facts(const program::Program& program, const program::MethodPlan& plan,
                                       const ComputeTables& tables, const DeviceRegistry* registry);
[[nodiscard]] ValueFacts value_facts(const program::MethodPlan& plan, std::int32_t value,
                                     const DeviceRegistry* registry);

}  // namespace berth::cli
