// While one lives, the leak sanitizer (where there is one) does not watch what its thread allocates: a plugin whose
// close or destroy fails keeps its object, and nobody can free it any more.
#pragma once

extern "C" {
[[gnu::weak]] void __lsan_disable();  // NOLINT(bugprone-reserved-identifier): the sanitizer's names
[[gnu::weak]] void __lsan_enable();   // NOLINT(bugprone-reserved-identifier)
}

namespace berth::sweep {

class LeakCheckPause {
 public:
  explicit LeakCheckPause(bool pause) : paused_(pause && &__lsan_disable != nullptr) {
    if (paused_) __lsan_disable();
  }
  ~LeakCheckPause() {
    if (paused_) __lsan_enable();
  }
  LeakCheckPause(const LeakCheckPause&) = delete;
  LeakCheckPause& operator=(const LeakCheckPause&) = delete;

 private:
  bool paused_;
};

}  // namespace berth::sweep
