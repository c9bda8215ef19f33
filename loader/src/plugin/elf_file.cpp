#include "plugin/elf_file.h"

#include <gelf.h>

#define BERTH_HOST
#include <berth/plugin.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "plugin/plugin_note.h"
#include "plugin/plugin_rules.h"

namespace berth::loader::detail {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const noexcept { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

Status no_elf(const PluginFileInfo& info, std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kDevice,
                 .where = info.path,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

// For bytes that libelf does not take as one ELF file.
Status explain(std::span<const std::byte> bytes, const PluginFileInfo& info) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string found = "something else";
  if (bytes.empty()) {
    found = "an empty file";
  } else if (text.starts_with("!<arch>\n") || text.starts_with("!<thin>\n")) {
    found = "a static archive";
  } else if (text.starts_with(ELFMAG)) {
    found = "the beginning of an ELF file, " + std::to_string(bytes.size()) + " bytes";
  } else if (text.starts_with("#!") || std::ranges::all_of(text.substr(0, 64), [](unsigned char c) {
               return c >= 0x20 || c == '\n' || c == '\t' || c == '\r';
             })) {
    found = "a text file";
  }
  return no_elf(info, "this is no plugin", "an ELF shared object", std::move(found));
}

const char* machine_text(GElf_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    case EM_PPC64:
      return "ppc64";
    case EM_RISCV:
      return "risc-v";
    case EM_S390:
      return "s390";
    default:
      return "";
  }
}

GElf_Half own_machine() {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#elif defined(__powerpc64__)
  return EM_PPC64;
#elif defined(__riscv)
  return EM_RISCV;
#else
  return EM_NONE;
#endif
}

std::string machine_name(GElf_Half machine) {
  const std::string name = machine_text(machine);
  return name.empty() ? "machine " + std::to_string(machine) : name;
}

const char* type_text(GElf_Half type) {
  switch (type) {
    case ET_REL:
      return "object file";
    case ET_EXEC:
      return "executable";
    case ET_DYN:
      return "shared object";
    case ET_CORE:
      return "core dump";
    default:
      return "unknown";
  }
}

// How many bytes the headers, sections and segments need; what follows is cut off in a damaged file.
std::uint64_t bytes_needed(Elf* elf, const GElf_Ehdr& header) {
  const auto end = [](std::uint64_t offset, std::uint64_t length) {
    return offset > UINT64_MAX - length ? UINT64_MAX : offset + length;
  };
  std::uint64_t needed = end(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize);
  needed = std::max(needed, end(header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize));
  for (int i = 0; i < header.e_phnum; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, i, &segment) != nullptr) needed = std::max(needed, end(segment.p_offset, segment.p_filesz));
  }
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr facts;
    if (gelf_getshdr(section, &facts) != nullptr && facts.sh_type != SHT_NOBITS) {
      needed = std::max(needed, end(facts.sh_offset, facts.sh_size));
    }
  }
  return needed;
}

std::string string_at(Elf* elf, const GElf_Shdr& section, std::uint64_t offset) {
  const char* text = elf_strptr(elf, section.sh_link, offset);
  return text == nullptr ? std::string() : text;
}

void read_dynamic(Elf* elf, Elf_Data* data, const GElf_Shdr& section, PluginFileInfo& info) {
  GElf_Dyn entry;
  for (int i = 0; gelf_getdyn(data, i, &entry) != nullptr && entry.d_tag != DT_NULL; ++i) {
    if (entry.d_tag == DT_NEEDED) info.needed.push_back(string_at(elf, section, entry.d_un.d_val));
    if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_STATIC_TLS) != 0) info.static_tls = true;
    if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) info.type = type_text(ET_EXEC);
  }
}

void read_symbols(Elf* elf, Elf_Data* data, const GElf_Shdr& section, PluginFileInfo& info) {
  GElf_Sym symbol;
  for (int i = 1; gelf_getsym(data, i, &symbol) != nullptr; ++i) {
    const std::string name = string_at(elf, section, symbol.st_name);
    const unsigned char bind = GELF_ST_BIND(symbol.st_info);
    if (name.empty() || bind == STB_LOCAL) continue;
    if (symbol.st_shndx == SHN_UNDEF) {
      if (bind == STB_GLOBAL) info.undefined.push_back(name);
      continue;
    }
    info.exported.push_back(name);
    if (name == BERTH_PLUGIN_QUERY_SYMBOL && GELF_ST_TYPE(symbol.st_info) == STT_FUNC) info.exports_query = true;
  }
}

// Looks for a note of ours; `out_status` is OK when a good one was found.
void read_notes(Elf_Data* data, PluginFileInfo& info, Status& out_status) {
  GElf_Nhdr header;
  std::size_t name = 0;
  std::size_t body = 0;
  for (std::size_t at = 0; (at = gelf_getnote(data, at, &header, &name, &body)) > 0;) {
    const char* bytes = static_cast<const char*>(data->d_buf);
    constexpr std::string_view kOwner(BERTH_NOTE_OWNER, sizeof BERTH_NOTE_OWNER);
    if (header.n_type != BERTH_NOTE_TYPE || std::string_view(bytes + name, header.n_namesz) != kOwner) continue;
    auto note = decode_note({reinterpret_cast<const std::byte*>(bytes + body), header.n_descsz});
    out_status = note.status();
    if (note.has_value()) info.note = std::move(*note);
    return;
  }
}

void read_sections(Elf* elf, PluginFileInfo& info, Status& out_note) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr facts;
    if (gelf_getshdr(section, &facts) == nullptr) continue;
    if (facts.sh_type != SHT_DYNAMIC && facts.sh_type != SHT_DYNSYM && facts.sh_type != SHT_NOTE) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    if (facts.sh_type == SHT_DYNAMIC) read_dynamic(elf, data, facts, info);
    if (facts.sh_type == SHT_DYNSYM) read_symbols(elf, data, facts, info);
    if (facts.sh_type == SHT_NOTE && !info.note) read_notes(data, info, out_note);
  }
}

Status unusable(Code code, std::string what, std::string expected, std::string found, const char* rule = "") {
  return Status({.code = code,
                 .origin = Origin::kDevice,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .rule = rule});
}

Status judge(const PluginFileInfo& info, GElf_Half machine, const Status& note_status) {
  if (info.elf_class != "ELF64" || machine != own_machine()) {
    return unusable(Code::kUnsupported, "the plugin is built for another processor",
                    "ELF64 " + machine_name(own_machine()), info.elf_class + " " + info.machine);
  }
  if (info.type != type_text(ET_DYN)) {
    return unusable(Code::kInvalidArgument, "this is no plugin", "an ELF shared object", "an ELF " + info.type);
  }
  if (!note_status.ok()) return note_status;
  if (!info.note) {
    return unusable(Code::kPluginFault, "this is no Berth plugin, or one without its metadata", "the note .note.berth",
                    "none", rules::kNotePresent);
  }
  if (!info.exports_query) {
    return unusable(Code::kPluginFault, "the plugin lacks its entry point", "the exported function berth_plugin_query",
                    "none", rules::kQueryExported);
  }
  return judge_note(*info.note, host_traits());
}

}  // namespace

Status read_elf(std::span<const std::byte> bytes, PluginFileInfo& info) {
  elf_version(EV_CURRENT);
  // libelf reads through the pointer only: sections are not written and the handle is not updated.
  auto* start = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  const ElfHandle elf(bytes.empty() ? nullptr : elf_memory(start, bytes.size()));
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr) {
    return explain(bytes, info);
  }
  info.elf_class = gelf_getclass(elf.get()) == ELFCLASS64 ? "ELF64" : "ELF32";
  info.machine = machine_name(header.e_machine);
  info.type = type_text(header.e_type);
  if (const std::uint64_t needed = bytes_needed(elf.get(), header); needed > bytes.size()) {
    return no_elf(info, "the ELF file is cut off", "at least " + std::to_string(needed) + " bytes",
                  std::to_string(bytes.size()) + " bytes");
  }
  Status note_status;
  read_sections(elf.get(), info, note_status);
  info.usable = judge(info, header.e_machine, note_status).at(info.path);
  return {};
}

}  // namespace berth::loader::detail
