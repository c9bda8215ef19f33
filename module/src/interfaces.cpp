// Anchors the vtables of the interfaces that callers implement.
#include "berth/module/delegate.h"
#include "berth/module/run_observer.h"

namespace berth::module {

Delegate::~Delegate() = default;
RunObserver::~RunObserver() = default;

}  // namespace berth::module
