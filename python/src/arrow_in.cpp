// Tables of edges from any object with __arrow_c_stream__: its stream is read batch by batch, and
// the columns that are wanted become arrays.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "arrays.hpp"
#include "arrow_columns.hpp"
#include "bind.hpp"

namespace antipode::python {

namespace {

class Stream {
 public:
  explicit Stream(const nb::object& capsule) {
    auto* const given =
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStreamCapsule));
    if (given == nullptr) throw nb::python_error();
    if (given->release == nullptr) throw UsageError("the Arrow stream was read before");
    static_cast<ArrowArrayStream&>(stream_) = *given;
    given->release = nullptr;  // it is ours now
  }

  void read_schema(ArrowSchema& schema) { check(stream_.get_schema(&stream_, &schema)); }
  bool next(ArrowArray& array) {
    check(stream_.get_next(&stream_, &array));
    return array.release != nullptr;
  }

 private:
  void check(int error) {
    if (error == 0) return;
    const char* const why = stream_.get_last_error(&stream_);
    throw UsageError(std::string("the Arrow stream ended with an error: ") +
                     (why != nullptr ? why : "it does not say which"));
  }

  Held<ArrowArrayStream> stream_;
};

// The numbers of the columns with these names; without names the first ones.
std::vector<std::int64_t> find_columns(const ArrowSchema& schema,
                                       const std::vector<std::string>& names, std::size_t count) {
  if (std::string_view(schema.format) != "+s")
    throw UsageError("an Arrow stream of edges is one of tables, with columns");
  std::vector<std::int64_t> result;
  for (const std::string& name : names) {
    std::int64_t at = 0;
    while (at < schema.n_children && name != name_of(*schema.children[at])) ++at;
    if (at == schema.n_children) throw UsageError("the table has no column '" + name + "'");
    result.push_back(at);
  }
  if (!names.empty()) return result;
  if (static_cast<std::size_t>(schema.n_children) < count)
    throw UsageError("a table of edges has columns source, target and, with lengths, length");
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<std::int64_t>(i));
  return result;
}

// Rows of the table itself may be missing, too.
void check_rows(const ArrowArray& batch) {
  if (batch.null_count == 0 || batch.n_buffers == 0 || batch.buffers[0] == nullptr) return;
  const auto* const there = static_cast<const std::uint8_t*>(batch.buffers[0]);
  for (std::int64_t i = batch.offset; i < batch.offset + batch.length; ++i)
    if ((there[i / 8] >> (i % 8) & 1) == 0) throw UsageError("the table has rows without values");
}

struct Columns {
  Held<ArrowSchema> schema;
  std::vector<std::unique_ptr<ArrowColumn>> columns;
};

std::unique_ptr<Columns> read(Stream& stream, const std::vector<std::string>& names,
                              std::size_t count, Watch& watch) {
  auto result = std::make_unique<Columns>();
  stream.read_schema(result->schema);
  const auto wanted = find_columns(result->schema, names, count);
  for (const std::int64_t at : wanted)
    result->columns.push_back(std::make_unique<ArrowColumn>(*result->schema.children[at]));
  for (;;) {
    if (watch.stop()) throw Interrupted();
    Held<ArrowArray> batch;
    if (!stream.next(batch)) return result;
    check_rows(batch);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      result->columns[i]->append(*batch.children[wanted[i]], batch.offset, batch.length);
  }
}

nb::object values_of(ArrowColumn& column) {
  if (column.kind() == ArrowColumn::Kind::floating) return to_array(std::move(column.floating()));
  const nb::object whole = to_array(std::move(column.whole()));
  return column.kind() == ArrowColumn::Kind::text ? nb::make_tuple(whole, column.names()) : whole;
}

// An array for each column; of text a pair: positions in a list, and the list.
nb::list read_columns(const nb::object& capsule, const std::vector<std::string>& names,
                      std::size_t count) {
  Stream stream(capsule);
  Watch watch(nb::none(), 0);
  const auto found = without_gil(watch, [&] { return read(stream, names, count, watch); });
  if (!found) throw Interrupted();
  nb::list result;
  for (const auto& column : (*found)->columns) result.append(values_of(*column));
  return result;
}

}  // namespace

void bind_arrow_in(nb::module_& module) {
  module.def("arrow_columns", &read_columns, nb::arg("stream"), nb::arg("names"), nb::arg("count"));
}

}  // namespace antipode::python
