#include "plugin/shared_library.h"

#include <atomic>
#include <boost/dll/shared_library.hpp>
#include <memory>
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
  const OpenLibrary* older = nullptr;
};

// A list and no lock, so that a forked child finds it whole. Never destroyed: a destructor would unmap.
constinit std::atomic<const OpenLibrary*> newest_library{nullptr};

const OpenLibrary* find_open(const OpenLibrary* newest, const shared_library& library) {
  while (newest != nullptr && newest->library.native() != library.native()) newest = newest->older;
  return newest;
}

// Keeps a library open for good and gives the one object there is for it.
Result<const OpenLibrary*> keep_open(shared_library library) {
  const OpenLibrary* newest = newest_library.load(std::memory_order_acquire);
  if (const OpenLibrary* open = find_open(newest, library)) return open;
  auto added = std::make_unique<OpenLibrary>();
  added->path = library.location().string();
  added->library = std::move(library);
  auto identity = identity_of(added->path, kPluginFile);
  if (!identity.has_value()) {
    static_cast<void>(added.release());  // stays mapped all the same: its constructors have run
    return fail(std::move(identity).error());
  }
  added->identity = *identity;
  do {
    if (const OpenLibrary* open = find_open(newest, added->library)) return open;
    added->older = newest;
  } while (!newest_library.compare_exchange_weak(newest, added.get(), std::memory_order_acq_rel));
  return added.release();
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
