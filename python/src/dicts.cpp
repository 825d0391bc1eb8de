// Graphs from dicts of dicts, as NetworkX keeps them: {name: {neighbour: data}}. An undirected one
// has both directions of every edge, so its rows need sorting alone. `data` holds lengths under a
// key; of several edges between two vertices the shortest counts.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "antipode/error.hpp"
#include "arrays.hpp"
#include "bind.hpp"
#include "length_scale.hpp"
#include "name_index.hpp"

namespace antipode::python {

namespace {

enum class Parallel { none, keyed };  // keyed: {neighbour: {key: data}}

// What the lengths of a graph are. Sums of `mixed` would be of either kind, by the path.
struct LengthKinds {
  bool whole = false, floating = false, other = false;
};

class LengthReader {
 public:
  LengthReader(nb::object key, Parallel parallel) : key_(std::move(key)), parallel_(parallel) {}

  bool is_used() const { return !key_.is_none(); }
  const LengthKinds& kinds() const { return kinds_; }

  double of(PyObject* data) {
    if (parallel_ == Parallel::none) return of_edge(data);
    std::optional<double> shortest;
    PyObject *key = nullptr, *each = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(as_dict(data), &at, &key, &each) != 0;) {
      const double length = of_edge(each);
      if (!shortest || length < *shortest) shortest = length;
    }
    if (!shortest) kinds_.other = true;
    return shortest.value_or(0);
  }

  static PyObject* as_dict(PyObject* object) {
    if (!PyDict_Check(object)) throw nb::type_error("an adjacency is not a dict of dicts");
    return object;
  }

 private:
  double of_edge(PyObject* data) {
    PyObject* const value = PyDict_GetItemWithError(as_dict(data), key_.ptr());
    if (value == nullptr) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      kinds_.whole = true;
      return 1;
    }
    if (PyFloat_CheckExact(value)) {
      kinds_.floating = true;
      return PyFloat_AsDouble(value);
    }
    constexpr long long kExact = 1LL << 53;
    int overflow = 0;
    const long long whole =
        PyLong_CheckExact(value) ? PyLong_AsLongLongAndOverflow(value, &overflow) : -1;
    if (overflow != 0 || whole < 0 || whole > kExact) {
      kinds_.other = true;
      return 0;
    }
    kinds_.whole = true;
    return static_cast<double>(whole);
  }

  nb::object key_;
  Parallel parallel_;
  LengthKinds kinds_;
};

struct Rows {
  std::vector<EdgeOffset> offsets{0};
  std::vector<Vertex> targets;
  std::vector<double> lengths;  // empty: not used
  std::vector<Vertex> loops;    // vertices that have one
};

struct Arc {
  Vertex to;
  double length;
  friend bool operator<(const Arc& a, const Arc& b) { return a.to < b.to; }
};

void check_signals(std::size_t arcs, std::size_t& next) {
  constexpr std::size_t kEvery = std::size_t{1} << 20;
  if (arcs < next) return;
  next = arcs + kEvery;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Fetches the rows of a dict of dicts some time before they are read: most of the time is spent on
// waiting for them. First the dicts, then where they keep their keys.
class RowFetcher {
 public:
  explicit RowFetcher(PyObject* adjacency) : adjacency_(adjacency) {
    for (int i = 0; i < kDicts; ++i) fetch_dict();
    for (int i = 0; i < kKeys; ++i) fetch_keys();
  }
  void next() {
    fetch_dict();
    fetch_keys();
  }

 private:
  static constexpr int kDicts = 16, kKeys = 6;  // rows ahead

  void fetch_dict() {
    if (PyDict_Next(adjacency_, &dict_at_, &name_, &row_) != 0) __builtin_prefetch(row_);
  }
  void fetch_keys() {
#ifndef Py_LIMITED_API
    constexpr std::ptrdiff_t kLine = 64, kLines = 4;
    if (PyDict_Next(adjacency_, &keys_at_, &name_, &row_) == 0 || !PyDict_Check(row_)) return;
    const auto* keys =
        reinterpret_cast<const char*>(reinterpret_cast<const PyDictObject*>(row_)->ma_keys);
    for (std::ptrdiff_t line = 0; line < kLines; ++line) __builtin_prefetch(keys + kLine * line);
#endif
  }

  PyObject *adjacency_, *name_ = nullptr, *row_ = nullptr;
  Py_ssize_t dict_at_ = 0, keys_at_ = 0;
};

template <class Row>
void sort(Row& row) {
  if (!std::is_sorted(row.begin(), row.end())) std::sort(row.begin(), row.end());
}

// visit(neighbour, its number, data) for those in a row of v; loops are dropped: no shortest path
// has one.
template <class Visit>
void for_each_arc(PyObject* row, Vertex v, NameIndex& index, Rows& rows, Visit visit) {
  PyObject *neighbour = nullptr, *data = nullptr;
  LengthReader::as_dict(row);
  for (Py_ssize_t at = 0; PyDict_Next(row, &at, &neighbour, &data) != 0;)
    if (const Vertex to = index.at(neighbour); to != v)
      visit(to, data);
    else
      rows.loops.push_back(v);
}

Rows rows_of(nb::dict adjacency, NameIndex& index, LengthReader& reader) {
  Rows rows;
  rows.offsets.reserve(std::size_t{index.order()} + 1);
  RowFetcher fetcher(adjacency.ptr());
  std::vector<Vertex> plain;
  std::vector<Arc> arcs;
  std::size_t next_check = 0;
  Vertex v = 0;
  PyObject *name = nullptr, *row = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(adjacency.ptr(), &at, &name, &row) != 0; ++v) {
    fetcher.next();
    plain.clear();
    if (reader.is_used()) {
      arcs.clear();
      for_each_arc(row, v, index, rows, [&](Vertex to, PyObject* data) {
        arcs.push_back({to, reader.of(data)});
      });
      sort(arcs);
      for (const Arc& arc : arcs) {
        plain.push_back(arc.to);
        rows.lengths.push_back(arc.length);
      }
    } else {
      for_each_arc(row, v, index, rows, [&](Vertex to, PyObject*) { plain.push_back(to); });
      sort(plain);
    }
    rows.targets.insert(rows.targets.end(), plain.begin(), plain.end());
    rows.offsets.push_back(rows.targets.size());
    check_signals(rows.targets.size(), next_check);
  }
  if (v != index.order()) throw UsageError("the graph changed while it was read");
  return rows;
}

const char* name_of(const LengthKinds& kinds) {
  if (kinds.other) return "other";
  if (kinds.floating) return kinds.whole ? "mixed" : "float";
  return "int";
}

Graph with_lengths(const Graph& graph, std::span<const double> lengths, const LengthKinds& kinds,
                   bool exact) {
  if (kinds.other) throw UsageError("a length is not a number from 0 up");
  if (!kinds.floating)
    return graph.with_lengths(std::vector<Length>(lengths.begin(), lengths.end()), {});
  auto scaled = exact ? scale_exactly(lengths) : scale_decimals(lengths);
  if (!scaled)
    throw UsageError(
        "the lengths have too many digits for exact sums: round them, or multiply "
        "them to whole numbers");
  return graph.with_lengths(std::move(scaled->lengths), scaled->unit);
}

nb::tuple from_dicts(nb::dict leaving, nb::object entering, nb::object length_key, bool keyed,
                     bool exact) {
  NameIndex index(leaving);
  LengthReader reader(length_key, keyed ? Parallel::keyed : Parallel::none);
  Rows rows = rows_of(leaving, index, reader);
  const Labels labels = Labels::sequential(0, index.order());
  Graph graph(std::move(rows.offsets), std::move(rows.targets), labels);
  if (reader.is_used()) graph = with_lengths(graph, rows.lengths, reader.kinds(), exact);
  if (!entering.is_none()) {
    LengthReader none(nb::none(), Parallel::none);
    Rows into = rows_of(nb::cast<nb::dict>(entering), index, none);
    graph =
        graph.with_entering_arcs(Graph(std::move(into.offsets), std::move(into.targets), labels));
  }
  return nb::make_tuple(nb::cast(new GraphObject(std::move(graph)), nb::rv_policy::take_ownership),
                        name_of(reader.kinds()), to_array(std::move(rows.loops)));
}

}  // namespace

void bind_dicts(nb::module_& module) {
  module.def("from_dicts", &from_dicts, nb::arg("leaving"), nb::arg("entering").none(),
             nb::arg("length_key").none(), nb::arg("keyed"), nb::arg("exact"),
             "A graph; the kind of its lengths: int, float or mixed; vertices with loops.");
}

}  // namespace antipode::python
