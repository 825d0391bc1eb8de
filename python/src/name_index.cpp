#include "name_index.hpp"

#include <bit>

#include "antipode/error.hpp"

namespace antipode::python {

namespace {

template <class Visit>
void for_each_key(nb::dict dict, Visit visit) {
  PyObject *key = nullptr, *value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, &value) != 0;)
    if (!visit(key)) return;
}

}  // namespace

NameIndex::NameIndex(nb::dict keys) : keys_(std::move(keys)) {
  const std::size_t count = nb::len(keys_);
  if (count > kMaxOrder) throw UsageError("too many vertices");
  order_ = static_cast<Vertex>(count);
  if (!take_range() && !take_numbers()) take_addresses();
}

bool NameIndex::take_range() {
  Vertex next = 0;
  is_range_ = true;
  for_each_key(keys_, [&](PyObject* key) { return is_range_ = number(key) == next++; });
  return is_range_;
}

bool NameIndex::take_numbers() {
  const std::size_t most = 4 * std::size_t{order_} + 1024;
  by_number_.assign(most, kNoVertex);
  bool fits = true;
  Vertex next = 0;
  for_each_key(keys_, [&](PyObject* key) {
    const auto value = static_cast<unsigned long long>(number(key));
    fits = value < most;
    if (fits) by_number_[value] = next++;
    return fits;
  });
  if (!fits) by_number_ = {};
  return fits;
}

void NameIndex::take_addresses() {
  slots_.assign(std::bit_ceil(2 * std::size_t{order_} + 2), {});
  mask_ = slots_.size() - 1;
  Vertex next = 0;
  for_each_key(keys_, [&](PyObject* key) {
    std::size_t i = place_of(key);
    while (slots_[i].name != nullptr) i = (i + 1) & mask_;
    slots_[i] = {key, next++};
    return true;
  });
}

Vertex NameIndex::by_value(PyObject* name) {
  if (nb::len(by_value_) == 0) {
    Vertex next = 0;
    for_each_key(keys_, [&](PyObject* key) {
      by_value_[nb::handle(key)] = next++;
      return true;
    });
  }
  PyObject* const found = PyDict_GetItemWithError(by_value_.ptr(), name);
  if (found != nullptr) return static_cast<Vertex>(PyLong_AsUnsignedLong(found));
  if (PyErr_Occurred() == nullptr) PyErr_SetObject(PyExc_KeyError, name);
  throw nb::python_error();
}

}  // namespace antipode::python
