// Answers as Arrow tables: one batch of columns, whose numbers stay where they are. What is given
// out may be released by any thread, and after the table is gone.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "arrays.hpp"
#include "arrow_abi.hpp"
#include "bind.hpp"

namespace antipode::python {

namespace {

struct Column {
  std::string name;
  const char* format = "";
  std::vector<const void*> buffers;  // the first: which values are there; none lack
  nb::object owner;
  std::vector<std::int64_t> ends;  // of text
  std::string text;
};

class ArrowTable {
 public:
  std::vector<Column> columns;
  std::size_t rows = 0;
};
// Its arrays are Python's, so it goes with the GIL held; never, once Python has ended.
using Shared = std::shared_ptr<const ArrowTable>;

void drop(Shared* shared) {
  if (!nb::is_alive()) return;
  const nb::gil_scoped_acquire gil;
  delete shared;
}

// -- what a consumer releases ---------------------------------------------------------------------

void release_schema(ArrowSchema* schema) {
  for (std::int64_t i = 0; i < schema->n_children; ++i) {
    if (schema->children[i]->release != nullptr) schema->children[i]->release(schema->children[i]);
    delete schema->children[i];
  }
  delete[] schema->children;
  drop(static_cast<Shared*>(schema->private_data));
  schema->release = nullptr;
}

void release_array(ArrowArray* array) {
  for (std::int64_t i = 0; i < array->n_children; ++i) {
    if (array->children[i]->release != nullptr) array->children[i]->release(array->children[i]);
    delete array->children[i];
  }
  delete[] array->children;
  delete[] array->buffers;
  drop(static_cast<Shared*>(array->private_data));
  array->release = nullptr;
}

void fill(ArrowSchema& schema, const Shared& table, const char* format, const char* name) {
  schema = {.format = format,
            .name = name,
            .metadata = nullptr,
            .flags = 0,
            .n_children = 0,
            .children = nullptr,
            .dictionary = nullptr,
            .release = &release_schema,
            .private_data = new Shared(table)};
}

void fill(ArrowSchema& schema, const Shared& table) {
  fill(schema, table, "+s", "");
  schema.children = new ArrowSchema*[table->columns.size()];
  for (const Column& column : table->columns) {
    auto* const child = new ArrowSchema;
    fill(*child, table, column.format, column.name.c_str());
    schema.children[schema.n_children++] = child;
  }
}

void fill(ArrowArray& array, const Shared& table, const std::vector<const void*>& buffers) {
  auto* const list = new const void*[buffers.size()];
  std::copy(buffers.begin(), buffers.end(), list);
  array = {.length = static_cast<std::int64_t>(table->rows),
           .null_count = 0,
           .offset = 0,
           .n_buffers = static_cast<std::int64_t>(buffers.size()),
           .n_children = 0,
           .buffers = list,
           .children = nullptr,
           .dictionary = nullptr,
           .release = &release_array,
           .private_data = new Shared(table)};
}

void fill(ArrowArray& array, const Shared& table) {
  fill(array, table, {nullptr});
  array.children = new ArrowArray*[table->columns.size()];
  for (const Column& column : table->columns) {
    auto* const child = new ArrowArray;
    fill(*child, table, column.buffers);
    array.children[array.n_children++] = child;
  }
}

// A stream of one batch.
struct Batches {
  Shared table;
  bool is_given = false;
};

int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  fill(*out, static_cast<Batches*>(stream->private_data)->table);
  return 0;
}
int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& batches = *static_cast<Batches*>(stream->private_data);
  if (batches.is_given)
    out->release = nullptr;
  else
    fill(*out, batches.table);
  batches.is_given = true;
  return 0;
}
const char* stream_error(ArrowArrayStream*) { return nullptr; }
void release_stream(ArrowArrayStream* stream) {
  if (nb::is_alive()) {
    const nb::gil_scoped_acquire gil;
    delete static_cast<Batches*>(stream->private_data);
  }
  stream->release = nullptr;
}

// -- capsules -------------------------------------------------------------------------------------

template <class Struct>
nb::object to_capsule(std::unique_ptr<Struct> given, const char* name) {
  PyObject* const capsule = PyCapsule_New(given.get(), name, [](PyObject* self) {
    auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
  if (capsule == nullptr) throw nb::python_error();
  given.release();
  return nb::steal(capsule);
}

nb::object schema_of(const Shared& table) {
  auto schema = std::make_unique<ArrowSchema>();
  fill(*schema, table);
  return to_capsule(std::move(schema), kSchemaCapsule);
}

// The schema that is asked for is a wish: ours is given.
nb::tuple array_of(const Shared& table, nb::handle) {
  auto array = std::make_unique<ArrowArray>();
  fill(*array, table);
  return nb::make_tuple(schema_of(table), to_capsule(std::move(array), kArrayCapsule));
}

nb::object stream_of(const Shared& table, nb::handle) {
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{.get_schema = &stream_schema,
                       .get_next = &stream_next,
                       .get_last_error = &stream_error,
                       .release = &release_stream,
                       .private_data = new Batches{.table = table}});
  return to_capsule(std::move(stream), kStreamCapsule);
}

// -- columns --------------------------------------------------------------------------------------

template <class Value>
bool add_numbers(Column& column, nb::handle values, const char* format, std::size_t& rows) {
  Given<Value> array;
  if (!nb::try_cast(values, array, false)) return false;
  column.format = format;
  column.buffers = {nullptr, array.data()};
  column.owner = nb::borrow(values);
  rows = array.shape(0);
  return true;
}

void add_text(Column& column, const std::vector<std::string>& values) {
  column.format = "U";
  column.ends = {0};
  column.ends.reserve(values.size() + 1);
  for (const std::string& value : values) {
    column.text += value;
    column.ends.push_back(static_cast<std::int64_t>(column.text.size()));
  }
}

std::size_t add_values(Column& column, nb::handle values) {
  std::size_t rows = 0;
  if (add_numbers<std::int64_t>(column, values, "l", rows) ||
      add_numbers<std::uint64_t>(column, values, "L", rows) ||
      add_numbers<std::int32_t>(column, values, "i", rows) ||
      add_numbers<std::uint32_t>(column, values, "I", rows) ||
      add_numbers<double>(column, values, "g", rows))
    return rows;
  std::vector<std::string> texts;
  if (!nb::try_cast(values, texts)) throw nb::type_error("a column is neither numbers nor text");
  add_text(column, texts);
  return texts.size();
}

Shared make_table(const std::vector<std::string>& names, const nb::list& values) {
  auto table = std::make_shared<ArrowTable>();
  if (values.size() != names.size()) throw UsageError("every column has a name");
  table->columns.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    Column& column = table->columns[i];
    column.name = names[i];
    const std::size_t rows = add_values(column, values[i]);
    if (i > 0 && rows != table->rows) throw UsageError("columns differ in length");
    table->rows = rows;
  }
  for (Column& column : table->columns)  // where they stay
    if (!column.ends.empty()) column.buffers = {nullptr, column.ends.data(), column.text.data()};
  return table;
}

std::vector<std::string> names_of(const Shared& table) {
  std::vector<std::string> result;
  for (const Column& column : table->columns) result.push_back(column.name);
  return result;
}

// What Python holds.
struct TableObject {
  Shared table;
};

}  // namespace

void bind_arrow_out(nb::module_& module) {
  nb::class_<TableObject>(module, "ArrowTable",
                          "Columns that any library with Arrow's PyCapsule interface takes.")
      .def(
          "__init__",
          [](TableObject* self, const std::vector<std::string>& names, const nb::list& values) {
            new (self) TableObject{make_table(names, values)};
          },
          nb::arg("names"), nb::arg("values"))
      .def_prop_ro("column_names", [](const TableObject& self) { return names_of(self.table); })
      .def_prop_ro("num_rows", [](const TableObject& self) { return self.table->rows; })
      .def("__len__", [](const TableObject& self) { return self.table->rows; })
      .def("__arrow_c_schema__", [](const TableObject& self) { return schema_of(self.table); })
      .def(
          "__arrow_c_array__",
          [](const TableObject& self, nb::handle wish) { return array_of(self.table, wish); },
          nb::arg("requested_schema").none() = nb::none())
      .def(
          "__arrow_c_stream__",
          [](const TableObject& self, nb::handle wish) { return stream_of(self.table, wish); },
          nb::arg("requested_schema").none() = nb::none());
}

}  // namespace antipode::python
