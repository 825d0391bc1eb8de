// Certificates as Python's dicts, with the fields of the files that the program writes: see
// docs/definitions.md and docs/paths.md, "Certificates".
#pragma once

#include <nanobind/nanobind.h>

#include <variant>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "antipode/path_certificate.hpp"

namespace antipode::python {

namespace nb = nanobind;

// What is read is no certificate: a field is missing, or has a value that means nothing.
class NoCertificate : public Error {
  using Error::Error;
};

using AnyCertificate = std::variant<Certificate, PathCertificate>;

nb::dict to_dict(const Certificate& certificate);
nb::dict to_dict(const PathCertificate& certificate);
AnyCertificate certificate_from(nb::handle object);

Question question_of(std::string_view name);  // UsageError for what is none
std::string_view name_of(Question question);

}  // namespace antipode::python
