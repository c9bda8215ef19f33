#include "berth/version.h"

namespace berth {

const char* version() noexcept { return BERTH_PROJECT_VERSION; }

}  // namespace berth
