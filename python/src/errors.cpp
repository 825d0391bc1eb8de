// Exceptions of the library become those of antipode_graph._errors, which have Python's as parents.
#include <nanobind/nanobind.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "antipode/error.hpp"
#include "bind.hpp"
#include "certificate_dicts.hpp"

namespace antipode::python {

namespace {

// Messages that advise an option of the program name the argument instead.
std::string for_python(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"--memory-limit", "memory_limit="}, {"--resume", "resume=True"},
      {"--engine cpu", "engine='cpu'"},    {"--weighted", "weighted="},
      {"--directed", "directed="},         {"--format", "format="}};
  for (const auto& [option, argument] : kWords)
    for (std::size_t at; (at = text.find(option)) != std::string::npos;)
      text.replace(at, option.size(), argument);
  return text;
}

void set_error(const char* name, const std::string& message) {
  const nb::object kind = nb::module_::import_("antipode_graph._errors").attr(name);
  PyErr_SetObject(kind.ptr(),
                  nb::str(printable(for_python(message), LineEnds::kept).c_str()).ptr());
}

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const NoCertificate& e) {
    set_error("CertificateRefused", std::string("this is no certificate: ") + e.what());
  } catch (const UsageError& e) {
    set_error("UsageError", e.what());
  } catch (const InputError& e) {
    set_error("InputError", e.what());
  } catch (const Interrupted&) {
    set_error("Stopped", "stopped before there was an answer");
  } catch (const OutOfMemory& e) {
    set_error("OutOfMemory", e.what());
  } catch (const DeviceError& e) {
    set_error("DeviceError", e.what());
  } catch (const Error& e) {
    set_error("Error", e.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(&translate); }

}  // namespace antipode::python
