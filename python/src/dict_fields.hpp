// Reads dicts strictly: every field is there, is of its type and range, and no other is there.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certificate_dicts.hpp"

namespace antipode::python {

template <class Value>
using Named = std::pair<Value, std::string_view>;

template <class Value, std::size_t kCount>
std::string_view name_in(const Named<Value> (&names)[kCount], Value value) {
  for (const auto& [each, name] : names)
    if (each == value) return name;
  return "";
}

class DictFields {
 public:
  DictFields(nb::handle object, std::string where) : object_(object), where_(std::move(where)) {
    if (!PyDict_CheckExact(object.ptr())) throw NoCertificate(where_ + " is no object");
  }

  nb::handle at(const char* key) {
    ++used_;
    PyObject* const value = PyDict_GetItemString(object_.ptr(), key);
    if (value == nullptr) throw NoCertificate(where_ + " has no field '" + key + "'");
    return value;
  }
  template <class Number>
  Number number(const char* key) {
    return to_number<Number>(at(key), key);
  }
  std::string text(const char* key) { return to_text(at(key), key); }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> result;
    for_each(key, [&](nb::handle item) { result.push_back(to_text(item, key)); });
    return result;
  }
  template <class Number>
  std::vector<Number> numbers(const char* key) {
    std::vector<Number> result;
    for_each(key, [&](nb::handle item) { result.push_back(to_number<Number>(item, key)); });
    return result;
  }
  bool truth(const char* key) {
    const nb::handle value = at(key);
    if (!PyBool_Check(value.ptr()))
      throw NoCertificate("'" + std::string(key) + "' is neither true nor false");
    return value.is(Py_True);
  }
  template <class Value, std::size_t kCount>
  Value word(const char* key, const Named<Value> (&names)[kCount]) {
    const std::string given = text(key);
    for (const auto& [value, name] : names)
      if (name == given) return value;
    throw NoCertificate("'" + std::string(key) + "' has the unknown word '" + given + "'");
  }
  // 16 hexadecimal digits.
  std::uint64_t hex(const char* key);

  template <class Take>
  void for_each(const char* key, Take take) {
    const nb::handle list = at(key);
    if (!PyList_CheckExact(list.ptr()))
      throw NoCertificate("'" + std::string(key) + "' is no list");
    for (const nb::handle item : nb::borrow<nb::list>(list)) take(item);
  }
  void finish() const {
    if (used_ != static_cast<std::size_t>(PyDict_Size(object_.ptr())))
      throw NoCertificate(where_ + " has fields that mean nothing");
  }

 private:
  template <class Number>
  static Number to_number(nb::handle value, const char* key) {
    std::uint64_t number = 0;
    const bool is_number = PyLong_CheckExact(value.ptr()) && nb::try_cast(value, number) &&
                           number <= std::numeric_limits<Number>::max();
    if (!is_number) throw NoCertificate("'" + std::string(key) + "' is no number of its range");
    return static_cast<Number>(number);
  }
  static std::string to_text(nb::handle value, const char* key) {
    if (!PyUnicode_CheckExact(value.ptr()))
      throw NoCertificate("'" + std::string(key) + "' holds something that is no text");
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
    PyErr_Clear();  // half of a surrogate pair
    throw NoCertificate("'" + std::string(key) + "' holds text that is no Unicode");
  }

  nb::handle object_;
  std::string where_;
  std::size_t used_ = 0;
};

}  // namespace antipode::python
