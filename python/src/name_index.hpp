// The numbers of Python objects that are keys of a dict, in its order. If they are 0, 1, 2, … these
// are the numbers; other whole numbers are looked up in a table by their value. Others are looked
// up by address first, since neighbours are nearly always the very objects that are keys; by value
// if that fails. Memory: 0 to 32 bytes per key.
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
    if (is_range_) {
      if (const long long value = number(name); static_cast<unsigned long long>(value) < order_)
        return static_cast<Vertex>(value);
    } else if (!by_number_.empty()) {
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

  // -1 for what is no whole number, or a negative or large one.
  static long long number(PyObject* name) {
    int overflow = 0;
    return PyLong_CheckExact(name) ? PyLong_AsLongLongAndOverflow(name, &overflow) : -1;
  }
  Vertex by_number(PyObject* name) const {
    const auto value = static_cast<unsigned long long>(number(name));
    return value < by_number_.size() ? by_number_[value] : kNoVertex;
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
  bool take_range();
  bool take_numbers();
  void take_addresses();

  nb::dict keys_;
  Vertex order_ = 0;
  bool is_range_ = false;          // 0, 1, 2, …: then nothing below is needed
  std::vector<Vertex> by_number_;  // empty: names are not whole numbers near 0
  std::vector<Slot> slots_;        // a power of two of them, at most half full
  std::size_t mask_ = 0;
  nb::dict by_value_;  // made when it is needed
};

}  // namespace antipode::python
