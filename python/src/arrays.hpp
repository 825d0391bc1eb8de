// Vectors as NumPy arrays without a copy, and arrays of callers as spans.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace antipode::python {

namespace nb = nanobind;

template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Returned = nb::ndarray<nb::numpy, T>;

template <class T>
std::span<const T> span_of(const Given<T>& array) {
  return {array.data(), array.shape(0)};
}

// The vector's memory becomes the array's.
template <class T>
nb::object to_array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = kept->data();
  const nb::capsule owner(
      kept.get(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  kept.release();
  return nb::cast(Returned<T>(data, shape.size(), shape.begin(), owner));
}

template <class T>
nb::object to_array(std::vector<T> values) {
  const std::size_t count = values.size();
  return to_array(std::move(values), {count});
}

// A read-only view; the array keeps `owner` alive.
template <class T>
nb::object view_of(std::span<const T> values, nb::handle owner) {
  return nb::cast(Returned<const T>(values.data(), {values.size()}, owner));
}

}  // namespace antipode::python
