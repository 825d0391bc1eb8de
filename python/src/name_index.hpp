// The numbers of Python objects that are keys of a dict, in its order. Whole numbers are looked up
// in a table by their value. Others are looked up by address first, since neighbours are nearly
// always the very objects that are keys; by value if that fails. Memory: 4 to 32 bytes per key.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::python {

namespace nb = nanobind;

class NameIndex {
 public:
  explicit NameIndex(nb::dict keys);

  Vertex order() const { return order_; }
  // Throws KeyError for an object that is no key.
  Vertex at(PyObject* name) {
    if (!by_number_.empty()) {
      if (const Vertex v = by_number(name); v != kNoVertex) return v;
    } else if (const Vertex v = by_address(name); v != kNoVertex) {
      return v;
    }
    return by_value(name);
  }

 private:
  struct Slot {
    PyObject* name = nullptr;
    Vertex number = kNoVertex;
  };

  Vertex by_number(PyObject* name) const {
    if (!PyLong_CheckExact(name)) return kNoVertex;
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(name, &overflow);
    if (overflow != 0 || value < 0 || static_cast<std::size_t>(value) >= by_number_.size())
      return kNoVertex;
    return by_number_[static_cast<std::size_t>(value)];
  }
  Vertex by_address(PyObject* name) const {
    for (std::size_t i = place_of(name);; i = (i + 1) & mask_) {
      if (slots_[i].name == name) return slots_[i].number;
      if (slots_[i].name == nullptr) return kNoVertex;
    }
  }
  std::size_t place_of(PyObject* name) const {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    return (reinterpret_cast<std::uintptr_t>(name) >> 4) * kGoldenRatio >> 24 & mask_;
  }
  Vertex by_value(PyObject* name);
  bool take_numbers();
  void take_addresses();

  nb::dict keys_;
  Vertex order_ = 0;
  std::vector<Vertex> by_number_;  // empty: names are not whole numbers near 0
  std::vector<Slot> slots_;        // a power of two of them, at most half full
  std::size_t mask_ = 0;
  nb::dict by_value_;  // made when it is needed
};

}  // namespace antipode::python
