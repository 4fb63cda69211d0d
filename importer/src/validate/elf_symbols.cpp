// SPDX-License-Identifier: BSD-2-Clause
// The format: System V Application Binary Interface, chapters 4 (object files) and 5 (dynamic
// symbol table). Every offset is somebody else's number and is checked before it is used.
#include "elf_symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace saltus::importer::validation {
namespace {

/// No function of FMI has a longer name. Names may overlap, so that without a limit a file of one
/// megabyte has gigabytes of them.
constexpr std::size_t kLongestName = 256;

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
};

/// The structure at an offset; false if the file ends before.
template <class Structure>
bool read_at(std::string_view bytes, std::uint64_t offset, Structure& structure) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof structure) return false;
  std::memcpy(&structure, bytes.data() + offset, sizeof structure);
  return true;
}

template <class Elf>
class SymbolReader {
 public:
  explicit SymbolReader(std::string_view bytes) : bytes_(bytes) {}

  ElfLibrary read() {
    ElfLibrary library;
    if (!read_at(bytes_, 0, header_)) return {.problem = "the file ends early"};
    library.machine = header_.e_machine;
    if (header_.e_type != ET_DYN) return {.problem = "not a shared library"};
    typename Elf::Section last;
    if (header_.e_shnum > 0 && !section(header_.e_shnum - 1U, last)) {
      return {.problem = "the file ends early"};
    }
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      typename Elf::Section section;
      if (!this->section(i, section)) return {.problem = "the file ends early"};
      if (section.sh_type == SHT_DYNSYM) return with_symbols(std::move(library), section);
    }
    return {.problem = "it has no table of dynamic symbols"};
  }

 private:
  bool section(unsigned index, typename Elf::Section& section) const {
    const std::uint64_t offset = header_.e_shoff + std::uint64_t{index} * header_.e_shentsize;
    return index < header_.e_shnum && read_at(bytes_, offset, section);
  }

  ElfLibrary with_symbols(ElfLibrary library, const typename Elf::Section& table) const {
    typename Elf::Section names;
    if (!section(table.sh_link, names)) return {.problem = "the table of symbols is damaged"};
    const std::uint64_t count = table.sh_size / sizeof(typename Elf::Symbol);
    for (std::uint64_t i = 0; i < count; ++i) {
      typename Elf::Symbol symbol;
      if (!read_at(bytes_, table.sh_offset + i * sizeof symbol, symbol)) {
        return {.problem = "the table of symbols is damaged"};
      }
      const unsigned binding = symbol.st_info >> 4U;
      const unsigned visibility = symbol.st_other & 3U;
      const bool is_visible = visibility == STV_DEFAULT || visibility == STV_PROTECTED;
      if (symbol.st_shndx == SHN_UNDEF || binding == STB_LOCAL || !is_visible) continue;
      std::string name = name_at(names.sh_offset + symbol.st_name);
      if (name.size() < kLongestName) library.functions.insert(std::move(name));
    }
    return library;
  }

  std::string name_at(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    return std::string(
        rest.substr(0, std::min(rest.substr(0, kLongestName).find('\0'), kLongestName)));
  }

  std::string_view bytes_;
  typename Elf::Header header_ = {};
};

}  // namespace

ElfLibrary read_elf(std::string_view bytes) {
  if (bytes.size() < EI_NIDENT || !bytes.starts_with(ELFMAG)) return {.problem = "not an ELF file"};
  constexpr char kOwnOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (bytes[EI_DATA] != kOwnOrder) return {.problem = "its numbers have another byte order"};
  if (bytes[EI_CLASS] == ELFCLASS64) return SymbolReader<Elf64>(bytes).read();
  if (bytes[EI_CLASS] == ELFCLASS32) return SymbolReader<Elf32>(bytes).read();
  return {.problem = "an ELF file of an unknown class"};
}

unsigned elf_machine(std::string_view architecture) {
  static constexpr std::pair<std::string_view, unsigned> kMachines[] = {
      {"x86_64", EM_X86_64},  {"x86", EM_386},       {"aarch64", EM_AARCH64}, {"aarch32", EM_ARM},
      {"riscv64", EM_RISCV},  {"riscv32", EM_RISCV}, {"ppc64", EM_PPC64},     {"ppc32", EM_PPC},
      {"linux64", EM_X86_64}, {"linux32", EM_386}};
  for (const auto& [name, machine] : kMachines) {
    if (name == architecture) return machine;
  }
  return 0;
}

}  // namespace saltus::importer::validation
