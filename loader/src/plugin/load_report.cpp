#include "berth/loader/load_report.h"

namespace berth::loader {

const char* stage_name(LoadStage stage) noexcept {
  switch (stage) {
    case LoadStage::kConfig:
      return "config";
    case LoadStage::kFind:
      return "find";
    case LoadStage::kMetadata:
      return "metadata";
    case LoadStage::kOpen:
      return "open";
    case LoadStage::kSymbol:
      return "symbol";
    case LoadStage::kVersion:
      return "version";
    case LoadStage::kTable:
      return "table";
    case LoadStage::kInstance:
      return "instance";
    case LoadStage::kDevice:
      return "device";
  }
  return "unknown";
}

}  // namespace berth::loader
