// Opens the OpenCL loader of the machine, once, and never closes it: drivers have threads of their
// own. Functions that the process has already come first, since simulators and tracers are put
// before the program that way.
#include "engine/opencl/loader.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstdlib>
#include <new>

namespace antipode::opencl {

namespace {

constexpr char kLoader[] = "libOpenCL.so.1";

struct Loaded {
  ClFunctions functions;
  std::string missing;

  Loaded() {
    const char* const named = std::getenv("ANTIPODE_OPENCL_LIBRARY");
    const bool is_there = named == nullptr && dlsym(RTLD_DEFAULT, "clGetPlatformIDs") != nullptr;
    errno = 0;
    void* const library =
        is_there ? RTLD_DEFAULT : dlopen(named != nullptr ? named : kLoader, RTLD_NOW | RTLD_LOCAL);
    if (!is_there && library == nullptr) {
      if (errno == ENOMEM) throw std::bad_alloc();
      const char* const reason = dlerror();
      missing = "no OpenCL loader is installed (on Debian, ocl-icd-libopencl1 is one): ";
      missing += reason != nullptr ? reason : kLoader;
      return;
    }
#define ANTIPODE_CL_FIND(name) find(library, #name, functions.name);
    ANTIPODE_CL_FUNCTIONS(ANTIPODE_CL_FIND)
#undef ANTIPODE_CL_FIND
  }

  template <class Function>
  void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (function == nullptr && missing.empty())
      missing = std::string("the OpenCL loader has no ") + name + ", a function of OpenCL 1.2";
  }
};

const Loaded& loaded() {
  static const Loaded once;
  return once;
}

}  // namespace

const std::string& missing_functions() { return loaded().missing; }

const ClFunctions& cl() { return loaded().functions; }

}  // namespace antipode::opencl
