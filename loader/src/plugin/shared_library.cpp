#include "plugin/shared_library.h"

#include <boost/dll/shared_library.hpp>
#include <list>
#include <mutex>
#include <string_view>
#include <utility>

#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

using boost::dll::shared_library;

// A library that is open for good, and which file it was when it was opened: its path may lead elsewhere later.
struct OpenLibrary {
  shared_library library;
  std::string path;
  FileIdentity identity;
};

// Keeps a library open for good and gives the one object there is for it. Reachable until the end, and never
// destroyed: a destructor would unmap it.
Result<const OpenLibrary*> keep_open(shared_library library) {
  static auto* const lock = new std::mutex;
  static auto* const libraries = new std::list<OpenLibrary>;
  const std::lock_guard guard(*lock);
  for (const OpenLibrary& open : *libraries) {
    if (open.library.native() == library.native()) return &open;
  }
  std::string path = library.location().string();
  libraries->push_back({std::move(library), std::move(path), {}});
  OpenLibrary& added = libraries->back();
  BERTH_ASSIGN(added.identity, identity_of(added.path, kPluginFile));
  return &added;
}

// The linker's own message, without what Boost puts around it and without the path that our message starts with.
std::string linker_message(std::string_view text, const std::string& path) {
  constexpr std::string_view kLead = "(dlerror system message: ";
  const std::size_t start = text.find(kLead);
  const std::size_t end = text.rfind(')');
  if (start == std::string_view::npos || end == std::string_view::npos || end < start) return clean_text(text);
  text = text.substr(start + kLead.size(), end - start - kLead.size());
  if (const std::string own = path + ": "; text.starts_with(own)) text.remove_prefix(own.size());
  return clean_text(text);
}

tl::unexpected<Status> open_failure(const std::string& path, const std::string& message) {
  ErrorInfo info{.code = Code::kDriverFailed, .origin = Origin::kDevice, .where = path};
  info.what = "the system cannot open the plugin file";
  info.found = message;
  const auto says = [&](std::string_view part) { return message.find(part) != std::string::npos; };
  if (says("undefined symbol")) {
    info.code = Code::kDependencyMissing;
    info.next_step = "install the library version that defines it, or rebuild the plugin";
  } else if (says("static TLS")) {
    info.code = Code::kDependencyMissing;
    info.next_step = "raise glibc.rtld.optional_static_tls in GLIBC_TUNABLES, or open this plugin before others";
  } else if (says("cannot open shared object file") || says("version `")) {
    info.code = Code::kDependencyMissing;
    info.next_step = "install the missing library, or add its folder to the system's library path";
  }
  return fail(std::move(info));
}

}  // namespace

Result<SharedLibrary> SharedLibrary::open(const std::string& path) {
  namespace mode = boost::dll::load_mode;
  try {
    shared_library library;
    library.load(path, mode::rtld_now | mode::rtld_local);
    BERTH_ASSIGN(const OpenLibrary* const kept, keep_open(std::move(library)));
    SharedLibrary opened;
    opened.library_ = &kept->library;
    opened.mapped_path_ = kept->path;
    opened.identity_ = kept->identity;
    return opened;
  } catch (const std::exception& error) {
    return open_failure(path, linker_message(error.what(), path));
  } catch (...) {
    // A constructor of the library threw something of its own.
    return open_failure(path, "an exception that is no std::exception");
  }
}

void* SharedLibrary::symbol(const char* name) const {
  const auto& library = *static_cast<const shared_library*>(library_);
  if (!library.has(name)) return nullptr;
  return reinterpret_cast<void*>(&library.get<char>(name));
}

}  // namespace berth::loader::detail
