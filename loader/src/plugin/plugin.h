// Plugin: an opened plugin file that has passed the handshake. Its code stays mapped until the process ends.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <memory>
#include <string>

#include "berth/core/result.h"
#include "berth/loader/load_report.h"
#include "plugin/checked_file.h"
#include "plugin/plugin_query.h"

namespace berth::loader::detail {

class Plugin {
 public:
  // Opens and asks `file`. The caller holds a ProcessStateGuard. `out_stage` is open, symbol, version or table: the
  // step that failed or was last done. Errors: those of SharedLibrary::open and ask_plugin; kFailedPrecondition when
  // the file was replaced meanwhile.
  [[nodiscard]] static Result<std::shared_ptr<const Plugin>> open(const CheckedFile& file, LoadStage& out_stage);

  [[nodiscard]] const CheckedFile& file() const noexcept { return file_; }
  [[nodiscard]] const QueryAnswer& answer() const noexcept { return answer_; }
  [[nodiscard]] const berth_table& table() const noexcept { return answer_.table; }
  // "plugin cuda", for messages.
  [[nodiscard]] const std::string& who() const noexcept { return who_; }
  // The file that the system has mapped.
  [[nodiscard]] const std::string& mapped_path() const noexcept { return mapped_path_; }

 private:
  Plugin(CheckedFile file, QueryAnswer answer, std::string mapped_path);
  CheckedFile file_;
  QueryAnswer answer_;
  std::string who_;
  std::string mapped_path_;
};

}  // namespace berth::loader::detail
