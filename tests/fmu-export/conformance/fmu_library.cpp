// SPDX-License-Identifier: BSD-2-Clause
#include "fmu_library.hpp"

#include <dlfcn.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "saltus/importer/fmu.hpp"

namespace conformance {
namespace {

// Where the build has put things, a line for each FMU: its name, the binaries and the archives of
// FMI 3.0 and 2.0.
struct Place {
  std::string binary3, binary2, archive3, archive2;
};

void* load(const std::string& binary) {
  void* const handle = dlopen(binary.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return handle;
}

const std::map<std::string, Place>& places() {
  static const std::map<std::string, Place> all = [] {
    std::map<std::string, Place> result;
    std::ifstream list(SALTUS_FMU_PLACES);
    std::string name;
    Place place;
    while (std::getline(list, name, '|') && std::getline(list, place.binary3, '|') &&
           std::getline(list, place.binary2, '|') && std::getline(list, place.archive3, '|') &&
           std::getline(list, place.archive2)) {
      result[name] = place;
    }
    return result;
  }();
  return all;
}

template <class Pointer>
void find(void* handle, const char* name, Pointer*& function) {
  function = reinterpret_cast<Pointer*>(dlsym(handle, name));
  if (function == nullptr) {
    throw std::runtime_error(std::string("the binary does not export ") + name);
  }
}

}  // namespace

FmuLibrary::FmuLibrary(const std::string& name) : name_(name) {
  const Place& place = places().at(name);
  description3_ = saltus::importer::Fmu::open(place.archive3).description();
  description2_ = saltus::importer::Fmu::open(place.archive2).description();
  handle3_ = load(place.binary3);
  handle2_ = load(place.binary2);
#define SALTUS_FIND(Return, Name, Parameters) find(handle3_, #Name, fmi3_.Name);
  SALTUS_FMI3_FUNCTIONS(SALTUS_FIND)
#undef SALTUS_FIND
#define SALTUS_FIND(Return, Name, Parameters) find(handle2_, #Name, fmi2_.Name);
  SALTUS_FMI2_FUNCTIONS(SALTUS_FIND)
#undef SALTUS_FIND
}

FmuLibrary::~FmuLibrary() {
  dlclose(handle2_);
  dlclose(handle3_);
}

const std::vector<std::string>& all_fmus() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto& [name, place] : places()) result.push_back(name);
    return result;
  }();
  return names;
}

const FmuLibrary& fmu(const std::string& name) {
  static std::map<std::string, std::unique_ptr<FmuLibrary>> loaded;
  std::unique_ptr<FmuLibrary>& library = loaded[name];
  if (library == nullptr) library = std::make_unique<FmuLibrary>(name);
  return *library;
}

}  // namespace conformance
