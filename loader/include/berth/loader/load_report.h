// The load report: one record for every candidate that was looked at, good or bad, so that "why was my GPU not used?"
// has an answer. It grows as devices open. Text and JSON are made by the tools.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/status.h"

namespace berth::loader {

// The steps of loading, in order. A record names the one that failed, or the last one that succeeded.
enum class LoadStage : std::uint8_t {
  kConfig,    // the registry file and what it says
  kFind,      // a file of that name on the search path
  kMetadata,  // permissions, sha256, ELF header and note; no code of the plugin has run
  kOpen,      // dlopen
  kSymbol,    // berth_plugin_query
  kVersion,   // versions negotiated
  kTable,     // function table complete, answers equal to the note
  kInstance,  // create
  kDevice,    // identity, claim, open, properties
};

// "config", "find", ... never null.
[[nodiscard]] BERTH_API const char* stage_name(LoadStage stage) noexcept;

struct LoadRecord {
  std::string device;       // id of the [[device]] entry; empty for steps that several entries share (a plugin's file)
  std::string plugin;       // name of the plugin entry
  std::string path_tried;   // absolute; empty where no file is concerned
  std::string path_opened;  // what the system really opened, symbolic links resolved; empty before stage open
  LoadStage stage = LoadStage::kConfig;
  Status status;                  // OK, or the failure: code, text and suggested step
  std::string detail;             // what was learned or done, for people: "NVIDIA H200", "served by mock:0 instead"
  std::uint64_t duration_ns = 0;  // time spent on this record
};

struct LoadReport {
  std::vector<LoadRecord> records;  // in the order in which things happened
};

}  // namespace berth::loader
