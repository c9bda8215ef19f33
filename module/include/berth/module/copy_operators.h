// CopyOperators: the operators that copy between host and devices, the only ones that may see a tensor on a device.
// Thread rules as for KernelTable.
#pragma once

#include <span>
#include <string_view>

#include "berth/core/api.h"
#include "berth/module/copy_report.h"
#include "berth/module/kernel_table.h"

namespace berth::module {

class BERTH_API CopyOperators {
 public:
  // et_copy::_h2d_copy.out and et_copy::_d2h_copy.out.
  [[nodiscard]] static CopyOperators standard();

  // Errors as KernelTable::add.
  Status add(std::string_view name, std::string_view overload, Kernel kernel) {
    return table_.add(name, overload, kernel);
  }
  [[nodiscard]] Kernel find(std::string_view name, std::string_view overload) const noexcept {
    return table_.find(name, overload);
  }
  [[nodiscard]] const KernelTable& table() const noexcept { return table_; }

 private:
  KernelTable table_;
};

// The standard kernels: (self, out, out). `out` is resized to self's sizes within its capacity, then self's bytes are
// copied through the device. kInvalidProgram when a side is wrong (h2d: self on the host, out on a device; d2h: the
// other way), types or dim orders differ, a side has no storage, or out is too small: nothing is copied then. The
// device's failure is passed through with value, direction and bytes. Zero bytes copy nothing.
BERTH_API Status h2d_copy_out(KernelContext& context, std::span<Value* const> args);
BERTH_API Status d2h_copy_out(KernelContext& context, std::span<Value* const> args);

}  // namespace berth::module
