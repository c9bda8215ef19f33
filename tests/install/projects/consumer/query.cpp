// Reads a plugin file as the host does, without running its code. Usage: query <plugin file>
#include <berth/berth.h>

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto file = berth::loader::probe_file(argv[1]);
  if (!file.has_value()) {
    std::puts(file.error().message().c_str());
    return 1;
  }
  std::puts(file->usable.message().c_str());
  const bool only_query = file->exported == std::vector<std::string>{"berth_plugin_query"};
  const bool named = file->note.has_value() && file->note->name == "harbour" && file->note->device_type == "npu";
  std::printf("exports only the query: %d, note: %d\n", only_query, named);
  return file->usable.ok() && only_query && named ? 0 : 1;
}
