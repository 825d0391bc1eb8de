// The library as the Python module antipode_graph._core. Python's side gives names to vertices,
// chooses among components and shapes the answers; here vertices are numbers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind.hpp"

namespace antipode::python {

namespace {

void bind_ask(nb::module_& module) {
  nb::class_<Ask>(module, "Ask", "Where to search, for how long, and whom to tell.")
      .def(
          "__init__",
          [](Ask* self, std::string engine, unsigned threads, std::uint64_t memory_limit,
             double time_limit, nb::object progress) {
            new (self) Ask{.machine = {std::move(engine), threads, memory_limit},
                           .time_limit = time_limit,
                           .progress = std::move(progress)};
          },
          nb::arg("engine") = "auto", nb::arg("threads") = 0, nb::arg("memory_limit") = 0,
          nb::arg("time_limit") = 0.0, nb::arg("progress").none() = nb::none())
      .def(
          "keep",
          [](Ask& self, std::string checkpoint, double every, bool resume) {
            self.checkpoint = {.file = std::move(checkpoint), .every = every, .resume = resume};
          },
          nb::arg("checkpoint"), nb::arg("every"), nb::arg("resume"),
          "A file for the state of a long measure.");
}

nb::list engine_list() {
  nb::list result;
  for (const EngineInfo& info : engines()) {
    nb::dict each;
    each["name"] = info.name;
    each["usable"] = info.usable;
    each["detail"] = info.detail;
    result.append(each);
  }
  return result;
}

}  // namespace

NB_MODULE(_core, module) {
  bind_errors(module);
  bind_ask(module);
  GraphClass graph(module, "Graph");
  bind_makers(graph, module);
  bind_dicts(module);
  bind_facts(graph);
  bind_distances(graph);
  bind_sums(graph, module);
  bind_rows(graph);
  bind_page(module);
  bind_arrow_in(module);
  bind_arrow_out(module);
  bind_certificates(graph, module);
  module.def("engines", &engine_list, "The engines of this build, best first.");
}

}  // namespace antipode::python
