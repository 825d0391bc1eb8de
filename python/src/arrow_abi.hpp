// The C data interface of Apache Arrow (https://arrow.apache.org/docs/format/CDataInterface.html)
// and its stream: tables pass between libraries as these structs, in PyCapsules of fixed names.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace antipode::python {

// Released at its end, if nothing has taken it over.
template <class Struct>
struct Held : Struct {
  Held() : Struct{} {}
  ~Held() {
    if (this->release != nullptr) this->release(this);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

constexpr const char* kSchemaCapsule = "arrow_schema";
constexpr const char* kArrayCapsule = "arrow_array";
constexpr const char* kStreamCapsule = "arrow_array_stream";

}  // namespace antipode::python
